//! Every supported construct is resolved to what it means.

use hipot_pddl::ast::{
    Atom, Condition, Cost, Effect, FunctionId, GroundAtom, ObjectId, PredicateId, Term, TypeId,
    VariableId,
};
use hipot_pddl::{Source, Task, read};

/// The task of a domain with these sections and a problem with those.
fn task(domain: &str, problem: &str) -> Task {
    let domain = Source::new("domain.pddl", format!("(define (domain d) {domain})"));
    let problem =
        Source::new("problem.pddl", format!("(define (problem p) (:domain d) {problem})"));
    read(&domain, &problem).unwrap_or_else(|errors| panic!("{errors}"))
}

const ANY_PROBLEM: &str = "(:objects a b) (:init) (:goal ())";

/// The precondition of an action over `(p ?x)` and `(q ?x ?y)` with the
/// parameters `?x` and `?y`.
fn precondition(text: &str) -> Condition {
    let action = format!("(:action a :parameters (?x ?y) :precondition {text})");
    let mut task = task(&format!("(:predicates (p ?x) (q ?x ?y)) {action}"), ANY_PROBLEM);
    task.actions.remove(0).precondition
}

/// The effect of such an action.
fn effect(text: &str) -> Effect {
    let action = format!("(:action a :parameters (?x ?y) :effect {text})");
    let mut task = task(&format!("(:predicates (p ?x) (q ?x ?y)) {action}"), ANY_PROBLEM);
    task.actions.remove(0).effect
}

fn variable(index: usize) -> Term {
    Term::Variable(VariableId::new(index))
}

/// `(p …)` of the variable with this number.
fn p(index: usize) -> Atom {
    Atom { predicate: PredicateId::new(1), terms: vec![variable(index)] }
}

fn holds(index: usize) -> Condition {
    Condition::Atom(p(index))
}

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

fn ids(indices: &[usize]) -> Vec<VariableId> {
    indices.iter().map(|&index| VariableId::new(index)).collect()
}

#[test]
fn connectives() {
    assert_eq!(precondition("()"), Condition::And(vec![]));
    assert_eq!(precondition("(and)"), Condition::And(vec![]));
    assert_eq!(precondition("(or)"), Condition::Or(vec![]));
    assert_eq!(precondition("(p ?x)"), holds(0));
    assert_eq!(precondition("(P ?Y)"), holds(1));
    assert_eq!(precondition("(not (p ?x))"), not(holds(0)));
    assert_eq!(precondition("(and (p ?x) (p ?y))"), Condition::And(vec![holds(0), holds(1)]));
    assert_eq!(precondition("(or (p ?x) ())"), Condition::Or(vec![holds(0), precondition("()")]));
    let imply = Condition::Imply(Box::new(holds(0)), Box::new(not(holds(1))));
    assert_eq!(precondition("(imply (p ?x) (not (p ?y)))"), imply);
}

#[test]
fn equality() {
    let terms = vec![variable(0), variable(1)];
    let equal = Condition::Atom(Atom { predicate: PredicateId::EQUALITY, terms });
    assert_eq!(precondition("(= ?x ?y)"), equal);
}

#[test]
fn quantifiers() {
    let exists = Condition::Exists(ids(&[2]), Box::new(holds(2)));
    assert_eq!(precondition("(exists (?z) (p ?z))"), exists);
    let inner = Condition::Forall(ids(&[3]), Box::new(holds(3)));
    let outer = Condition::Forall(ids(&[2]), Box::new(Condition::And(vec![inner, holds(2)])));
    assert_eq!(precondition("(forall (?z) (and (forall (?z) (p ?z)) (p ?z)))"), outer);
}

#[test]
fn shadowed_variables_come_back() {
    let inner = Condition::Exists(ids(&[2]), Box::new(holds(2)));
    let expected = Condition::And(vec![inner, holds(0)]);
    assert_eq!(precondition("(and (exists (?x) (p ?x)) (p ?x))"), expected);
}

#[test]
fn effects() {
    let (add, delete) = (Effect::Add(p(0)), Effect::Delete(p(1)));
    assert_eq!(effect("()"), Effect::And(vec![]));
    assert_eq!(effect("(p ?x)"), add);
    assert_eq!(effect("(and (p ?x) (not (p ?y)))"), Effect::And(vec![add.clone(), delete]));
    assert_eq!(effect("(when (p ?y) (p ?x))"), Effect::When(holds(1), Box::new(add.clone())));
    let when = Effect::When(not(holds(2)), Box::new(Effect::Add(p(2))));
    let forall = Effect::Forall(ids(&[2]), Box::new(when));
    assert_eq!(effect("(forall (?z) (when (not (p ?z)) (p ?z)))"), forall);
}

#[test]
fn actions_may_lack_everything() {
    let task = task("\n(:action a)", ANY_PROBLEM);
    let [action] = &task.actions[..] else { panic!("one action") };
    assert_eq!((action.name.as_str(), action.line, action.parameters), ("a", 2, 0));
    assert_eq!(action.precondition, Condition::And(vec![]));
    assert_eq!(action.effect, Effect::And(vec![]));
    assert_eq!((action.variables.len(), action.cost.len()), (0, 0));
}

/// The names of the types directly above a type.
fn parents<'a>(task: &'a Task, name: &str) -> Vec<&'a str> {
    let found = task.types.iter().find(|of_type| of_type.name == name).expect("it is declared");
    found.parents.iter().map(|parent| task.types[parent.index()].name.as_str()).collect()
}

#[test]
fn types() {
    let sections = "(:types a - b c d - (either b e) b - f g)";
    let task = task(sections, "(:objects x - a y) (:init) (:goal ())");
    assert_eq!(task.types[0].name, "object");
    assert_eq!(parents(&task, "object"), [""; 0]);
    assert_eq!(parents(&task, "a"), ["b"]);
    assert_eq!(parents(&task, "b"), ["f"]);
    assert_eq!(parents(&task, "c"), ["b", "e"]);
    assert_eq!(parents(&task, "d"), ["b", "e"]);
    assert_eq!(parents(&task, "e"), ["object"]);
    assert_eq!(parents(&task, "f"), ["object"]);
    assert_eq!(parents(&task, "g"), ["object"]);
    assert_eq!(task.objects[1].types, [TypeId::OBJECT]);
}

#[test]
fn types_may_be_declared_a_second_time_with_a_parent() {
    let task = task("(:types a b - object a - b object)", ANY_PROBLEM);
    assert_eq!(parents(&task, "a"), ["b"]);
    assert_eq!(task.types.len(), 3);
}

#[test]
fn objects_may_repeat_constants() {
    let domain = "(:types t u) (:constants a - t) (:predicates (t ?x - t))";
    let task = task(domain, "(:objects b a - t c - (either t u)) (:init (t b)) (:goal (t a))");
    let names: Vec<_> = task.objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!(task.objects[2].types.len(), 2);
    let atom = GroundAtom { predicate: PredicateId::new(1), objects: vec![ObjectId::new(1)] };
    assert_eq!(task.initial, [atom]);
}

#[test]
fn predicates_may_repeat_the_names_of_parameters() {
    let task = task("(:predicates (p ?x ?x))", "(:objects a) (:init (p a a)) (:goal (p a a))");
    assert_eq!(task.predicates[1].parameters.len(), 2);
}

#[test]
fn variables_may_be_of_a_wider_type() {
    let domain = "(:types t - u v) (:predicates (p ?x - t))
        (:action a :parameters (?x - u) :precondition (p ?x))";
    assert_eq!(task(domain, ANY_PROBLEM).actions.len(), 1);
}

#[test]
fn the_initial_state() {
    let problem = "(:objects a b) (:init (p a) (not (p b)) (p a)) (:goal (p b))";
    assert_eq!(task("(:predicates (p ?x))", problem).initial.len(), 1);
}

#[test]
fn costs() {
    let domain = "(:functions (total-cost) - number (f ?x) (g) - number)
        (:action a :parameters (?x)
          :effect (and (increase (total-cost) (+ (f ?x) 2 (g))) (increase (total-cost) 3.0)))
        (:action b :effect (increase (total-cost) (g)))";
    let problem = "(:objects a b) (:goal ()) (:metric minimize (total-cost))
        (:init (= (total-cost) 0) (= (f a) 7) (= (f a) 7.00) (= (g) 0))";
    let task = task(domain, problem);
    assert!(task.uses_costs);
    let (f, g) = (FunctionId::new(0), FunctionId::new(1));
    let value = Cost::Value(f, vec![variable(0)]);
    let expected = [value, Cost::Number(2), Cost::Value(g, vec![]), Cost::Number(3)];
    assert_eq!(task.actions[0].cost, expected);
    assert_eq!(task.actions[0].effect, Effect::And(vec![]));
    assert_eq!(task.actions[1].cost, [Cost::Value(g, vec![])]);
    let values: Vec<_> = task.values.iter().map(|value| (value.function, value.value)).collect();
    assert_eq!(values, [(f, 7), (g, 0)]);
}

#[test]
fn the_metric_may_be_another_function_without_parameters() {
    let domain = "(:functions (total-cost) - number (fuel) (far ?x))
        (:action a :parameters (?x)
          :effect (and (increase (fuel) (far ?x)) (increase (total-cost) 5)))";
    let problem = |metric: &str| {
        format!(
            "(:objects a) (:goal ()) (:init (= (total-cost) 0) (= (fuel) 0) (= (far a) 7)) {metric}"
        )
    };
    let costs = |metric| task(domain, &problem(metric)).actions[0].cost.clone();
    let far = Cost::Value(FunctionId::new(1), vec![variable(0)]);
    for metric in ["(:metric minimize (fuel))", "(:metric minimize fuel)"] {
        assert_eq!(costs(metric), std::slice::from_ref(&far), "{metric}");
    }
    assert!(task(domain, &problem("(:metric minimize (fuel))")).uses_costs);
}

#[test]
fn functions_that_no_cost_uses_may_have_any_value() {
    let domain = "(:functions (f))";
    let task = task(domain, "(:init (= (f) 1.5)) (:goal ())");
    assert_eq!((task.values.len(), task.uses_costs), (0, false));
}

#[test]
fn derived_predicates() {
    let domain = "(:types t) (:predicates (p ?x - t) (d ?x - t))
        (:derived (d ?y - t) (p ?y))
        (:derived (d ?y) (exists (?x - t) (and (d ?x) (not (p ?y)))))
        (:action a :parameters (?x - t) :precondition (d ?x) :effect (p ?x))";
    let task = task(domain, "(:objects a - t) (:init) (:goal (d a))");
    assert!(task.predicates[2].is_derived && !task.predicates[1].is_derived);
    assert_eq!(task.rules.len(), 2);
    assert_eq!(task.rules[0].condition, holds(0));
    assert_eq!(task.rules[1].variables.len(), 2);
    assert_eq!(task.rules[1].variables[0].types, task.predicates[2].parameters[0].types);
}

#[test]
fn sections_may_stand_in_any_order() {
    let domain = "(:action a :effect (when (p c) (not (p c))) :parameters ())
        (:predicates (p ?x - t)) (:constants c - t) (:types t) (:requirements :adl)";
    let problem = "(:metric minimize (total-cost)) (:goal (p c)) (:length (:serial 3))
        (:init (p c)) (:objects) (:requirements :strips)";
    let domain = format!("{domain} (:functions (total-cost) - number)");
    assert_eq!(task(&domain, problem).actions.len(), 1);
}

#[test]
fn comments_may_hold_any_bytes() {
    let domain = b"; \xff\xfe (\n(define (domain d) ; )\xc3\n (:predicates (p)))".to_vec();
    let problem = "\u{feff}(define (problem p) (:domain D)\u{a0}(:INIT (P)) (:goal (p)))\r\n";
    let sources = (Source::new("domain.pddl", domain), Source::new("problem.pddl", problem));
    assert_eq!(read(&sources.0, &sources.1).expect("it is a task").initial.len(), 1);
}
