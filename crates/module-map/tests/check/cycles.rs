//! Cycles made on purpose are found and named; what is not a cycle is not.

use crate::workspace::Workspace;

/// The report's text on a library that must not have a cycle.
fn passes(sources: &[(&str, &str)]) -> String {
    let report = Workspace::tiny(sources).check(true);
    assert!(report.holds, "{}", report.text);
    assert!(report.text.ends_with("module-map: 0 cycles in 1 crate\n"), "{}", report.text);
    report.text
}

/// The report's text on a library with exactly one cycle.
fn fails(sources: &[(&str, &str)]) -> String {
    let report = Workspace::tiny(sources).check(true);
    assert!(!report.holds, "{}", report.text);
    assert!(report.text.ends_with("module-map: 1 cycle in 1 crate\n"), "{}", report.text);
    report.text
}

#[track_caller]
fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "no {part:?} in:\n{text}");
}

#[test]
fn modules_in_layers_pass() {
    let text = passes(&[
        ("lib.rs", "mod top; mod left; mod right; mod bottom; pub use top::Top;"),
        ("top.rs", "use crate::left::Left; pub struct Top(Left, crate::right::Right);"),
        ("left.rs", "pub struct Left(super::bottom::Bottom);"),
        ("right.rs", "use super::bottom; pub struct Right(bottom::Bottom);"),
        ("bottom.rs", "pub struct Bottom;"),
    ]);
    assert_contains(&text, "tiny: 5 modules, 4 imports, 0 cycles\n");
}

#[test]
fn siblings_that_import_each_other_are_named_with_file_and_line() {
    let text = fails(&[
        ("lib.rs", "mod egg;\nmod hen;\nmod farm;\n"),
        ("egg.rs", "//! Egg.\n\nuse crate::hen::Hen;\n\npub struct Egg(Box<Hen>);\n"),
        ("hen.rs", "//! Hen.\npub struct Hen;\nfn lay(_: &Hen) -> super::egg::Egg { todo!() }\n"),
        ("farm.rs", "use super::{egg::Egg, hen::Hen}; struct Farm(Egg, Hen);"),
    ]);
    assert_contains(&text, "tiny: 4 modules, 4 imports, 1 cycle\n");
    assert_contains(&text, "  cycle among 2 modules: egg, hen\n    egg → hen → egg\n");
    assert_contains(&text, "crates/tiny/src/egg.rs:3: `crate::hen::Hen` names an item of hen\n");
    assert_contains(&text, "crates/tiny/src/hen.rs:3: `super::egg::Egg` names an item of egg\n");
}

#[test]
fn a_cycle_through_several_modules_is_named_in_order() {
    let text = fails(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "pub fn a() { crate::b::b() }"),
        ("b.rs", "pub fn b() { crate::c::c() }"),
        ("c.rs", "pub fn c() { crate::a::a() }"),
    ]);
    assert_contains(&text, "    a → b → c → a\n");
}

#[test]
fn a_parent_and_a_child_that_use_each_other_are_a_cycle() {
    let parent = "mod child;\npub struct Params;\npub fn run() { child::step(&Params) }\n";
    let child = "use super::Params;\npub fn step(_: &Params) {}\n";
    for file in ["parent.rs", "parent/mod.rs"] {
        let text = fails(&[("lib.rs", "mod parent;"), (file, parent), ("parent/child.rs", child)]);
        assert_contains(&text, "    parent → parent::child → parent\n");
        assert_contains(&text, &format!("crates/tiny/src/{file}:3: `child::step` names"));
        assert_contains(&text, "crates/tiny/src/parent/child.rs:1: `super::Params` names");
    }
}

#[test]
fn the_root_takes_part() {
    let text = fails(&[
        ("lib.rs", "mod part; pub const SIZE: usize = 3; pub fn all() { part::part() }"),
        ("part.rs", "pub fn part() -> [u8; crate::SIZE] { [0; crate::SIZE] }"),
    ]);
    assert_contains(&text, "    crate → part → crate\n");
}

#[test]
fn an_impl_in_a_child_for_a_type_of_its_parent_points_up_only() {
    passes(&[
        ("lib.rs", "mod parent;"),
        ("parent/mod.rs", "mod show; pub struct Type;"),
        ("parent/show.rs", "impl std::fmt::Debug for super::Type {}"),
    ]);
}

#[test]
fn a_reexport_is_looked_through() {
    // `parent` re-exports `Shape` and does not use it, so `one` and `two`
    // depend on `shape`, and nobody on `parent`.
    let text = passes(&[
        ("lib.rs", "mod parent; pub use parent::{Shape, one};"),
        ("parent/mod.rs", "mod one; mod two; mod shape; pub use one::one; pub use shape::Shape;"),
        ("parent/one.rs", "use super::Shape; pub fn one() -> Shape { super::two::two() }"),
        ("parent/two.rs", "pub(super) fn two() -> crate::Shape { crate::Shape }"),
        ("parent/shape.rs", "pub struct Shape;"),
    ]);
    assert_contains(&text, "tiny: 5 modules, 3 imports, 0 cycles\n");
}

#[test]
fn a_cycle_through_a_reexport_is_found() {
    let text = fails(&[
        ("lib.rs", "mod one; mod two; pub use one::One; pub use two::Two;"),
        ("one.rs", "use crate::Two; pub struct One(Box<Two>);"),
        ("two.rs", "use crate::One; pub struct Two(Box<One>);"),
    ]);
    assert_contains(&text, "    one → two → one\n");
    assert_contains(&text, "`crate::Two` names an item of two\n");
}

#[test]
fn a_module_that_uses_what_it_reexports_imports_it() {
    let text = fails(&[
        ("lib.rs", "mod parent;"),
        (
            "parent/mod.rs",
            "mod child;\npub use child::Child;\npub trait Trait {}\nfn make() -> Child { todo!() }\n",
        ),
        ("parent/child.rs", "pub struct Child; impl super::Trait for Child {}"),
    ]);
    assert_contains(
        &text,
        "crates/tiny/src/parent/mod.rs:4: `Child` names an item of parent::child",
    );
}

#[test]
fn renames_groups_and_chains_of_reexports_are_followed() {
    let text = fails(&[
        (
            "lib.rs",
            "mod a; mod b; mod names { pub use crate::prelude::Renamed as Final; } mod prelude;",
        ),
        ("prelude.rs", "pub(crate) use crate::{a::{self, Original as Renamed}, b::*};"),
        ("a.rs", "pub struct Original(crate::prelude::FromB);"),
        ("b.rs", "pub struct FromB(Box<crate::names::Final>);"),
    ]);
    assert_contains(&text, "    a → b → a\n");
}

#[test]
fn a_private_glob_imports_the_module_and_the_names_used() {
    let text = fails(&[
        ("lib.rs", "mod a; mod b; mod facade { pub use crate::b::B; }"),
        ("a.rs", "use crate::facade::*; pub struct A(B);"),
        ("b.rs", "pub struct B(Box<super::a::A>);"),
    ]);
    assert_contains(&text, "    a → b → a\n");
    let text = fails(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use super::b::*; pub struct A;"),
        ("b.rs", "pub trait Methods { fn of(_: super::a::A); }"),
    ]);
    assert_contains(&text, "`super::b::*` names an item of b\n");
}

#[test]
fn code_for_tests_does_not_count() {
    passes(&[
        ("lib.rs", "mod a; mod b; #[cfg(test)] mod tests;"),
        ("a.rs", "use super::b::B; pub struct A(B); #[cfg(test)] impl A { fn b(_: B) {} }"),
        (
            "b.rs",
            "pub struct B;
             #[cfg(test)] use crate::a::A;
             #[cfg(all(test, unix))] fn helper(_: A) {}
             impl B { #[cfg(test)] fn check(_: crate::a::A) {} }
             #[cfg(doctest)] mod documentation { use crate::a::A; }
             #[cfg(test)] mod tests { use super::super::a::A; fn f(_: A) {} }",
        ),
    ]);
}

#[test]
fn other_conditions_count() {
    let text = fails(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "#[cfg(unix)] use crate::b::B; pub struct A;"),
        ("b.rs", "#[cfg(not(unix))] use crate::a::A; pub struct B;"),
    ]);
    assert_contains(&text, "    a → b → a\n");
}

#[test]
fn paths_inside_of_macros_count() {
    for arguments in [
        "println!(\"{}\", super::b::LIMIT)",
        "assert!(1 < crate::b::LIMIT, \"no\")",
        "let _ = vec![b::LIMIT; 3]",
        "let _ = matches!(3, Some(b::LIMIT) | None if true)",
        "unknown!(a => [b::LIMIT] where ; )",
        "thread_local! { static X: u8 = b::LIMIT; }",
    ] {
        let text = fails(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", &format!("use crate::b;\npub struct A;\nfn f() {{\n    {arguments};\n}}\n")),
            ("b.rs", "pub const LIMIT: u8 = 1; fn f(_: crate::a::A) {}"),
        ]);
        assert_contains(&text, "crates/tiny/src/a.rs:4: `");
        assert_contains(&text, "b::LIMIT` names an item of b\n");
    }
}

#[test]
fn macros_of_the_crate_and_what_they_make_count() {
    let text = fails(&[
        ("lib.rs", "#[macro_use] mod make; mod ids; mod user; pub use ids::FactId;"),
        ("make.rs", "macro_rules! id { ($name:ident) => { struct $name($crate::user::Raw); } }"),
        ("ids.rs", "id!(FactId);"),
        ("user.rs", "pub struct Raw; fn f(_: crate::FactId) {}"),
    ]);
    assert_contains(&text, "    make → user → ids → make\n");
}

#[test]
fn local_variables_hide_items() {
    passes(&[
        ("lib.rs", "mod parent;"),
        (
            "parent/mod.rs",
            "mod check;
             pub use check::check;
             pub struct Params;
             fn f(check: u8) -> u8 { check }
             fn g() { for check in 0..3 { h(check); } if let Some(check) = i() { h(check) } }
             fn k() { let check = 1; let double = |x| x + check; matches!(check, 1) }",
        ),
        ("parent/check.rs", "pub fn check(_: super::Params) {}"),
    ]);
    let text = fails(&[
        ("lib.rs", "mod parent;"),
        (
            "parent/mod.rs",
            "mod check; pub use check::check; pub struct Params;
             fn f() { let check = check(Params); }",
        ),
        ("parent/check.rs", "pub fn check(_: super::Params) {}"),
    ]);
    assert_contains(&text, "`check` names an item of parent::check\n");
}

#[test]
fn imports_of_a_block_hold_in_the_block() {
    let text = fails(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "pub struct A; fn f() { use super::b::B; { B::new(); } }"),
        ("b.rs", "pub struct B; fn f() { struct A; A; } fn g(_: crate::a::A) {}"),
        ("c.rs", "pub struct C;"),
    ]);
    assert_contains(&text, "    a → b → a\n");
    passes(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "pub use super::b::B; pub struct A; fn f() { use std::boxed::Box as B; B::new(); }",
        ),
        ("b.rs", "pub struct B(super::a::A);"),
    ]);
}

#[test]
fn inline_modules_belong_to_their_file() {
    let text = fails(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "pub struct A; mod inner { fn f(_: super::A, _: super::super::b::B) {} }"),
        ("b.rs", "pub struct B; fn f(_: crate::a::A) {}"),
    ]);
    assert_contains(&text, "tiny: 3 modules, 2 imports, 1 cycle\n");
}

#[test]
fn files_named_by_attributes_are_read() {
    let text = fails(&[
        ("lib.rs", "#[path = \"elsewhere/other.rs\"] mod a; mod b;"),
        ("elsewhere/other.rs", "pub struct A(crate::b::B);"),
        ("b.rs", "pub struct B; fn f(_: crate::a::A) {}"),
    ]);
    assert_contains(&text, "crates/tiny/src/elsewhere/other.rs:1: `crate::b::B` names");
}

#[test]
fn binaries_are_crates_of_their_own() {
    let text = passes(&[
        ("lib.rs", "mod a; pub use a::A;"),
        ("a.rs", "pub struct A;"),
        ("main.rs", "mod b; fn main() { b::b(tiny::A) }"),
        ("b.rs", "pub fn b(_: tiny::A) {}"),
    ]);
    assert_contains(&text, "tiny: 4 modules, 1 import, 0 cycles\n");
}

#[test]
fn a_module_without_a_file_is_an_error() {
    let workspace = Workspace::tiny(&[("lib.rs", "//! A library.\n\nmod lost;\n")]);
    let options = module_map::Options { write: false, detail: module_map::Detail::All };
    let error = module_map::check(workspace.folder(), options).unwrap_err().to_string();
    assert_contains(&error, "lib.rs:3: no file found for module `lost`; looked for ");
}
