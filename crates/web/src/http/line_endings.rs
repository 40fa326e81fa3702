//! Strict line endings: a request line or header that ends in a bare LF closes the connection.
//!
//! RFC 9112 (section 2.2) lets a recipient accept a bare LF, and hyper does. A proxy that reads
//! it differently would disagree about where a request ends (request smuggling), so it is
//! refused here. The reader below only watches the bytes; hyper frames the messages. It follows
//! `Content-Length` and chunks as far as needed to know which bytes are lines.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes of a line that are looked at. A longer line that says where a body ends is refused.
const MAX_LINE: usize = 128;

const BARE_LF: &str = "a line ends in a bare LF";
const LONG_LENGTH: &str = "the line with the length of a body is too long";

/// Where in the messages of a connection the next byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A request line or an empty line before it.
    Start,
    /// A header line or the empty line after them.
    Head,
    /// The line with the size of a chunk.
    ChunkSize,
    /// The data of a chunk, and the number of bytes left, including its CRLF.
    ChunkData(u64),
    /// A trailer line or the empty line after them.
    Trailer,
    /// A body, and the number of bytes left.
    Body(u64),
}

/// The framing of the requests on one connection.
#[derive(Debug)]
struct Framing {
    part: Part,
    /// The beginning of the current line.
    line: Vec<u8>,
    /// The last byte of the current line.
    last: u8,
    /// Body length in the current head.
    length: u64,
    is_chunked: bool,
    /// Number of heads that have ended.
    heads: usize,
}

impl Default for Framing {
    fn default() -> Self {
        Self {
            part: Part::Start,
            line: Vec::new(),
            last: 0,
            length: 0,
            is_chunked: false,
            heads: 0,
        }
    }
}

impl Framing {
    /// Follows the next bytes.
    ///
    /// # Errors
    /// When a line does not end in CRLF, or one with the length of a body is too long.
    fn follow(&mut self, mut bytes: &[u8]) -> Result<(), &'static str> {
        while let Some((&byte, rest)) = bytes.split_first() {
            match self.part {
                Part::Body(left) => bytes = self.skip(bytes, left, Part::Body, Part::Start),
                Part::ChunkData(left) => {
                    bytes = self.skip(bytes, left, Part::ChunkData, Part::ChunkSize);
                }
                Part::Start | Part::Head | Part::ChunkSize | Part::Trailer => {
                    bytes = rest;
                    if byte != b'\n' {
                        // One byte more, to know that the line was longer.
                        if self.line.len() <= MAX_LINE {
                            self.line.push(byte);
                        }
                        self.last = byte;
                    } else if self.last == b'\r' {
                        self.end_line()?;
                    } else {
                        return Err(BARE_LF);
                    }
                }
            }
        }
        Ok(())
    }

    /// Skips up to `left` bytes of data.
    fn skip<'a>(
        &mut self,
        bytes: &'a [u8],
        left: u64,
        within: fn(u64) -> Part,
        after: Part,
    ) -> &'a [u8] {
        let skipped = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let remaining = left - skipped as u64;
        self.part = if remaining == 0 {
            after
        } else {
            within(remaining)
        };
        &bytes[skipped..]
    }

    fn end_line(&mut self) -> Result<(), &'static str> {
        let line = std::mem::take(&mut self.line);
        self.last = 0;
        let is_cut = line.len() > MAX_LINE;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches('\r');
        match (self.part, text.is_empty()) {
            (Part::Start, false) => self.part = Part::Head,
            (Part::Head, false) => return self.read_header(text, is_cut),
            (Part::Head, true) => {
                self.heads += 1;
                self.part = if self.is_chunked {
                    Part::ChunkSize
                } else if self.length > 0 {
                    Part::Body(self.length)
                } else {
                    Part::Start
                };
                (self.length, self.is_chunked) = (0, false);
            }
            (Part::Trailer, true) => self.part = Part::Start,
            (Part::ChunkSize, _) => {
                let (digits, extensions) = text.split_once(';').unzip();
                if is_cut && extensions.is_none() {
                    return Err(LONG_LENGTH);
                }
                // hyper refuses anything else, and closes the connection.
                let size = u64::from_str_radix(digits.unwrap_or(text).trim(), 16).unwrap_or(0);
                self.part = if size == 0 {
                    Part::Trailer
                } else {
                    Part::ChunkData(size.saturating_add(2))
                };
            }
            _ => {}
        }
        Ok(())
    }

    fn read_header(&mut self, line: &str, is_cut: bool) -> Result<(), &'static str> {
        let Some((name, value)) = line.split_once(':') else {
            return Ok(());
        };
        let is_length = name.eq_ignore_ascii_case("content-length");
        if !is_length && !name.eq_ignore_ascii_case("transfer-encoding") {
            return Ok(());
        }
        if is_cut {
            return Err(LONG_LENGTH);
        }
        if is_length {
            self.length = value.trim().parse().unwrap_or(0);
        } else {
            self.is_chunked = true;
        }
        Ok(())
    }
}

/// A stream that fails at a bare LF.
pub(crate) struct StrictLines<S> {
    stream: S,
    framing: Framing,
}

impl<S> StrictLines<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self {
            stream,
            framing: Framing::default(),
        }
    }

    /// Returns the number of request heads that have ended.
    pub(crate) fn heads(&self) -> usize {
        self.framing.heads
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StrictLines<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        let followed = this.framing.follow(&buffer.filled()[before..]);
        Poll::Ready(followed.map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why)))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StrictLines<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows the bytes in pieces of every size.
    fn is_strict(text: &str) -> bool {
        let results: Vec<bool> = (1..=text.len())
            .map(|size| {
                let mut framing = Framing::default();
                text.as_bytes()
                    .chunks(size)
                    .all(|piece| framing.follow(piece).is_ok())
            })
            .collect();
        assert!(results.iter().all(|result| *result == results[0]));
        results[0]
    }

    #[test]
    fn bodies_may_contain_bare_line_feeds_and_lines_may_not() {
        for strict in [
            "GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n",
            "\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n\n\n\n\nGET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n\
             3\r\na\nb\r\nA;x=y\r\n\n\n\n\n\n\n\n\n\n\n\r\n0\r\nt: 1\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        ] {
            assert!(is_strict(strict), "{strict:?}");
        }
        for lenient in [
            "GET / HTTP/1.1\nhost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\n\n",
            "POST / HTTP/1.1\r\ncontent-length: 4\r\n\r\nabcdGET / HTTP/1.1\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\nt: 1\n\r\n",
        ] {
            assert!(!is_strict(lenient), "{lenient:?}");
        }
    }

    #[test]
    fn a_length_behind_many_spaces_does_not_hide_a_bare_line_feed() {
        // hyper reads the length 27: the body names another one, of a body that never comes.
        let body = "content-length: 9999\r\n\r\nabc";
        let (spaces, smuggled) = (" ".repeat(MAX_LINE), "GET / HTTP/1.1\nhost: x\r\n\r\n");
        for head in [
            format!("content-length:{spaces}{}\r\n\r\n", body.len()),
            format!(
                "transfer-encoding:{spaces}chunked\r\n\r\n{:x}\r\n",
                body.len()
            ),
            format!(
                "transfer-encoding: chunked\r\n\r\n{}{:x}\r\n",
                "0".repeat(MAX_LINE),
                body.len()
            ),
        ] {
            let request = format!("POST / HTTP/1.1\r\n{head}{body}");
            assert!(!is_strict(&format!("{request}{smuggled}")), "{request:?}");
        }
        let other = format!("GET / HTTP/1.1\r\nx: {spaces}\r\n\r\n");
        assert!(is_strict(&other), "other lines may be long");
        let extension = format!("3;x={}", "y".repeat(MAX_LINE));
        assert!(is_strict(&format!(
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n{extension}\r\na\nb\r\n0\r\n\r\n"
        )));
    }
}
