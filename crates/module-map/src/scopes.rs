//! Scopes, the names that they define and import, and what a path means.
//!
//! A scope is a module, in a file of its own or inline, or a block with items
//! or imports of its own. Rust keeps types, values and macros apart (a module
//! `check` and a function `check` may live side by side), so does this.
//!
//! A path is followed segment by segment, through imports, re-exports and
//! globs, to the file whose module defines the item. Three shortcuts:
//!
//! - Visibility is ignored. The compiler has checked it, and ignoring it can
//!   only matter to a glob.
//! - An enum's variants and what an `impl` defines belong to the type, so the
//!   path ends there.
//! - A name that a known module does not seem to define is taken for one that
//!   a macro defines there, for example an id type made by `index_type!`.

use std::collections::BTreeMap;

/// A number of a scope.
pub(crate) type ScopeId = usize;
/// A number of a file module.
pub(crate) type FileId = usize;

/// The three kinds of names that Rust keeps apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Namespace {
    /// Modules, types and traits.
    Type,
    /// Functions, constants, constructors.
    Value,
    /// Macros.
    Macro,
}

/// All namespaces.
pub(crate) const NAMESPACES: [Namespace; 3] = [Namespace::Type, Namespace::Value, Namespace::Macro];

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A module of this crate.
    Module(ScopeId),
    /// An item that this file defines.
    Item(FileId),
    /// Something of another crate.
    Foreign,
}

/// One name, or everything, that a `use` brings into a scope.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// The segments of its path, without the star of a glob.
    pub(crate) path: Vec<String>,
    /// The name that it gets here; none for a glob.
    pub(crate) name: Option<String>,
    /// Whether it is a re-export: visible outside of its module.
    pub(crate) is_reexport: bool,
    /// Its line in the file.
    pub(crate) line: usize,
}

/// A module or a block.
#[derive(Debug)]
pub(crate) struct Scope {
    /// The file that it is written in.
    pub(crate) file: FileId,
    /// The module that contains this module or block.
    parent: Option<ScopeId>,
    is_block: bool,
    defined: BTreeMap<(Namespace, String), Meaning>,
    pub(crate) imports: Vec<Import>,
}

/// All scopes of a crate. The first is its root.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    scopes: Vec<Scope>,
    /// The files of `macro_rules!` macros, which are in scope after their
    /// definition, whatever the module.
    macros: BTreeMap<String, FileId>,
}

/// The scope that every path with `crate::` starts from.
pub(crate) const ROOT: ScopeId = 0;

/// The names being looked up, against imports that lead back to themselves.
type Trail = Vec<(ScopeId, Namespace, String)>;

impl Scopes {
    /// Adds a module that is still empty.
    pub(crate) fn add_module(&mut self, file: FileId, parent: Option<ScopeId>) -> ScopeId {
        self.add(file, parent, false)
    }

    /// Adds a block that is still empty.
    pub(crate) fn add_block(&mut self, enclosing: ScopeId) -> ScopeId {
        self.add(self.scopes[enclosing].file, Some(enclosing), true)
    }

    fn add(&mut self, file: FileId, parent: Option<ScopeId>, is_block: bool) -> ScopeId {
        let (defined, imports) = (BTreeMap::new(), Vec::new());
        self.scopes.push(Scope { file, parent, is_block, defined, imports });
        self.scopes.len() - 1
    }

    /// A scope, by its number.
    pub(crate) fn get(&self, id: ScopeId) -> &Scope {
        &self.scopes[id]
    }

    /// Says that a scope defines a name.
    pub(crate) fn define(
        &mut self,
        scope: ScopeId,
        namespace: Namespace,
        name: String,
        meaning: Meaning,
    ) {
        self.scopes[scope].defined.entry((namespace, name)).or_insert(meaning);
    }

    /// Says that a scope defines a `macro_rules!` macro.
    pub(crate) fn define_macro(&mut self, scope: ScopeId, name: String, is_exported: bool) {
        let file = self.scopes[scope].file;
        let home = if is_exported { ROOT } else { scope };
        self.define(home, Namespace::Macro, name.clone(), Meaning::Item(file));
        self.macros.entry(name).or_insert(file);
    }

    /// Adds what a `use` brings.
    pub(crate) fn import(&mut self, scope: ScopeId, import: Import) {
        self.scopes[scope].imports.push(import);
    }

    /// The module that a module defines under a name, if any.
    pub(crate) fn child(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        match self.scopes[scope].defined.get(&(Namespace::Type, name.to_owned())) {
            Some(&Meaning::Module(child)) => Some(child),
            _ => None,
        }
    }

    /// What a path means in a scope, looked for in one namespace first and
    /// then in the others.
    pub(crate) fn resolve<S: AsRef<str>>(
        &self,
        scope: ScopeId,
        path: &[S],
        namespace: Namespace,
    ) -> Option<Meaning> {
        let path: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
        let others = NAMESPACES.into_iter().filter(|&other| other != namespace);
        [namespace]
            .into_iter()
            .chain(others)
            .find_map(|namespace| self.resolve_in(scope, &path, namespace))
            .or_else(|| self.follow(scope, &path, Namespace::Type, true, &mut Trail::new()))
            .or_else(|| match *path {
                [name] if namespace == Namespace::Macro => {
                    self.macros.get(name).map(|&file| Meaning::Item(file))
                }
                _ => None,
            })
    }

    /// What a path means in a scope and one namespace.
    pub(crate) fn resolve_in<S: AsRef<str>>(
        &self,
        scope: ScopeId,
        path: &[S],
        namespace: Namespace,
    ) -> Option<Meaning> {
        let path: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
        self.follow(scope, &path, namespace, false, &mut Trail::new())
    }

    /// Follows a path from a scope. If `made_by_macros`, a name that its
    /// module does not define is taken for an item of that module.
    fn follow(
        &self,
        scope: ScopeId,
        path: &[&str],
        namespace: Namespace,
        made_by_macros: bool,
        trail: &mut Trail,
    ) -> Option<Meaning> {
        let (first, mut rest) = path.split_first()?;
        let mut here = match *first {
            "crate" => ROOT,
            "self" => self.module_of(scope),
            "super" => self.parent_of(scope)?,
            "Self" => return None,
            "" => return Some(Meaning::Foreign),
            name => {
                let wanted = if rest.is_empty() { namespace } else { Namespace::Type };
                match self.look_up(scope, name, wanted, made_by_macros, trail) {
                    Some(Meaning::Module(module)) => module,
                    None if !rest.is_empty() => {
                        // A type that a macro makes, or another crate.
                        let made = self.look_up(scope, name, wanted, true, trail);
                        return made.or(Some(Meaning::Foreign));
                    }
                    other => return other,
                }
            }
        };
        while let Some((name, tail)) = rest.split_first() {
            rest = tail;
            if *name == "super" {
                here = self.parent_of(here)?;
                continue;
            }
            let wanted = if rest.is_empty() { namespace } else { Namespace::Type };
            match self.look_up(here, name, wanted, made_by_macros, trail) {
                Some(Meaning::Module(module)) => here = module,
                None if made_by_macros => return Some(Meaning::Item(self.scopes[here].file)),
                other => return other,
            }
        }
        Some(Meaning::Module(here))
    }

    fn look_up(
        &self,
        scope: ScopeId,
        name: &str,
        namespace: Namespace,
        made_by_macros: bool,
        trail: &mut Trail,
    ) -> Option<Meaning> {
        let step = (scope, namespace, name.to_owned());
        if let Some(&meaning) = self.scopes[scope].defined.get(&(namespace, name.to_owned())) {
            return Some(meaning);
        }
        if trail.contains(&step) {
            return None;
        }
        trail.push(step);
        let found = self.look_up_imported(scope, name, namespace, made_by_macros, trail);
        trail.pop();
        found.or_else(|| match self.scopes[scope] {
            Scope { is_block: true, parent: Some(enclosing), .. } => {
                self.look_up(enclosing, name, namespace, made_by_macros, trail)
            }
            _ => None,
        })
    }

    fn look_up_imported(
        &self,
        scope: ScopeId,
        name: &str,
        namespace: Namespace,
        made_by_macros: bool,
        trail: &mut Trail,
    ) -> Option<Meaning> {
        let imports = &self.scopes[scope].imports;
        let named = imports.iter().filter(|import| import.name.as_deref() == Some(name));
        for import in named {
            let path: Vec<&str> = import.path.iter().map(String::as_str).collect();
            let found = self.follow(scope, &path, namespace, made_by_macros, trail);
            if found.is_some() {
                return found;
            }
        }
        for import in imports.iter().filter(|import| import.name.is_none()) {
            let path: Vec<&str> = import.path.iter().map(String::as_str).collect();
            let source = self.follow(scope, &path, Namespace::Type, false, trail);
            if let Some(Meaning::Module(module)) = source {
                let found = self.look_up(module, name, namespace, made_by_macros, trail);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// The module that a scope is or lies in.
    fn module_of(&self, mut scope: ScopeId) -> ScopeId {
        while self.scopes[scope].is_block {
            scope = self.scopes[scope].parent.expect("a block lies in a module");
        }
        scope
    }

    fn parent_of(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scopes[self.module_of(scope)].parent
    }
}
