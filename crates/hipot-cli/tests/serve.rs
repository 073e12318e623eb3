//! `hipot serve`: what it answers, what it refuses, and when its runs end.

mod sandbox;
mod server;

use std::io::{BufRead, BufReader, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use sandbox::{Sandbox, code, stderr};
use serde_json::{Value, json};
use server::{Server, parcels, with};

fn is_end(line: &Value) -> bool {
    line["event"] == "end"
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let server = Server::start(&[]);
    for (path, kind) in
        [("/", "text/html"), ("/style.css", "text/css"), ("/script.js", "text/javascript")]
    {
        let response = server.get(path);
        assert_eq!(response.status, 200, "{path}");
        assert!(response.head.contains(&format!("Content-Type: {kind}")), "{}", response.head);
        assert!(response.head.contains("Content-Security-Policy: default-src 'none'"));
        assert!(!response.body.contains("://"), "{path} refers to another site");
    }
    let request = format!("HEAD / HTTP/1.1\r\nHost: {}\r\n\r\n", server.host);
    assert_eq!(server.ask(request.as_bytes()).body, "");
}

#[test]
fn a_task_is_solved_with_progress_plan_and_proof() {
    let server = Server::start(&[]);
    let lines = server.post("/api/solve", &with(parcels(3), &json!({ "proof": true }))).lines();
    assert_eq!(lines[0], json!({ "event": "begin" }));
    let end = lines.last().filter(|it| is_end(it)).unwrap_or_else(|| panic!("{lines:?}"));
    assert_eq!(end["report"]["status"], "solved");
    let plan = end["plan"].as_str().unwrap();
    let steps = plan.lines().filter(|line| line.starts_with('(')).count();
    assert_eq!(end["report"]["length"], steps);
    let verdict = end["proof"]["verdict"].as_str().unwrap();
    assert!(verdict.contains("it is optimal"), "{verdict}");
    assert_eq!(server.runs(), 0, "the folder of the run is gone");
}

#[test]
fn a_limit_gives_the_best_plan_and_both_bounds() {
    let server = Server::start(&[]);
    let ask = with(parcels(10), &json!({ "heuristic": "blind", "time": 2 }));
    let lines = server.post("/api/solve", &ask).lines();
    let report = &lines.last().unwrap()["report"];
    assert_eq!(report["status"], "time-limit", "{lines:?}");
    assert!(report["lower_bound"].as_u64() < report["upper_bound"].as_u64());
    assert!(lines.iter().any(|it| it["event"] == "plan"), "the plan is told while the run goes on");
    let progress: Vec<_> = lines.iter().filter(|it| it["event"] == "progress").collect();
    assert!(progress.iter().any(|it| it["progress"]["upper_bound"].is_u64()), "{progress:?}");
}

#[test]
fn what_is_wrong_with_a_task_has_its_place() {
    let server = Server::start(&[]);
    let mut ask = parcels(3);
    assert_eq!(server.post("/api/read", &ask).json(), json!({ "diagnostics": [] }));
    let problem = ask["problem"].as_str().unwrap().replace("(here a0)", "(here b0)");
    ask["problem"] = problem.into();
    let answer = server.post("/api/read", &ask).json();
    let first = &answer["diagnostics"][0];
    assert_eq!((&first["file"], &first["line"]), (&json!("problem"), &json!(3)), "{answer}");
    assert!(first["message"].as_str().unwrap().contains("'b0'"), "{answer}");
    assert_eq!(first["severity"], "error");
    // Where nothing is wrong, there may be warnings.
    let mut odd = parcels(3);
    odd["domain"] = odd["domain"].as_str().unwrap().replacen("(free))", "(free) (idle))", 1).into();
    let warning = &server.post("/api/read", &odd).json()["diagnostics"][0];
    assert_eq!(
        (&warning["severity"], &warning["code"]),
        (&json!("warning"), &json!("unused-predicate"))
    );
    // The planner says the same.
    let lines = server.post("/api/solve", &ask).lines();
    assert!(lines.last().unwrap()["messages"].as_str().unwrap().contains("'b0'"), "{lines:?}");
    // Text that is no PDDL at all is a diagnostic as well, not a failure of the server.
    for text in ["", "(", ")", "\0", "(define (domain", "((((((((((", "🐢"] {
        let answer = server.post("/api/read", &json!({ "domain": text, "problem": text }));
        assert_ne!(answer.json()["diagnostics"], json!([]), "{text:?}");
    }
}

#[test]
fn heuristics_are_explained() {
    let server = Server::start(&[]);
    let response = server.post("/api/explain", &parcels(3));
    assert_eq!(response.status, 200);
    assert!(response.body.starts_with("<!DOCTYPE html>"));
    let response = server.post("/api/explain", &json!({ "domain": "(", "problem": "(" }));
    assert_eq!(response.status, 400, "{}", response.body);
}

#[test]
fn clients_of_planning_services_are_answered() {
    let server = Server::start(&[]);
    let answer = server.post("/solve", &parcels(3)).json();
    assert_eq!(answer["status"], "ok");
    let steps = answer["result"]["plan"].as_array().unwrap();
    assert_eq!(answer["result"]["length"], steps.len());
    assert!(steps[0]["name"].as_str().unwrap().starts_with('('), "{answer}");
    let answer = server.post("/solve", &json!({ "domain": "(", "problem": "(" })).json();
    assert_eq!(answer["status"], "error");
    assert!(answer["result"]["output"].as_str().unwrap().contains("domain.pddl"), "{answer}");

    let package = server.get("/package").json();
    assert_eq!(package[0]["package_name"], "hipot");
    assert_eq!(server.get("/package/hipot/solve").json()["package_name"], "hipot");
    let path = server.post("/package/hipot/solve", &parcels(3)).json();
    let path = path["result"].as_str().unwrap();
    let begin = Instant::now();
    let editors = loop {
        let answer = server.post(path, &json!({ "adaptor": "planning_editor_adaptor" })).json();
        if answer["status"] != "PENDING" {
            break answer;
        }
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(editors["plans"][0]["result"]["plan"].as_array().unwrap().len(), steps.len());
    let files = server.get(path).json();
    let plan = files["result"]["output"]["sas_plan"].as_str().unwrap();
    assert!(plan.contains("; cost = "), "{files}");
    assert_eq!(server.get("/check/0123456789abcdef").status, 404);
}

#[test]
fn two_requests_at_once_are_both_answered_and_a_third_is_refused() {
    let server = Server::start(&["--runs", "1", "--waiting", "1"]);
    let slow = with(parcels(10), &json!({ "heuristic": "blind", "time": 4 }));
    let first = server.send(&server.post_bytes("/api/solve", &slow));
    let mut first = BufReader::new(first).lines().map(Result::unwrap);
    let event = |line: &String| line.starts_with('{');
    assert!(first.find(event).is_some_and(|line| line.contains("begin")));
    let second = server.send(&server.post_bytes("/api/solve", &parcels(3)));
    let mut second = BufReader::new(second).lines().map(Result::unwrap);
    assert!(second.find(event).is_some_and(|line| line.contains("waiting")));
    let third = server.post("/solve", &parcels(3));
    assert_eq!(third.status, 503, "{}", third.body);
    let last = |lines: &mut dyn Iterator<Item = String>| {
        let line = lines.filter(|line| !line.is_empty()).last().unwrap();
        serde_json::from_str::<Value>(&line).unwrap()
    };
    assert_eq!(last(&mut first)["report"]["status"], "time-limit");
    assert_eq!(last(&mut second)["report"]["status"], "solved");
}

#[test]
fn a_run_ends_when_its_client_goes() {
    let server = Server::start(&[]);
    let ask = with(parcels(10), &json!({ "heuristic": "blind" }));
    for path in ["/api/solve", "/solve"] {
        let stream = server.send(&server.post_bytes(path, &ask));
        server.wait_until("the run has begun", |it| it.runs() == 1);
        drop(stream);
        server.wait_until("the run has ended", |it| it.runs() == 0);
    }
    assert_eq!(server.post("/solve", &parcels(3)).json()["status"], "ok", "there is room again");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_server_and_its_runs() {
    let server = Server::start(&[]);
    let ask = with(parcels(10), &json!({ "heuristic": "blind" }));
    let _stream = server.send(&server.post_bytes("/api/solve", &ask));
    server.wait_until("the run has begun", |it| it.runs() == 1);
    let children = format!("/proc/{0}/task/{0}/children", server.id());
    let children = std::fs::read_to_string(children).ok();
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", server.id())]).status();
    assert!(kill.unwrap().success());
    assert_eq!(server.wait(), Some(130));
    for child in children.iter().flat_map(|it| it.split_whitespace()) {
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat"));
        assert!(stat.is_err() || stat.unwrap().contains(") Z"), "a run goes on");
    }
}

#[test]
fn pages_of_other_sites_are_refused() {
    let server = Server::start(&[]);
    let port = server.host.rsplit_once(':').unwrap().1;
    let body = parcels(3).to_string();
    let ask = |host: &str, origin: Option<&str>| {
        let origin = origin.map_or(String::new(), |it| format!("Origin: {it}\r\n"));
        let head = format!("Host: {host}\r\n{origin}Content-Length: {}\r\n\r\n", body.len());
        ["/solve", "/api/read", "/api/solve", "/api/explain", "/package/hipot/solve"].map(|path| {
            server.ask(format!("POST {path} HTTP/1.1\r\n{head}{body}").as_bytes()).status
        })
    };
    let own = format!("localhost:{port}");
    for host in ["evil.example", &format!("evil.example:{port}"), "localhost:1", ""] {
        assert_eq!(ask(host, None), [403; 5], "{host}");
    }
    for origin in ["http://evil.example", &format!("https://{own}"), "null", "file://", ""] {
        assert_eq!(ask(&own, Some(origin)), [403; 5], "{origin}");
    }
    assert_eq!(ask(&own, Some(&format!("http://{own}"))), [200; 5]);
    let without_host = b"POST /solve HTTP/1.1\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(server.ask(without_host).status, 403);
}

#[test]
fn requests_have_limits() {
    let server = Server::start(&["--request-size", "64K"]);
    let big = json!({ "domain": "x".repeat(1 << 20), "problem": "" });
    assert_eq!(server.post("/solve", &big).status, 413);
    let host = &server.host;
    let claims = |length: &str| {
        let request =
            format!("POST /solve HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n");
        server.ask(request.as_bytes()).status
    };
    assert_eq!(claims("99999999999999"), 413);
    assert_eq!(claims("-1"), 400);
    let long = format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "x".repeat(20 << 10));
    assert_eq!(server.ask(long.as_bytes()).status, 413);
    assert_eq!(server.ask(b"\x16\x03\x01\x00nonsense\r\n\r\n").status, 400);
    for (path, status) in [
        ("/../Cargo.toml", 404),
        ("/etc/passwd", 404),
        ("//etc/passwd", 404),
        ("/%2e%2e/Cargo.toml", 404),
        ("/check/../../x", 404),
        ("/solve", 405),
    ] {
        assert_eq!(server.get(path).status, status, "{path}");
    }
    for ask in [
        json!([]),
        json!({ "domain": 3, "problem": "" }),
        // Editors ask so whether there is a server; they expect an error.
        json!({ "domain": "", "problem": "" }),
        with(parcels(3), &json!({ "heuristic": "pot(features=/etc/passwd)" })),
    ] {
        assert_eq!(server.post("/solve", &ask).status, 400, "{ask}");
    }
    // A client that says nothing keeps nobody else from being answered.
    let mut silent = server.send(b"GET / HT");
    assert_eq!(server.get("/").status, 200);
    silent.write_all(format!("TP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
}

#[test]
fn it_listens_on_this_machine_only_and_says_when_a_port_is_taken() {
    let sandbox = Sandbox::new();
    for address in ["0.0.0.0", "192.168.0.1", "::"] {
        let output = sandbox.run(&["serve", "--port", "0", "--address", address]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains("not a loopback address"), "{}", stderr(&output));
    }
    let server = Server::start(&[]);
    let port = server.host.rsplit_once(':').unwrap().1;
    let output = sandbox.run(&["serve", "--port", port]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains(&format!("cannot listen on 127.0.0.1:{port}")));
}
