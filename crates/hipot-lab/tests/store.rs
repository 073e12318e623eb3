//! The database.

mod common;

use std::fs::write;
use std::time::{Duration, Instant};

use common::{Lab, experiment, record, task};
use hipot_lab::{Error, Next, Record, Status, Store};

fn claim(store: &mut Store) -> Box<hipot_lab::ClaimedRun> {
    match store.claim().unwrap() {
        Next::Run(claim) => claim,
        other => panic!("{other:?}"),
    }
}

/// Stores a result. `false`: there is one already.
fn insert(store: &mut Store, record: &Record) -> Result<bool, Error> {
    Ok(store.insert_all(std::slice::from_ref(record))? > 0)
}

/// Makes `count` runs.
fn make(store: &mut Store, count: usize) {
    for _ in 0..count {
        let claim = claim(store);
        assert!(store.finish(&claim, &record(&claim.task, &claim.configuration)).unwrap());
    }
}

#[test]
fn what_is_kept_is_what_was_given_in_the_order_of_runs() {
    let lab = Lab::new(4, 2);
    let mut store = lab.store();
    let mut expected: Vec<Record> = Vec::new();
    for task in &lab.tasks {
        for configuration in &lab.experiment.configurations {
            expected.push(record(task, configuration));
        }
    }
    for record in expected.iter().rev() {
        assert!(insert(&mut store, record).unwrap());
        assert!(!insert(&mut store, record).unwrap(), "there is one already");
    }
    drop(store);
    let store = Store::open_existing(&lab.file()).unwrap();
    let mut logs = expected.iter();
    store
        .for_each_log(|key, log| {
            let record = logs.next().unwrap();
            assert_eq!((&key.problem, log), (&record.problem, &*record.log));
        })
        .unwrap();
    assert!(logs.next().is_none());
    for record in &mut expected {
        record.log.clear();
    }
    assert_eq!(store.records().unwrap(), expected);
    let runs = store.runs().unwrap();
    let runs: Vec<_> = runs.iter().map(|(task, name)| (&task.problem, name)).collect();
    let rows: Vec<_> = expected.iter().map(|row| (&row.problem, &row.configuration)).collect();
    assert_eq!(runs, rows);
}

#[test]
fn numbers_that_sqlite_does_not_have_do_no_harm() {
    let lab = Lab::new(1, 1);
    let mut store = lab.store();
    let mut strange = record(&lab.tasks[0], &lab.experiment.configurations[0]);
    strange.measures.expanded = Some(u64::MAX);
    strange.measures.wall_seconds = f64::NAN;
    strange.measures.search_seconds = Some(f64::INFINITY);
    assert!(insert(&mut store, &strange).unwrap());
    let kept = store.records().unwrap().remove(0).measures;
    assert_eq!(kept.expanded, Some(u64::MAX >> 1));
    assert!(kept.wall_seconds.abs() < f64::EPSILON);
}

#[test]
fn runs_are_claimed_task_by_task_and_by_one_alone() {
    let lab = Lab::new(2, 2);
    let (mut first, mut second) = (lab.store(), lab.store());
    let mut order = Vec::new();
    for turn in 0..4 {
        let claim = claim(if turn % 2 == 0 { &mut first } else { &mut second });
        order.push(format!("{} {}", claim.task.problem, claim.configuration.name));
    }
    assert_eq!(order, ["p0.sas c0", "p0.sas c1", "p1.sas c0", "p1.sas c1"]);
    assert!(matches!(first.claim().unwrap(), Next::Nothing));
    assert_eq!(first.claims_of_others().unwrap(), 2);
    // A store that is dropped gives up what was not finished.
    drop(second);
    assert_eq!(claim(&mut first).task.problem, "p1.sas");
    assert_eq!(claim(&mut first).task.problem, "p0.sas", "again from the beginning");
    assert!(matches!(first.claim().unwrap(), Next::Nothing));
}

#[test]
fn a_configuration_that_changed_is_refused_and_can_be_redone() {
    let lab = Lab::new(3, 2);
    let mut store = lab.store();
    make(&mut store, 3);
    let changed = experiment(lab.folder(), 2, "2s");
    let error = store.register(&changed, &lab.tasks).unwrap_err();
    assert!(matches!(&error, Error::Changed { name, rows: 2 } if name == "c0"), "{error}");
    assert!(error.to_string().contains("--redo c0"));
    let redo = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let error = store.register_anew(&changed, &lab.tasks, &redo(&["c7"])).unwrap_err();
    assert!(matches!(error, Error::Unknown { .. }));
    let error = store.register_anew(&changed, &lab.tasks, &redo(&["c0"])).unwrap_err();
    assert!(matches!(&error, Error::Changed { name, rows: 1 } if name == "c1"));
    assert_eq!(store.records().unwrap().len(), 3, "a refusal changes nothing");

    // A run of the old configuration that ends now is not stored.
    let late = claim(&mut store);
    assert_eq!(late.configuration.name, "c1");
    store.register_anew(&changed, &lab.tasks, &redo(&["c0", "c1"])).unwrap();
    assert!(!store.finish(&late, &record(&late.task, &late.configuration)).unwrap());
    assert_eq!(store.records().unwrap().len(), 0);
    let again = claim(&mut store);
    assert_eq!((&*again.task.problem, &*again.configuration.name), ("p2.sas", "c0"));
    assert_eq!(again.configuration.limits.time, Duration::from_secs(2));
    // An unchanged experiment is accepted.
    store.register(&changed, &lab.tasks).unwrap();
}

#[test]
fn tasks_and_configurations_that_leave_the_experiment_keep_their_rows() {
    let lab = Lab::new(3, 2);
    let mut store = lab.store();
    make(&mut store, 6);
    let smaller = experiment(lab.folder(), 1, "1s");
    store.register(&smaller, &lab.tasks[1..]).unwrap();
    assert_eq!((store.records().unwrap().len(), store.rows_set_aside().unwrap()), (2, 4));
    let overview = store.overview().unwrap();
    assert_eq!((overview.done, overview.runs, overview.set_aside), (2, 2, 4));
    store.register(&lab.experiment, &lab.tasks).unwrap();
    assert_eq!((store.records().unwrap().len(), store.rows_set_aside().unwrap()), (6, 0));
    assert!(matches!(store.claim().unwrap(), Next::Nothing));
}

#[test]
fn imported_rows_stand_beside_the_others() {
    let lab = Lab::new(2, 1);
    let mut store = lab.store();
    assert!(!store.add_imported("c0").unwrap(), "the experiment runs that itself");
    assert!(store.add_imported("other").unwrap());
    let mut imported = record(&lab.tasks[1], &lab.experiment.configurations[0]);
    imported.configuration = "other".to_owned();
    assert!(insert(&mut store, &imported).unwrap());
    imported.problem = "p9.sas".to_owned();
    assert!(matches!(insert(&mut store, &imported), Err(Error::Unknown { kind: "task", .. })));
    store.register(&lab.experiment, &lab.tasks).unwrap();
    let names: Vec<String> = store.runs().unwrap().into_iter().map(|run| run.1).collect();
    assert_eq!(names, ["c0", "c0", "other"]);
    make(&mut store, 2);
    assert!(matches!(store.claim().unwrap(), Next::Nothing));
    let overview = store.overview().unwrap();
    assert_eq!((overview.done, overview.runs), (3, 3));
}

#[test]
fn the_revision_in_the_file_takes_precedence() {
    let lab = Lab::new(1, 1);
    let mut experiment = lab.experiment.clone();
    experiment.revisions.insert("c0".to_owned(), "24.06".to_owned());
    let mut store = Store::open(&lab.file()).unwrap();
    store.register(&experiment, &lab.tasks).unwrap();
    make(&mut store, 1);
    assert_eq!(store.records().unwrap()[0].revision, "24.06");
}

#[test]
fn files_of_others_are_left_alone() {
    let lab = Lab::new(1, 1);
    let problem = |result: Result<Store, Error>| match result {
        Err(Error::Database { problem, .. }) => problem,
        other => panic!("{other:?}"),
    };
    assert!(problem(Store::open_existing(&lab.file())).contains("nothing has been run"));
    let text = lab.folder().join("text");
    write(&text, "Dear diary, today I wrote more than sixteen bytes.").unwrap();
    for open in [Store::open, Store::open_existing] {
        assert_eq!(problem(open(&text)), "is not a database of hipot lab");
    }
    let other = lab.folder().join("other");
    let connection = rusqlite::Connection::open(&other).unwrap();
    connection.execute_batch("CREATE TABLE mine (x)").unwrap();
    drop(connection);
    assert_eq!(problem(Store::open(&other)), "is not a database of hipot lab");
    assert!(problem(Store::open(lab.folder())).contains("cannot be opened"));
    assert!(problem(Store::open(&lab.folder().join("no/where"))).contains("cannot be opened"));

    drop(lab.store());
    let connection = rusqlite::Connection::open(lab.file()).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    assert!(problem(Store::open(&lab.file())).contains("newer hipot"));
}

#[test]
fn a_hundred_thousand_rows_are_read_fast() {
    let lab = Lab::new(20_000, 5);
    drop(lab.store());
    let mut connection = rusqlite::Connection::open(lab.file()).unwrap();
    fill(&mut connection);
    drop(connection);
    let begin = Instant::now();
    let store = Store::open_existing(&lab.file()).unwrap();
    let overview = store.overview().unwrap();
    let status = begin.elapsed();
    assert_eq!((overview.done, overview.runs), (100_000, 100_000));
    assert_eq!(overview.configurations[0].count(Status::Solved), 20_000);
    let records = store.records().unwrap();
    let rows = begin.elapsed().saturating_sub(status);
    assert_eq!(records.len(), 100_000);
    let mut bytes = 0;
    store.for_each_log(|_, log| bytes += log.len()).unwrap();
    println!("status {status:?}, rows {rows:?}, all {:?}, {bytes} bytes", begin.elapsed());
    // Generous, because the machine may be busy.
    assert!(status < Duration::from_secs(5) && rows < Duration::from_secs(10));
    let mut store = Store::open(&lab.file()).unwrap();
    let begin = Instant::now();
    assert!(matches!(store.claim().unwrap(), Next::Nothing));
    assert!(begin.elapsed() < Duration::from_secs(5));
}

/// Inserts a row for each run with one statement, which is faster than one by one.
fn fill(connection: &mut rusqlite::Connection) {
    let statistics = serde_json::json!({ "schema": "hipot.solve/1", "lp": vec![1.5; 40] });
    let transaction = connection.transaction().unwrap();
    transaction
        .execute(
            "INSERT INTO runs (task, configuration, status, started, revision, machine,
                               time_limit, memory_limit, output_limit, cost, expanded,
                               wall_seconds, cpu_seconds, peak_memory, statistics)
             SELECT t.id, c.id, 'solved', 1000, '1', 'here', 30, 1000, 1000, 7, 8, 0.5, 0.5, 9, ?
             FROM tasks t, configurations c",
            [statistics.to_string()],
        )
        .unwrap();
    // An empty zlib stream.
    let empty = [0x78_u8, 0x9c, 0x03, 0, 0, 0, 0, 1];
    transaction.execute("INSERT INTO logs SELECT id, ? FROM runs", [empty]).unwrap();
    transaction.commit().unwrap();
}

#[test]
fn a_file_in_a_folder_that_cannot_be_written_is_read() {
    let lab = Lab::new(1, 1);
    let mut store = lab.store();
    make(&mut store, 1);
    drop(store);
    let mut permissions = std::fs::metadata(lab.folder()).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(lab.folder(), permissions.clone()).unwrap();
    let read = Store::open_existing(&lab.file()).and_then(|store| store.records());
    #[allow(clippy::permissions_set_readonly_false, reason = "a folder of this test's own")]
    permissions.set_readonly(false);
    std::fs::set_permissions(lab.folder(), permissions).unwrap();
    assert_eq!(read.unwrap().len(), 1);
}

#[test]
fn tasks_may_move() {
    let lab = Lab::new(1, 1);
    let mut store = lab.store();
    let mut moved = task(0);
    moved.files = hipot_lab::TaskFiles::Sas("/elsewhere".into());
    store.register(&lab.experiment, std::slice::from_ref(&moved)).unwrap();
    let tasks: Vec<_> = store.runs().unwrap().into_iter().map(|(task, _)| task).collect();
    assert_eq!(tasks, [moved]);
}
