//! One attempt to find a symmetry that moves a given fact to a given other.
//!
//! Two partitions, `left` and `right`, are refined in the same way, so that a
//! symmetry that respects all choices so far maps each cell of `left` onto the
//! cell of `right` at the same place. As soon as possible the rest is guessed:
//! a fact that is in the same cell of both partitions stays where it is. This
//! favors symmetries that move few facts (two objects exchanged, all others left
//! alone). If several facts of a cell remain, or if the guess proves wrong, one
//! more fact is individualized on both sides. Its image is preferably chosen such
//! that the symmetry is its own inverse and maps variables to themselves.
//!
//! A choice of an image is taken back, the latest first, if the refinement
//! after it differs on the two sides, or if all facts in question are
//! distinguished and still do not fit. After a few wrong images the attempt is
//! abandoned, because the time for backtracking is not bounded. No IPC task seen
//! so far needs backtracking; parities of many overlapping sets do.
//!
//! Guessing from matching cells is the idea of saucy (Darga, Sakallah and
//! Markov, DAC 2008).

use super::graph::Graph;
use super::partition::Partition;
use super::permutation::Permutation;
use super::refine::{Refinement, Refiner, Trace};
use super::verify::{Misfit, Verifier};
use super::work::{Exhausted, Work};
use hipot_task::FactId;

/// A fact to individualize and where it may go, best first.
#[derive(Debug)]
struct Choice {
    fact: u32,
    images: Vec<u32>,
}

/// A choice that was made and can be taken back.
#[derive(Debug)]
struct Decision {
    /// The images that were not tried yet.
    images: std::vec::IntoIter<u32>,
    /// The refinement after the fact was individualized on the left.
    trace: Trace,
    /// The left partition after that.
    left: usize,
    /// The right partition before an image is individualized.
    right: usize,
}

/// The images of facts, as far as the two partitions determine them.
#[derive(Debug)]
enum Guess {
    /// The facts that move, in order; their images are in `Matching::images`.
    Complete(Vec<u32>),
    /// Several facts of one cell have several possible images.
    Open(Choice),
}

/// The result of verifying a guess.
#[derive(Debug)]
enum Verdict {
    Found(Permutation),
    Undecided(Choice),
    Impossible,
}

#[derive(Debug)]
pub(super) struct Matching<'g> {
    graph: &'g Graph,
    refiner: Refiner<'g>,
    verifier: Verifier<'g>,
    pub(super) left: Partition,
    pub(super) right: Partition,
    /// The image of each fact while a guess is verified; otherwise the fact itself.
    images: Vec<u32>,
    /// The number of images that may prove wrong within an attempt.
    wrong_images: u32,
}

impl<'g> Matching<'g> {
    pub(super) fn new(
        graph: &'g Graph,
        refiner: Refiner<'g>,
        partition: Partition,
        wrong_images: u32,
    ) -> Self {
        Self {
            graph,
            refiner,
            verifier: Verifier::new(graph),
            left: partition.clone(),
            right: partition,
            images: (0..graph.facts() as u32).collect(),
            wrong_images,
        }
    }

    /// Searches for a symmetry that maps the fact individualized in `left`, with this
    /// trace, to `fact`. Restores both partitions.
    pub(super) fn attempt(
        &mut self,
        fact: u32,
        trace: &Trace,
        work: &mut Work<'_>,
    ) -> Result<Option<Permutation>, Exhausted> {
        let (left, right) = (self.left.mark(), self.right.mark());
        let refined = self.refiner.individualize(&mut self.right, fact, trace.follow(), work)?;
        let found = match refined {
            Refinement::Equitable => self.complete(work)?,
            Refinement::Differs => None,
        };
        self.left.undo_to(left);
        self.right.undo_to(right);
        Ok(found)
    }

    fn complete(&mut self, work: &mut Work<'_>) -> Result<Option<Permutation>, Exhausted> {
        let mut decisions = Vec::new();
        let mut wrong_images = 0;
        loop {
            work.spend(self.graph.facts() / 4)?;
            match self.judge(work)? {
                Verdict::Found(found) => return Ok(Some(found)),
                Verdict::Undecided(choice) => decisions.push(self.decide(choice, work)?),
                Verdict::Impossible => wrong_images += 1,
            }
            while !self.try_image(&mut decisions, work)? {
                wrong_images += 1;
                if decisions.is_empty() || wrong_images > self.wrong_images {
                    return Ok(None);
                }
            }
        }
    }

    /// Guesses and verifies. Restores the images.
    fn judge(&mut self, work: &mut Work<'_>) -> Result<Verdict, Exhausted> {
        let moved = match self.guess() {
            Guess::Complete(moved) => moved,
            Guess::Open(choice) => return Ok(Verdict::Undecided(choice)),
        };
        let verified = self.verifier.verify(&self.images, &moved, work)?;
        let verdict = match verified {
            Ok(()) => Verdict::Found(Permutation::new(
                moved.iter().map(|&fact| (fact, self.images[fact as usize])).collect(),
            )),
            Err(misfit) => self.doubt(&misfit).map_or(Verdict::Impossible, Verdict::Undecided),
        };
        for fact in moved {
            self.images[fact as usize] = fact;
        }
        Ok(verdict)
    }

    /// Matches facts that are in different cells of the two partitions.
    fn guess(&mut self) -> Guess {
        let differs = |&fact: &u32| self.left.cell(fact) != self.right.cell(fact);
        let moved: Vec<u32> = (0..self.graph.facts() as u32).filter(differs).collect();
        let by_cell = |partition: &Partition| {
            let mut pairs: Vec<(u32, u32)> =
                moved.iter().map(|&fact| (partition.cell(fact), fact)).collect();
            pairs.sort_unstable();
            pairs
        };
        let (left, right) = (by_cell(&self.left), by_cell(&self.right));
        let smallest = left
            .chunk_by(|one, other| one.0 == other.0)
            .filter(|facts| facts.len() > 1)
            .min_by_key(|facts| facts.len());
        if let Some(&[(cell, fact), ..]) = smallest {
            let targets = right.iter().filter(|pair| pair.0 == cell);
            let images = targets.map(|pair| pair.1).collect();
            return Guess::Open(self.choice(fact, images));
        }
        for (&(_, fact), &(_, image)) in left.iter().zip(&right) {
            self.images[fact as usize] = image;
        }
        Guess::Complete(moved)
    }

    /// A choice for one of the facts that do not fit, if its image is still open.
    fn doubt(&self, misfit: &Misfit) -> Option<Choice> {
        let several = misfit.0.iter().filter(|&&fact| self.left.len(self.left.cell(fact)) > 1);
        let &fact = several.min_by_key(|&&fact| self.left.len(self.left.cell(fact)))?;
        let guessed = self.images[fact as usize];
        let mut targets = self.right.members(self.left.cell(fact)).to_vec();
        targets.retain(|&target| target != guessed);
        let mut choice = self.choice(fact, targets);
        choice.images.insert(0, guessed);
        Some(choice)
    }

    /// The possible images of a fact, best first.
    fn choice(&self, fact: u32, mut images: Vec<u32>) -> Choice {
        let variable = |fact| {
            (self.graph.facts() + self.graph.numbering.variable(FactId::new(fact)).index()) as u32
        };
        let own = self.natural_image(fact);
        let of_variable = self.natural_image(variable(fact));
        images.sort_unstable_by_key(|&image| {
            (own != Some(image), of_variable != Some(variable(image)), image)
        });
        Choice { fact, images }
    }

    /// The image of a vertex in a symmetry that moves as little as possible
    /// and is its own inverse.
    fn natural_image(&self, vertex: u32) -> Option<u32> {
        let cell = self.right.cell(vertex);
        if self.left.cell(vertex) == cell {
            return Some(vertex);
        }
        match self.left.members(cell) {
            &[source] => Some(source),
            _ => None,
        }
    }

    /// Individualizes a fact on the left.
    fn decide(&mut self, choice: Choice, work: &mut Work<'_>) -> Result<Decision, Exhausted> {
        let mut trace = Trace::default();
        self.refiner.individualize(&mut self.left, choice.fact, trace.record(), work)?;
        let (left, right) = (self.left.mark(), self.right.mark());
        Ok(Decision { images: choice.images.into_iter(), trace, left, right })
    }

    /// Individualizes, on the right, the next image of the latest decision, which is
    /// dropped if it has none left. Returns whether left and right agree.
    fn try_image(
        &mut self,
        decisions: &mut Vec<Decision>,
        work: &mut Work<'_>,
    ) -> Result<bool, Exhausted> {
        let Some(decision) = decisions.last_mut() else { return Ok(false) };
        self.left.undo_to(decision.left);
        self.right.undo_to(decision.right);
        let Some(image) = decision.images.next() else {
            decisions.pop();
            return Ok(false);
        };
        let follow = decision.trace.follow();
        let refined = self.refiner.individualize(&mut self.right, image, follow, work)?;
        Ok(refined == Refinement::Equitable)
    }
}
