//! `hipot serve` on a free port, and requests to it.
#![allow(dead_code, reason = "each test file uses a part of this")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A server; it ends when this is dropped.
pub(crate) struct Server {
    process: Child,
    /// Where its runs have their folders.
    folders: TempDir,
    /// Address and port.
    pub(crate) host: String,
}

/// A response: its status, its head, its body.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Each line of the body that is not empty.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let lines = self.body.lines().filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Server {
    pub(crate) fn start(options: &[&str]) -> Self {
        let folders = TempDir::new().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_hipot"))
            .args(["serve", "--port", "0", "-q"])
            .args(options)
            .env("TMPDIR", folders.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let host = url.trim().strip_prefix("http://").and_then(|url| url.strip_suffix('/'));
        Self { process, folders, host: host.expect("the server says where it is").to_owned() }
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// How many runs have a folder.
    pub(crate) fn runs(&self) -> usize {
        self.folders.path().read_dir().unwrap().count()
    }

    /// Waits until something is the case.
    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begin = Instant::now();
        while !is_so(self) {
            assert!(begin.elapsed() < Duration::from_secs(60), "timed out waiting until {what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream.write_all(bytes).unwrap();
        stream
    }

    /// Sends bytes and reads the response.
    pub(crate) fn ask(&self, bytes: &[u8]) -> Response {
        let mut text = String::new();
        self.send(bytes).read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").expect("a response");
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status");
        Response { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.ask(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host).as_bytes())
    }

    /// The bytes of a request with a body.
    pub(crate) fn post_bytes(&self, path: &str, body: &Value) -> Vec<u8> {
        let body = body.to_string();
        let (host, length) = (&self.host, body.len());
        format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n{body}")
            .into_bytes()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        self.ask(&self.post_bytes(path, body))
    }

    /// Waits for the end and returns the exit code.
    pub(crate) fn wait(mut self) -> Option<i32> {
        self.process.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// A task: one carrier takes each of `count` parcels to another place on its road. A plan is easily
/// found; with ten parcels, blind search does not prove in minutes that it is the cheapest.
pub(crate) fn parcels(count: usize) -> Value {
    let domain = "(define (domain parcels)
  (:requirements :strips :typing)
  (:types place parcel)
  (:predicates (road ?a ?b - place) (here ?a - place) (at ?p - parcel ?a - place)
    (held ?p - parcel) (free))
  (:action go :parameters (?a ?b - place)
    :precondition (and (here ?a) (road ?a ?b)) :effect (and (here ?b) (not (here ?a))))
  (:action take :parameters (?p - parcel ?a - place)
    :precondition (and (here ?a) (at ?p ?a) (free))
    :effect (and (held ?p) (not (at ?p ?a)) (not (free))))
  (:action give :parameters (?p - parcel ?a - place)
    :precondition (and (here ?a) (held ?p))
    :effect (and (at ?p ?a) (free) (not (held ?p)))))";
    let each = |text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<Vec<_>>().join(" ");
    let problem = format!(
        "(define (problem round) (:domain parcels)
  (:objects {} - place {} - parcel)
  (:init (here a0) (free) {} {})
  (:goal (and {})))",
        each(&|it| format!("a{it}")),
        each(&|it| format!("p{it}")),
        each(&|it| format!("(road a{it} a{0}) (road a{0} a{it})", (it + 1) % count)),
        each(&|it| format!("(at p{it} a{it})")),
        each(&|it| format!("(at p{it} a{})", (3 * it + 1) % count)),
    );
    json!({ "domain": domain, "problem": problem })
}

/// The same with more in the request.
pub(crate) fn with(mut ask: Value, more: &Value) -> Value {
    let more = more.as_object().unwrap().clone();
    ask.as_object_mut().unwrap().extend(more);
    ask
}
