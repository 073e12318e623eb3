//! The interface of planning services: the objects that their clients send and read.
//!
//! There are two. `POST /solve` answers when the plan is found, as solver.planning.domains did.
//! `POST /package/hipot/solve` answers at once with a path to ask at, as Planning as a Service does; the
//! answer there is one object for `GET`, and another one for `POST` with the adaptor for editors.

use serde_json::{Value, json};

use crate::planner::{Answer, HEURISTICS};

/// The name of the one package.
pub(crate) const PACKAGE: &str = "hipot";

/// The one package, as planutils describes packages.
pub(crate) fn manifest(seconds: u64) -> Value {
    let file =
        |name: &str| json!({ "name": name, "type": "file", "description": format!("the {name}") });
    let choices: Vec<Value> =
        HEURISTICS.iter().map(|it| json!({ "display_value": it, "value": it })).collect();
    json!({
        "name": "hipot",
        "package_name": PACKAGE,
        "description": "A cost-optimal planner with certified potential heuristics",
        "runnable": true,
        "install-size": "0",
        "dependencies": [],
        "endpoint": { "services": { "solve": {
            "args": [
                file("domain"),
                file("problem"),
                {
                    "name": "heuristic", "type": "categorical", "default": HEURISTICS[0],
                    "description": "the heuristic", "choices": choices,
                },
                {
                    "name": "time", "type": "int", "default": seconds,
                    "description": "the time in seconds",
                },
            ],
            "call": "hipot solve --anytime {domain} {problem}",
            "return": { "type": "generic", "files": "sas_plan" },
        } } },
    })
}

/// The answer of `POST /solve`: a plan by steps, or an error.
pub(crate) fn answer(answer: &Answer) -> Value {
    let Some(steps) = steps(answer) else {
        let error = error(answer);
        return json!({
            "status": "error",
            "result": { "error": error, "output": answer.messages, "parse_status": "err" },
        });
    };
    let report = &answer.report;
    json!({
        "status": "ok",
        "result": {
            "plan": steps,
            "length": report["length"],
            "cost": cost(report),
            "output": summary(report),
            "parse_status": "ok",
            "type": "full",
            "val_status": "valid",
        },
    })
}

/// The answer to `GET` for a job: files and streams.
pub(crate) fn files(answer: &Answer) -> Value {
    let mut output = serde_json::Map::new();
    if let (Some(plan), Some(_)) = (&answer.plan, steps(answer)) {
        output.insert("sas_plan".into(), plan.clone().into());
    }
    let mut result = json!({
        "call": "hipot solve",
        "output": output,
        "output_type": "generic",
        "stdout": summary(&answer.report),
        "stderr": answer.messages,
    });
    let status = match steps(answer) {
        Some(steps) => {
            result["plan"] = steps;
            "ok"
        }
        None => {
            result["error"] = error(answer).into();
            "error"
        }
    };
    json!({ "status": status, "result": result })
}

/// The answer to `POST` for a job, for editors.
pub(crate) fn for_editors(answer: &Answer) -> Value {
    let one = self::answer(answer);
    json!({ "status": one["status"], "plans": [one], "result": one["result"] })
}

/// The steps of the plan, each with its name as editors read it.
fn steps(answer: &Answer) -> Option<Value> {
    let plan = answer.report["plan"].as_array()?;
    Some(plan.iter().map(|step| json!({ "name": step, "action": step })).collect())
}

fn cost(report: &Value) -> &Value {
    if report["cost"].is_null() { &report["upper_bound"] } else { &report["cost"] }
}

/// What was found, in a line.
fn summary(report: &Value) -> String {
    let (lower, upper) = (&report["lower_bound"], &report["upper_bound"]);
    match report["status"].as_str() {
        Some("solved") => format!("optimal plan of cost {}", report["cost"]),
        Some("unsolvable") => "there is no plan".to_owned(),
        Some(status) if !upper.is_null() => {
            format!("{status}: plan of cost {upper}; every plan costs at least {lower}")
        }
        Some(status) if !lower.is_null() => {
            format!("{status}: no plan yet; every plan costs at least {lower}")
        }
        Some(status) => status.to_owned(),
        None => String::new(),
    }
}

/// Why there is no plan.
fn error(answer: &Answer) -> String {
    match answer.report["message"].as_str() {
        Some(message) => message.to_owned(),
        None => summary(&answer.report),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(report: Value, plan: Option<&str>) -> Answer {
        let (plan, messages) = (plan.map(str::to_owned), String::new());
        Answer { report, plan, messages, proof: None }
    }

    #[test]
    fn a_plan_that_is_not_optimal_is_a_plan() {
        let report = json!({
            "status": "time-limit", "plan": ["(go a b)"], "length": 1, "cost": null,
            "lower_bound": 3, "upper_bound": 5,
        });
        let answer = of(report, Some("(go a b)\n"));
        let one = self::answer(&answer);
        assert_eq!((&one["status"], &one["result"]["cost"]), (&json!("ok"), &json!(5)));
        assert_eq!(one["result"]["plan"][0]["name"], "(go a b)");
        assert_eq!(
            one["result"]["output"],
            "time-limit: plan of cost 5; every plan costs at least 3"
        );
        assert_eq!(files(&answer)["result"]["output"]["sas_plan"], "(go a b)\n");
        assert_eq!(for_editors(&answer)["plans"][0], one);
    }

    #[test]
    fn without_a_plan_it_is_said_why() {
        for (report, expected) in [
            (json!({ "status": "unsolvable", "plan": null }), "there is no plan"),
            (json!({ "status": "input-error", "message": "a ) is missing" }), "a ) is missing"),
        ] {
            let answer = of(report, None);
            let one = self::answer(&answer);
            assert_eq!(
                (&one["status"], &one["result"]["error"]),
                (&json!("error"), &json!(expected))
            );
            assert_eq!(files(&answer)["result"]["error"], expected);
            assert_eq!(files(&answer)["result"]["output"], json!({}));
            assert_eq!(for_editors(&answer)["status"], "error");
        }
    }
}
