//! As much of HTTP/1.1 as is needed: one request and one response for each connection.
//!
//! A request has to arrive within some seconds and may not be larger than it is allowed to be; memory
//! is taken as bytes arrive, whatever length was claimed.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use serde::Serialize;

/// A request has to arrive within this time, and a client has to take each piece of a response.
const PATIENCE: Duration = Duration::from_secs(15);

/// A client that is refused may go on sending for so long.
const LINGER: Duration = Duration::from_secs(2);

/// The largest head of a request, and the most headers.
const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 64;

/// What a page may load and do. Explanations have their style inside.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// A request.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path, without what follows a question mark.
    pub(crate) path: String,
    pub(crate) host: Option<String>,
    pub(crate) origin: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// A response that is an error: its status, and what is said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) Status, pub(crate) String);

/// The status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ok,
    BadRequest,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Timeout,
    LengthRequired,
    TooLarge,
    Busy,
    Defect,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Self::Ok => "200 OK",
            Self::BadRequest => "400 Bad Request",
            Self::Forbidden => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::MethodNotAllowed => "405 Method Not Allowed",
            Self::Timeout => "408 Request Timeout",
            Self::LengthRequired => "411 Length Required",
            Self::TooLarge => "413 Content Too Large",
            Self::Busy => "503 Service Unavailable",
            Self::Defect => "500 Internal Server Error",
        }
    }
}

/// Why there is no request.
#[derive(Debug)]
pub(crate) enum NoRequest {
    /// There is no client to talk to.
    Gone(io::Error),
    /// The client can be told.
    Refused(Refusal),
}

impl From<io::Error> for NoRequest {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                refused(Status::Timeout, "the request took too long")
            }
            _ => Self::Gone(error),
        }
    }
}

fn refused(status: Status, message: &str) -> NoRequest {
    NoRequest::Refused(Refusal(status, message.to_owned()))
}

/// Reads a request with a body of at most `size` bytes.
pub(crate) fn read_request(stream: &mut TcpStream, size: usize) -> Result<Request, NoRequest> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = Reader { stream, bytes: Vec::new(), end: Instant::now() + PATIENCE };
    let (mut request, head, length, expects) = loop {
        if let Some(head) = parse_head(&reader.bytes)? {
            break head;
        }
        if reader.bytes.len() >= MAX_HEAD {
            return Err(refused(Status::TooLarge, "the head of the request is too large"));
        }
        reader.read(MAX_HEAD)?;
    };
    if length > size {
        let message = format!("the request has {length} bytes; at most {size} are accepted");
        return Err(refused(Status::TooLarge, &message));
    }
    if expects {
        reader.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    while reader.bytes.len() < head + length {
        reader.read(head + length)?;
    }
    request.body = reader.bytes[head..head + length].to_vec();
    Ok(request)
}

struct Reader<'a> {
    stream: &'a mut TcpStream,
    bytes: Vec<u8>,
    end: Instant,
}

impl Reader<'_> {
    /// Reads some bytes, at most until there are `limit`.
    fn read(&mut self, limit: usize) -> Result<(), NoRequest> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::Error::from(ErrorKind::TimedOut).into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let mut buffer = [0; 8 << 10];
        let room = (limit - self.bytes.len()).min(buffer.len());
        match self.stream.read(&mut buffer[..room])? {
            0 => Err(NoRequest::Gone(ErrorKind::UnexpectedEof.into())),
            count => {
                self.bytes.extend_from_slice(&buffer[..count]);
                Ok(())
            }
        }
    }
}

/// The request, the length of its head and that of its body, and whether its client waits before it
/// sends the body; `None` if the head is not complete yet.
fn parse_head(bytes: &[u8]) -> Result<Option<(Request, usize, usize, bool)>, NoRequest> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(head)) => head,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => {
            return Err(refused(Status::BadRequest, &format!("this is not HTTP/1.1: {error}")));
        }
    };
    let path = parsed.path.unwrap_or_default();
    let mut request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: path.split('?').next().unwrap_or_default().to_owned(),
        ..Request::default()
    };
    let (mut length, mut expects) = (None, false);
    for header in parsed.headers.iter() {
        let value = String::from_utf8_lossy(header.value).trim().to_owned();
        let is = |name: &str| header.name.eq_ignore_ascii_case(name);
        let once = |place: &mut Option<String>| {
            if place.replace(value.clone()).is_some() {
                return Err(refused(Status::BadRequest, "a header is there twice"));
            }
            Ok(())
        };
        if is("host") {
            once(&mut request.host)?;
        } else if is("origin") {
            once(&mut request.origin)?;
        } else if is("content-length") {
            once(&mut length)?;
        } else if is("transfer-encoding") {
            return Err(refused(Status::LengthRequired, "the length of the request is needed"));
        } else if is("expect") {
            expects = value.eq_ignore_ascii_case("100-continue");
        }
    }
    let length = match length {
        Some(length) if length.bytes().all(|byte| byte.is_ascii_digit()) => length.parse().ok(),
        Some(_) => None,
        None => Some(0),
    };
    match length {
        Some(length) => Ok(Some((request, head, length, expects))),
        None => Err(refused(Status::BadRequest, "the length of the request is not a number")),
    }
}

/// Whether the client has closed the connection.
pub(crate) fn is_gone(stream: &TcpStream) -> bool {
    let peek = || {
        stream.set_nonblocking(true)?;
        let seen = stream.peek(&mut [0]);
        stream.set_nonblocking(false)?;
        seen
    };
    match peek() {
        Ok(count) => count == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

/// Closes a connection whose request was not read to its end. What is still on its way is taken and
/// thrown away for a moment: else the client might find its connection broken before it has read why
/// it was refused.
pub(crate) fn close(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let (end, mut buffer) = (Instant::now() + LINGER, [0; 16 << 10]);
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        if stream.read(&mut buffer)? == 0 {
            return Ok(());
        }
    }
}

/// Begins a response whose end is the end of the connection.
pub(crate) fn begin(stream: &mut TcpStream, status: Status, kind: &str) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {}\r\nContent-Type: {kind}\r\nContent-Security-Policy: {POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\n\
         Connection: close\r\n\r\n",
        status.line()
    )
}

/// Writes a whole response.
pub(crate) fn write(
    stream: &mut TcpStream,
    status: Status,
    kind: &str,
    body: &[u8],
) -> io::Result<()> {
    begin(stream, status, kind)?;
    stream.write_all(body)?;
    stream.flush()
}

/// Writes a value as JSON.
pub(crate) fn write_json(
    stream: &mut TcpStream,
    status: Status,
    value: &impl Serialize,
) -> io::Result<()> {
    write(stream, status, "application/json", &serde_json::to_vec(value)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Result<Option<(Request, usize, usize, bool)>, NoRequest> {
        parse_head(text.as_bytes())
    }

    #[test]
    fn heads_are_read() {
        let text = "POST /solve?x=1 HTTP/1.1\r\nhOST: localhost:80 \r\nContent-Length: 12\r\n\
                    Expect: 100-continue\r\n\r\n";
        let (request, length, body, expects) = head(text).unwrap().unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/solve"));
        assert_eq!((length, body, expects), (text.len(), 12, true));
        assert_eq!((request.host.as_deref(), request.origin), (Some("localhost:80"), None));
        for end in 0..text.len() {
            assert!(head(&text[..end]).unwrap().is_none());
        }
    }

    #[test]
    fn heads_that_could_be_read_in_two_ways_are_refused() {
        for headers in [
            "Content-Length: 1\r\nContent-Length: 2",
            "Host: a\r\nHost: b",
            "Transfer-Encoding: chunked",
            "Content-Length: -1",
            "Content-Length: +1",
            "Content-Length: 99999999999999999999999",
            "Content-Length: 0x10",
        ] {
            let text = format!("POST / HTTP/1.1\r\n{headers}\r\n\r\n");
            assert!(matches!(head(&text), Err(NoRequest::Refused(_))), "{headers}");
        }
        assert!(matches!(head("nonsense\r\n\r\n"), Err(NoRequest::Refused(_))));
    }
}
