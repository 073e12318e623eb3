//! A budget of steps, together with the limits.

use hipot_task::Limits;

/// The budget is used up, or the limits are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exhausted;

/// Counts steps and checks the limits from time to time.
#[derive(Debug)]
pub(super) struct Work<'l> {
    spent: u64,
    allowed: u64,
    next_check: u64,
    limits: &'l Limits,
}

impl<'l> Work<'l> {
    const BETWEEN_CHECKS: u64 = 1 << 17;

    pub(super) fn new(allowed: u64, limits: &'l Limits) -> Self {
        Self { spent: 0, allowed, next_check: 0, limits }
    }

    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Exhausted> {
        self.spent += steps as u64;
        if self.spent > self.allowed {
            return Err(Exhausted);
        }
        if self.spent >= self.next_check {
            self.next_check = self.spent + Self::BETWEEN_CHECKS;
            self.limits.check().map_err(|_| Exhausted)?;
        }
        Ok(())
    }
}
