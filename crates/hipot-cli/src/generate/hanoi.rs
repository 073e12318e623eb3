//! The towers of Hanoi: move a tower of disks from the left peg to the right,
//! one disk at a time, never a larger one onto a smaller one.
//!
//! Disk 1 is the smallest. A variable for each disk says on which of the
//! three pegs it is; the order on a peg follows from the sizes. Disk d may
//! move from one peg to another just if no smaller disk is on either, that is
//! if all smaller disks are on the third peg. So there are six operators for
//! each disk, and their preconditions are short: n disks take 6n operators
//! with at most n preconditions each.
//!
//! *Optimal cost: 2ⁿ − 1.* By induction on n. Disk n must leave the left peg.
//! When it moves first, disks 1 to n − 1 stand on one peg that is not the left
//! one; when it has moved last, onto the right peg, they stand on one peg that
//! is not the right one. Moving the n − 1 smaller disks from the left peg to
//! the first of these takes 2ⁿ⁻¹ − 1 moves at least, and from the second to the
//! right peg as many again (the pegs differ only in name). With one move of
//! disk n that makes 2(2ⁿ⁻¹ − 1) + 1 = 2ⁿ − 1, and just this many suffice.
//!
//! *Reachable states: 3ⁿ*, all of them: disk n can be brought to any peg as
//! above, and then the smaller ones, by induction.

use hipot_task::{Fact, Variable};

use super::draft::{Draft, fact};
use super::{GenerateError, Generated, check_range};

const PEGS: [&str; 3] = ["left", "middle", "right"];
const LEFT: u32 = 0;
const RIGHT: u32 = 2;

/// The towers of Hanoi with 1 to 63 disks; optimal cost 2ⁿ − 1.
pub(crate) fn hanoi(disks: u32) -> Result<Generated, GenerateError> {
    check_range("disks", disks, 1..=63)?;
    let mut draft = Draft::new(false, (0..disks).map(|disk| (disk_variable(disk), LEFT)));
    for disk in 0..disks {
        for from in 0..3 {
            for to in (0..3).filter(|&to| to != from) {
                add_move(&mut draft, disk, from, to);
            }
        }
    }
    let goal = (0..disks).map(|disk| fact(disk, RIGHT)).collect();
    Ok(Generated { task: draft.build(goal), optimal_cost: Some((1 << disks) - 1) })
}

fn disk_variable(disk: u32) -> Variable {
    let name = disk_name(disk);
    let values = PEGS.map(|peg| format!("{name} on {peg}"));
    Variable::new(name, values)
}

fn add_move(draft: &mut Draft, disk: u32, from: u32, to: u32) {
    let third = 3 - from - to;
    let smaller_elsewhere = (0..disk).map(|smaller| fact(smaller, third));
    let preconditions: Vec<Fact> = smaller_elsewhere.chain([fact(disk, from)]).collect();
    let (from, target) = (PEGS[from as usize], PEGS[to as usize]);
    let name = format!("move-disk {} {from} {target}", disk_name(disk));
    draft.operator(name, preconditions, &[fact(disk, to)]);
}

fn disk_name(disk: u32) -> String {
    format!("disk{}", disk + 1)
}
