//! Tables as comma-separated values (RFC 4180, with line feeds).

/// Formats rows of equal length.
pub(crate) fn text<R, T>(rows: R) -> String
where
    R: IntoIterator<Item = T>,
    T: IntoIterator<Item: AsRef<[u8]>>,
{
    let mut lines = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let written = lines.write_record(row);
        written.expect("memory takes lines, and all have as many fields");
    }
    let bytes = lines.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("only text was written")
}
