//! Reading and writing tables row by row, for copies.

use sqlx::Row as _;

use super::dialect::Games;
use crate::copy::{Kind, RowSource, Table, Value};
use crate::{StoreAnswer, StoreError};

impl RowSource for Games {
    fn read<'a>(
        &'a self,
        table: &'a Table,
        after: Option<&'a [Value]>,
        most: u32,
    ) -> StoreAnswer<'a, Vec<Vec<Value>>> {
        Box::pin(async move {
            let sql = table.select(after.is_some(), most);
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
            for value in after.unwrap_or_default() {
                query = match value {
                    Value::Number(number) => query.bind(*number),
                    Value::Text(text) => query.bind(text.as_deref()),
                    Value::Bytes(bytes) => query.bind(bytes.as_deref()),
                };
            }
            let rows = query.fetch_all(&self.readers).await;
            let rows = rows.map_err(|error| StoreError::database(&self.name, &error))?;
            let values = rows.iter().map(|row| {
                let columns = table.columns.iter().enumerate();
                let values = columns.map(|(index, (_, kind))| {
                    Ok(match kind {
                        Kind::Number => Value::Number(row.try_get(index)?),
                        Kind::Text => Value::Text(row.try_get(index)?),
                        Kind::Bytes => Value::Bytes(row.try_get(index)?),
                    })
                });
                values.collect()
            });
            let values: Result<_, sqlx::Error> = values.collect();
            values.map_err(|error| StoreError::database(&self.name, &error))
        })
    }

    fn write<'a>(&'a self, table: &'a Table, rows: &'a [Vec<Value>]) -> StoreAnswer<'a, ()> {
        Box::pin(async move {
            let writing = async {
                let mut transaction = self.readers.begin().await?;
                for row in rows {
                    let mut query = sqlx::query(sqlx::AssertSqlSafe(table.insert()));
                    for value in row {
                        query = match value {
                            Value::Number(number) => query.bind(*number),
                            Value::Text(text) => query.bind(text.as_deref()),
                            Value::Bytes(bytes) => query.bind(bytes.as_deref()),
                        };
                    }
                    query.execute(&mut *transaction).await?;
                }
                transaction.commit().await
            };
            let written: Result<(), sqlx::Error> = writing.await;
            written.map_err(|error| StoreError::database(&self.name, &error))
        })
    }
}
