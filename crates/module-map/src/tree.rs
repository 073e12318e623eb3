//! The module tree of a crate: which file holds which module.
//!
//! A crate is read from its root file on. `mod x;` leads to `x.rs` or
//! `x/mod.rs`, or to where `#[path]` says. An inline `mod x { … }` belongs to
//! the file that it is written in. Code that only tests compile is not read.

use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta, UseTree, Visibility};

use crate::error::Error;
use crate::scopes::{Import, Meaning, Namespace, ScopeId, Scopes};
use crate::test_only::{is_test_only, item_attributes};

/// A module that is a file.
#[derive(Debug)]
pub(crate) struct FileModule {
    /// The names from the crate's root to it; empty for the root.
    pub path: Vec<String>,
    /// Its file, relative to the workspace where it lies in it.
    pub file: PathBuf,
    /// Its documentation, as it is written.
    pub documentation: String,
}

impl FileModule {
    /// Its name as people write it; the root is `crate`.
    pub(crate) fn name(&self) -> String {
        if self.path.is_empty() { "crate".into() } else { self.path.join("::") }
    }
}

/// The modules of a crate with their code.
#[derive(Default)]
pub(crate) struct Tree {
    /// The modules. The first is the root.
    pub(crate) files: Vec<FileModule>,
    /// The code of each module and the scope that it stands in.
    pub(crate) code: Vec<(ScopeId, Vec<Item>)>,
    /// The names.
    pub(crate) scopes: Scopes,
}

/// Reads the crate that starts with a file. File names are kept relative to
/// the folder of the workspace.
pub(crate) fn read(workspace: &Path, root: &Path) -> Result<Tree, Error> {
    let mut reader = Reader { workspace, tree: Tree::default() };
    let folder = root.parent().unwrap_or(Path::new("")).to_owned();
    reader.file(root, folder, Vec::new(), None)?;
    Ok(reader.tree)
}

struct Reader<'a> {
    workspace: &'a Path,
    tree: Tree,
}

/// Where a module stands: what its declarations are relative to.
struct Place<'a> {
    scope: ScopeId,
    file: &'a Path,
    /// The folder of the files of its submodules.
    folder: PathBuf,
    /// What `#[path]` is relative to.
    path_base: PathBuf,
    path: Vec<String>,
}

impl Reader<'_> {
    fn file(
        &mut self,
        file: &Path,
        folder: PathBuf,
        path: Vec<String>,
        parent: Option<ScopeId>,
    ) -> Result<ScopeId, Error> {
        let text = fs::read_to_string(file)
            .map_err(|cause| Error::File { file: file.to_owned(), cause })?;
        let shown = file.strip_prefix(self.workspace).unwrap_or(file).to_owned();
        let parsed =
            syn::parse_file(&text).map_err(|cause| Error::Syntax { file: shown.clone(), cause })?;
        let id = self.tree.files.len();
        let documentation = documentation(&parsed.attrs);
        self.tree.files.push(FileModule { path: path.clone(), file: shown, documentation });
        let scope = self.tree.scopes.add_module(id, parent);
        self.tree.code.push((scope, Vec::new()));
        let path_base = file.parent().unwrap_or(Path::new("")).to_owned();
        self.items(&parsed.items, &Place { scope, file, folder, path_base, path })?;
        self.tree.code[id].1 = parsed.items;
        Ok(scope)
    }

    fn items(&mut self, items: &[Item], place: &Place<'_>) -> Result<(), Error> {
        for item in items {
            match item {
                Item::Mod(module) if !is_test_only(&module.attrs) => self.module(module, place)?,
                item => declare(&mut self.tree.scopes, place.scope, item),
            }
        }
        Ok(())
    }

    fn module(&mut self, module: &ItemMod, place: &Place<'_>) -> Result<(), Error> {
        let name = plain(&module.ident);
        let mut path = place.path.clone();
        path.push(name.clone());
        let child = if let Some((_, items)) = &module.content {
            let file = self.tree.scopes.get(place.scope).file;
            let scope = self.tree.scopes.add_module(file, Some(place.scope));
            let folder = place.folder.join(&name);
            let path_base = folder.clone();
            self.items(items, &Place { scope, file: place.file, folder, path_base, path })?;
            scope
        } else {
            let (file, folder) = find(module, &name, place)?;
            self.file(&file, folder, path, Some(place.scope))?
        };
        self.tree.scopes.define(place.scope, Namespace::Type, name, Meaning::Module(child));
        Ok(())
    }
}

/// The file of a module and the folder of its submodules.
fn find(module: &ItemMod, name: &str, place: &Place<'_>) -> Result<(PathBuf, PathBuf), Error> {
    if let Some(path) = module.attrs.iter().find_map(path_attribute) {
        let file = place.path_base.join(path);
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        return Ok((file, folder));
    }
    let folder = place.folder.join(name);
    let looked_for = vec![place.folder.join(format!("{name}.rs")), folder.join("mod.rs")];
    match looked_for.iter().find(|file| file.is_file()) {
        Some(file) => Ok((file.clone(), folder)),
        None => Err(Error::NoModuleFile {
            file: place.file.to_owned(),
            line: module.ident.span().start().line,
            name: name.to_owned(),
            looked_for,
        }),
    }
}

/// Adds the names that an item defines or imports to a scope. Modules are
/// added by who reads their files.
pub(crate) fn declare(scopes: &mut Scopes, scope: ScopeId, item: &Item) {
    if is_test_only(item_attributes(item)) {
        return;
    }
    let here = Meaning::Item(scopes.get(scope).file);
    let mut define = |namespaces: &[Namespace], name: &syn::Ident| {
        for &namespace in namespaces {
            scopes.define(scope, namespace, plain(name), here);
        }
    };
    let (types, values) = ([Namespace::Type], [Namespace::Value]);
    match item {
        Item::Const(item) => define(&values, &item.ident),
        Item::Static(item) => define(&values, &item.ident),
        Item::Fn(item) => define(&values, &item.sig.ident),
        Item::Enum(item) => define(&types, &item.ident),
        Item::Union(item) => define(&types, &item.ident),
        Item::Type(item) => define(&types, &item.ident),
        Item::Trait(item) => define(&types, &item.ident),
        Item::Struct(item) => {
            define(&types, &item.ident);
            if !matches!(item.fields, syn::Fields::Named(_)) {
                define(&values, &item.ident);
            }
        }
        Item::Macro(item) => {
            if let Some(name) = &item.ident {
                let is_exported =
                    item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
                scopes.define_macro(scope, plain(name), is_exported);
            }
        }
        Item::Use(item) => {
            for import in imports(item) {
                scopes.import(scope, import);
            }
        }
        _ => {}
    }
}

/// What a `use` brings, one by one. A path that starts with `::` gets an
/// empty first segment.
pub(crate) fn imports(item: &syn::ItemUse) -> Vec<Import> {
    let is_reexport = match &item.vis {
        Visibility::Public(_) => true,
        Visibility::Restricted(restricted) => !restricted.path.is_ident("self"),
        Visibility::Inherited => false,
    };
    let mut found = Vec::new();
    let mut path = Vec::new();
    if item.leading_colon.is_some() {
        path.push(String::new());
    }
    let line = item.use_token.span.start().line;
    flatten(&item.tree, path, is_reexport, line, &mut found);
    found
}

fn flatten(
    tree: &UseTree,
    mut path: Vec<String>,
    is_reexport: bool,
    line: usize,
    found: &mut Vec<Import>,
) {
    match tree {
        UseTree::Path(step) => {
            path.push(plain(&step.ident));
            flatten(&step.tree, path, is_reexport, step.ident.span().start().line, found);
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, path.clone(), is_reexport, line, found);
            }
        }
        UseTree::Glob(_) => found.push(Import { path, name: None, is_reexport, line }),
        UseTree::Name(leaf) => {
            let line = leaf.ident.span().start().line;
            if leaf.ident != "self" {
                path.push(plain(&leaf.ident));
            }
            let name = path.last().cloned();
            found.push(Import { path, name, is_reexport, line });
        }
        UseTree::Rename(leaf) => {
            let line = leaf.ident.span().start().line;
            if leaf.ident != "self" || path.is_empty() {
                path.push(plain(&leaf.ident));
            }
            found.push(Import { path, name: Some(plain(&leaf.rename)), is_reexport, line });
        }
    }
}

/// An identifier without the mark of a raw one.
pub(crate) fn plain(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or_else(|| text.clone(), ToOwned::to_owned)
}

fn documentation(attributes: &[Attribute]) -> String {
    let lines: Vec<String> =
        attributes.iter().filter_map(|attribute| text_attribute(attribute, "doc")).collect();
    lines.join("\n")
}

fn path_attribute(attribute: &Attribute) -> Option<String> {
    text_attribute(attribute, "path")
}

fn text_attribute(attribute: &Attribute, name: &str) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident(name) => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
