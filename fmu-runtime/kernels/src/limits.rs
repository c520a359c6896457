//! The limits of values, and the messages about values outside them; they are the same at build
//! time and at run time.

use std::fmt;

/// The values that a variable can have: finite, from `min` to `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Limits {
    /// Every finite value.
    pub const ANY: Limits = Limits { min: f64::NEG_INFINITY, max: f64::INFINITY };

    /// Zero or more.
    pub const NOT_NEGATIVE: Limits = Limits::at_least(0.0);

    /// More than zero: at least the smallest positive normal number. FMI has no other way to
    /// exclude zero.
    pub const POSITIVE: Limits = Limits::at_least(f64::MIN_POSITIVE);

    /// A value or more.
    pub const fn at_least(min: f64) -> Limits {
        Limits { min, max: f64::INFINITY }
    }

    /// From one value to another, both included.
    pub const fn between(min: f64, max: f64) -> Limits {
        Limits { min, max }
    }

    /// Whether a value is possible.
    pub fn contain(self, value: f64) -> bool {
        value.is_finite() && self.min <= value && value <= self.max
    }

    /// The message about a variable whose value is not possible. The unit is omitted if it is empty
    /// or 1.
    pub fn refuse(self, name: &str, value: f64, unit: &str) -> String {
        let what = Assigned { name, value, unit };
        // An infinite value may satisfy the limits in all but being finite.
        let finite = match value.is_infinite() && self != Limits::ANY {
            true => "finite and ",
            false => "",
        };
        format!("{what}: must be {finite}{}", self.of(unit))
    }

    /// The possible values in words, with their unit: `positive`, `from 0 to 1`.
    pub fn of(self, unit: &str) -> String {
        let unit = Spaced(unit);
        let Limits { min, max } = self;
        let is_positive = min == Limits::POSITIVE.min;
        match (min.is_finite(), max.is_finite()) {
            (false, false) => "a finite number".to_owned(),
            (true, false) if is_positive => "positive".to_owned(),
            (true, false) if min == 0.0 => "positive or zero".to_owned(),
            (true, false) => format!("at least {}{unit}", Number(min)),
            (false, true) => format!("at most {}{unit}", Number(max)),
            (true, true) if is_positive => format!("positive and at most {}{unit}", Number(max)),
            (true, true) => format!("from {} to {}{unit}", Number(min), Number(max)),
        }
    }
}

/// A variable with its value: `stop.smin = 2 m`.
#[derive(Clone, Copy, Debug)]
pub struct Assigned<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: f64,
    /// Its unit; empty if it has none.
    pub unit: &'a str,
}

impl fmt::Display for Assigned<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Assigned { name, value, unit } = self;
        write!(f, "{name} = {}{}", Number(*value), Spaced(unit))
    }
}

/// A number in its shortest form that reads back as the same number.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        f.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}

impl Number {
    /// A computed number with six digits: the others may be those of rounding.
    pub fn computed(value: f64) -> f64 {
        format!("{value:.5e}").parse().unwrap_or(value)
    }
}

/// A unit after a number: nothing for numbers without unit.
#[derive(Clone, Copy, Debug)]
pub struct Spaced<'a>(pub &'a str);

impl fmt::Display for Spaced<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" | "1" => Ok(()),
            unit => write!(f, " {unit}"),
        }
    }
}

/// The message about variables whose values are not possible together.
pub fn unmet(of: &[Assigned<'_>], sentence: &str) -> String {
    let mut text: Vec<String> = of.iter().map(Assigned::to_string).collect();
    text.dedup();
    if text.is_empty() { sentence.to_owned() } else { format!("{}: {sentence}", text.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_contain_value_and_unit_and_the_possible_values() {
        let sentence = |min: f64, max: f64, value: f64, unit: &str| {
            Limits { min, max }.refuse("a.x", value, unit)
        };
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        assert_eq!(sentence(Limits::POSITIVE.min, inf, 0.0, "kg"), "a.x = 0 kg: must be positive");
        assert_eq!(sentence(0.0, inf, -1.0, "1"), "a.x = -1: must be positive or zero");
        assert_eq!(sentence(1.0, inf, 0.5, ""), "a.x = 0.5: must be at least 1");
        assert_eq!(sentence(-inf, 2.0, 2.5, "m"), "a.x = 2.5 m: must be at most 2 m");
        assert_eq!(sentence(0.0, 1.0, 2.0, "m"), "a.x = 2 m: must be from 0 to 1 m");
        assert_eq!(sentence(0.0, inf, nan, "kg"), "a.x = NaN kg: must be positive or zero");
        assert_eq!(sentence(1e-9, inf, 1e-10, "m"), "a.x = 1e-10 m: must be at least 1e-9 m");
        assert_eq!(sentence(-inf, inf, inf, "1"), "a.x = inf: must be a finite number");
        let positive = Limits::POSITIVE.min;
        assert_eq!(sentence(positive, inf, inf, "m"), "a.x = inf m: must be finite and positive");
    }

    #[test]
    fn limits_exclude_values_beyond_them_and_values_that_are_no_numbers() {
        let positive = Limits::POSITIVE;
        assert!(positive.contain(1e-300) && !positive.contain(0.0) && !positive.contain(f64::NAN));
        assert!(!positive.contain(f64::INFINITY) && Limits::ANY.contain(-1.0));
    }
}
