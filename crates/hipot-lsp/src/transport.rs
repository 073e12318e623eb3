//! Messages: a header with a length, and JSON.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The largest message, in bytes.
const MAX_SIZE: u64 = 64 << 20;

/// The longest header.
const MAX_HEADER: u64 = 8 << 10;

/// Why no message can be read any more.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The stream is broken.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// This is not the protocol.
    #[error("this is not the Language Server Protocol: {0}; editors start 'hipot lsp'")]
    Protocol(&'static str),
}

/// A message of the client.
#[derive(Debug, Deserialize)]
pub(crate) struct Incoming {
    /// The number or text that the answer has to have; a notification has none.
    pub(crate) id: Option<Value>,
    pub(crate) method: Option<String>,
    #[serde(default)]
    pub(crate) params: Value,
}

/// A message to the client.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Outgoing {
    Result { id: Value, result: Value },
    Error { id: Value, error: ErrorObject },
    Notification { method: &'static str, params: Value },
}

/// Why a request is not answered.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorObject {
    pub(crate) code: i32,
    pub(crate) message: String,
}

/// The next message; `None` at the end of the stream.
pub(crate) fn read(input: &mut impl BufRead) -> Result<Option<Incoming>, TransportError> {
    let Some(length) = header(input)? else { return Ok(None) };
    if length > MAX_SIZE {
        return Err(TransportError::Protocol("a message is too large"));
    }
    let mut text = Vec::new();
    if input.take(length).read_to_end(&mut text)? as u64 != length {
        return Err(TransportError::Protocol("a message is cut off"));
    }
    let message = serde_json::from_slice(&text);
    message.map(Some).map_err(|_| TransportError::Protocol("a message is not JSON-RPC"))
}

/// The length that the header of a message claims.
fn header(input: &mut impl BufRead) -> Result<Option<u64>, TransportError> {
    let (mut length, mut size, mut line) = (None, 0, Vec::new());
    loop {
        line.clear();
        size += input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)? as u64;
        let text = line.trim_ascii();
        if line.is_empty() && size == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") || size > MAX_HEADER {
            return Err(TransportError::Protocol("a header does not end"));
        }
        if text.is_empty() {
            return length.map(Some).ok_or(TransportError::Protocol("a message has no length"));
        }
        let text = String::from_utf8_lossy(text);
        let Some((name, value)) = text.split_once(':') else {
            return Err(TransportError::Protocol("a line of a header has no colon"));
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok();
        }
    }
}

/// Writes a message.
pub(crate) fn write(output: &mut impl Write, message: &Outgoing) -> io::Result<()> {
    let Value::Object(mut object) = serde_json::to_value(message)? else { return Ok(()) };
    object.insert("jsonrpc".into(), "2.0".into());
    let text = serde_json::to_string(&object)?;
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_one_after_the_other() {
        let text = "Content-Length: 15\r\nContent-Type: x\r\n\r\n{\"method\":\"me\"}\
                    content-length: 24\n\n{\"id\":7,\"method\":\"other\"}";
        let mut input = text.as_bytes();
        let first = read(&mut input).unwrap().unwrap();
        assert_eq!((first.id, first.method.as_deref()), (None, Some("me")));
        let second = read(&mut input);
        assert!(second.is_err(), "the length is one too small");
    }

    #[test]
    fn hostile_headers_take_no_memory() {
        for text in [
            "Content-Length: 99999999999999\r\n\r\n{}",
            "Content-Length: 99999999999999999999999999\r\n\r\n{}",
            "Content-Length: -1\r\n\r\n{}",
            "Content-Length: 100\r\n\r\n{}",
            "Content-Length: 2\r\n\r\n[]",
            "nonsense\r\n\r\n",
            "Content-Length",
            "\r\n",
        ] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text}");
        }
        let endless = vec![b'x'; 1 << 20];
        assert!(read(&mut endless.as_slice()).is_err());
        assert!(read(&mut &b""[..]).unwrap().is_none());
    }
}
