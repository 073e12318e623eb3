//! One operator under the microscope: the elimination of its contexts, step by step.
//!
//! An operator o may take from φ at most what it costs, Δ_o^ind + Max(Ψ_o) ≤ cost(o), in
//! every context. The paper turns Max(Ψ_o) into constraints by bucket elimination, and an
//! [`OperatorExplanation`] has all of it for one operator and one potential function: what
//! the operator does to each feature (Δ_o and ψ_o^f), the context-dependency graph
//! G(Π, ℱ, o), what an elimination order makes of it, the equations
//! Aux_{X,ν} = max{…} as symbols and as exact numbers, the constraints P_LP, a context that
//! attains the maximum, and the slack.
//!
//! The equations are recorded by [`hipot_potential::trace`] while the one elimination of
//! this program runs. Nothing is computed again here. If there are too many equations to
//! read, their number is given instead.
//!
//! | module | what |
//! |---|---|
//! | `choose` | operators and variables by name |
//! | `collect` | the explanation, from the potential functions |
//! | `graph` | the context-dependency graph, orders, and the paper's graph |
//! | `steps` | the equations in words |
//! | `formulas` | sums and maxima as one line |
//! | `text`, `html`, `drawing`, `dot` | the explanation for people, browsers, Graphviz |

mod choose;
mod collect;
mod dot;
mod drawing;
mod formulas;
mod graph;
mod html;
mod steps;
mod text;

use hipot::Status;
use serde::Serialize;

use super::{Cost, Ratio};

pub(crate) use choose::{Choice, Names};
pub(crate) use collect::explain_operator;
pub(crate) use dot::dot;
pub(crate) use html::html;
pub(crate) use text::text;

/// The maximum number of alternatives in the equations that are recorded.
pub(super) const MAX_ENTRIES: u64 = 50_000;

/// The result of `hipot explain --operator`, schema `hipot.operator/1`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OperatorExplanation {
    /// `hipot.operator/1`.
    pub(crate) schema: &'static str,
    /// `solved`, or `unsolvable` if a function proves that there is no plan.
    pub(crate) status: Status,
    /// The heuristic's spec.
    pub(crate) heuristic: String,
    /// The operator's name.
    pub(crate) operator: String,
    /// The operator seen by each potential function in the heuristic.
    pub(crate) functions: Vec<View>,
}

impl OperatorExplanation {
    /// The schema's name and version.
    pub(crate) const SCHEMA: &'static str = "hipot.operator/1";
}

/// The operator of the task in TNF, and one potential function.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct View {
    /// The function's spec.
    pub(super) spec: String,
    /// Its place among the operators of this name, from 1.
    pub(super) number: usize,
    /// The number of operators of this name.
    pub(super) namesakes: usize,
    /// Whether the function proves that there is no plan. Then costs count as 0.
    pub(super) unsolvable: bool,
    /// Its cost; 0 in a proof that there is no plan.
    pub(super) cost: Cost,
    /// Whether TNF adds the operator, to forget a value.
    pub(super) forgets: bool,
    /// Whether mutexes allow that it is applied.
    pub(super) applicable: bool,
    /// pre(o) and eff(o), for each variable of the operator.
    pub(super) changes: Vec<Change>,
    /// How the features are partitioned.
    pub(super) features: Partition,
    /// The context-independent features that it changes, by decreasing absolute weight.
    pub(super) independent: Vec<Effect>,
    /// The context-dependent features that it changes, by decreasing absolute weight.
    pub(super) dependent: Vec<Effect>,
    /// The context-dependency graph.
    pub(super) graph: Graph,
    /// The order that was asked for.
    pub(super) chosen: Option<Order>,
    /// The best order found.
    pub(super) best: Order,
    /// The elimination along the chosen order, or else along the best one; `None` if it
    /// is too large to be read, or if the operator is never applied.
    pub(super) elimination: Option<Elimination>,
    /// The largest number of alternatives for which there is an elimination.
    pub(super) max_entries: u64,
    /// Δ_o^ind + Max(Ψ_o) against cost(o).
    pub(super) balance: Balance,
}

impl View {
    /// The order along which variables are eliminated.
    pub(super) fn order(&self) -> &Order {
        self.chosen.as_ref().unwrap_or(&self.best)
    }

    /// What is special about the operator and its cost, as sentences.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.namesakes > 1 {
            let (number, of) = (self.number, self.namesakes);
            notes.push(format!("This is number {number} of {of} operators with this name."));
        }
        if self.forgets {
            notes.push("TNF adds this operator, to forget a value.".to_owned());
        }
        if self.unsolvable {
            let note = "The function proves that there is no plan, so costs count as 0.";
            notes.push(note.to_owned());
        }
        notes
    }

    /// Why there are no steps.
    pub(super) fn without_steps(&self) -> String {
        if !self.applicable {
            return "Mutexes exclude every state in which the operator is applicable or to which \
                    it leads, so it has no constraint."
                .to_owned();
        }
        format!(
            "Too wide to be shown: along this order the equations have {} alternatives, more \
             than {}.",
            self.order().entries,
            self.max_entries
        )
    }
}

/// A variable of the operator.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Change {
    /// The variable's name.
    pub(super) variable: String,
    /// Its value in pre(o).
    pub(super) before: String,
    /// Its value in eff(o).
    pub(super) after: String,
}

/// The paper's partition of the features ℱ.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Partition {
    /// |ℱ|.
    pub(super) count: usize,
    /// Features without variables of the operator.
    pub(super) irrelevant: usize,
    /// Features with no other variables.
    pub(super) independent: usize,
    /// Features with both.
    pub(super) dependent: usize,
    /// Context-dependent features whose part f_o holds before and after, because of
    /// prevailed preconditions.
    pub(super) kept: usize,
    /// Context-dependent features whose part f_o holds neither before nor after.
    pub(super) never: usize,
    /// Context-dependent features that the operator changes only in contexts that mutexes
    /// exclude.
    pub(super) excluded: usize,
}

/// What the operator does to a feature.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Effect {
    /// The feature's number in ℱ, from 1.
    pub(super) number: usize,
    /// Its facts, joined by ` & `.
    pub(super) feature: String,
    /// Δ_o(f), or Δ_o(f_o): 1 if the operator makes it false, −1 if it makes it true.
    pub(super) delta: i8,
    /// w(f).
    pub(super) weight: Ratio,
    /// The context f_ō in which that happens; empty if it happens in every context.
    pub(super) context: Vec<String>,
}

/// The context-dependency graph.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Graph {
    /// The variables that the operator does not mention.
    pub(super) vertices: Vec<Vertex>,
    /// Pairs of vertices, by index, that occur in one context.
    pub(super) edges: Vec<[usize; 2]>,
    /// The paper's graph.
    pub(super) paper: PaperGraph,
}

/// A variable that the operator does not mention.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Vertex {
    /// Its name.
    pub(super) name: String,
    /// What its values have in common.
    pub(super) title: String,
    /// Whether some context mentions it.
    pub(super) in_contexts: bool,
}

impl Vertex {
    /// The name, with what the values have in common if that says more.
    pub(super) fn label(&self) -> String {
        if self.title == self.name {
            self.name.clone()
        } else {
            format!("{} ({})", self.name, self.title)
        }
    }
}

/// G(Π, ℱ, o) as the paper defines it, which may have more edges.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PaperGraph {
    /// The number of its edges.
    pub(super) edges: usize,
    /// Edges that are only here; left out where there are many vertices.
    pub(super) additional: Vec<[usize; 2]>,
    /// Its induced width along the chosen order.
    pub(super) chosen_width: Option<usize>,
    /// Its induced width along the best order found for it.
    pub(super) width: usize,
    /// The features that the other graph leaves out; empty if it has the same edges.
    pub(super) reasons: Vec<String>,
}

/// An elimination order σ.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Order {
    /// The variables. The last one is eliminated first.
    pub(super) variables: Vec<String>,
    /// The induced width along it.
    pub(super) width: usize,
    /// The edges that the induced graph adds, as pairs of vertices.
    pub(super) added: Vec<[usize; 2]>,
    /// The number of alternatives in the equations, as predicted from the induced graph.
    pub(super) entries: u64,
}

/// Bucket elimination.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Elimination {
    /// The eliminated variables, from the last in σ to the first.
    pub(super) steps: Vec<Step>,
    /// The number of Aux_Ψ among the auxiliary variables.
    pub(super) number: usize,
    /// Aux_Ψ: a sum.
    pub(super) result: Sum,
    /// A context that attains the maximum.
    pub(super) context: Vec<String>,
}

/// The elimination of one variable.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Step {
    /// X.
    pub(super) variable: String,
    /// The functions in its bucket.
    pub(super) bucket: Vec<BucketFunction>,
    /// S_X.
    pub(super) scope: Vec<String>,
    /// One for each assignment to S_X.
    pub(super) equations: Vec<Equation>,
    /// The number of constraints in P_LP.
    pub(super) constraints: usize,
}

/// A function in a bucket.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BucketFunction {
    /// The variable X if it is ψ_X.
    pub(super) eliminated: Option<String>,
    /// The number of features whose ψ_o^f it is the sum of.
    pub(super) features: usize,
    /// Its scope.
    pub(super) scope: Vec<String>,
}

/// Aux_i = Aux_{X,ν} = max{…}.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Equation {
    /// i.
    pub(super) number: usize,
    /// ν, as `X↦0` for each variable.
    pub(super) assignment: Vec<String>,
    /// The value of X and the sum, for each value.
    pub(super) alternatives: Vec<Alternative>,
    /// The index of the first alternative that is the maximum.
    pub(super) best: usize,
    /// The value of Aux_i.
    pub(super) value: Ratio,
}

/// One of the sums of which the largest is taken.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Alternative {
    /// The value of X.
    pub(super) x: String,
    /// The sum.
    #[serde(flatten)]
    pub(super) sum: Sum,
}

/// A sum of weights and auxiliary variables.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sum {
    /// Its terms; none for 0.
    pub(super) terms: Vec<Term>,
    /// Its value.
    pub(super) value: Ratio,
}

/// A term of a sum.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Term {
    /// `w(f3)`, `-w(f3)` or `Aux_2`.
    pub(super) symbol: String,
    /// Its value.
    pub(super) value: Ratio,
}

/// Δ_o^ind + Max(Ψ_o) against cost(o); `None` if the maximum is not known.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Balance {
    /// Δ_o^ind.
    pub(super) independent: Ratio,
    /// Max(Ψ_o).
    pub(super) max: Option<Ratio>,
    /// Their sum: the most that the operator takes from φ.
    pub(super) decrease: Option<Ratio>,
    /// cost(o) minus that.
    pub(super) slack: Option<Ratio>,
}
