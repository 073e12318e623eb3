//! Who imports whom: walks the code of a crate and follows every path in it.
//!
//! Module A imports module B if A's code names an item that B defines.
//!
//! - A private `use` names what it imports, because the compiler warns about
//!   one that is not needed, and a trait may be needed for its methods alone.
//!   (If the name stands for two things, say a module and a function, the code
//!   decides which one is meant.)
//! - A re-export (`pub use`, `pub(crate) use`, `pub(super) use`) names nothing
//!   by itself. Whoever uses the name imports the module that *defines* the
//!   item, however many re-exports lie between. That includes the module with
//!   the re-export, if its own code uses the name.
//! - A module on the way to an item, or imported without anything from it, is
//!   not an import: `crate::pairs::classes::Class` names `pairs::classes` only.
//! - A glob imports the module that it names, and the code's uses of the names
//!   that it brings count as they do elsewhere.
//! - Declaring a submodule names nothing.
//!
//! Local variables hide items of the same name, so they are tracked. Macros
//! are not expanded; module `macros` says how their arguments are read.
//!
//! What this cannot see: methods and fields (a type would have to be
//! inferred), variables inside format strings, paths inside string literals of
//! attributes, and what macros expand to. Each needs a value or a type that
//! the module got from somewhere, most often by naming it.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{
    Arm, Attribute, Block, ExprClosure, ExprForLoop, ExprIf, ExprLet, ExprPath, ExprWhile, Field,
    ImplItem, ImplItemFn, Item, ItemFn, ItemMod, ItemUse, Local, Macro, Meta, PatIdent, Path,
    QSelf, Stmt, TraitItem, TraitItemFn, TypePath, Variant, VisRestricted,
};

use crate::macros::{self, Arguments};
use crate::scopes::{FileId, Meaning, NAMESPACES, Namespace, ScopeId};
use crate::test_only::{is_test_only, item_attributes};
use crate::tree::{self, Tree, plain};

/// A place in the code that names an item of another module.
#[derive(Debug)]
pub(crate) struct Mention {
    /// The line in the file of the module that names it.
    pub line: usize,
    /// The path as it is written.
    pub path: String,
}

impl Mention {
    /// The likely name of the item: the first capitalized segment, behind
    /// which come variants and functions of a type, or the last segment.
    fn item(&self) -> &str {
        let capitalized = |segment: &&str| segment.starts_with(char::is_uppercase);
        let last = self.path.rsplit("::").next().unwrap_or_default();
        self.path.split("::").find(capitalized).unwrap_or(last)
    }
}

/// The imports of a crate: for each pair of modules, where the first names
/// items of the second, once for each item.
pub(crate) type Imports = BTreeMap<(usize, usize), Vec<Mention>>;

/// Finds all imports between the modules of a crate.
pub(crate) fn find(tree: &mut Tree) -> Imports {
    let code = std::mem::take(&mut tree.code);
    let mut walk = Walk { tree, scope: 0, variables: Vec::new(), imports: Imports::new() };
    for (scope, items) in &code {
        walk.scope = *scope;
        for item in items {
            walk.visit_item(item);
        }
    }
    let mut imports = walk.imports;
    for mentions in imports.values_mut() {
        mentions.sort_by_key(|mention| mention.line);
        let mut seen = BTreeSet::new();
        mentions.retain(|mention| seen.insert(mention.item().to_owned()));
    }
    imports
}

struct Walk<'a> {
    tree: &'a mut Tree,
    /// The scope of the code at hand.
    scope: ScopeId,
    /// The local variables, innermost scope last.
    variables: Vec<Vec<String>>,
    imports: Imports,
}

impl Walk<'_> {
    /// Notes that the code at hand names an item, if a path means one.
    fn name(&mut self, path: &[String], line: usize, namespace: Namespace) {
        if let [name] = path
            && namespace == Namespace::Value
            && self.is_variable(name)
        {
            return;
        }
        if let Some(Meaning::Item(file)) = self.tree.scopes.resolve(self.scope, path, namespace) {
            self.mention(file, line, path.join("::"));
        }
    }

    fn mention(&mut self, to: FileId, line: usize, path: String) {
        let from = self.tree.scopes.get(self.scope).file;
        if from != to {
            self.imports.entry((from, to)).or_default().push(Mention { line, path });
        }
    }

    fn is_variable(&self, name: &str) -> bool {
        self.variables.iter().flatten().any(|variable| variable == name)
    }

    /// Names the item of a path with what its `<Type as …>` leaves of it.
    fn name_path(&mut self, qualifier: Option<&QSelf>, path: &Path, namespace: Namespace) {
        let segments = path.segments.iter().map(|segment| plain(&segment.ident));
        let mut segments: Vec<String> = match qualifier {
            Some(qualifier) => segments.take(qualifier.position).collect(),
            None => segments.collect(),
        };
        if path.leading_colon.is_some() {
            segments.insert(0, String::new());
        }
        if let Some(first) = path.segments.first()
            && !segments.is_empty()
        {
            self.name(&segments, first.ident.span().start().line, namespace);
        }
    }

    /// Walks with variables of its own.
    fn nested(&mut self, walk: impl FnOnce(&mut Self)) {
        self.variables.push(Vec::new());
        walk(self);
        self.variables.pop();
    }

    /// Walks a function, which does not see the variables around it.
    fn function(&mut self, walk: impl FnOnce(&mut Self)) {
        let around = std::mem::take(&mut self.variables);
        self.nested(walk);
        self.variables = around;
    }

    /// Walks the arguments of a macro.
    fn arguments(&mut self, call: &Macro) {
        match macros::arguments(call) {
            Arguments::Expressions(expressions) => {
                for expression in &expressions {
                    self.visit_expr(expression);
                }
            }
            Arguments::Match(matched) => {
                let (value, pattern, guard) = *matched;
                self.visit_expr(&value);
                self.nested(|walk| {
                    walk.visit_pat(&pattern);
                    if let Some(guard) = &guard {
                        walk.visit_expr(guard);
                    }
                });
            }
            Arguments::Statements(statements) => self.statements(&statements),
            Arguments::Tokens => self.tokens(&call.tokens),
        }
    }

    /// Follows everything in tokens that looks like a path.
    fn tokens(&mut self, tokens: &TokenStream) {
        for word in macros::paths(tokens) {
            self.name(&word.path, word.line, word.namespace);
        }
    }

    /// Walks statements, in a scope of their own if they declare something.
    fn statements(&mut self, statements: &[Stmt]) {
        let around = self.scope;
        if statements.iter().any(|statement| matches!(statement, Stmt::Item(_))) {
            self.scope = self.tree.scopes.add_block(around);
            for statement in statements {
                if let Stmt::Item(item) = statement {
                    tree::declare(&mut self.tree.scopes, self.scope, item);
                }
            }
        }
        self.nested(|walk| statements.iter().for_each(|statement| walk.visit_stmt(statement)));
        self.scope = around;
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test_only(item_attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        // The modules in files are walked on their own.
        if let Some((_, items)) = &module.content
            && let Some(child) = self.tree.scopes.child(self.scope, &plain(&module.ident))
        {
            let around = std::mem::replace(&mut self.scope, child);
            for item in items {
                self.visit_item(item);
            }
            self.scope = around;
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        for import in tree::imports(item) {
            if import.is_reexport {
                continue;
            }
            let scopes = &self.tree.scopes;
            let shown = import.path.join("::");
            if import.name.is_none() {
                match scopes.resolve(self.scope, &import.path, Namespace::Type) {
                    Some(Meaning::Item(file)) => self.mention(file, import.line, shown + "::*"),
                    Some(Meaning::Module(module)) => {
                        self.mention(scopes.get(module).file, import.line, shown + "::*");
                    }
                    _ => {}
                }
                continue;
            }
            let mut meanings: Vec<Meaning> = NAMESPACES
                .into_iter()
                .filter_map(|namespace| scopes.resolve_in(self.scope, &import.path, namespace))
                .collect();
            if meanings.is_empty() {
                meanings.extend(scopes.resolve(self.scope, &import.path, Namespace::Type));
            }
            meanings.dedup();
            if let [Meaning::Item(file)] = *meanings {
                self.mention(file, import.line, shown);
            }
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.function(|walk| visit::visit_item_fn(walk, function));
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => return,
        };
        if !is_test_only(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.function(|walk| visit::visit_impl_item_fn(walk, function));
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let attributes = match item {
            TraitItem::Const(item) => &item.attrs,
            TraitItem::Fn(item) => &item.attrs,
            TraitItem::Type(item) => &item.attrs,
            TraitItem::Macro(item) => &item.attrs,
            _ => return,
        };
        if !is_test_only(attributes) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        self.function(|walk| visit::visit_trait_item_fn(walk, function));
    }

    fn visit_field(&mut self, field: &'ast Field) {
        if !is_test_only(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        if !is_test_only(&variant.attrs) {
            visit::visit_variant(self, variant);
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.statements(&block.stmts);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if is_test_only(&local.attrs) {
            return;
        }
        // The variable is not known yet in its own initial value.
        if let Some(init) = &local.init {
            self.visit_local_init(init);
        }
        self.visit_pat(&local.pat);
    }

    fn visit_expr_let(&mut self, condition: &'ast ExprLet) {
        self.visit_expr(&condition.expr);
        self.visit_pat(&condition.pat);
    }

    fn visit_expr_if(&mut self, choice: &'ast ExprIf) {
        self.nested(|walk| {
            walk.visit_expr(&choice.cond);
            walk.visit_block(&choice.then_branch);
        });
        if let Some((_, otherwise)) = &choice.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, repeated: &'ast ExprWhile) {
        self.nested(|walk| visit::visit_expr_while(walk, repeated));
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast ExprForLoop) {
        self.visit_expr(&repeated.expr);
        self.nested(|walk| {
            walk.visit_pat(&repeated.pat);
            walk.visit_block(&repeated.body);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        self.nested(|walk| visit::visit_expr_closure(walk, closure));
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if !is_test_only(&arm.attrs) {
            self.nested(|walk| visit::visit_arm(walk, arm));
        }
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        let name = plain(&pattern.ident);
        if name.starts_with(char::is_uppercase) {
            // A constant or a unit struct: variables are written in lower case.
            self.name(&[name], pattern.ident.span().start().line, Namespace::Value);
        } else if let Some(innermost) = self.variables.last_mut() {
            innermost.push(name);
        }
        if let Some((_, pattern)) = &pattern.subpat {
            self.visit_pat(pattern);
        }
    }

    fn visit_expr_path(&mut self, expression: &'ast ExprPath) {
        if let Some(qualifier) = &expression.qself {
            self.visit_qself(qualifier);
        }
        self.name_path(expression.qself.as_ref(), &expression.path, Namespace::Value);
        visit::visit_path(self, &expression.path);
    }

    fn visit_type_path(&mut self, named: &'ast TypePath) {
        if let Some(qualifier) = &named.qself {
            self.visit_qself(qualifier);
        }
        self.name_path(named.qself.as_ref(), &named.path, Namespace::Type);
        visit::visit_path(self, &named.path);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        self.name_path(None, path, Namespace::Type);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.name_path(None, &call.path, Namespace::Macro);
        self.arguments(call);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta
            && !attribute.path().is_ident("derive")
        {
            self.tokens(&list.tokens);
        }
    }

    fn visit_vis_restricted(&mut self, _: &'ast VisRestricted) {}
}
