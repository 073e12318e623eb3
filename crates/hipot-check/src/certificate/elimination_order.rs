//! The order in which variables are eliminated.
//!
//! Two variables are linked if a scope has both. Eliminating a variable enumerates
//! the joint values of its *bucket*: the variable and all variables that it is linked
//! with. Afterwards these others are linked with each other. The cost of an order is
//! the number of joint values of all buckets together. Finding the cheapest order is
//! NP-hard. Here the variable with the smallest bucket is always next; the first one
//! wins a tie. This greedy rule does well on chains and trees of scopes, and it gets
//! stuck only if every remaining bucket is too large.
//!
//! Nothing large is built on the way. The computation ends as soon as the cost
//! exceeds the limit. A single scope with too many joint values is noticed first:
//! in any order, some bucket contains all of it. Each variable has at least two
//! values. So buckets within the limit have at most as many variables as the limit
//! has binary digits: an elimination adds few links, and a few factors are enough to
//! see that a bucket is too large, even if a variable is linked with thousands.

use std::collections::BTreeSet;

/// A variable to eliminate, and what it is linked with at that time.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    pub(super) variable: usize,
    /// In order, all eliminated later.
    pub(super) linked: Vec<usize>,
}

/// A bucket for each variable, in the order of elimination; `None` if they
/// have more than `limit` joint values together. Variables are numbered from 0,
/// and `sizes` are the numbers of their values, at least two.
pub(super) fn buckets(
    sizes: &[usize],
    scopes: &BTreeSet<Vec<usize>>,
    limit: usize,
) -> Option<Vec<Bucket>> {
    let mut graph = Graph::new(sizes, scopes, limit)?;
    let mut order = Vec::with_capacity(sizes.len());
    let mut cost = 0_usize;
    while let Some((size, variable)) = graph.queue.pop_first() {
        cost = cost.saturating_add(size);
        if cost > limit {
            return None;
        }
        order.push(Bucket { variable, linked: graph.eliminate(variable) });
    }
    Some(order)
}

/// The links between the remaining variables.
struct Graph<'a> {
    sizes: &'a [usize],
    limit: usize,
    linked: Vec<BTreeSet<usize>>,
    /// The size of the bucket of each variable.
    bucket_sizes: Vec<usize>,
    /// ⟨bucket size, variable⟩ for the remaining variables.
    queue: BTreeSet<(usize, usize)>,
}

impl<'a> Graph<'a> {
    /// `None` if a scope has more joint values than the limit.
    fn new(sizes: &'a [usize], scopes: &BTreeSet<Vec<usize>>, limit: usize) -> Option<Self> {
        let linked = vec![BTreeSet::new(); sizes.len()];
        let (bucket_sizes, queue) = (sizes.to_vec(), BTreeSet::new());
        let mut graph = Self { sizes, limit, linked, bucket_sizes, queue };
        if scopes.iter().any(|scope| graph.joint_values(scope) > limit) {
            return None;
        }
        for scope in scopes {
            graph.link(scope);
        }
        for variable in 0..sizes.len() {
            graph.bucket_sizes[variable] = graph.bucket_size(variable);
            graph.queue.insert((graph.bucket_sizes[variable], variable));
        }
        Some(graph)
    }

    /// Links all these variables with each other.
    fn link(&mut self, variables: &[usize]) {
        for &one in variables {
            self.linked[one].extend(variables.iter().filter(|&&other| other != one));
        }
    }

    /// The number of joint values, or a number above the limit.
    fn joint_values<'v>(&self, variables: impl IntoIterator<Item = &'v usize>) -> usize {
        let mut product = 1_usize;
        for &variable in variables {
            product = product.saturating_mul(self.sizes[variable]);
            if product > self.limit {
                break;
            }
        }
        product
    }

    fn bucket_size(&self, variable: usize) -> usize {
        self.joint_values([&variable].into_iter().chain(&self.linked[variable]))
    }

    /// Eliminates a variable whose bucket is within the limit and that the
    /// queue no longer has; returns what it was linked with.
    fn eliminate(&mut self, variable: usize) -> Vec<usize> {
        let others: Vec<usize> = std::mem::take(&mut self.linked[variable]).into_iter().collect();
        self.link(&others);
        for &other in &others {
            self.linked[other].remove(&variable);
        }
        for &other in &others {
            let size = self.bucket_size(other);
            let before = std::mem::replace(&mut self.bucket_sizes[other], size);
            self.queue.remove(&(before, other));
            self.queue.insert((size, other));
        }
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(sizes: &[usize], scopes: &[&[usize]], limit: usize) -> Option<Vec<Vec<usize>>> {
        let scopes = scopes.iter().map(|scope| scope.to_vec()).collect();
        let bucket = |it: Bucket| [vec![it.variable], it.linked].concat();
        Some(buckets(sizes, &scopes, limit)?.into_iter().map(bucket).collect())
    }

    #[test]
    fn the_smallest_bucket_comes_first() {
        // The middle of a star is cheap to look at only when it is last.
        let star: [&[usize]; 3] = [&[0, 1], &[1, 2], &[1, 3]];
        let expected: [&[usize]; 4] = [&[0, 1], &[2, 1], &[1, 3], &[3]];
        assert_eq!(order(&[2, 2, 2, 2], &star, 100).unwrap(), expected);
        let expected: [&[usize]; 4] = [&[2, 1], &[3, 1], &[0, 1], &[1]];
        assert_eq!(order(&[7, 2, 2, 2], &star, 100).unwrap(), expected);
    }

    #[test]
    fn what_was_linked_with_a_variable_is_linked_afterwards() {
        let cycle: [&[usize]; 4] = [&[0, 1], &[1, 2], &[2, 3], &[0, 3]];
        let expected: [&[usize]; 4] = [&[0, 1, 3], &[1, 2, 3], &[2, 3], &[3]];
        assert_eq!(order(&[3; 4], &cycle, 66).unwrap(), expected);
        assert!(order(&[3; 4], &cycle, 65).is_none(), "27 + 27 + 9 + 3 is 66");
    }

    #[test]
    fn large_cliques_are_refused_before_they_are_built() {
        let whole: Vec<usize> = (0..100_000).collect();
        assert!(order(&vec![2; whole.len()], &[&whole], 4_000_000).is_none());
        let pairs: Vec<Vec<usize>> =
            (0..300).flat_map(|one| (0..one).map(move |other| vec![other, one])).collect();
        let pairs: Vec<&[usize]> = pairs.iter().map(Vec::as_slice).collect();
        assert!(order(&[2; 300], &pairs, 4_000_000).is_none());
    }
}
