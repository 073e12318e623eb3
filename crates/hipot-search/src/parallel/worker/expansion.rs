//! What a thread does with its own states: expands them, and enters those of their successors that
//! are its own, too.

use hipot_task::{Heuristic, StateView, Stop};

use super::super::batch::{BATCH, Batch};
use super::super::share::Origin;
use super::Worker;
use crate::layer_search::Ending;
use crate::open_list::Entry;
use crate::registry::Layout;
use crate::word_tests::holds;

/// The number of entries after which a batch is complete, whatever became of them: limits must be
/// checked.
const MAX_LOOKS: usize = 1 << 10;

impl<L: Layout, H: Heuristic> Worker<'_, L, H> {
    /// Starts a batch with `first` and fills it with other entries like it. Goal states are not
    /// expanded.
    pub(super) fn collect(&mut self, first: Entry) -> Result<(), Stop> {
        self.batch.clear();
        let (mut next, mut looks) = (Some(first), 0);
        while let Some(entry) = next {
            looks += 1;
            if self.share.is_current(entry) && (entry.is_new || self.confirm(entry)?) {
                let Self { share, batch, rules, .. } = self;
                share.statistics.expanded += 1;
                let cost = entry.f - entry.h;
                share.registry.set_cost(entry.state, cost, true);
                let words = share.registry.words(entry.state);
                if holds(&rules.goal, words) {
                    let goal = self.common.distribution.address(self.number, entry.state);
                    self.common.rounds.reach_goal(cost, goal);
                } else {
                    let origin = batch.parents.len() as u32;
                    rules.generator.collect(words, &mut batch.operators);
                    batch.origins.resize(batch.operators.len(), origin);
                    batch.parent_words.extend_from_slice(words);
                    batch.parents.push(entry.state);
                }
            }
            // States that are evaluated again and put back do not fill a batch.
            let is_full = self.batch.operators.len() >= BATCH || looks >= MAX_LOOKS;
            next = if is_full { None } else { self.share.open.pop_like(first) };
        }
        let Self { share, batch, .. } = self;
        share.open.end_batch(batch.parents.len() as u32, &mut batch.operators);
        share.statistics.generated += batch.operators.len() as u64;
        Ok(())
    }

    /// Evaluates a state that has an estimate of an earlier heuristic; whether it may be expanded.
    #[cold]
    fn confirm(&mut self, entry: Entry) -> Result<bool, Stop> {
        let words = self.share.registry.words(entry.state);
        let estimate = self.heuristic.estimate(StateView::new(&self.rules.packing, words));
        self.share.confirm(entry, estimate)
    }

    /// Generates the successors of the batch, whose states have been reached at cost `g`, and
    /// keeps or sends them.
    pub(super) fn expand(&mut self, g: u64) -> Result<(), Ending> {
        for begin in (0..self.batch.operators.len()).step_by(BATCH) {
            let end = self.batch.operators.len().min(begin + BATCH);
            self.share.make_room(end - begin, self.common.limits)?;
            self.generate(begin, end);
            for (&hash, &owner) in self.batch.hashes.iter().zip(&self.batch.owners) {
                if owner as usize == self.number {
                    self.share.registry.prefetch_candidate(hash);
                }
            }
            for &next in self.share.open.upcoming() {
                self.share.registry.prefetch_record(next);
            }
            for index in begin..end {
                self.process(g, index, index - begin)?;
            }
        }
        Ok(())
    }

    /// Computes the successors by `operators[begin..end]`, their hashes and owners.
    fn generate(&mut self, begin: usize, end: usize) {
        let width = self.rules.packing.width();
        let Self { share, rules, common, filter, .. } = self;
        let Batch { parent_words, operators, origins, successors, hashes, owners, .. } =
            &mut self.batch;
        hashes.clear();
        owners.clear();
        let batch = successors.chunks_exact_mut(width);
        let steps = operators[begin..end].iter().zip(&origins[begin..end]);
        for ((&operator, &origin), successor) in steps.zip(batch) {
            let parent = &parent_words[origin as usize * width..][..width];
            successor.copy_from_slice(parent);
            rules.transitions.apply(operator, parent, successor);
            let hash = share.registry.hash(successor);
            let owner = common.distribution.owner(hash);
            if owner == self.number {
                share.registry.prefetch_slot(hash);
            } else if let Some(filter) = filter {
                filter.prefetch(hash);
            }
            hashes.push(hash);
            owners.push(owner as u32);
        }
    }

    /// Enters a successor if it is our own; otherwise writes it into a message. It is reached by
    /// `operators[index]` and is at `place` among those computed.
    #[inline]
    fn process(&mut self, g: u64, index: usize, place: usize) -> Result<(), Ending> {
        let Self { share, batch, rules, heuristic, .. } = self;
        let cost = g + u64::from(rules.costs[batch.operators[index].index()]);
        if cost > L::MAX_COST {
            return Err(Ending::CostTooLarge);
        }
        let packing = &rules.packing;
        let words = place * packing.width()..(place + 1) * packing.width();
        let parent = batch.parents[batch.origins[index] as usize];
        let parent = self.common.distribution.address(self.number, parent);
        let owner = batch.owners[place] as usize;
        if owner == self.number {
            let entered = share.enter(&batch.successors[words], batch.hashes[place], cost);
            if let Some(entered) = entered {
                let estimate = batch.estimate(index, place, packing, &mut **heuristic);
                share.settle(entered, parent, cost, estimate, Origin::Own);
            }
            return Ok(());
        }
        self.post(cost, index, place, parent)
    }
}
