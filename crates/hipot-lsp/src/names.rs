//! Where names are declared and used, and the outline of a document.

use hipot_pddl::symbols::{Symbol, SymbolKind, Symbols};
use hipot_pddl::{File, Span};
use lsp_types::{DocumentSymbol, Location, Position, SymbolKind as Shape};

use crate::documents::Pair;
use crate::positions::Positions;

/// The name at a position, and its place.
pub(crate) fn at<'a>(
    pair: &Pair,
    symbols: &'a Symbols,
    file: File,
    position: Position,
) -> Option<(&'a Symbol, Span)> {
    let offset = Positions::new(&pair.of(file)?.text).offset(position);
    symbols.at(file, offset as u32)
}

/// Where the name at a position is declared.
pub(crate) fn definition(pair: &Pair, file: File, position: Position) -> Vec<Location> {
    let symbols = pair.symbols();
    let found = at(pair, &symbols, file, position);
    found.map_or_else(Vec::new, |(symbol, _)| locations(pair, symbol.declared.iter().copied()))
}

/// Where the name at a position is used, and where it is declared if that is wanted.
pub(crate) fn references(
    pair: &Pair,
    file: File,
    position: Position,
    with_declaration: bool,
) -> Vec<Location> {
    let symbols = pair.symbols();
    let Some((symbol, _)) = at(pair, &symbols, file, position) else { return Vec::new() };
    let declared = symbol.declared.iter().copied().filter(|_| with_declaration);
    locations(pair, declared.chain(symbol.uses.iter().map(|it| it.span)))
}

fn locations(pair: &Pair, spans: impl Iterator<Item = Span>) -> Vec<Location> {
    let location = |span: Span| {
        let text = pair.of(span.file)?;
        Some(Location::new(text.uri()?, Positions::new(&text.text).range(span)))
    };
    spans.filter_map(location).collect()
}

/// What a document declares.
pub(crate) fn outline(pair: &Pair, file: File) -> Vec<DocumentSymbol> {
    let Some(own) = pair.of(file) else { return Vec::new() };
    let positions = Positions::new(&own.text);
    let symbols = pair.symbols();
    let entry = |symbol: &Symbol| {
        let kind = shape(symbol.kind)?;
        let place = *symbol.declared.iter().find(|span| span.file == file)?;
        let selection_range = positions.range(place);
        let whole = symbol.definition.filter(|span| span.file == file).unwrap_or(place);
        #[expect(deprecated, reason = "the field cannot be left out")]
        Some(DocumentSymbol {
            name: symbol.name.clone(),
            detail: None,
            kind,
            tags: None,
            deprecated: None,
            range: positions.range(whole),
            selection_range,
            children: None,
        })
    };
    symbols.list.iter().filter_map(entry).collect()
}

fn shape(kind: SymbolKind) -> Option<Shape> {
    match kind {
        SymbolKind::Type => Some(Shape::CLASS),
        SymbolKind::Object => Some(Shape::CONSTANT),
        SymbolKind::Predicate => Some(Shape::PROPERTY),
        SymbolKind::Function => Some(Shape::NUMBER),
        SymbolKind::Action => Some(Shape::FUNCTION),
        SymbolKind::Variable => None,
    }
}
