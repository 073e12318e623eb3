//! `hipot lsp`, as editors talk to it.

mod sandbox;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sandbox::Sandbox;
use serde_json::{Value, json};

const DOMAIN: &str = "(define (domain doors)
  (:types room door)
  (:predicates (in ?r - room) (leads ?d - door ?a ?b - room))
  (:action walk :parameters (?d - door ?a ?b - room)
    :precondition (and (in ?a) (leads ?d ?a ?b))
    :effect (and (in ?b) (not (in ?a)))))
";
const PROBLEM: &str = "(define (problem two) (:domain doors)
  (:objects hall attic - room front - door)
  (:init (in hall) (leads front hall attic))
  (:goal (in attic)))
";

/// A client.
struct Client {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
    /// The last diagnostics of each document.
    diagnostics: Value,
}

impl Client {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_hipot"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut client = Self { process, input, output, next: 0, diagnostics: json!({}) };
        let answer = client.ask("initialize", &json!({ "capabilities": {} }));
        assert_eq!(answer["serverInfo"]["name"], "hipot");
        client.tell("initialized", &json!({}));
        client
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and returns its result, or its error.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" {
                let params = &message["params"];
                let uri = params["uri"].as_str().unwrap().to_owned();
                self.diagnostics[uri] = params["diagnostics"].clone();
            } else {
                assert_eq!((&message["id"], &message["jsonrpc"]), (&json!(id), &json!("2.0")));
                let key = if message.get("error").is_some() { "error" } else { "result" };
                return message[key].take();
            }
        }
    }

    fn receive(&mut self) -> Value {
        let mut header = String::new();
        self.output.read_line(&mut header).unwrap();
        let length = header.trim().strip_prefix("Content-Length: ").unwrap().parse().unwrap();
        self.output.read_line(&mut header).unwrap();
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "pddl", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    fn change(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "version": 2 });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", &params);
    }

    /// The diagnostics of a document after all that was sent.
    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        self.ask("textDocument/documentSymbol", &json!({ "textDocument": { "uri": uri } }));
        self.diagnostics[uri].as_array().cloned().unwrap_or_default()
    }

    /// Asks about the place of a mark in a text.
    fn about(&mut self, method: &str, uri: &str, text: &str, mark: &str) -> Value {
        let at = text.find(mark).unwrap();
        let line = text[..at].matches('\n').count();
        let character = at - text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let position = json!({ "line": line, "character": character });
        let params = json!({
            "textDocument": { "uri": uri }, "position": position,
            "context": { "includeDeclaration": true },
        });
        self.ask(method, &params)
    }

    fn exit_code(mut self) -> i32 {
        self.tell("exit", &Value::Null);
        self.process.wait().unwrap().code().unwrap()
    }
}

/// The text of a range.
fn text_of<'a>(range: &Value, text: &'a str) -> &'a str {
    let place = |key: &str| {
        let number = |name: &str| usize::try_from(range[key][name].as_u64().unwrap()).unwrap();
        let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
        start + number("character")
    };
    &text[place("start")..place("end")]
}

const D: &str = "file:///somewhere/d.pddl";
const P: &str = "file:///somewhere/p.pddl";

#[test]
fn mistakes_are_shown_as_one_types() {
    let mut client = Client::start();
    client.open(D, DOMAIN);
    client.open(P, PROBLEM);
    assert_eq!((client.diagnostics(D), client.diagnostics(P)), (Vec::new(), Vec::new()));
    let wrong = PROBLEM.replace("front hall attic)", "front hal attic)");
    client.change(P, &wrong);
    let found = client.diagnostics(P);
    assert_eq!((found.len(), text_of(&found[0]["range"], &wrong)), (1, "hal"));
    assert_eq!(found[0]["message"], "unknown object 'hal'\ndid you mean 'hall'?");
    assert_eq!((&found[0]["severity"], &found[0]["source"]), (&json!(1), &json!("hipot")));
    // A change of the domain is a change of the problem's diagnostics, too.
    client.change(P, PROBLEM);
    let renamed = DOMAIN.replace("(in ?", "(inside ?");
    client.change(D, &renamed);
    let (domain, problem) = (client.diagnostics(D), client.diagnostics(P));
    assert_eq!((domain.len(), problem.len()), (0, 1), "{problem:?}");
    assert_eq!(text_of(&problem[0]["range"], PROBLEM), "in");
    client.change(D, "(define (domain doors) (");
    assert_eq!(client.diagnostics(D).len(), 1);
}

#[test]
fn warnings_come_with_their_reasons() {
    let mut client = Client::start();
    client.open(D, &DOMAIN.replace("(?d - door ?a", "(?e ?d - door ?a"));
    client.open(P, &PROBLEM.replace("(leads front hall attic)", ""));
    let domain = client.diagnostics(D);
    let codes: Vec<_> = domain.iter().map(|it| it["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["never-applied", "unused-parameter", "never-true"]);
    let problem = client.diagnostics(P);
    assert_eq!(problem[0]["code"], "unreachable-goal");
    assert!(problem[0]["message"].as_str().unwrap().contains("only walk makes (in attic) true"));
    let note = &domain[2]["relatedInformation"][0];
    assert_eq!((&note["message"], &note["location"]["uri"]), (&json!("declared here"), &json!(D)));
}

#[test]
fn a_problem_alone_finds_its_domain_on_the_disk() {
    let sandbox = Sandbox::new();
    sandbox.write("domain.pddl", DOMAIN);
    let uri = format!("file://{}", sandbox.path("my%20problem.pddl").display());
    let mut client = Client::start();
    client.open(&uri, &PROBLEM.replace("(in attic)", "(in cellar)"));
    let found = client.diagnostics(&uri);
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.starts_with("unknown object 'cellar'"), "{message}");
    let place = client.about("textDocument/definition", &uri, PROBLEM, "leads front");
    let expected = format!("file://{}", sandbox.path("domain.pddl").display());
    assert_eq!(place[0]["uri"], expected);
    // And says so if there is none.
    client.open("file:///none/p.pddl", PROBLEM);
    let found = client.diagnostics("file:///none/p.pddl");
    assert!(
        found[0]["message"].as_str().unwrap().contains("the domain of this problem is not found")
    );
}

#[test]
fn names_lead_to_their_declarations_and_uses() {
    let mut client = Client::start();
    client.open(D, DOMAIN);
    client.open(P, PROBLEM);
    for (mark, declared) in [("front hall", "front"), ("hall attic))", "hall")] {
        let found = client.about("textDocument/definition", P, PROBLEM, mark);
        assert_eq!(text_of(&found[0]["range"], PROBLEM), declared);
    }
    let found = client.about("textDocument/definition", P, PROBLEM, "leads front");
    assert_eq!((&found[0]["uri"], text_of(&found[0]["range"], DOMAIN)), (&json!(D), "leads"));
    let found = client.about("textDocument/definition", D, DOMAIN, "?b))\n    :effect");
    assert_eq!(found[0]["range"]["start"]["line"], 3, "the parameter, not the predicate's");
    let uses = client.about("textDocument/references", D, DOMAIN, "in ?b");
    assert_eq!(uses.as_array().unwrap().len(), 6);
    let nothing = client.about("textDocument/definition", D, DOMAIN, "define");
    assert_eq!(nothing, json!([]));
}

#[test]
fn names_are_explained_and_completed() {
    let mut client = Client::start();
    client.open(D, DOMAIN);
    client.open(P, PROBLEM);
    let hover = client.about("textDocument/hover", P, PROBLEM, "in hall");
    let text = hover["contents"]["value"].as_str().unwrap();
    for part in [
        "(in ?r - room)",
        "Made true by: `walk`, the initial state",
        "Made false by: `walk`",
        "Needed by: `walk`, the goal",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let typing = PROBLEM.replace("(:goal (in attic)))\n", "(:goal (");
    client.change(P, &typing);
    let labels = |found: &Value| -> Vec<String> {
        let items = found.as_array().unwrap();
        items.iter().map(|it| it["label"].as_str().unwrap().to_owned()).collect()
    };
    let end = json!({ "line": 3, "character": 10 });
    let params = json!({ "textDocument": { "uri": P }, "position": end });
    let found = labels(&client.ask("textDocument/completion", &params));
    assert!(found.starts_with(&["in".to_owned(), "leads".to_owned()]), "{found:?}");
    client.change(P, &(typing + "in "));
    let params =
        json!({ "textDocument": { "uri": P }, "position": { "line": 3, "character": 13 } });
    let found = labels(&client.ask("textDocument/completion", &params));
    assert_eq!(found, ["hall", "attic", "front"]);
}

#[test]
fn documents_are_formatted_and_outlined() {
    let mut client = Client::start();
    let ugly = "(define (domain d)\n(:predicates (p)) ; one\n(:action a :effect (p)))";
    client.open(D, ugly);
    let params = json!({
        "textDocument": { "uri": D }, "options": { "tabSize": 2, "insertSpaces": true },
    });
    let edits = client.ask("textDocument/formatting", &params);
    assert_eq!(text_of(&edits[0]["range"], ugly), ugly);
    let new = edits[0]["newText"].as_str().unwrap();
    assert_eq!(
        new,
        "(define (domain d)\n  (:predicates (p)) ; one\n  (:action a\n    :effect (p)))\n"
    );
    client.change(D, new);
    assert_eq!(client.ask("textDocument/formatting", &params), json!([]));
    client.change(D, "(");
    assert_eq!(client.ask("textDocument/formatting", &params), Value::Null);
    client.change(D, DOMAIN);
    let outline =
        client.ask("textDocument/documentSymbol", &json!({ "textDocument": { "uri": D } }));
    let names: Vec<_> = outline.as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert_eq!(names, ["room", "door", "in", "leads", "walk"]);
}

#[test]
fn the_protocol_is_kept() {
    let mut client = Client::start();
    let unknown = client.ask("textDocument/unknown", &json!({}));
    assert_eq!(unknown["code"], -32601);
    let wrong = client.ask("textDocument/hover", &json!({ "textDocument": 3 }));
    assert_eq!(wrong["code"], -32602);
    client.tell("$/cancelRequest", &json!({ "id": 1 }));
    client.tell("textDocument/didOpen", &json!("nonsense"));
    let closed = json!({ "textDocument": { "uri": D } });
    assert_eq!(client.ask("textDocument/formatting", &json!({ "textDocument": { "uri": D }, "options": { "tabSize": 2, "insertSpaces": true } })), Value::Null);
    client.tell("textDocument/didClose", &closed);
    assert_eq!(client.ask("shutdown", &Value::Null), Value::Null);
    assert_eq!(client.ask("textDocument/hover", &json!({}))["code"], -32600);
    assert_eq!(client.exit_code(), 0);
    assert_eq!(Client::start().exit_code(), 1, "without shutdown");
    let sandbox = Sandbox::new();
    let mut process =
        sandbox.command(&["lsp"]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(b"hello\n\n").unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(sandbox::stderr(&output).contains("this is not the Language Server Protocol"));
}

/// Neovim's own client. Skipped with a message if Neovim is not installed.
#[test]
fn neovim_shows_a_mistake_and_goes_to_a_definition() {
    let is_there =
        Command::new("nvim").arg("--version").output().is_ok_and(|it| it.status.success());
    if !is_there {
        eprintln!("skipped: Neovim is not installed");
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("domain.pddl", DOMAIN);
    sandbox.write("problem.pddl", &PROBLEM.replace("(in attic)", "(in atic)"));
    sandbox.write(
        "try.lua",
        r"
local function wait(condition) assert(vim.wait(20000, condition, 20), 'timed out') end
local id = vim.lsp.start_client({ name = 'hipot', cmd = { vim.env.HIPOT, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
wait(function() return #vim.diagnostic.get(0) == 1 end)
local found = vim.diagnostic.get(0)[1]
vim.fn.search('leads')
vim.lsp.buf.definition()
wait(function() return vim.fn.expand('%:t') == 'domain.pddl' end)
local place = vim.fn.expand('%:t') .. ':' .. vim.fn.line('.') .. ':' .. vim.fn.expand('<cword>')
vim.fn.writefile({ found.lnum .. ': ' .. found.message, place }, 'result')
vim.cmd('qa!')
",
    );
    let output = Command::new("nvim")
        .args(["--headless", "--clean", "problem.pddl", "-c", "luafile try.lua", "-c", "cquit"])
        .current_dir(sandbox.path(""))
        .env("HIPOT", env!("CARGO_BIN_EXE_hipot"))
        .env("HOME", sandbox.path(""))
        .output()
        .unwrap();
    assert!(Path::new(&sandbox.path("result")).exists(), "{output:?}");
    let result = sandbox.read("result");
    assert!(result.starts_with("3: unknown object 'atic'"), "{result}");
    assert!(result.ends_with("domain.pddl:3:leads\n"), "{result}");
}
