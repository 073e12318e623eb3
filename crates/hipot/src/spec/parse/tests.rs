//! Specs are read and written, and wrong ones explained.

use super::*;

fn parse(text: &str) -> String {
    match text.parse::<Spec>() {
        Ok(spec) => spec.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn specs_have_one_form() {
    assert_eq!(parse(" blind "), "blind");
    assert_eq!(parse("blind()"), "blind");
    assert_eq!(parse("pot2"), "pot(dim=2)");
    assert_eq!(parse("pot( dim = 3 , mutexes=groups, objective=initial)"), "pot(dim=3)");
    assert_eq!(parse("pot(mutexes=none,dim=1)"), "pot(dim=1, mutexes=none)");
    assert_eq!(parse("pot(dim=2, paper)"), "pot(dim=2, mutexes=none)");
    assert_eq!(parse("pot(paper, mutexes=none, dim=3)"), "pot(dim=3, mutexes=none)");
    assert_eq!(parse("pot(features=a, mutexes=none)"), "pot(features=a)");
    assert_eq!(parse("pot(features=a b.json, lp=ipm)"), "pot(features=a b.json, lp=ipm)");
    assert_eq!(parse("pot(open=unknown, dim=2)"), "pot(dim=2)");
    assert_eq!(
        parse("pot(open=cases, dim=2, mutexes=h2, budget=7)"),
        "pot(dim=2, mutexes=h2, open=cases, budget=7)"
    );
    assert_eq!(parse("pot(budget=9000, dim=2)"), "pot(dim=2, budget=9000)");
    assert_eq!(parse("pot(dim=3, budget=9000)"), "pot(dim=3, budget=9000)");
    let all = "pot(dim=2, objective=all, initial=free)";
    assert_eq!(parse(all), all);
    let every = "pot(dim=2, objective=every-state, lp=simplex)";
    assert_eq!(parse(every), every);
    assert_eq!(parse("pot(dim=1,objective=diverse(7))"), "pot(dim=1, objective=diverse(7))");
    assert_eq!(parse("pot(dim=1,objective=facts( 7 ))"), "pot(dim=1, objective=facts(7))");
    let samples = "pot(dim=1, initial=maximal, objective=samples( 20 ))";
    assert_eq!(parse(samples), "pot(dim=1, objective=samples(20))");
    assert_eq!(parse("seq()"), "seq");
    assert_eq!(parse("ocp"), "ocp(dim=2)");
    assert_eq!(parse("tcp( dim = 1 )"), "tcp(dim=1)");
    assert_eq!(parse("ocp(patterns=all)"), "ocp(dim=2)");
    assert_eq!(parse("ocp(patterns=interesting)"), "ocp(dim=2, patterns=interesting)");
    let general = "tcp(dim=3, patterns=interesting-general)";
    assert_eq!(parse(general), general);
    assert_eq!(parse("ocp(patterns=a b.json)"), "ocp(patterns=a b.json)");
    assert_eq!(parse("ocp(paper, dim=1)"), "ocp(dim=1, states=all)");
    let reachable = "ocp(dim=2, patterns=interesting, states=reachable)";
    assert_eq!(parse(reachable), reachable);
    assert_eq!(
        parse("scp( pot2 , projections(), cartesian)"),
        "scp(pot(dim=2), projections, cartesian)"
    );
    let scp = "scp(cartesian(transitions=9), projections(size=4, states=50), pot(dim=1), \
               orders=7, rounds=3, saturator=all, mutexes=none, time=2.5)";
    assert_eq!(parse(scp), scp);
    let scp = "max(pot(dim=1), scp(cartesian))";
    assert_eq!(parse(scp), scp);
    let max = "max(seq, ocp(dim=3))";
    assert_eq!(parse(max), max);
    let max = "max(pot(dim=1), max(blind, pot(dim=2, lp=simplex)))";
    assert_eq!(parse(max), max);
    assert_eq!(parse(&parse(max)), max);
}

#[test]
fn wrong_specs_are_explained() {
    for (text, part) in [
        ("magic", "unknown heuristic 'magic'"),
        ("", "unknown heuristic ''"),
        ("pot", "pot needs dim=K"),
        ("pot(2)", "expected key=value"),
        ("pot(dim=2, paper, mutexes=h2)", "paper means mutexes=none"),
        ("pot(dim=2, open=cases, paper)", "paper means mutexes=none"),
        ("pot(dim=0)", "from 1 to 20"),
        ("pot(dim=two)", "from 1 to 20"),
        ("pot(dim=1, dim=2)", "once"),
        ("pot(dim=2, color=red)", "no argument 'color'"),
        ("pot(dim=2, lp=magic)", "lp must be"),
        ("pot(dim=2, budget=-1)", "budget must be"),
        ("pot(dim=1, budget=9)", "needs dim=2 or more"),
        ("pot(features=a, budget=9)", "needs dim=2 or more"),
        ("pot(dim=2, mutexes=h3)", "none, groups or h2"),
        ("pot(dim=2, open=closed)", "open must be"),
        ("pot(dim=2, objective=some)", "objective must be"),
        ("pot(dim=2, objective=walks(3))", "objective must be"),
        ("pot(dim=2, objective=samples(0))", "a number from 1"),
        ("pot(dim=2, initial=free)", "needs objective=all"),
        ("pot(dim=2, objective=all, initial=high)", "maximal or free"),
        ("pot(dim=2", "closing ')'"),
        ("max(blind", "closing ')'"),
        ("max(pot(dim=2)", "a ')' is missing"),
        ("max()", "at least one"),
        ("blind(1)", "takes no arguments"),
        ("seq(dim=1)", "takes no arguments"),
        ("ocp(2)", "expected key=value or paper in ocp"),
        ("ocp(dim=0)", "from 1 to 20"),
        ("ocp(dim=1, dim=2)", "ocp takes dim=… once"),
        ("ocp(patterns=all, patterns=all)", "ocp takes patterns=… once"),
        ("ocp(patterns=)", "patterns must be all, interesting"),
        ("tcp(dim=2, patterns=a.json)", "tcp takes dim=K or patterns=FILE, not both"),
        ("tcp(states=all)", "always takes all abstract states"),
        ("ocp(states=some)", "states must be all or reachable"),
        ("ocp(paper, patterns=interesting)", "paper means patterns=all"),
        ("scp", "scp needs components"),
        ("scp(seq)", "no component of scp"),
        ("scp(pot(dim=0))", "from 1 to 20"),
        ("scp(pot(dim=1, objective=all))", "objective=initial"),
        ("scp(pot1, pot2)", "one potential heuristic"),
        ("scp(cartesian(size=2))", "known is: transitions"),
        ("scp(projections(2))", "expected key=value in projections"),
        ("scp(projections(size=0))", "size must be a number from 1 to 20"),
        ("scp(cartesian, orders=0)", "orders must be a number from 1"),
        ("scp(cartesian, saturator=most)", "all, perim or perimstar"),
        ("scp(cartesian, color=red)", "scp has no argument 'color'"),
        ("scp(cartesian, time=soon)", "time: "),
        ("tcp(dim=2, lp=ipm)", "tcp has no argument 'lp'"),
    ] {
        assert!(parse(text).starts_with("error: "), "{text}");
        assert!(parse(text).contains(part), "{text}: {}", parse(text));
    }
}
