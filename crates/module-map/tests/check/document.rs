//! `docs/architecture.md` is kept up to date, and the promises between crates
//! are checked.

use crate::workspace::Workspace;

const STALE: &str =
    "docs/architecture.md is out of date; run `cargo run -p module-map -- --write`\n";

fn layered() -> Workspace {
    Workspace::tiny(&[
        ("lib.rs", "//! A tiny library. More.\nmod top; mod middle; mod bottom;"),
        ("top.rs", "//! The [`Top`] of it.\n//!\n//! More.\nuse crate::{bottom::B, middle::M};"),
        ("middle.rs", "//! In between | beside. More.\nmod part; pub use part::M;"),
        ("middle/part.rs", "//! Part.\npub struct M(crate::bottom::B);"),
        ("bottom.rs", "//! The bottom,\n//! at last.\npub struct B;"),
    ])
}

#[test]
fn the_table_has_layers_summaries_and_reduced_uses() {
    let workspace = layered();
    assert!(workspace.check(true).holds);
    let expected = "<!-- module-map:tiny -->
A tiny library.

| layer | module | what it is | uses |
|---|---|---|---|
| 2 | [`top`](../crates/tiny/src/top.rs) | The `Top` of it | `middle` |
| 1 | [`middle`](../crates/tiny/src/middle.rs) | In between \\| beside | `bottom` |
| 0 | [`bottom`](../crates/tiny/src/bottom.rs) | The bottom, at last |  |
<!-- /module-map:tiny -->
";
    let document = workspace.document();
    assert!(document.contains(expected), "{document}");
}

#[test]
fn a_stale_document_fails_until_it_is_written() {
    let workspace = layered();
    let report = workspace.check(false);
    assert!(!report.holds);
    assert!(report.text.contains(STALE), "{}", report.text);
    assert_eq!(workspace.document(), "", "a check does not write");

    assert!(workspace.check(true).holds);
    assert!(workspace.check(false).holds);

    workspace.file("crates/tiny/src/bottom.rs", "//! Something else.\npub struct B;");
    let report = workspace.check(false);
    assert!(!report.holds && report.text.contains(STALE), "{}", report.text);
    assert!(report.text.contains("0 cycles"), "{}", report.text);
}

#[test]
fn writing_keeps_what_people_wrote() {
    let workspace = layered();
    workspace.file(
        "docs/architecture.md",
        "# Architecture\n\n<!-- module-map:tiny -->\nold\n<!-- /module-map:tiny -->\n\nThe end.\n\
         <!-- module-map:crates -->\n<!-- /module-map:crates -->\n",
    );
    assert!(workspace.check(true).holds);
    let document = workspace.document();
    assert!(document.starts_with("# Architecture\n\n<!-- module-map:tiny -->\nA tiny library."));
    assert!(
        document.contains("<!-- /module-map:tiny -->\n\nThe end.\n<!-- module-map:crates -->\n")
    );
    assert!(!document.contains("old"));
}

#[test]
fn a_part_of_a_crate_that_is_gone_fails() {
    let workspace = layered();
    workspace.file("docs/architecture.md", "<!-- module-map:gone -->\n<!-- /module-map:gone -->\n");
    let report = workspace.check(true);
    assert!(!report.holds);
    assert!(
        report.text.contains("has a part for `gone`, which is not a crate\n"),
        "{}",
        report.text
    );
}

#[test]
fn submodules_that_would_close_a_cycle_are_shown_on_their_own() {
    let workspace = Workspace::tiny(&[
        ("lib.rs", "//! Tiny.\nmod a; mod b;"),
        ("a/mod.rs", "//! A.\nmod high; mod low; pub(crate) use low::Low; fn f() { high::f() }"),
        ("a/high.rs", "//! High.\npub fn f() { crate::b::B; }"),
        ("a/low.rs", "//! Low.\npub struct Low;"),
        ("b.rs", "//! B.\npub struct B(crate::a::Low);"),
    ]);
    let report = workspace.check(true);
    assert!(report.holds, "{}", report.text);
    let rows = "| 2 | [`a`](../crates/tiny/src/a/mod.rs) | A | `b` |
| 1 | [`b`](../crates/tiny/src/b.rs) | B | `a::low` |
| 0 | [`a::low`](../crates/tiny/src/a/low.rs) | Low |  |
";
    let document = workspace.document();
    assert!(document.contains(rows), "{document}");
}

#[test]
fn the_crates_are_drawn_without_what_is_implied() {
    let workspace = Workspace::new();
    workspace.package("bottom", "");
    workspace.package("middle", "[dependencies]\nbottom = { path = \"../bottom\" }\n");
    workspace.package(
        "top",
        "[dependencies]
bottom = { path = \"../bottom\", optional = true }
middle = { path = \"../middle\" }
side = { path = \"../side\", optional = true }
[dev-dependencies]
alone = { path = \"../alone\" }
",
    );
    workspace.package("side", "");
    workspace.package("alone", "");
    assert!(workspace.check(true).holds);
    let drawing = "```mermaid
graph TD
    middle --> bottom
    top --> middle
    top -.-> side
    alone
```
";
    let document = workspace.document();
    assert!(document.contains(drawing), "{document}");
}

/// A workspace with the planner's crates, where `check` has these dependencies.
fn planner(check: &str, lab: &str) -> Workspace {
    let workspace = Workspace::new();
    let on = |name: &str| format!("{name} = {{ path = \"../{name}\" }}\n");
    let packages = [
        ("hipot-task", String::new()),
        ("hipot-potential", on("hipot-task")),
        ("hipot-lab", on("hipot-task")),
        ("hipot-check", on("hipot-task") + check),
        ("hipot-testing", on("hipot-task")),
    ];
    for (name, dependencies) in packages {
        workspace.package(name, &format!("[dependencies]\n{dependencies}"));
    }
    workspace.package(
        "hipot-cli",
        "[features]\ndefault = [\"lab\"]\nlab = [\"dep:hipot-lab\"]\n\
         [dependencies]\nhipot-lab = { path = \"../hipot-lab\", optional = true }\n",
    );
    workspace.package(
        "hipot-python",
        &format!("[dependencies]\nhipot-cli = {{ path = \"../hipot-cli\"{lab} }}\n"),
    );
    workspace
}

#[test]
fn the_promises_between_crates_hold() {
    let report = planner("", ", default-features = false").check(true);
    assert!(report.holds, "{}", report.text);
    for line in [
        "rule: hipot-check uses no crate of the workspace but hipot-task and hipot-pddl: yes\n",
        "rule: hipot does not need hipot-lab or rusqlite: no such crate yet\n",
        "rule: hipot-python does not need hipot-lab or rusqlite: yes\n",
        "rule: hipot-testing is used by tests only: yes\n",
    ] {
        assert!(report.text.contains(line), "no {line:?} in:\n{}", report.text);
    }
}

#[test]
fn a_broken_promise_fails() {
    let on_testing = "hipot-testing = { path = \"../hipot-testing\" }\n";
    let optional = "hipot-potential = { path = \"../hipot-potential\", optional = true }\n";
    let report = planner(&format!("{on_testing}{optional}"), "").check(true);
    assert!(!report.holds);
    for line in [
        "hipot-task and hipot-pddl: no, it reaches hipot-potential, hipot-testing\n",
        "rule: hipot-python does not need hipot-lab or rusqlite: no, it reaches hipot-lab\n",
        "rule: hipot-testing is used by tests only: no, hipot-check can\n",
    ] {
        assert!(report.text.contains(line), "no {line:?} in:\n{}", report.text);
    }
}
