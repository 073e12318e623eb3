//! Command lines, of the planner that a configuration runs and of the validator.
//!
//! All arguments are text, because templates are text: a path that is not UTF-8 cannot be
//! given to a planner, and the run is recorded as unsupported.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::template::fill;
use crate::model::{Configuration, Limits, Planner, Task, TaskFiles};

/// How far our planner's own limits lie inside those of the run, at most; a quarter of the
/// limit if that is less. See the head of [`super`].
const MARGIN: (Duration, u64) = (Duration::from_millis(500), 32 << 20);
/// The plan's file in the run's folder, by the name that planners use by default.
pub(super) const PLAN: &str = "sas_plan";

/// The command that runs `configuration` on `task` in the folder `directory`, or why the
/// planner cannot be given this task.
pub(super) fn planner_command(
    hipot: &Path,
    task: &Task,
    configuration: &Configuration,
    directory: &Path,
) -> Result<Vec<String>, String> {
    let plan = text(&directory.join(PLAN))?;
    let limits = &configuration.limits;
    match &configuration.planner {
        Planner::Hipot { heuristic, options } => {
            let mut command = vec![text(hipot)?, "solve".to_owned()];
            command.extend(["--json", "--strict"].map(str::to_owned));
            command.push(format!("--heuristic={heuristic}"));
            command.push(format!("--plan-file={plan}"));
            command.extend(own_limits(limits, options));
            command.extend(options.iter().cloned());
            command.extend(files(task)?);
            Ok(command)
        }
        Planner::Command(words) => {
            let mut values = BTreeMap::from([("plan", plan)]);
            values.insert("seconds", limits.time.as_secs().max(1).to_string());
            values.insert("megabytes", (limits.memory >> 20).max(1).to_string());
            match &task.files {
                TaskFiles::Pddl { domain, problem } => {
                    values.insert("domain", text(domain)?);
                    values.insert("problem", text(problem)?);
                }
                TaskFiles::Sas(file) => drop(values.insert("problem", text(file)?)),
            }
            let missing = |name| format!("the command needs a {{{name}}}, but the task has none");
            fill(words, &values).map_err(missing)
        }
    }
}

/// The command that validates `plan`, or why the validator cannot be given it.
pub(super) fn validator_command(
    hipot: &Path,
    task: &Task,
    plan: &Path,
) -> Result<Vec<String>, String> {
    let mut command = vec![text(hipot)?, "validate".to_owned(), "--json".to_owned()];
    command.extend(files(task)?);
    command.push(text(plan)?);
    Ok(command)
}

/// The options for our planner's own limits, unless the configuration sets them itself.
fn own_limits(limits: &Limits, options: &[String]) -> Vec<String> {
    let inside = |time: Duration| time.saturating_sub(MARGIN.0.min(limits.time / 4));
    let seconds = |time| inside(time).as_secs_f64().to_string();
    let memory = limits.memory - MARGIN.1.min(limits.memory / 4);
    let ours = [
        ("--cpu-limit", seconds(limits.time)),
        ("--time-limit", seconds(limits.elapsed())),
        ("--memory-limit", memory.to_string()),
    ];
    let is_free = |name: &str| !options.iter().any(|option| option.starts_with(name));
    let free = ours.into_iter().filter(|(name, _)| is_free(name));
    free.map(|(name, value)| format!("{name}={value}")).collect()
}

/// The task's files, in the order in which hipot takes them.
fn files(task: &Task) -> Result<Vec<String>, String> {
    match &task.files {
        TaskFiles::Pddl { domain, problem } => Ok(vec![text(domain)?, text(problem)?]),
        TaskFiles::Sas(file) => Ok(vec![text(file)?]),
    }
}

fn text(path: &Path) -> Result<String, String> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| format!("the name of '{}' is not UTF-8", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits =
        Limits { time: Duration::from_secs(30), memory: 2 << 30, output: 1 << 20 };

    fn task(files: TaskFiles) -> Task {
        let [suite, domain, problem] = ["s", "d", "p"].map(str::to_owned);
        Task { suite, domain, problem, files }
    }

    fn command(planner: Planner, files: TaskFiles) -> Result<String, String> {
        let configuration = Configuration { name: "c".to_owned(), planner, limits: LIMITS };
        let (hipot, folder) = (Path::new("/bin/hipot"), Path::new("/x"));
        let words = planner_command(hipot, &task(files), &configuration, folder)?;
        Ok(words.join(" "))
    }

    fn pddl() -> TaskFiles {
        TaskFiles::Pddl { domain: "/d.pddl".into(), problem: "/p.pddl".into() }
    }

    #[test]
    fn our_planner_stays_inside() {
        let planner = |options: &[&str]| Planner::Hipot {
            heuristic: "pot(dim=2)".to_owned(),
            options: options.iter().map(|&option| option.to_owned()).collect(),
        };
        let expected = "/bin/hipot solve --json --strict --heuristic=pot(dim=2) \
                        --plan-file=/x/sas_plan --cpu-limit=29.5 --time-limit=69.5 \
                        --memory-limit=2113929216 --seed 3 /d.pddl /p.pddl";
        assert_eq!(command(planner(&["--seed", "3"]), pddl()).as_deref(), Ok(expected));
        let sas = command(planner(&["--time-limit", "5"]), TaskFiles::Sas("/t.sas".into()));
        let sas = sas.expect("a task for us");
        assert!(sas.ends_with("--memory-limit=2113929216 --time-limit 5 /t.sas"), "{sas}");
    }

    #[test]
    fn other_planners_need_what_they_name() {
        let words = "fd {plan} {domain} {problem} {seconds} {megabytes}";
        let planner = || Planner::Command(words.split(' ').map(str::to_owned).collect());
        let filled = command(planner(), pddl());
        assert_eq!(filled.as_deref(), Ok("fd /x/sas_plan /d.pddl /p.pddl 30 2048"));
        let error = command(planner(), TaskFiles::Sas("/t.sas".into())).expect_err("no domain");
        assert_eq!(error, "the command needs a {domain}, but the task has none");
        let planner = Planner::Command(vec!["fd".to_owned(), "{problem}".to_owned()]);
        assert_eq!(command(planner, TaskFiles::Sas("/t.sas".into())).as_deref(), Ok("fd /t.sas"));
    }
}
