//! "Did you mean …?": the known name that is most like an unknown one.

/// The length in bytes of the longest name that is compared.
const MAX_LENGTH: usize = 60;

/// The known name with the fewest typing mistakes between it and `name`, if
/// they are at most a third of the letters, or one in a short name; the first
/// in the alphabet among several. A mistake is a letter inserted, deleted or
/// replaced, or two neighbors swapped.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let letters = name.chars().count();
    let max_mistakes = (letters / 3).max(1);
    let candidates = known.into_iter().filter(|candidate| candidate.len() <= MAX_LENGTH);
    let compared = candidates.map(|candidate| (strsim::osa_distance(name, candidate), candidate));
    let (mistakes, best) = compared.filter(|&(mistakes, _)| mistakes <= max_mistakes).min()?;
    // One mistake turns a name of one letter into every other one.
    (letters > 1 || mistakes == 0).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("onn", ["off", "on", "open"]), Some("on"));
        assert_eq!(nearest("elephant", ["on", "off"]), None);
        assert_eq!(nearest("ac", ["ab", "aa"]), Some("aa"));
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("x", ["x"]), Some("x"));
    }

    #[test]
    fn mistakes_are_counted_in_letters() {
        assert_eq!(nearest("hold", ["holding"]), None, "3 of 4");
        assert_eq!(nearest("holdng", ["folding", "holding"]), Some("holding"));
        assert_eq!(nearest("sitting", ["kitten"]), None, "3 of 7");
        assert_eq!(nearest("kitt", ["kitten", "kit"]), Some("kit"));
        assert_eq!(nearest("zöe", ["zoe"]), Some("zoe"), "letters, not bytes");
    }

    #[test]
    fn a_swap_is_one_mistake() {
        assert_eq!(nearest("adn", ["and"]), Some("and"));
        assert_eq!(nearest("hodling", ["hoodlums", "holding"]), Some("holding"));
    }

    #[test]
    fn long_names_are_not_compared() {
        let long = "n".repeat(MAX_LENGTH + 1);
        assert_eq!(nearest(&long, [&*long]), None);
        assert_eq!(nearest(&long[1..], [&*long]), None);
    }
}
