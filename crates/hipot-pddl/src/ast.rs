//! A PDDL task with its names resolved.
//!
//! A [`Task`] is a domain and a problem together. It still has everything that
//! its author wrote (quantifiers, implications, nested effects), but names have
//! become ids: every name is known, every atom has as many terms as its
//! predicate has parameters, and variables that shadow each other are distinct.
//! Each owner of variables (an action, a rule, the goal) lists all of them,
//! including the quantified ones, and a [`VariableId`] is a position in that
//! list.

/// The largest cost of an action, and the largest value of a function.
pub const MAX_COST: u64 = i32::MAX as u64;

macro_rules! id {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $name {
            /// The id with this index.
            pub const fn new(index: usize) -> Self {
                Self(index as u32)
            }

            /// The index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A position in [`Task::types`].
    TypeId
);
id!(
    /// A position in [`Task::objects`].
    ObjectId
);
id!(
    /// A position in [`Task::predicates`].
    PredicateId
);
id!(
    /// A position in [`Task::functions`].
    FunctionId
);
id!(
    /// A position in the list of variables of its owner.
    VariableId
);

impl TypeId {
    /// The type `object`, to which everything belongs.
    pub const OBJECT: Self = Self::new(0);
}

impl PredicateId {
    /// The built-in predicate `=`, which holds for equal objects only.
    pub const EQUALITY: Self = Self::new(0);
}

/// A domain and a problem, resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The name of the domain.
    pub domain: String,
    /// The name of the problem.
    pub problem: String,
    /// The types; the first is `object`.
    pub types: Vec<Type>,
    /// The domain's constants, then the problem's objects.
    pub objects: Vec<Object>,
    /// The predicates; the first is `=`.
    pub predicates: Vec<Predicate>,
    /// The numeric functions that action costs are made of; `total-cost` is
    /// not one of them.
    pub functions: Vec<Function>,
    /// The actions.
    pub actions: Vec<Action>,
    /// The rules for derived predicates.
    pub rules: Vec<Rule>,
    /// The atoms that hold initially, each once, in the order of the file.
    pub initial: Vec<GroundAtom>,
    /// The values of the functions, each once.
    pub values: Vec<FunctionValue>,
    /// The goal.
    pub goal: Goal,
    /// Whether the metric is `total-cost`, and not the length of the plan.
    pub uses_costs: bool,
    /// The number of decimals of costs: all are integers here, in units of the last decimal. 4.5 is
    /// 45 with one decimal. 0 if the metric is the length of the plan.
    pub decimals: u32,
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// The name, lower case.
    pub name: String,
    /// The direct supertypes; `object` has none.
    pub parents: Vec<TypeId>,
}

/// A constant or an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The name, lower case.
    pub name: String,
    /// The declared types: several with `either`.
    pub types: Vec<TypeId>,
}

/// A predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    /// The name, lower case.
    pub name: String,
    /// The parameters.
    pub parameters: Vec<Variable>,
    /// Whether rules define it.
    pub is_derived: bool,
}

/// A numeric function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name, lower case.
    pub name: String,
    /// The parameters.
    pub parameters: Vec<Variable>,
}

/// A variable with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The name, lower case, with its question mark.
    pub name: String,
    /// The declared types: its values belong to one of them.
    pub types: Vec<TypeId>,
}

/// An action.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The name, lower case.
    pub name: String,
    /// The line of the domain file on which it begins, from 1.
    pub line: usize,
    /// The number of parameters: the first of the variables.
    pub parameters: usize,
    /// All variables: the parameters and the quantified ones.
    pub variables: Vec<Variable>,
    /// The precondition.
    pub precondition: Condition,
    /// The effect.
    pub effect: Effect,
    /// The increase of `total-cost`: the sum of these.
    pub cost: Vec<Cost>,
}

/// A rule for a derived predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The predicate that the rule defines; its terms are the first variables.
    pub predicate: PredicateId,
    /// All variables: the parameters and the quantified ones.
    pub variables: Vec<Variable>,
    /// When it applies.
    pub condition: Condition,
}

/// The goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The quantified variables.
    pub variables: Vec<Variable>,
    /// What must hold.
    pub condition: Condition,
}

/// An object or a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// An object.
    Object(ObjectId),
    /// A variable.
    Variable(VariableId),
}

/// A predicate and its terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The terms.
    pub terms: Vec<Term>,
}

/// A predicate and objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GroundAtom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The objects.
    pub objects: Vec<ObjectId>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The atom holds.
    Atom(Atom),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// All hold; with no parts, true.
    And(Vec<Condition>),
    /// At least one holds; with no parts, false.
    Or(Vec<Condition>),
    /// If the first holds, so does the second.
    Imply(Box<Condition>, Box<Condition>),
    /// The condition holds for some values of the variables.
    Exists(Vec<VariableId>, Box<Condition>),
    /// The condition holds for all values of the variables.
    Forall(Vec<VariableId>, Box<Condition>),
}

/// An effect. All parts happen at once; an atom that is both added and deleted
/// is added.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The atom becomes true.
    Add(Atom),
    /// The atom becomes false.
    Delete(Atom),
    /// All parts happen.
    And(Vec<Effect>),
    /// The effect happens if the condition holds before.
    When(Condition, Box<Effect>),
    /// The effect happens for all values of the variables.
    Forall(Vec<VariableId>, Box<Effect>),
}

/// A part of an action's cost.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cost {
    /// A number, in units of the last decimal.
    Number(u64),
    /// The initial value of a function.
    Value(FunctionId, Vec<Term>),
}

/// The value of a function for some objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionValue {
    /// The function.
    pub function: FunctionId,
    /// The objects.
    pub objects: Vec<ObjectId>,
    /// The value, in units of the last decimal.
    pub value: u64,
}

impl Task {
    /// The objects of each type, in the order of their ids.
    pub fn objects_by_type(&self) -> Vec<Vec<ObjectId>> {
        let mut members = vec![Vec::new(); self.types.len()];
        for (index, object) in self.objects.iter().enumerate() {
            for of_type in self.with_ancestors(&object.types) {
                members[of_type.index()].push(ObjectId::new(index));
            }
        }
        members
    }

    /// The objects that a variable of these types ranges over, in the order
    /// of their ids; `members` is [`objects_by_type`](Self::objects_by_type).
    pub fn range(members: &[Vec<ObjectId>], types: &[TypeId]) -> Vec<ObjectId> {
        let mut range: Vec<_> =
            types.iter().flat_map(|of_type| &members[of_type.index()]).copied().collect();
        range.sort_unstable();
        range.dedup();
        range
    }

    /// `types` and all their supertypes, each once.
    pub fn with_ancestors(&self, types: &[TypeId]) -> Vec<TypeId> {
        let mut found = types.to_vec();
        let mut next = 0;
        while let Some(&of_type) = found.get(next) {
            next += 1;
            for &parent in &self.types[of_type.index()].parents {
                if !found.contains(&parent) {
                    found.push(parent);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
