//! A chain of switches, live wires, and an alarm: a task with axioms.
//!
//! Current flows from the mains through switch 1, then switch 2, and so on to
//! switch n. Wire i, behind switch i, is live if switch i is closed and (for
//! i > 1) wire i − 1 is live: n derived variables in layer 0. A monitor that is
//! armed sounds the alarm unless wire n is live: a derived variable in layer 1,
//! with a rule that asks for the default value of one in layer 0.
//!
//! Safety first: switch i may be opened and closed only while wire i − 1, which
//! leads to it, is dead (switch 1 has a handle outside and may always be
//! moved), and while the alarm rings, nothing may be done but to disarm the
//! monitor. In the beginning switch 1 is closed, the others are open, and the
//! monitor is disarmed; in the end the monitor must be armed and the alarm
//! quiet. Every operator costs 1.
//!
//! *Optimal cost: n + 2*, for n ≥ 2. In the end the alarm is quiet although the
//! monitor is armed, so wire n is live and all switches are closed. Arming the
//! monitor and closing switches 2 to n makes n operators. Switch 2 can only be
//! closed while wire 1 is dead, that is while switch 1 is open: it must be
//! opened first and closed again later, which makes two more. Just these,
//! arming last, are a plan.
//!
//! *Reachable states: 2ⁿ⁺¹.* Open switch 1, move all the others at will, then
//! switch 1; the monitor can be armed in each of these 2ⁿ states. The derived
//! variables follow from the rest.

use hipot_task::{Fact, Variable};

use super::draft::{Draft, fact};
use super::{GenerateError, Generated, check_range};

const OPEN: u32 = 0;
const CLOSED: u32 = 1;
const DISARMED: u32 = 0;
const ARMED: u32 = 1;
const DEAD: u32 = 0;
const LIVE: u32 = 1;
const QUIET: u32 = 0;
const RINGING: u32 = 1;

/// A circuit with 2 to 10000 switches; optimal cost n + 2.
pub(crate) fn circuit(switches: u32) -> Result<Generated, GenerateError> {
    check_range("switches", switches, 2..=10_000)?;
    let layout = Layout { switches };
    let mut draft = Draft::new(false, layout.variables());
    for switch in 0..switches {
        add_moves(&mut draft, &layout, switch);
        let before = switch.checked_sub(1).map(|wire| layout.wire(wire, LIVE));
        let body = before.into_iter().chain([layout.switch(switch, CLOSED)]).collect();
        draft.axiom(body, layout.wire(switch, LIVE));
    }
    add_monitor(&mut draft, &layout);
    let goal = vec![layout.monitor(ARMED), layout.alarm(QUIET)];
    Ok(Generated { task: draft.build(goal), optimal_cost: Some(u64::from(switches) + 2) })
}

/// The order of the variables: switches, monitor, wires, alarm.
struct Layout {
    switches: u32,
}

impl Layout {
    fn variables(&self) -> Vec<(Variable, u32)> {
        let mut variables = Vec::new();
        for switch in 0..self.switches {
            let values = ["open", "closed"];
            let initially = if switch == 0 { CLOSED } else { OPEN };
            variables.push((variable(&switch_name(switch), values, None), initially));
        }
        variables.push((variable("monitor", ["disarmed", "armed"], None), DISARMED));
        for wire in 0..self.switches {
            let name = format!("wire{}", wire + 1);
            variables.push((variable(&name, ["dead", "live"], Some(0)), DEAD));
        }
        variables.push((variable("alarm", ["quiet", "ringing"], Some(1)), QUIET));
        variables
    }

    fn switch(&self, switch: u32, position: u32) -> Fact {
        debug_assert!(switch < self.switches);
        fact(switch, position)
    }

    fn monitor(&self, armed: u32) -> Fact {
        fact(self.switches, armed)
    }

    fn wire(&self, wire: u32, live: u32) -> Fact {
        fact(self.switches + 1 + wire, live)
    }

    fn alarm(&self, ringing: u32) -> Fact {
        fact(2 * self.switches + 1, ringing)
    }
}

fn variable(name: &str, values: [&str; 2], axiom_layer: Option<u32>) -> Variable {
    let values = values.map(|value| format!("{name} {value}"));
    Variable { axiom_layer, ..Variable::new(name, values) }
}

fn add_moves(draft: &mut Draft, layout: &Layout, switch: u32) {
    for (verb, from, to) in [("close", OPEN, CLOSED), ("open", CLOSED, OPEN)] {
        let mut preconditions = vec![layout.switch(switch, from), layout.alarm(QUIET)];
        preconditions.extend(switch.checked_sub(1).map(|wire| layout.wire(wire, DEAD)));
        let name = format!("{verb} {}", switch_name(switch));
        draft.operator(name, preconditions, &[layout.switch(switch, to)]);
    }
}

fn add_monitor(draft: &mut Draft, layout: &Layout) {
    let (armed, disarmed) = (layout.monitor(ARMED), layout.monitor(DISARMED));
    draft.operator("arm monitor".to_owned(), vec![disarmed], &[armed]);
    draft.operator("disarm monitor".to_owned(), vec![armed], &[disarmed]);
    let body = vec![armed, layout.wire(layout.switches - 1, DEAD)];
    draft.axiom(body, layout.alarm(RINGING));
}

fn switch_name(switch: u32) -> String {
    format!("switch{}", switch + 1)
}
