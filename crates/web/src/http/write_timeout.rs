//! Write timeout: closes a connection whose peer stops reading (slow-read attack).
//!
//! hyper's `header_read_timeout` bounds reading; this bounds writing.
//! [`tokio_io_timeout`] starts its timer when a write returns `Pending` and stops it when
//! one makes progress, so a slow but live reader is served.

use std::pin::Pin;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_io_timeout::TimeoutWriter;

/// Wraps a stream so that a write without progress for `timeout` fails with `TimedOut`.
pub(crate) fn with_write_timeout<S>(stream: S, timeout: Duration) -> Pin<Box<TimeoutWriter<S>>>
where
    S: AsyncRead + AsyncWrite,
{
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(timeout));
    Box::pin(stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::sleep;

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_is_served_and_one_that_stops_times_out() {
        let (ours, mut theirs) = duplex(16);
        let mut connection = with_write_timeout(ours, Duration::from_secs(10));
        let reader = tokio::spawn(async move {
            let mut chunk = [0; 16];
            for _ in 0..5 {
                sleep(Duration::from_secs(9)).await;
                theirs.read_exact(&mut chunk).await.unwrap();
            }
            theirs
        });
        connection.write_all(&[1; 96]).await.unwrap();
        let theirs = reader.await.unwrap();
        let error = connection.write_all(&[1; 96]).await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
        drop(theirs);
    }
}
