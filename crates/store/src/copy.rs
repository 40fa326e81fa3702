//! Copies one database to another, of the same kind or not.
//!
//! Tables are copied one after the other, rows in the order of their keys. The contents of the
//! target must be a prefix of the source: an empty target is filled, a partial copy is continued,
//! and anything else is refused. Finally both are read again, and counts and checksums compared.

use sha2::{Digest as _, Sha256};

use crate::{Address, GameStore, PostgresGames, SqliteGames, StoreAnswer, StoreError};

/// Rows that are read or written at once.
const ROWS: u32 = 500;

/// The type of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Number,
    Text,
    Bytes,
}

/// The value of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Number(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

/// A table: its name, its columns, and how many of them, from the first, are its key.
pub(crate) struct Table {
    name: &'static str,
    pub(crate) columns: &'static [(&'static str, Kind)],
    keys: usize,
}

const TABLES: [Table; 6] = {
    use Kind::{Bytes, Number, Text};
    [
        Table {
            name: "games",
            columns: &[
                ("id", Text),
                ("rules", Text),
                ("start", Text),
                ("first", Text),
                ("second", Text),
                ("clock", Number),
                ("increment", Number),
                ("first_holder", Bytes),
                ("second_holder", Bytes),
                ("created_at", Number),
                ("finished", Number),
                ("salt", Text),
                ("first_name", Text),
                ("second_name", Text),
                ("listed", Number),
                ("turn", Number),
                ("result", Text),
                ("changed_at", Number),
            ],
            keys: 1,
        },
        Table {
            name: "events",
            columns: &[
                ("game", Text),
                ("version", Number),
                ("at", Number),
                ("body", Text),
                ("request_key", Text),
            ],
            keys: 2,
        },
        Table {
            name: "invitations",
            columns: &[
                ("digest", Bytes),
                ("game", Text),
                ("player", Number),
                ("spent", Number),
            ],
            keys: 1,
        },
        Table {
            name: "seats",
            columns: &[("visitor", Bytes), ("game", Text), ("player", Number)],
            keys: 3,
        },
        Table {
            name: "runs",
            columns: &[("began_at", Number), ("alive_at", Number)],
            keys: 1,
        },
        Table {
            name: "studies",
            columns: &[("subject", Text), ("body", Text), ("at", Number)],
            keys: 1,
        },
    ]
};

impl Table {
    fn names(&self, count: usize) -> String {
        let names = self.columns[..count].iter().map(|(name, _)| *name);
        names.collect::<Vec<_>>().join(", ")
    }

    /// Returns the statement that selects the next rows in the order of their keys.
    pub(crate) fn select(&self, after: bool, most: u32) -> String {
        let (columns, keys) = (self.names(self.columns.len()), self.names(self.keys));
        let after = match after {
            true => format!("WHERE ({keys}) > ({}) ", places(self.keys)),
            false => String::new(),
        };
        let name = self.name;
        format!("SELECT {columns} FROM {name} {after}ORDER BY {keys} LIMIT {most}")
    }

    pub(crate) fn insert(&self) -> String {
        let count = self.columns.len();
        let (columns, name) = (self.names(count), self.name);
        let places = places(count);
        format!("INSERT INTO {name} ({columns}) VALUES ({places})")
    }
}

fn places(count: usize) -> String {
    let places = (1..=count).map(|place| format!("${place}"));
    places.collect::<Vec<_>>().join(", ")
}

/// A store that can be read and written row by row.
pub(crate) trait RowSource: GameStore {
    /// Returns the rows of a table after the one with this key.
    fn read<'a>(
        &'a self,
        table: &'a Table,
        after: Option<&'a [Value]>,
        most: u32,
    ) -> StoreAnswer<'a, Vec<Vec<Value>>>;
    /// Adds rows to a table, all or none.
    fn write<'a>(&'a self, table: &'a Table, rows: &'a [Vec<Value>]) -> StoreAnswer<'a, ()>;
}

async fn open(address: &Address) -> Result<Box<dyn RowSource>, StoreError> {
    Ok(match address {
        Address::Sqlite(path) => Box::new(SqliteGames::open(path).await?),
        Address::Postgres(url) => Box::new(PostgresGames::open(url).await?),
    })
}

/// Progress of a copy.
#[derive(Clone, Copy, Debug)]
pub struct CopyProgress {
    /// The table that is copied.
    pub table: &'static str,
    /// Rows of it in the target.
    pub rows: u64,
}

/// One table of a finished copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedTable {
    /// Its name.
    pub table: &'static str,
    /// Number of rows, in both databases.
    pub rows: u64,
    /// Number of rows that were in the target before.
    pub before: u64,
    /// Checksum of all rows, equal in both.
    pub checksum: String,
}

/// Copies one database to another and compares them.
///
/// # Errors
/// When one of them fails, the target is not a prefix of the source, or they differ in the end
/// because another process wrote meanwhile.
pub async fn copy(
    from: &Address,
    to: &Address,
    progress: &mut (dyn FnMut(CopyProgress) + Send),
) -> Result<Vec<CopiedTable>, StoreError> {
    let (source, target) = (open(from).await?, open(to).await?);
    let copied = copy_between(&*source, &*target, progress).await;
    let copied = copied.map_err(|fault| match fault {
        Failure::Store(error) => error,
        Failure::NotEmpty(table) => StoreError::NotEmpty {
            path: to.to_string(),
            table: table.into(),
        },
        Failure::Differs(table) => StoreError::Differs {
            path: from.to_string(),
            table: table.into(),
        },
    });
    source.close().await?;
    target.close().await?;
    copied
}

enum Failure {
    Store(StoreError),
    NotEmpty(&'static str),
    Differs(&'static str),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

async fn copy_between(
    source: &dyn RowSource,
    target: &dyn RowSource,
    progress: &mut (dyn FnMut(CopyProgress) + Send),
) -> Result<Vec<CopiedTable>, Failure> {
    // Check that the target is a prefix of the source before writing.
    let mut begun = Vec::new();
    let mut whole = true;
    for table in &TABLES {
        let there = Reading::of(target, table, u64::MAX).await?;
        let here = Reading::of(source, table, there.rows).await?;
        if there.checksum != here.checksum || there.rows > 0 && !whole {
            return Err(Failure::NotEmpty(table.name));
        }
        let next = source.read(table, here.last.as_deref(), 1).await?;
        whole = next.is_empty();
        begun.push(there);
    }
    let mut copied = Vec::new();
    for (table, begun) in TABLES.iter().zip(begun) {
        let (mut rows, mut last) = (begun.rows, begun.last);
        loop {
            let part = source.read(table, last.as_deref(), ROWS).await?;
            let Some(end) = part.last() else { break };
            target.write(table, &part).await?;
            last = Some(end[..table.keys].to_vec());
            rows += part.len() as u64;
            progress(CopyProgress {
                table: table.name,
                rows,
            });
        }
        let here = Reading::of(source, table, u64::MAX).await?;
        let there = Reading::of(target, table, u64::MAX).await?;
        if (here.rows, &here.checksum) != (there.rows, &there.checksum) {
            return Err(Failure::Differs(table.name));
        }
        copied.push(CopiedTable {
            table: table.name,
            rows: there.rows,
            before: begun.rows,
            checksum: there.checksum,
        });
    }
    Ok(copied)
}

/// The first rows of a table.
struct Reading {
    rows: u64,
    last: Option<Vec<Value>>,
    checksum: String,
}

impl Reading {
    async fn of(store: &dyn RowSource, table: &Table, most: u64) -> Result<Self, StoreError> {
        let (mut rows, mut last, mut digest) = (0, None::<Vec<Value>>, Sha256::new());
        while rows < most {
            let wanted = u32::try_from(most - rows).unwrap_or(ROWS).min(ROWS);
            let part = store.read(table, last.as_deref(), wanted).await?;
            let Some(end) = part.last() else { break };
            last = Some(end[..table.keys].to_vec());
            rows += part.len() as u64;
            for value in part.iter().flatten() {
                add(&mut digest, value);
            }
        }
        let bytes = digest.finalize();
        let checksum = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self {
            rows,
            last,
            checksum,
        })
    }
}

/// Hashes each value with its length, so that different rows have different encodings.
fn add(digest: &mut Sha256, value: &Value) {
    let bytes = match value {
        Value::Number(number) => number.map(|number| number.to_be_bytes().to_vec()),
        Value::Text(text) => text.as_ref().map(|text| text.as_bytes().to_vec()),
        Value::Bytes(bytes) => bytes.clone(),
    };
    match bytes {
        None => digest.update([0]),
        Some(bytes) => {
            digest.update([1]);
            digest.update((bytes.len() as u64).to_be_bytes());
            digest.update(bytes);
        }
    }
}
