//! Reads what macros are called with.
//!
//! Macros are not expanded, and anything may stand between their brackets. The
//! arguments of most are ordinary code, so they are tried in turn as
//! expressions (`format!`, `assert!`, `vec!`), as a value and a pattern
//! (`matches!`) and as statements. If all fail, and in the bodies of
//! `macro_rules!` and in attributes, whatever looks like a path is taken for
//! one; a path that means nothing in its scope does no harm.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Block, Expr, Macro, Pat, Stmt, Token};

use crate::scopes::Namespace;
use crate::tree::plain;

/// The arguments of a macro as the code that they most likely are.
pub(crate) enum Arguments {
    Expressions(Vec<Expr>),
    /// A value, a pattern and perhaps a guard.
    Match(Box<(Expr, Pat, Option<Expr>)>),
    Statements(Vec<Stmt>),
    /// Something else.
    Tokens,
}

/// Reads the arguments of a macro.
pub(crate) fn arguments(call: &Macro) -> Arguments {
    let tokens = &call.tokens;
    let list = Punctuated::<Expr, Token![,]>::parse_terminated;
    if call.path.is_ident("macro_rules") {
        Arguments::Tokens
    } else if let Ok(expressions) = list.parse2(tokens.clone()) {
        Arguments::Expressions(expressions.into_iter().collect())
    } else if let Ok((value, length)) = repetition.parse2(tokens.clone()) {
        Arguments::Expressions(vec![value, length])
    } else if let Ok(matched) = matched.parse2(tokens.clone()) {
        Arguments::Match(Box::new(matched))
    } else if let Ok(statements) = Block::parse_within.parse2(tokens.clone()) {
        Arguments::Statements(statements)
    } else {
        Arguments::Tokens
    }
}

/// The arguments of `vec![value; length]`.
fn repetition(input: ParseStream<'_>) -> syn::Result<(Expr, Expr)> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok((value, input.parse()?))
}

/// The arguments of `matches!(value, pattern if guard)`.
fn matched(input: ParseStream<'_>) -> syn::Result<(Expr, Pat, Option<Expr>)> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pattern = Pat::parse_multi_with_leading_vert(input)?;
    let guard = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        Some(input.parse()?)
    } else {
        None
    };
    input.parse::<Option<Token![,]>>()?;
    Ok((value, pattern, guard))
}

/// A path among tokens.
#[derive(Debug)]
pub(crate) struct Word {
    /// Its segments.
    pub(crate) path: Vec<String>,
    /// Its line in the file.
    pub(crate) line: usize,
    /// What it most likely names.
    pub(crate) namespace: Namespace,
}

/// Everything in tokens that looks like a path. A single lower case word
/// counts if something like a call follows.
pub(crate) fn paths(tokens: &TokenStream) -> Vec<Word> {
    let mut found = Vec::new();
    collect(tokens.clone(), &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<Word>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Ident(first) if !is_part(first, &tokens[..at]) => {
                let mut path = vec![plain(first)];
                while let Some(TokenTree::Ident(next)) = tokens.get(at + 3)
                    && is_colons(&tokens[at + 1..])
                {
                    path.push(plain(next));
                    at += 3;
                }
                if let Some(namespace) = looks_like(&path, &tokens[at + 1..]) {
                    found.push(Word { path, line: first.span().start().line, namespace });
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Whether tokens start with `::`.
fn is_colons(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(first), TokenTree::Punct(second), ..]
        if first.as_char() == ':' && first.spacing() == Spacing::Joint && second.as_char() == ':')
}

/// Whether a word is a field, a method, a lifetime, a macro's variable or the
/// rest of a path, judged by what stands before it. (`$crate` starts a path,
/// and so does what stands behind the dots of a range.)
fn is_part(word: &Ident, before: &[TokenTree]) -> bool {
    let sign = |back: usize| match before.len().checked_sub(back).map(|at| &before[at]) {
        Some(TokenTree::Punct(sign)) => Some(sign.as_char()),
        _ => None,
    };
    match (sign(2), sign(1)) {
        (Some(':'), Some(':')) | (_, Some('\'')) => true,
        (before, Some('.')) => before != Some('.'),
        (_, Some('$')) => word != "crate",
        _ => false,
    }
}

/// The namespace of a path among tokens, judged by what follows it, or none if
/// it is not likely a path.
fn looks_like(path: &[String], after: &[TokenTree]) -> Option<Namespace> {
    match after.first() {
        Some(TokenTree::Punct(next)) if next.as_char() == '!' => Some(Namespace::Macro),
        Some(TokenTree::Group(next)) if next.delimiter() == Delimiter::Parenthesis => {
            Some(Namespace::Value)
        }
        Some(TokenTree::Punct(next))
            if next.as_char() == ':' && path.len() == 1 && !is_colons(after) =>
        {
            None
        }
        _ if path.len() > 1 || path[0].starts_with(char::is_uppercase) => Some(Namespace::Type),
        _ => None,
    }
}
