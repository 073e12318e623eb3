//! Which message gets what.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use hipot_pddl::File;
use hipot_pddl::format::format;
use hipot_pddl::symbols::Symbols;
use lsp_types::{
    CompletionOptions, CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentFormattingParams,
    DocumentSymbolParams, GotoDefinitionParams, HoverParams, HoverProviderCapability, OneOf,
    PublishDiagnosticsParams, ReferenceParams, SaveOptions, ServerCapabilities,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, TextEdit, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::checks::checks;
use crate::completion::completion;
use crate::documents::{Documents, Pair};
use crate::hover::hover;
use crate::names::{definition, outline, references};
use crate::positions::Positions;
use crate::transport::{ErrorObject, Incoming, Outgoing, TransportError, read, write};

/// Error codes of the protocol.
const INVALID_PARAMS: i32 = -32602;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_REQUEST: i32 = -32600;

/// Serves a client until it says goodbye or goes; whether it said goodbye first, as it should.
pub fn run(
    input: &mut impl BufRead,
    output: &mut impl Write,
    version: &str,
) -> Result<bool, TransportError> {
    let mut server = Server { version, ..Server::default() };
    while let Some(message) = read(input)? {
        if message.method.as_deref() == Some("exit") {
            break;
        }
        for answer in server.answer(message) {
            write(output, &answer)?;
        }
    }
    Ok(server.is_shut_down)
}

#[derive(Default)]
struct Server<'a> {
    version: &'a str,
    documents: Documents,
    /// The names of each document when it could be read last.
    names: BTreeMap<String, Symbols>,
    is_shut_down: bool,
}

type Answer = Result<Value, ErrorObject>;

impl Server<'_> {
    /// The messages that answer one.
    fn answer(&mut self, message: Incoming) -> Vec<Outgoing> {
        let Incoming { id, method, params } = message;
        // What has no method answers a request of ours, and there are none.
        let Some(method) = method else { return Vec::new() };
        let Some(id) = id else { return self.notification(&method, params) };
        if self.is_shut_down {
            let message = "the server is shut down".to_owned();
            return vec![Outgoing::Error {
                id,
                error: ErrorObject { code: INVALID_REQUEST, message },
            }];
        }
        vec![match self.request(&method, params) {
            Ok(result) => Outgoing::Result { id, result },
            Err(error) => Outgoing::Error { id, error },
        }]
    }

    fn request(&mut self, method: &str, params: Value) -> Answer {
        match method {
            "initialize" => Ok(json!({
                "capabilities": capabilities(),
                "serverInfo": { "name": "hipot", "version": self.version },
            })),
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            "textDocument/definition" => {
                let params: GotoDefinitionParams = parse(params)?;
                let place = params.text_document_position_params;
                Ok(self.at(&place, |pair, file| to_json(definition(pair, file, place.position))))
            }
            "textDocument/references" => {
                let ReferenceParams { text_document_position: place, context, .. } = parse(params)?;
                let with_declaration = context.include_declaration;
                Ok(self.at(&place, |pair, file| {
                    to_json(references(pair, file, place.position, with_declaration))
                }))
            }
            "textDocument/hover" => {
                let params: HoverParams = parse(params)?;
                let place = params.text_document_position_params;
                Ok(self.at(&place, |pair, file| to_json(hover(pair, file, place.position))))
            }
            "textDocument/completion" => {
                let params: CompletionParams = parse(params)?;
                Ok(self.completion(&params.text_document_position))
            }
            "textDocument/documentSymbol" => {
                let params: DocumentSymbolParams = parse(params)?;
                let uri = params.text_document.uri.as_str();
                let pair = self.documents.pair(uri);
                Ok(to_json(outline(&pair, pair.file(uri))))
            }
            "textDocument/formatting" => {
                let params: DocumentFormattingParams = parse(params)?;
                Ok(self.formatting(params.text_document.uri.as_str()))
            }
            _ => {
                let message = format!("'{method}' is not supported");
                Err(ErrorObject { code: METHOD_NOT_FOUND, message })
            }
        }
    }

    /// Something about a place of an open document.
    fn at(
        &self,
        place: &TextDocumentPositionParams,
        answer: impl Fn(&Pair, File) -> Value,
    ) -> Value {
        let uri = place.text_document.uri.as_str();
        let pair = self.documents.pair(uri);
        answer(&pair, pair.file(uri))
    }

    fn completion(&self, place: &TextDocumentPositionParams) -> Value {
        let uri = place.text_document.uri.as_str();
        let Some(text) = self.documents.text(uri) else { return Value::Null };
        let offset = Positions::new(text).offset(place.position);
        let nothing = Symbols::default();
        let names = self.names.get(uri).unwrap_or(&nothing);
        to_json(completion(text, offset, names))
    }

    fn formatting(&self, uri: &str) -> Value {
        let Some(text) = self.documents.text(uri) else { return Value::Null };
        let Some(formatted) = format(text) else { return Value::Null };
        let edit = TextEdit::new(Positions::new(text).all(), formatted.clone());
        to_json(if formatted == text { Vec::new() } else { vec![edit] })
    }

    fn notification(&mut self, method: &str, params: Value) -> Vec<Outgoing> {
        match method {
            "textDocument/didOpen" => {
                let Ok(params) = parse::<DidOpenTextDocumentParams>(params) else {
                    return Vec::new();
                };
                let document = params.text_document;
                self.changed(&document.uri, Some(document.text), true)
            }
            "textDocument/didChange" => {
                let Ok(params) = parse::<DidChangeTextDocumentParams>(params) else {
                    return Vec::new();
                };
                // Changes are whole texts; the last one counts.
                let text = params.content_changes.into_iter().next_back().map(|it| it.text);
                self.changed(&params.text_document.uri, text, false)
            }
            "textDocument/didSave" => {
                let Ok(params) = parse::<DidSaveTextDocumentParams>(params) else {
                    return Vec::new();
                };
                self.changed(&params.text_document.uri, params.text, true)
            }
            "textDocument/didClose" => {
                let Ok(params) = parse::<DidCloseTextDocumentParams>(params) else {
                    return Vec::new();
                };
                let uri = params.text_document.uri;
                self.documents.close(uri.as_str());
                self.names.remove(uri.as_str());
                vec![publish(uri, Vec::new())]
            }
            _ => Vec::new(),
        }
    }

    /// What is to be said about the documents in the folder of one that has changed.
    fn changed(&mut self, uri: &Uri, text: Option<String>, is_deep: bool) -> Vec<Outgoing> {
        if let Some(text) = text {
            self.documents.set(uri.as_str().to_owned(), text);
        }
        let mut messages = Vec::new();
        for other in self.documents.beside(uri.as_str()) {
            let pair = self.documents.pair(&other);
            // Where parentheses do not match, nothing is declared.
            if self.documents.text(&other).is_some_and(|text| format(text).is_some()) {
                self.names.insert(other.clone(), pair.symbols());
            }
            if let Ok(address) = other.parse() {
                messages.push(publish(address, checks(&pair, pair.file(&other), is_deep)));
            }
        }
        messages
    }
}

fn publish(uri: Uri, diagnostics: Vec<lsp_types::Diagnostic>) -> Outgoing {
    let params = PublishDiagnosticsParams::new(uri, diagnostics, None);
    Outgoing::Notification { method: "textDocument/publishDiagnostics", params: to_json(params) }
}

fn parse<T: DeserializeOwned>(params: Value) -> Result<T, ErrorObject> {
    let invalid = |error| ErrorObject { code: INVALID_PARAMS, message: format!("{error}") };
    serde_json::from_value(params).map_err(invalid)
}

fn to_json(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn capabilities() -> ServerCapabilities {
    let save = TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(true) });
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(save),
            ..TextDocumentSyncOptions::default()
        })),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["(", "?", ":"].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
