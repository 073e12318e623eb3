//! The number of decimals of a task's costs.
//!
//! Costs are integers everywhere else, so that bounds and certificates are exact. A task with decimal
//! costs is read as one with costs in units of the last decimal, and remembers that. Only numbers that
//! are costs count: those in increases of the accumulator, and values of functions that are mentioned
//! there.

use crate::tree::Node;

use super::numbers::decimals;
use super::sections::Definition;

/// The largest number of decimals of any cost.
pub(super) fn decimals_of_costs(
    domain: &Definition<'_>,
    problem: &Definition<'_>,
    accumulator: &str,
) -> u32 {
    let (mut most, mut functions) = (0, Vec::new());
    let mut open: Vec<(Node<'_>, bool)> = domain.all(":action").map(|node| (node, false)).collect();
    while let Some((node, is_amount)) = open.pop() {
        let mut parts = node.parts();
        match node.word() {
            Some(word) if is_amount => most = most.max(decimals(word)),
            Some(_) => {}
            None if is_amount => {
                functions.extend(node.head());
                open.extend(parts.skip(1).map(|part| (part, true)));
            }
            None if node.head() == Some("increase") => {
                let target = parts.nth(1).and_then(|it| it.head().or(it.word()));
                let amount = parts.next().filter(|_| target == Some(accumulator));
                open.extend(amount.map(|amount| (amount, true)));
            }
            None => open.extend(parts.map(|part| (part, false))),
        }
    }
    functions.sort_unstable();
    functions.dedup();
    let init = problem.section(":init").into_iter().flat_map(Node::parts);
    let values = init.filter(|node| node.head() == Some("=")).filter_map(|node| {
        let mut parts = node.parts().skip(1);
        let function = parts.next()?.head()?;
        functions.binary_search(&function).ok()?;
        parts.next()?.word()
    });
    values.map(decimals).fold(most, u32::max)
}
