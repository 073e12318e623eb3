//! The local engine, with made-up runs.

mod common;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use common::{Lab, record};
use hipot_lab::{Configuration, Error, Event, Next, Record, Store, Task, run_local};

/// Counts how often each run is made.
#[derive(Default)]
struct Counter(Mutex<BTreeMap<(String, String), usize>>);

impl Counter {
    fn count(&self, task: &Task, configuration: &Configuration) {
        let key = (task.problem.clone(), configuration.name.clone());
        *self.0.lock().unwrap().entry(key).or_default() += 1;
    }

    fn counts(&self) -> Vec<usize> {
        self.0.lock().unwrap().values().copied().collect()
    }
}

/// The rows, in the order of runs.
fn rows(store: &Store) -> Vec<Record> {
    store.records().unwrap()
}

#[test]
fn two_engines_on_one_file_make_each_run_once() {
    let lab = Lab::new(100, 2);
    drop(lab.store());
    let counter = Counter::default();
    let execute = |task: &Task, configuration: &Configuration, _: &AtomicBool| {
        counter.count(task, configuration);
        thread::sleep(Duration::from_millis(1));
        Ok(record(task, configuration))
    };
    let seen = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                // Like another process: they share only the database.
                let mut store = lab.store();
                let see = |event: Event<'_>| {
                    let ended = usize::from(matches!(event, Event::Ended(_)));
                    seen.fetch_add(ended, Ordering::Relaxed);
                };
                run_local(&mut store, 2, &execute, || false, see).unwrap();
            });
        }
    });
    assert_eq!(counter.counts(), vec![1; 200]);
    assert_eq!(seen.into_inner(), 200);
    let store = Store::open_existing(&lab.file()).unwrap();
    assert_eq!(rows(&store).len(), 200);
    assert!(store.overview().unwrap().running.is_empty());
}

#[test]
fn stopped_runs_are_not_kept_and_the_next_engine_continues() {
    let (disturbed, undisturbed) = (Lab::new(30, 3), Lab::new(30, 3));
    let execute = |task: &Task, configuration: &Configuration, stop: &AtomicBool| {
        thread::sleep(Duration::from_millis(2));
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        Ok(record(task, configuration))
    };
    let mut sessions = 0;
    loop {
        sessions += 1;
        let ended = AtomicUsize::new(0);
        let see = |event: Event<'_>| {
            let is_end = usize::from(matches!(event, Event::Ended(_)));
            ended.fetch_add(is_end, Ordering::Relaxed);
        };
        let mut store = disturbed.store();
        let before = rows(&store).len();
        let should_stop = || ended.load(Ordering::Relaxed) >= 20;
        run_local(&mut store, 2, &execute, should_stop, see).unwrap();
        assert_eq!(rows(&store).len(), before + ended.load(Ordering::Relaxed));
        if rows(&store).len() == 90 {
            break;
        }
    }
    assert!((2..=5).contains(&sessions), "{sessions}");
    let mut store = undisturbed.store();
    run_local(&mut store, 1, &execute, || false, |_| {}).unwrap();
    assert_eq!(rows(&disturbed.store()), rows(&store));
}

#[test]
fn an_error_ends_everything_and_keeps_what_is_done() {
    let lab = Lab::new(20, 1);
    let execute = |task: &Task, configuration: &Configuration, stop: &AtomicBool| {
        if task.problem == "p7.sas" {
            return Err(Error::Unknown { kind: "thing", name: "x".to_owned() });
        }
        thread::sleep(Duration::from_millis(5));
        if stop.load(Ordering::Relaxed) {
            Err(Error::Interrupted)
        } else {
            Ok(record(task, configuration))
        }
    };
    let mut store = lab.store();
    let result = run_local(&mut store, 2, &execute, || false, |_| {});
    assert!(matches!(result, Err(Error::Unknown { kind: "thing", .. })));
    let kept = rows(&store).len();
    assert!((6..=9).contains(&kept), "{kept}");
    // Nothing is claimed any more, so the next claim gets what failed.
    let Next::Run(claim) = store.claim().unwrap() else { panic!() };
    assert!(["p7.sas", "p8.sas", "p9.sas"].contains(&&*claim.task.problem), "{claim:?}");
}

#[test]
fn there_are_no_more_workers_than_runs() {
    let lab = Lab::new(3, 1);
    let at_once = AtomicUsize::new(0);
    let execute = |task: &Task, configuration: &Configuration, _: &AtomicBool| {
        at_once.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(50));
        Ok(record(task, configuration))
    };
    let mut store = lab.store();
    run_local(&mut store, u32::MAX as usize, &execute, || false, |_| {}).unwrap();
    assert_eq!((at_once.into_inner(), rows(&store).len()), (3, 3));
}
