//! Which request gets what.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hipot_pddl::Source;
use hipot_pddl::lint::Linter;
use serde::Serialize;
use serde_json::{Value, json};

use crate::guard::{is_host, is_origin};
use crate::http::{self, NoRequest, Refusal, Request, Status, is_gone, read_request};
use crate::jobs::{Asked, Jobs};
use crate::planner::{Answer, Ask, Follower, HEURISTICS, NoAnswer, Planner};
use crate::queue::{NoRoom, Queue};
use crate::service;
use crate::settings::Settings;

const HTML: &str = "text/html; charset=utf-8";

/// The files of the page.
const FILES: [(&str, &str, &str); 3] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    ("/script.js", "text/javascript; charset=utf-8", include_str!("page/script.js")),
];

/// The time between two signs of life of a run that has nothing to tell.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    settings: Settings,
    address: SocketAddr,
    queue: Queue,
    jobs: Jobs,
    is_over: AtomicBool,
}

impl Shared {
    pub(crate) fn new(settings: Settings, address: SocketAddr) -> Self {
        let queue = Queue::new(settings.runs, settings.waiting);
        let (jobs, is_over) = (Jobs::default(), AtomicBool::new(false));
        Self { settings, address, queue, jobs, is_over }
    }

    /// Ends what nobody wants any more.
    pub(crate) fn tidy(&self) {
        self.jobs.tidy(Instant::now());
    }

    /// Ends all runs.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Answers the one request of a connection.
pub(crate) fn answer(shared: &Arc<Shared>, mut stream: TcpStream) -> io::Result<()> {
    let refusal = match read_request(&mut stream, shared.settings.size) {
        Ok(request) => match route(shared, &request, &mut stream)? {
            Ok(()) => return Ok(()),
            Err(refusal) => refusal,
        },
        Err(NoRequest::Refused(refusal)) => refusal,
        Err(NoRequest::Gone(error)) => return Err(error),
    };
    let Refusal(status, message) = refusal;
    http::write_json(&mut stream, status, &json!({ "status": "error", "message": message }))?;
    http::close(&mut stream)
}

/// Whether the request was answered, or why not.
type Answered = io::Result<Result<(), Refusal>>;

fn route(shared: &Arc<Shared>, request: &Request, stream: &mut TcpStream) -> Answered {
    if let Err(refusal) = check(shared, request) {
        return Ok(Err(refusal));
    }
    let path = request.path.as_str();
    if let Some((_, kind, text)) = FILES.iter().find(|(name, ..)| *name == path) {
        return match request.method.as_str() {
            "GET" => http::write(stream, Status::Ok, kind, text.as_bytes()).map(Ok),
            "HEAD" => http::begin(stream, Status::Ok, kind).map(Ok),
            _ => Ok(Err(not_allowed(request))),
        };
    }
    if let Some(name) = path.strip_prefix("/check/") {
        return asked(shared, request, name, stream);
    }
    let package = format!("/package/{}", service::PACKAGE);
    match (request.method.as_str(), path) {
        ("GET", "/package") => json(stream, &[manifest(shared)]),
        ("GET", path)
            if path.strip_prefix(&package).is_some_and(|it| matches!(it, "" | "/solve")) =>
        {
            json(stream, &manifest(shared))
        }
        ("POST", "/solve") => solve_at_once(shared, request, stream),
        ("POST", path) if path.strip_prefix(&package) == Some("/solve") => {
            solve_later(shared, request, stream)
        }
        ("GET", "/api/limits") => json(stream, &limits(&shared.settings)),
        ("POST", "/api/read") => read(request, stream),
        ("POST", "/api/solve") => solve_and_tell(shared, request, stream),
        ("POST", "/api/explain") => explain(shared, request, stream),
        (
            _,
            "/solve" | "/package" | "/api/limits" | "/api/read" | "/api/solve" | "/api/explain",
        ) => Ok(Err(not_allowed(request))),
        _ => Ok(Err(Refusal(Status::NotFound, format!("there is nothing at '{path}'")))),
    }
}

fn not_allowed(request: &Request) -> Refusal {
    let message = format!("'{}' does not take {} requests", request.path, request.method);
    Refusal(Status::MethodNotAllowed, message)
}

/// Refuses requests of other sites' pages.
fn check(shared: &Shared, request: &Request) -> Result<(), Refusal> {
    let refused = |message: &str| Err(Refusal(Status::Forbidden, message.to_owned()));
    match &request.host {
        Some(host) if is_host(host, shared.address) => {}
        _ => return refused("the request is for another host"),
    }
    match &request.origin {
        Some(origin) if !is_origin(origin, shared.address) => {
            refused("the request comes from a page of another site")
        }
        _ => Ok(()),
    }
}

fn json(stream: &mut TcpStream, value: &impl Serialize) -> Answered {
    http::write_json(stream, Status::Ok, value).map(Ok)
}

fn manifest(shared: &Shared) -> Value {
    service::manifest(shared.settings.time.as_secs())
}

/// What the page shows about limits.
fn limits(settings: &Settings) -> Value {
    json!({
        "seconds": settings.time.as_secs_f64(),
        "memory": settings.memory,
        "size": settings.size,
        "runs": settings.runs,
        "heuristics": HEURISTICS,
    })
}

/// The mistakes in a task or else the warnings, with their places.
fn read(request: &Request, stream: &mut TcpStream) -> Answered {
    let ask = match parse_ask(request) {
        Ok(ask) => ask,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let domain = Source::new("domain", &ask.domain[..]);
    let problem = Source::new("problem", &ask.problem[..]);
    let found = match hipot_pddl::read(&domain, &problem) {
        Ok(_) => Linter::new(&domain, Some(&problem)).diagnostics(),
        Err(errors) => errors.diagnostics,
    };
    let describe = |it: &hipot_pddl::Diagnostic| {
        json!({
            "file": it.place.file, "line": it.place.line, "column": it.place.column,
            "width": it.place.width, "severity": it.severity.word(), "code": it.code,
            "message": it.message, "help": it.help,
        })
    };
    let diagnostics: Vec<Value> = found.iter().map(describe).collect();
    json(stream, &json!({ "diagnostics": diagnostics }))
}

fn parse_ask(request: &Request) -> Result<Ask, Refusal> {
    serde_json::from_slice(&request.body).map_err(|error| {
        Refusal(
            Status::BadRequest,
            format!("a JSON object with domain and problem is needed: {error}"),
        )
    })
}

/// What is asked for, and the heuristic.
fn parse(request: &Request) -> Result<(Ask, &'static str), Refusal> {
    let ask = parse_ask(request)?;
    let refused = |message| Refusal(Status::BadRequest, message);
    if ask.domain.trim().is_empty() || ask.problem.trim().is_empty() {
        return Err(refused("a domain and a problem are needed; one of them is empty".to_owned()));
    }
    let heuristic = ask.heuristic().map_err(refused)?;
    Ok((ask, heuristic))
}

fn busy() -> Refusal {
    Refusal(Status::Busy, "too many requests are waiting already; try again later".to_owned())
}

fn failed(error: &io::Error) -> Refusal {
    Refusal(Status::Defect, format!("the planner cannot be run: {error}"))
}

/// Follows a run for a client that waits for one answer.
struct Waiting<'a> {
    shared: &'a Shared,
    stream: &'a TcpStream,
}

impl Follower for Waiting<'_> {
    fn is_over(&mut self) -> bool {
        self.shared.is_over() || is_gone(self.stream)
    }
}

/// `POST /solve`: the answer when there is one.
fn solve_at_once(shared: &Shared, request: &Request, stream: &mut TcpStream) -> Answered {
    let done = with_room(shared, request, stream, |planner, heuristic, follower| {
        planner.solve(heuristic, follower).map(|answer| service::answer(&answer))
    });
    match done {
        Ok(Some(answer)) => json(stream, &answer),
        Ok(None) => Ok(Ok(())),
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// `POST /api/explain`: a page.
fn explain(shared: &Shared, request: &Request, stream: &mut TcpStream) -> Answered {
    let done = with_room(shared, request, stream, |planner, heuristic, follower| {
        planner.explain(heuristic, follower)
    });
    match done {
        Ok(Some(Ok(page))) => http::write(stream, Status::Ok, HTML, page.as_bytes()).map(Ok),
        Ok(Some(Err(messages))) => Ok(Err(Refusal(Status::BadRequest, messages))),
        Ok(None) => Ok(Ok(())),
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// Does something with a planner when there is room for it; `None` if the client has gone.
fn with_room<T>(
    shared: &Shared,
    request: &Request,
    stream: &TcpStream,
    run: impl FnOnce(&Planner<'_>, &str, &mut dyn Follower) -> Result<T, NoAnswer>,
) -> Result<Option<T>, Refusal> {
    let (ask, heuristic) = parse(request)?;
    let mut follower = Waiting { shared, stream };
    let _room = match shared.queue.enter(|| follower.is_over()) {
        Ok(room) => room,
        Err(NoRoom::Full) => return Err(busy()),
        Err(NoRoom::Gone) => return Ok(None),
    };
    let planner = Planner::new(&shared.settings, &ask).map_err(|error| failed(&error))?;
    match run(&planner, heuristic, &mut follower) {
        Ok(done) => Ok(Some(done)),
        Err(NoAnswer::Cancelled) => Ok(None),
        Err(NoAnswer::Failed(error)) => Err(failed(&error)),
    }
}

/// Follows a run that nobody waits for.
struct Later<'a> {
    shared: &'a Shared,
    is_over: &'a AtomicBool,
}

impl Follower for Later<'_> {
    fn is_over(&mut self) -> bool {
        self.shared.is_over() || self.is_over.load(Ordering::Relaxed)
    }
}

/// `POST /package/hipot/solve`: where to ask for the answer.
fn solve_later(shared: &Arc<Shared>, request: &Request, stream: &mut TcpStream) -> Answered {
    let (ask, heuristic) = match parse(request) {
        Ok(parsed) => parsed,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let Some((name, is_over)) = shared.jobs.begin() else { return Ok(Err(busy())) };
    let path = format!("/check/{name}");
    let shared = Arc::clone(shared);
    thread::Builder::new().name("job".into()).spawn(move || {
        let error = |Refusal(_, message): Refusal| {
            let error = json!({ "error": message });
            json!({ "get": { "status": "error", "result": error },
                    "post": { "status": "error", "result": error, "plans": [] } })
        };
        let mut follower = Later { shared: &shared, is_over: &is_over };
        let answer = match shared.queue.enter(|| follower.is_over()) {
            Ok(_room) => Planner::new(&shared.settings, &ask)
                .map_err(NoAnswer::Failed)
                .and_then(|planner| planner.solve(heuristic, &mut follower)),
            Err(NoRoom::Full) => return shared.jobs.end(&name, error(busy())),
            Err(NoRoom::Gone) => return,
        };
        match answer {
            Ok(answer) => {
                let (get, post) = (service::files(&answer), service::for_editors(&answer));
                shared.jobs.end(&name, json!({ "get": get, "post": post }));
            }
            Err(NoAnswer::Failed(io)) => shared.jobs.end(&name, error(failed(&io))),
            Err(NoAnswer::Cancelled) => {}
        }
    })?;
    json(stream, &json!({ "result": path }))
}

/// `/check/NAME`: the answer of a job, in the form for `GET` or that for editors.
fn asked(shared: &Shared, request: &Request, name: &str, stream: &mut TcpStream) -> Answered {
    let form = match request.method.as_str() {
        "GET" => "get",
        "POST" => {
            let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            if body["adaptor"].is_null() { "get" } else { "post" }
        }
        _ => return Ok(Err(not_allowed(request))),
    };
    match shared.jobs.ask(name) {
        Asked::Unknown => Ok(Err(Refusal(Status::NotFound, format!("there is no job '{name}'")))),
        Asked::Pending => json(stream, &json!({ "status": "PENDING" })),
        Asked::Done(answer) => json(stream, &answer[form]),
    }
}

/// Follows a run for a client that is told how far it is.
struct Telling<'a> {
    shared: &'a Shared,
    stream: &'a mut TcpStream,
    last: Instant,
    has_gone: bool,
}

impl Telling<'_> {
    /// Writes a line; if that fails, the client has gone.
    fn tell(&mut self, event: &Value) {
        self.write(&format!("{event}\n"));
    }

    fn write(&mut self, line: &str) {
        self.last = Instant::now();
        let written = self.stream.write_all(line.as_bytes()).and_then(|()| self.stream.flush());
        self.has_gone |= written.is_err();
    }
}

impl Follower for Telling<'_> {
    fn is_over(&mut self) -> bool {
        if self.last.elapsed() >= HEARTBEAT {
            self.write("\n");
        }
        self.has_gone = self.has_gone || is_gone(self.stream);
        self.has_gone || self.shared.is_over()
    }

    fn progress(&mut self, progress: &Value) {
        self.tell(&json!({ "event": "progress", "progress": progress }));
    }

    fn plan(&mut self, plan: &str) {
        self.tell(&json!({ "event": "plan", "plan": plan }));
    }
}

/// `POST /api/solve`: lines of JSON, the last one with the answer.
fn solve_and_tell(shared: &Shared, request: &Request, stream: &mut TcpStream) -> Answered {
    let (ask, heuristic) = match parse(request) {
        Ok(parsed) => parsed,
        Err(refusal) => return Ok(Err(refusal)),
    };
    http::begin(stream, Status::Ok, "application/x-ndjson")?;
    let mut follower = Telling { shared, stream, last: Instant::now(), has_gone: false };
    let refused = |follower: &mut Telling<'_>, Refusal(_, message): Refusal| {
        follower.tell(&json!({ "event": "error", "message": message }));
        Ok(Ok(()))
    };
    let mut is_waiting = false;
    let entered = shared.queue.enter(|| {
        if !is_waiting {
            is_waiting = true;
            follower.tell(&json!({ "event": "waiting" }));
        }
        follower.is_over()
    });
    let _room = match entered {
        Ok(room) => room,
        Err(NoRoom::Full) => return refused(&mut follower, busy()),
        Err(NoRoom::Gone) => return Ok(Ok(())),
    };
    follower.tell(&json!({ "event": "begin" }));
    let answer = Planner::new(&shared.settings, &ask)
        .map_err(NoAnswer::Failed)
        .and_then(|planner| planner.solve(heuristic, &mut follower));
    match answer {
        Ok(Answer { report, plan, messages, proof }) => follower.tell(&json!({
            "event": "end", "report": report, "plan": plan, "messages": messages, "proof": proof,
        })),
        Err(NoAnswer::Failed(error)) => return refused(&mut follower, failed(&error)),
        Err(NoAnswer::Cancelled) => {}
    }
    Ok(Ok(()))
}
