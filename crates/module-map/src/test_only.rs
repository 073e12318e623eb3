//! Tells code that only tests compile.
//!
//! A condition is evaluated with `test` and `doctest` off and everything else
//! unknown. Code is left out only if its condition is then false, so
//! `#[cfg(unix)]` and `#[cfg(not(unix))]` both count, and so does
//! `#[cfg(any(test, feature = "random"))]`.

use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Meta, Token};

/// Whether attributes say that only tests compile what they stand on.
pub(crate) fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args().is_ok_and(|condition| value(&condition) == Some(false))
    })
}

/// The value of a condition, if known.
fn value(condition: &Meta) -> Option<bool> {
    match condition {
        Meta::Path(path) if path.is_ident("test") || path.is_ident("doctest") => Some(false),
        Meta::List(list) => {
            let operands =
                list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
            let values: Vec<_> = operands.iter().map(value).collect();
            if list.path.is_ident("not") {
                values.first()?.map(|value| !value)
            } else if list.path.is_ident("all") {
                values.contains(&Some(false)).then_some(false)
            } else if list.path.is_ident("any") {
                values.iter().all(|&value| value == Some(false)).then_some(false)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The attributes of an item.
pub(crate) fn item_attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use syn::ItemFn;

    use super::is_test_only;

    fn left_out(condition: &str) -> bool {
        let item: ItemFn = syn::parse_str(&format!("#[cfg({condition})] fn f() {{}}")).unwrap();
        is_test_only(&item.attrs)
    }

    #[test]
    fn only_what_is_surely_off_is_left_out() {
        for condition in ["test", "doctest", "all(test, unix)", "any(test, doctest)"] {
            assert!(left_out(condition), "{condition}");
        }
        for condition in ["unix", "not(test)", "any(test, unix)", "not(unix)", "all(unix)"] {
            assert!(!left_out(condition), "{condition}");
        }
    }
}
