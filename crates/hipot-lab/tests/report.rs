//! Reports: tables, scores, warnings, plots, files, hostile names and large experiments.

mod records;

use std::path::Path;
use std::time::Duration;

use hipot_lab::properties;
use hipot_lab::report::{KnownCosts, Logs, Metric, Params, Plot, PlotKind, Report, Score};
use hipot_lab::{Record, Status, Task};
use records::{experiment, record, solved, task};

fn report(expected: &[(Task, String)], records: Vec<Record>) -> Report {
    Report::new("test", expected, records, &Params::default()).expect("a report")
}

fn csv(report: &Report) -> String {
    let mut bytes = Vec::new();
    report.write_csv(&mut bytes).expect("memory can be written");
    String::from_utf8(bytes).expect("text")
}

fn json(report: &Report) -> serde_json::Value {
    serde_json::to_value(report).expect("JSON")
}

fn properties_of(report: &Report) -> Vec<u8> {
    let mut bytes = Vec::new();
    report.write_properties(&mut bytes).expect("memory can be written");
    bytes
}

#[test]
fn sums_and_comparisons() {
    let tasks = ["p1", "p2", "p3", "p4"].map(|problem| task("gripper", problem));
    let expected: Vec<(Task, String)> = tasks
        .iter()
        .flat_map(|task| ["a", "b"].map(|name| (task.clone(), name.to_owned())))
        .collect();
    let report = report(
        &expected,
        vec![
            solved(&tasks[0], "a", 10, 5, 1000),
            solved(&tasks[0], "b", 10, 10, 0),
            solved(&tasks[1], "a", 7, 7, 10),
            solved(&tasks[1], "b", 7, 6, 40),
            solved(&tasks[2], "a", 9, 3, 80),
            record(&tasks[2], "b", Status::TimeLimit),
            record(&tasks[3], "b", Status::Unsolvable),
        ],
    );
    assert_eq!((report.done_count(), report.expected_count()), (7, 8));
    // A task without a plan is solved by whoever says so. Its score counts as well.
    assert_eq!(Metric::Coverage.sums(&report).total, [3, 3]);
    let memory = Metric::Score(Score::Memory);
    assert!(memory.sums(&report).total[1] > 0);
    assert_eq!(Metric::Known.sums(&report).total, [3, 2]);
    assert_eq!(Metric::Perfect.sums(&report).total, [1, 1]);
    assert_eq!(report.count(None), [1, 0]);
    assert_eq!(report.count(Some(Status::TimeLimit)), [0, 1]);
    let pair = report.compare(0, 1);
    // The run of the first on the last task was not made, so it did not fail.
    assert_eq!((pair.only_first, pair.both, pair.only_second), (1, 2, 0));
    assert_eq!(pair.initial_h, [1, 0, 1]);
    assert_eq!(pair.expansions, [1, 0, 1]);
    let ratio = pair.expansions_ratio.expect("tasks that both solved");
    assert!((ratio - (40.0f64 / 10.0 / 1000.0).sqrt()).abs() < 1e-12, "{ratio}");
    assert!(report.warnings().is_empty());
}

#[test]
fn crashes_and_invalid_plans_are_shown_first_and_planners_by_their_words() {
    let tasks = ["p1", "p2"].map(|problem| task("gripper", problem));
    let expected: Vec<(Task, String)> =
        tasks.iter().map(|task| (task.clone(), "a<b".to_owned())).collect();
    let mut crashed = record(&tasks[0], "a<b", Status::Crashed);
    crashed.reason = Some("signal 11".to_owned());
    let records = vec![crashed, record(&tasks[1], "a<b", Status::InvalidPlan)];
    let planners = [("a<b".to_owned(), "pot(dim=2) --seed \"<1>\"".to_owned())];
    let params = Params { planners: planners.into(), ..Params::default() };
    let report = Report::new("x", &expected, records, &params).expect("a report");
    let page = report.page(&Logs::new(&report));
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} in {page}"));
    let boxed = place("2 runs crashed or ended with an invalid plan");
    assert!(boxed < place("gripper p1</strong>: a&lt;b crashed (signal 11)."));
    assert!(boxed < place("gripper p2</strong>: a&lt;b has a plan that is invalid."));
    assert!(boxed < place("What was run"));
    place("<code>pot(dim=2) --seed &quot;&lt;1&gt;&quot;</code>");
    let quiet = Report::new("x", &expected, Vec::new(), &Params::default()).expect("a report");
    assert!(!quiet.page(&Logs::new(&quiet)).contains("role=\"alert\""));
}

#[test]
fn given_costs_are_used_and_compared() {
    let tasks = ["p1", "p2", "p3", "p4"].map(|problem| task("gripper", problem));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("costs.tsv");
    let table = "domain\tproblem\tcost\ngripper\tp1.pddl\t11\ngripper\tp2.pddl\t20\n\
                 gripper\tp3.pddl\t5\nblocks\tp4.pddl\t1\n";
    std::fs::write(&file, table).expect("the table is written");
    let mut high = record(&tasks[2], "good", Status::TimeLimit);
    high.measures.initial_h = Some(6);
    let mut low = record(&tasks[1], "good", Status::TimeLimit);
    low.measures.initial_h = Some(20);
    let records = vec![solved(&tasks[0], "good", 10, 4, 5), low, high];
    let costs = KnownCosts::read(&file).expect("a table");
    let params = Params { costs, ..Params::default() };
    let report = Report::new("test", &[], records, &params).expect("a report");
    let optimal: Vec<Option<u64>> = report.rows.iter().map(|row| row.optimal).collect();
    assert_eq!(optimal, [Some(10), Some(20), Some(5)]);
    assert_eq!(Metric::Perfect.sums(&report).total, [1]);
    let warnings: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("cost 10, but the optimal cost is given as 11"), "{warnings:?}");
    assert!(warnings[1].contains("initial value of good is 6, above the cost 5"), "{warnings:?}");
}

#[test]
fn contradictions_are_seen() {
    let task = task("gripper", "p1");
    let mut high = solved(&task, "high", 11, 12, 5);
    high.measures.lower_bound = Some(13);
    let mut other = solved(&task, "imported", 9, 2, 5);
    other.imported = true;
    let records = vec![
        solved(&task, "good", 11, 4, 5),
        solved(&task, "dear", 15, 4, 5),
        high,
        record(&task, "none", Status::Unsolvable),
        other,
    ];
    let report = report(&[], records);
    // The imported plan was not validated: it is not evidence for h*, but it causes warnings.
    assert_eq!(report.rows[0].optimal, Some(11));
    let words: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "good claims that cost 11 is optimal, but imported has a plan of cost 9",
            "dear claims that cost 15 is optimal, but imported has a plan of cost 9",
            "high claims that cost 11 is optimal, but imported has a plan of cost 9",
            "the initial value of high is 12, above the cost 9 of a plan",
            "the lower bound of high is 13, above the cost 9 of a plan",
            "none says that there is no plan, but imported has one",
        ]
    );
    let page = report.page(&Logs::new(&report));
    assert!(page.contains("6 claims cannot be true"));
}

#[test]
fn satisficing_plans_claim_nothing() {
    let task = task("gripper", "p1");
    let records = || vec![solved(&task, "optimal", 11, 4, 5), solved(&task, "quick", 15, 90, 5)];
    let params = Params { satisficing: vec!["quick".to_owned()], ..Params::default() };
    let quiet = Report::new("test", &[], records(), &params).expect("a report");
    assert!(quiet.warnings().is_empty());
    assert_eq!(quiet.rows[0].optimal, Some(11));
    assert_eq!(report(&[], records()).warnings().len(), 2);
    let alone = Report::new("test", &[], records().split_off(1), &params).expect("a report");
    assert_eq!(alone.rows[0].optimal, None);
    let params = Params { baseline: Some("best".to_owned()), ..Params::default() };
    let error = Report::new("test", &[], records(), &params).expect_err("no such name");
    assert_eq!(error.to_string(), "the experiment has no configuration 'best'");
}

#[test]
fn a_domain_of_two_suites_is_two() {
    let mut other = task("gripper", "p1");
    other.suite = "other".to_owned();
    let records = vec![
        record(&task("gripper", "p1"), "a", Status::Unsolved),
        record(&other, "a", Status::Unsolved),
        record(&task("blocks", "p1"), "a", Status::Unsolved),
    ];
    assert_eq!(report(&[], records).domains, ["ipc/gripper", "other/gripper", "blocks"]);
}

/// The worst that a name can contain.
const EVIL: &str = "</script><b>\"'&\u{0}\u{1b}[31m,\r\n\u{2028}]]>\u{ffff}<!--";

#[test]
fn names_cannot_break_out() {
    let task = task(EVIL, EVIL);
    let mut evil = solved(&task, EVIL, 3, 1, 2);
    evil.revision = EVIL.to_owned();
    evil.machine = EVIL.to_owned();
    evil.reason = Some(EVIL.to_owned());
    let records = vec![evil, solved(&task, "b", 4, 1, 2)];
    let report = Report::new(EVIL, &[], records, &Params::default()).expect("a report");
    let mut logs = Logs::new(&report);
    logs.add(["ipc", EVIL, EVIL, EVIL], EVIL);
    let page = report.page(&logs);
    assert_eq!(page.matches("</script>").count(), 3, "the page's own scripts");
    assert_eq!(page.matches("<!--").count(), 0);
    assert_eq!(page.matches("<b>").count(), 0);
    assert!(!page.contains(['\u{0}', '\u{1b}', '\u{ffff}']) || !markup(&page).contains('\u{1b}'));
    for plot in report.plots() {
        let (svg, name) = (report.svg(plot), report.file_name(plot));
        assert!(!svg.contains(['\u{0}', '\u{1b}', '\u{ffff}']) && !svg.contains("<b>"));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)), "{name}");
    }
    let rows = csv_rows(&csv(&report));
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1][1..4], [EVIL, EVIL, EVIL]);
    assert_eq!(json(&report)["runs"][0]["problem"], EVIL);
    let mut back = Vec::new();
    properties::read(properties_of(&report).as_slice(), |run| back.push(run)).expect("a file");
    assert_eq!(back[0].as_ref().expect("a run").record.problem, EVIL);
}

/// The page without its data.
fn markup(page: &str) -> &str {
    page.split("<script").next().unwrap_or_default()
}

fn csv_rows(text: &str) -> Vec<Vec<String>> {
    assert!(text.ends_with("\r\n"));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    reader.records().map(|record| row(record.expect("RFC 4180"))).collect()
}

#[test]
fn csv_is_quoted_where_it_must_be_and_ends_lines_with_crlf() {
    let mut solved = solved(&task("gripper", "p1"), "a", 11, 4, 300);
    solved.reason = Some("a, \"b\"\nc".to_owned());
    solved.measures.initial_exact = Some("11/3".to_owned());
    assert_eq!(
        csv(&report(&[], vec![solved])),
        "suite,domain,problem,configuration,revision,machine,imported,time_limit_seconds,\
         memory_limit,output_limit,started,status,reason,exit_code,cost,plan_length,lower_bound,\
         initial_h,initial_exact,evaluated,expanded,expanded_until_last_jump,generated,reopened,\
         dead_ends,search_seconds,total_seconds,wall_seconds,cpu_seconds,peak_memory,\
         optimal_cost\r\n\
         ipc,gripper,p1,a,hipot 0.1.0 (6fae578),node01,false,1800,2147483648,16777216,\
         1794783600,solved,\"a, \"\"b\"\"\nc\",0,11,11,,4,11/3,901,311,300,2702,,,,,1.6,1.5,\
         67108864,11\r\n"
    );
}

#[test]
fn files_hold_every_row() {
    let (expected, records) = experiment(60, &["pot1", "pot2"]);
    let report = report(&expected, records);
    let rows = csv_rows(&csv(&report));
    assert_eq!(rows.len(), 121);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let json = json(&report);
    assert_eq!(json["schema"], "hipot.lab-report/1");
    assert_eq!(json["runs"].as_array().map(Vec::len), Some(120));
    assert_eq!(json["sums"]["coverage"]["total"]["pot2"], Metric::Coverage.sums(&report).total[1]);
    assert_eq!(json["statuses"]["solved"]["pot1"], Metric::Coverage.sums(&report).total[0]);
    assert_eq!(json["comparisons"][0]["first"], "pot1");
}

#[test]
fn properties_come_back() {
    let (expected, mut records) = experiment(60, &["pot1", "pot2"]);
    records[0].status = Status::Crashed;
    records[0].exit_code = Some(7);
    records[1].status = Status::Unsolvable;
    let report = report(&expected, records.clone());
    // Left behind, to be tried with Lab.
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("properties");
    std::fs::write(file, properties_of(&report)).expect("a file");
    let mut back = Vec::new();
    let mut take = |run: Result<properties::Imported, String>| back.push(run.expect("a run"));
    properties::read(properties_of(&report).as_slice(), &mut take).expect("a file");
    assert_eq!(back.len(), records.len());
    for (run, mut record) in back.into_iter().zip(records) {
        assert_eq!(run.skipped, [""; 0]);
        let mut read = run.record;
        assert!(read.imported);
        // What such files do not contain.
        (read.suite, read.imported, read.started) = (record.suite.clone(), false, record.started);
        read.limits.output = record.limits.output;
        read.measures.lower_bound = record.measures.lower_bound;
        read.reason = None;
        record.measures.peak_memory = record.measures.peak_memory.div_ceil(1024) * 1024;
        assert_eq!(read, record);
    }
}

#[test]
fn wrong_attributes_are_skipped() {
    let text = r#"{
        "a": { "algorithm": "lmcut", "domain": "d", "problem": "p.pddl", "cost": "seven", "coverage": 1,
               "expansions": -3, "evaluations": 12.0, "generated": 1.5, "memory": [1, {"x": 2}],
               "initial_h_value": 9223372036854775807, "planner_time": 2.5, "plan": ["x", "y"] },
        "b": { "algorithm": "lmcut", "domain": "d" },
        "c": { "algorithm": "lmcut", "domain": "d", "problem": "q", "error": "search-out-of-memory" },
        "d": { "algorithm": "lmcut", "domain": "d", "problem": "r", "error": "sigkill", "coverage": 0 }
    }"#;
    let mut runs = Vec::new();
    properties::read(text.as_bytes(), |run| runs.push(run)).expect("a file");
    let first = runs[0].as_ref().expect("a run");
    assert_eq!(first.skipped, ["memory", "cost", "expansions", "generated"]);
    assert_eq!(first.record.measures.evaluated, Some(12));
    assert_eq!(first.record.measures.initial_h, None);
    assert_eq!(first.record.status, Status::Solved);
    assert_eq!(runs[1], Err("b".to_owned()));
    assert_eq!(runs[2].as_ref().expect("a run").record.status, Status::MemoryLimit);
    assert_eq!(runs[3].as_ref().expect("a run").record.reason.as_deref(), Some("sigkill"));
}

#[test]
fn wrong_files_are_refused() {
    let read = |text: &[u8]| properties::read(text, |_| ()).expect_err("no such file").to_string();
    assert_eq!(read(b"{\"a\": {\"cost\": 1,}}"), "trailing comma at line 1 column 18");
    assert_eq!(
        read(b"[1]"),
        "invalid type: sequence, expected an object of runs, as properties files of Downward Lab have it at line 1 column 1"
    );
    assert!(read(b"{\"a\": 5}").contains("expected an object with the attributes of a run"));
    assert!(read(b"\xfd7zXZ\0....").contains("decompress"));
    assert!(read(b"{\"a\": {}} x").contains("trailing characters"));
    assert!(read(b"").contains("EOF"));
    let deep = format!("{{\"a\": {{\"plan\": {}", "[".repeat(100_000));
    assert!(read(deep.as_bytes()).contains("EOF"));
}

#[test]
fn plots_stand_alone() {
    let (expected, records) = experiment(40, &["pot1", "pot2"]);
    let report = report(&expected, records);
    let names: Vec<String> = report.plots().iter().map(|&plot| report.file_name(plot)).collect();
    assert_eq!(
        names,
        [
            "initial-h-optimal-to-50-pot2.svg",
            "initial-h-optimal-to-50-pot1.svg",
            "initial-h-optimal-pot2.svg",
            "initial-h-optimal-pot1.svg",
            "initial-h-to-50-pot1-pot2.svg",
            "initial-h-pot1-pot2.svg",
            "expansions-pot1-pot2.svg",
            "processor-time-pot1-pot2.svg",
            "search-time-pot1-pot2.svg",
            "total-time-pot1-pot2.svg",
            "memory-pot1-pot2.svg",
            "all-expansions-pot1-pot2.svg",
            "evaluated-pot1-pot2.svg",
            "generated-pot1-pot2.svg",
            "cost-pot1-pot2.svg",
            "lower-bound-pot1-pot2.svg",
            "solved-by-time.svg",
            "solved-by-expansions.svg"
        ]
    );
    for plot in report.plots() {
        let svg = report.svg(plot);
        assert!(svg.starts_with("<?xml") && svg.contains("<title>") && svg.contains("#ffffff"));
        assert!(!svg.contains("data-") && !svg.contains("var("));
    }
    let svg = report.svg(Plot { kind: PlotKind::Initial, columns: Some((0, 1)) });
    assert!(svg.contains("class=\"diagonal\"") && svg.contains("initial h, pot2"));
}

#[test]
fn nothing_at_all_is_a_report_too() {
    let report = report(&[], Vec::new());
    assert!(report.page(&Logs::new(&report)).contains("0 tasks"));
    assert_eq!(csv_rows(&csv(&report)).len(), 1);
    for plot in report.plots() {
        report.svg(plot);
    }
}

#[test]
fn a_hundred_thousand_rows() {
    let (expected, mut records) = experiment(33_334, &["pot1", "pot2", "ocp2"]);
    for record in &mut records {
        record.log =
            format!("{} {} {}\n", record.domain, record.problem, record.configuration).repeat(40);
    }
    let texts: Vec<String> =
        records.iter_mut().map(|record| std::mem::take(&mut record.log)).collect();
    let begin = processor_time();
    let report = report(&expected, records);
    let mut logs = Logs::new(&report);
    for ((_, _, record), text) in report.records().zip(&texts) {
        logs.add(["ipc", &record.domain, &record.problem, &record.configuration], text);
    }
    let page = report.page(&logs);
    println!(
        "page of 100,002 rows: {} bytes in {:?}",
        page.len(),
        processor_time().saturating_sub(begin)
    );
    let plots: usize = report.plots().into_iter().map(|plot| report.svg(plot).len()).sum();
    let files = [csv(&report).len(), properties_of(&report).len(), plots];
    let all = processor_time().saturating_sub(begin);
    println!("with CSV, properties and plots of {files:?} bytes: {all:?}");
    assert!(page.len() < 30_000_000, "{} bytes", page.len());
    assert!(all < Duration::from_secs(10), "{all:?}");
}

/// The processor time of this thread, which does not depend on the load of the machine.
fn processor_time() -> Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = schedule.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.expect("a number"))
}

#[test]
fn imported_runs_find_their_tasks() {
    let mut second = task("gripper", "p1.pddl");
    second.suite = "other".to_owned();
    let tasks = [task("gripper", "p1"), second, task("blocks", "p1.sas")];
    let places = properties::Places::new(&tasks);
    let suites = |domain: &str, problem: &str| {
        let record = record(&task(domain, problem), "lmcut", Status::Solved);
        let placed = places.place(&record).into_iter();
        placed.map(|record| format!("{}:{}", record.suite, record.problem)).collect::<Vec<_>>()
    };
    assert_eq!(suites("gripper", "p1.pddl"), ["ipc:p1", "other:p1.pddl"]);
    assert_eq!(suites("other/gripper", "p1"), ["other:p1.pddl"]);
    assert_eq!(suites("blocks", "p1.pddl"), ["ipc:p1.sas"]);
    assert!(suites("blocks", "p2").is_empty() && suites("depot", "p1").is_empty());
}
