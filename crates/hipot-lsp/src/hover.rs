//! What is said about a name.

use std::collections::BTreeSet;

use hipot_pddl::symbols::{Role, Symbol, SymbolKind, Symbols};
use hipot_pddl::{File, Span};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use crate::documents::Pair;
use crate::names::at;
use crate::positions::Positions;

/// The number of names that a list shows.
const MAX_SHOWN: usize = 8;

/// What is said about the name at a position.
pub(crate) fn hover(pair: &Pair, file: File, position: Position) -> Option<Hover> {
    let symbols = pair.symbols();
    let (symbol, place) = at(pair, &symbols, file, position)?;
    let mut lines = vec![format!("```pddl\n{}\n```", signature(pair, symbol))];
    lines.extend(details(&symbols, symbol));
    let value = lines.join("\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    let range = Positions::new(&pair.of(file)?.text).range(place);
    Some(Hover { contents, range: Some(range) })
}

/// The name as it is declared.
fn signature(pair: &Pair, symbol: &Symbol) -> String {
    let typed = || {
        let types = symbol.types.and_then(|span| text(pair, span));
        types.map_or_else(|| symbol.name.clone(), |types| format!("{} - {types}", symbol.name))
    };
    match symbol.kind {
        SymbolKind::Type => format!("; type\n{}", typed()),
        SymbolKind::Object => format!("; object\n{}", typed()),
        SymbolKind::Variable => format!("; variable\n{}", typed()),
        SymbolKind::Predicate | SymbolKind::Function => {
            let what = if symbol.kind == SymbolKind::Predicate { "predicate" } else { "function" };
            let whole = symbol.definition.and_then(|span| text(pair, span));
            let words = whole.map(|whole| whole.split_whitespace().collect::<Vec<_>>().join(" "));
            format!("; {what}\n{}", words.unwrap_or_else(|| format!("({})", symbol.name)))
        }
        SymbolKind::Action => {
            let whole = symbol.definition.and_then(|span| text(pair, span)).unwrap_or_default();
            hipot_pddl::format::format(whole).unwrap_or_default().trim_end().to_owned()
        }
    }
}

fn text(pair: &Pair, span: Span) -> Option<&str> {
    pair.of(span.file)?.text.get(span.start as usize..span.end as usize)
}

/// Who makes it true, who needs it.
fn details(symbols: &Symbols, symbol: &Symbol) -> Vec<String> {
    if symbol.kind != SymbolKind::Predicate {
        return Vec::new();
    }
    let list = |label: &str, roles: &[Role]| {
        let names: BTreeSet<String> = symbol
            .uses
            .iter()
            .filter(|it| roles.contains(&it.role))
            .map(|it| who(symbols, it.span))
            .collect();
        let more = names.len().saturating_sub(MAX_SHOWN);
        let shown: Vec<_> = names.iter().take(MAX_SHOWN).cloned().collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!names.is_empty()).then(|| format!("{label}: {}{more}", shown.join(", ")))
    };
    let parts = [
        list("Made true by", &[Role::Added, Role::Initial]),
        list("Made false by", &[Role::Deleted]),
        list("Needed by", &[Role::Condition]),
        list("Needed to be false by", &[Role::NegatedCondition]),
    ];
    parts.into_iter().flatten().collect()
}

/// The action around a place, or what else it is in.
fn who(symbols: &Symbols, place: Span) -> String {
    let is_around =
        |span: &Span| span.file == place.file && span.start <= place.start && place.end <= span.end;
    let action = symbols
        .list
        .iter()
        .find(|it| it.kind == SymbolKind::Action && it.definition.as_ref().is_some_and(is_around));
    if let Some(action) = action {
        return format!("`{}`", action.name);
    }
    let is_goal = symbols.goals.iter().any(|(_, span)| is_around(span));
    match place.file {
        File::Domain => "a rule".to_owned(),
        File::Problem if is_goal => "the goal".to_owned(),
        File::Problem => "the initial state".to_owned(),
    }
}
