//! Names and their places.

use crate::source::{File, Span};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// A type.
    Type,
    /// A constant or an object.
    Object,
    /// A predicate.
    Predicate,
    /// A numeric function.
    Function,
    /// An action.
    Action,
    /// A variable: a parameter, or one that a quantifier declares.
    Variable,
}

/// What a name is used for in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// In a condition.
    Condition,
    /// In a negated condition.
    NegatedCondition,
    /// In the head of a rule, or an effect that makes it true.
    Added,
    /// In an effect that makes it false.
    Deleted,
    /// In the initial state, or as a function with a value there.
    Initial,
    /// In a cost or the metric.
    Cost,
    /// As the argument of something.
    Argument,
    /// As the type of something.
    Typing,
}

/// A place where a name is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The place of the name.
    pub span: Span,
    /// What it is used for.
    pub role: Role,
}

/// What declares a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// A predicate or a function: the variable is there for its type.
    Signature,
    /// The head of a rule.
    Head,
    /// An action.
    Parameter,
    /// A quantifier.
    Quantifier,
}

/// A name, where it is declared, and where it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// What it stands for.
    pub kind: SymbolKind,
    /// The name, lower case.
    pub name: String,
    /// Where it is declared; nowhere if it is built in or unknown.
    pub declared: Vec<Span>,
    /// What it is declared in, if that says more than the name: `(road ?a ?b - place)`, an action.
    pub definition: Option<Span>,
    /// The types of a variable or an object, as they are written.
    pub types: Option<Span>,
    /// The action or rule that a variable belongs to.
    pub scope: Option<Span>,
    /// What declares a variable.
    pub variable: Option<Declaration>,
    /// Whether it is a variable that hides another one of the same name.
    pub hides: bool,
    /// Where it is used.
    pub uses: Vec<Use>,
}

/// The names of a task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symbols {
    /// All of them, in the order in which they are met.
    pub list: Vec<Symbol>,
    /// The requirements that are used, each with the first place.
    pub requirements: Vec<(&'static str, Span)>,
    /// The requirements that a section `:requirements` of the domain declares, and the section's place.
    pub declared: Option<(Vec<String>, Span)>,
    /// Where the problem's metric is.
    pub metric: Option<Span>,
    /// Where the goal's atoms are, with the text of each as one line.
    pub goals: Vec<(String, Span)>,
}

impl Symbols {
    /// The name at a byte of a file, and its place there.
    pub fn at(&self, file: File, offset: u32) -> Option<(&Symbol, Span)> {
        let is_there =
            |span: &Span| span.file == file && span.start <= offset && offset <= span.end;
        self.list.iter().find_map(|symbol| {
            let uses = symbol.uses.iter().map(|it| it.span);
            let place = symbol.declared.iter().copied().chain(uses).find(is_there)?;
            Some((symbol, place))
        })
    }

    /// The symbol with this kind and name, if it is declared.
    pub fn declared(&self, kind: SymbolKind, name: &str) -> Option<&Symbol> {
        let is_it = |it: &&Symbol| it.kind == kind && it.name == name && !it.declared.is_empty();
        self.list.iter().find(is_it)
    }
}
