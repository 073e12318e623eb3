//! Sums and maxima as one line, cut where they are long.

use super::{Alternative, Equation, Sum, Term};

/// The number of terms of a sum, and of alternatives of a maximum, that are shown to people.
const MAX_PARTS: usize = 6;

/// Two ways to write a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum In {
    /// `w(f1) + Aux_2`.
    Symbols,
    /// `8 + 3`, or `11` if there are many.
    Numbers,
}

/// With more terms than this, a sum in numbers is just its value.
const MAX_NUMBERS: usize = 3;

/// A sum, such as `w(f1) - w(f2) + Aux_2`; `0` if it has no terms. A long one is cut before
/// its auxiliary variables, which come last.
pub(super) fn sum(sum: &Sum, written: In) -> String {
    if written == In::Numbers && sum.terms.len() > MAX_NUMBERS {
        return sum.value.to_string();
    }
    let is_auxiliary = |term: &&Term| term.symbol.starts_with("Aux");
    let count = sum.terms.len();
    let kept = if count > MAX_PARTS { sum.terms.iter().filter(is_auxiliary).count() } else { 0 };
    let kept = kept.min(MAX_PARTS / 2);
    let first = count.min(MAX_PARTS - kept);
    let mut text = String::new();
    add(&mut text, &sum.terms[..first], written);
    if count > first + kept {
        text = format!("{text} + … ({} more)", count - first - kept);
    }
    add(&mut text, &sum.terms[count - kept..], written);
    if text.is_empty() { "0".to_owned() } else { text }
}

/// Appends terms with their signs.
fn add(text: &mut String, terms: &[Term], written: In) {
    for term in terms {
        let part = match written {
            In::Symbols => term.symbol.clone(),
            In::Numbers => term.value.to_string(),
        };
        let (operation, part) = match part.strip_prefix('-') {
            _ if text.is_empty() => ("", part.as_str()),
            Some(positive) => (" - ", positive),
            None => (" + ", part.as_str()),
        };
        text.push_str(operation);
        text.push_str(part);
    }
}

/// The alternatives to show: the first ones, with the largest among them, and how many
/// are left out.
pub(super) fn shown(equation: &Equation) -> (Vec<&Alternative>, usize) {
    let count = equation.alternatives.len();
    let mut places: Vec<usize> = (0..count.min(MAX_PARTS)).collect();
    if equation.best >= MAX_PARTS {
        places[MAX_PARTS - 1] = equation.best;
    }
    let alternatives = places.iter().map(|&place| &equation.alternatives[place]).collect();
    (alternatives, count - places.len())
}

/// `max{w(f3), 0}`.
pub(super) fn maximum(equation: &Equation, written: In) -> String {
    let (alternatives, more) = shown(equation);
    let mut parts: Vec<String> = alternatives.iter().map(|it| sum(&it.sum, written)).collect();
    if more > 0 {
        parts.push(format!("… {more} more"));
    }
    format!("max{{{}}}", parts.join(", "))
}

/// `Aux_{Y,{X↦0}}`.
pub(super) fn auxiliary(variable: &str, equation: &Equation) -> String {
    if equation.assignment.is_empty() {
        return format!("Aux_{{{variable},∅}}");
    }
    format!("Aux_{{{variable},{{{}}}}}", equation.assignment.join(", "))
}

/// The constraints of P_LP for an equation: `Aux_1 ≥ w(f3)`, `Aux_1 ≥ 0`.
pub(super) fn constraints(equation: &Equation) -> Vec<String> {
    let (alternatives, more) = shown(equation);
    let number = equation.number;
    let constraint = |it: &&Alternative| format!("Aux_{number} ≥ {}", sum(&it.sum, In::Symbols));
    let mut parts: Vec<String> = alternatives.iter().map(constraint).collect();
    if more > 0 {
        parts.push(format!("… {more} more"));
    }
    parts
}

/// A set of names, `{X, Y}` or `∅`.
pub(super) fn set(names: &[String]) -> String {
    if names.is_empty() { "∅".to_owned() } else { format!("{{{}}}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Ratio;

    fn sum_of(numbers: &[i128]) -> Sum {
        let term = |(place, &number): (usize, &i128)| Term {
            symbol: format!("{}w(f{})", if number < 0 { "-" } else { "" }, place + 1),
            value: Ratio::new(number, 1),
        };
        let terms = numbers.iter().enumerate().map(term).collect();
        Sum { terms, value: Ratio::new(numbers.iter().sum(), 1) }
    }

    #[test]
    fn sums_have_signs_and_are_cut() {
        assert_eq!(sum(&sum_of(&[]), In::Symbols), "0");
        assert_eq!(sum(&sum_of(&[3, -2, 0]), In::Numbers), "3 - 2 + 0");
        assert_eq!(sum(&sum_of(&[-3, 2]), In::Symbols), "-w(f1) + w(f2)");
        let long = sum(&sum_of(&[1; 8]), In::Symbols);
        assert_eq!(long, "w(f1) + w(f2) + w(f3) + w(f4) + w(f5) + w(f6) + … (2 more)");
        assert_eq!(sum(&sum_of(&[1; 8]), In::Numbers), "8");
        let mut with_aux = sum_of(&[1; 8]);
        with_aux.terms.push(Term { symbol: "Aux_7".to_owned(), value: Ratio::new(1, 1) });
        let text = sum(&with_aux, In::Symbols);
        assert_eq!(text, "w(f1) + w(f2) + w(f3) + w(f4) + w(f5) + … (3 more) + Aux_7");
    }

    #[test]
    fn a_cut_maximum_has_the_largest_alternative() {
        let alternatives = (0..9)
            .map(|place| Alternative { x: place.to_string(), sum: sum_of(&[place]) })
            .collect();
        let (assignment, value) = (vec!["X↦0".to_owned()], Ratio::new(8, 1));
        let equation = Equation { number: 2, assignment, alternatives, best: 8, value };
        assert_eq!(maximum(&equation, In::Numbers), "max{0, 1, 2, 3, 4, 8, … 3 more}");
        assert_eq!(auxiliary("Y", &equation), "Aux_{Y,{X↦0}}");
        assert_eq!(constraints(&equation)[5..], ["Aux_2 ≥ w(f1)", "… 3 more"]);
    }
}
