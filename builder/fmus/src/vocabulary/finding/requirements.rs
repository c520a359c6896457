//! The requirements of FMI 2.0, whose numbers are those of the rules.

/// A line for each requirement: its number, its level and a sentence. A second line with a dash
/// instead of the level says why an FMU of Coupler has no test for it.
pub const LINES: &str = include_str!("requirements.txt");

/// The sentence of the requirement with a number.
pub fn sentence(number: &str) -> Option<&'static str> {
    LINES.lines().find_map(|line| {
        let (_, sentence) = line.strip_prefix(number)?.strip_prefix(' ')?.split_once(' ')?;
        Some(sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixes::FIXES;
    use super::*;

    #[test]
    fn each_rule_with_a_fix_is_a_requirement() {
        for (rule, _) in FIXES {
            assert!(sentence(rule).is_some(), "{rule}");
        }
        assert_eq!(sentence("A009"), Some("fmi2GetTypesPlatform returns `default`"));
        assert_eq!(sentence("A00"), None);
    }
}
