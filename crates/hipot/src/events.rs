//! What happens during a run, told to one sink.
//!
//! The library prints nothing and keeps no global state. Whoever wants to follow a run
//! passes a function in its [`Settings`](crate::settings::Settings); the command line draws
//! its progress line with it, Python remembers the bound. The function is called by the
//! thread that does the work, so it should be quick. It cannot fail: a sink that wants the
//! run to end requests that from the [`Limits`](hipot_task::Limits).

use std::fmt;
use std::sync::Arc;

use hipot_lp::Listener;
use hipot_potential::Progress;
use hipot_task::Plan;

use crate::heuristic::Computed;

/// Something that happens during a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A PDDL task is being grounded.
    Grounding(hipot_translate::Progress),
    /// An LP is being solved. This is told about ten times a second.
    Lp(Progress),
    /// The LPs of a heuristic are done, successfully or not.
    LpEnded,
    /// A heuristic is computed and about to be used.
    Heuristic(&'a Computed),
    /// A search is under way.
    Search(hipot_search::Progress<'a>),
    /// The search has ended, or waits while something else is done.
    SearchPaused,
    /// Every plan costs at least this much. Bounds are told whenever one is proved, inside
    /// an LP, by a computed heuristic or by an f layer, so they need not increase.
    Bound(u64),
    /// Plans are looked for that need not be optimal; so many states were evaluated by now.
    Plans(u64),
    /// A plan is known that is cheaper than all before. It has been executed by independent code.
    Plan(&'a Plan),
}

type Sink = dyn Fn(Event<'_>) + Send + Sync;

/// The sink of all events. Clones share it.
#[derive(Clone, Default)]
pub struct Events(Option<Arc<Sink>>);

impl Events {
    /// A sink that ignores all events.
    pub fn none() -> Self {
        Self(None)
    }

    /// A sink that calls `sink` for each event.
    pub fn new(sink: impl Fn(Event<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(sink)))
    }

    /// A sink that tells this one first, then calls `sink`.
    #[must_use]
    pub fn then(&self, sink: impl Fn(Event<'_>) + Send + Sync + 'static) -> Self {
        let first = self.clone();
        Self::new(move |event| {
            first.tell(event);
            sink(event);
        })
    }

    /// Tells an event.
    pub fn tell(&self, event: Event<'_>) {
        if let Some(sink) = &self.0 {
            sink(event);
        }
    }

    /// Tells the bound that a heuristic proves; `None` if there is no plan.
    pub(crate) fn tell_bound(&self, bound: Option<u64>) {
        if let Some(bound) = bound {
            self.tell(Event::Bound(bound));
        }
    }

    /// Tells how far a search is, and the bound that a new layer proves.
    pub(crate) fn tell_search(&self, progress: hipot_search::Progress<'_>) {
        if progress.is_new_layer {
            self.tell(Event::Bound(progress.f));
        }
        self.tell(Event::Search(progress));
    }

    /// Runs `solve` with a listener for its LPs, then tells that they are done.
    pub(crate) fn follow_lps<T>(&self, solve: impl FnOnce(Option<Listener<Progress>>) -> T) -> T {
        let result = solve(self.0.is_some().then(|| self.lp_listener()));
        self.tell(Event::LpEnded);
        result
    }

    fn lp_listener(&self) -> Listener<Progress> {
        let events = self.clone();
        Listener::new(move |progress: Progress| {
            if let Some(bound) = progress.certified {
                events.tell(Event::Bound(bound));
            }
            events.tell(Event::Lp(progress));
        })
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Events" } else { "Events::none()" })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn sinks_are_told_in_order() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = |name: &'static str| {
            let told = Arc::clone(&told);
            move |event: Event<'_>| told.lock().unwrap().push(format!("{name} {event:?}"))
        };
        let events = Events::new(sink("first")).then(sink("second"));
        events.tell(Event::Bound(3));
        Events::none().tell(Event::LpEnded);
        assert!(events.clone().follow_lps(|listener| listener.is_some()));
        assert!(Events::none().follow_lps(|listener| listener.is_none()));
        let expected = ["first Bound(3)", "second Bound(3)", "first LpEnded", "second LpEnded"];
        assert_eq!(*told.lock().unwrap(), expected);
    }
}
