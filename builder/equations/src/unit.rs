//! The units that variables can have.

use crate::description::{DisplayUnit, Unit};

/// A unit that variables can have.
struct KnownUnit {
    name: &'static str,
    /// Exponents of kg, m, s, A, K, mol, cd, rad.
    exponents: [i8; 8],
    /// Factor to the base unit.
    factor: f64,
    /// Offset to the base unit.
    offset: f64,
}

/// A row of the table of units.
const fn row(name: &'static str, exponents: [i8; 8], factor: f64, offset: f64) -> KnownUnit {
    KnownUnit { name, exponents, factor, offset }
}

const DEGREE: f64 = std::f64::consts::PI / 180.0;
const REVOLUTION_PER_MINUTE: f64 = std::f64::consts::PI / 30.0;

#[rustfmt::skip]
const UNITS: &[KnownUnit] = &[
    row("1", [0, 0, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("s", [0, 0, 1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("ms", [0, 0, 1, 0, 0, 0, 0, 0], 1e-3, 0.0),
    row("min", [0, 0, 1, 0, 0, 0, 0, 0], 60.0, 0.0),
    row("h", [0, 0, 1, 0, 0, 0, 0, 0], 3600.0, 0.0),
    row("Hz", [0, 0, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("1/s", [0, 0, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("1/s2", [0, 0, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("rad", [0, 0, 0, 0, 0, 0, 0, 1], 1.0, 0.0),
    row("rad/s", [0, 0, -1, 0, 0, 0, 0, 1], 1.0, 0.0),
    row("rad/s2", [0, 0, -2, 0, 0, 0, 0, 1], 1.0, 0.0),
    row("rad/s3", [0, 0, -3, 0, 0, 0, 0, 1], 1.0, 0.0),
    row("rad/m", [0, -1, 0, 0, 0, 0, 0, 1], 1.0, 0.0),
    row("1/rad", [0, 0, 0, 0, 0, 0, 0, -1], 1.0, 0.0),
    row("s/rad", [0, 0, 1, 0, 0, 0, 0, -1], 1.0, 0.0),
    row("s/m", [0, -1, 1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("deg", [0, 0, 0, 0, 0, 0, 0, 1], DEGREE, 0.0),
    row("deg/s", [0, 0, -1, 0, 0, 0, 0, 1], DEGREE, 0.0),
    row("rev/min", [0, 0, -1, 0, 0, 0, 0, 1], REVOLUTION_PER_MINUTE, 0.0),
    row("m", [0, 1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("mm", [0, 1, 0, 0, 0, 0, 0, 0], 1e-3, 0.0),
    row("cm", [0, 1, 0, 0, 0, 0, 0, 0], 1e-2, 0.0),
    row("km", [0, 1, 0, 0, 0, 0, 0, 0], 1e3, 0.0),
    row("m2", [0, 2, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("m3", [0, 3, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("1/m", [0, -1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("m/rad", [0, 1, 0, 0, 0, 0, 0, -1], 1.0, 0.0),
    row("m/s", [0, 1, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("km/h", [0, 1, -1, 0, 0, 0, 0, 0], 1.0 / 3.6, 0.0),
    row("m/s2", [0, 1, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("m/s3", [0, 1, -3, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("m3/s2", [0, 3, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("m3/(kg.s2)", [-1, 3, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kg", [1, 0, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("g", [1, 0, 0, 0, 0, 0, 0, 0], 1e-3, 0.0),
    row("kg/m", [1, -1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kg/m2", [1, -2, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kg/m3", [1, -3, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kg/s", [1, 0, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kg.m", [1, 1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kg.m2", [1, 2, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kg.m/s", [1, 1, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kg.m2/s", [1, 2, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("N", [1, 1, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kN", [1, 1, -2, 0, 0, 0, 0, 0], 1e3, 0.0),
    row("N.s", [1, 1, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("N/m", [1, 0, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("N.s/m", [1, 0, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("N.s2/m2", [1, -1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("N.m", [1, 2, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("N.m.s", [1, 2, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("N.m/rad", [1, 2, -2, 0, 0, 0, 0, -1], 1.0, 0.0),
    row("N.m/rad3", [1, 2, -2, 0, 0, 0, 0, -3], 1.0, 0.0),
    row("N.m.s/rad", [1, 2, -1, 0, 0, 0, 0, -1], 1.0, 0.0),
    row("N.m.s2/rad2", [1, 2, 0, 0, 0, 0, 0, -2], 1.0, 0.0),
    row("N/rad", [1, 1, -2, 0, 0, 0, 0, -1], 1.0, 0.0),
    row("N.s/rad", [1, 1, -1, 0, 0, 0, 0, -1], 1.0, 0.0),
    row("N/m2", [1, -1, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("Pa", [1, -1, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("bar", [1, -1, -2, 0, 0, 0, 0, 0], 1e5, 0.0),
    row("J", [1, 2, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("W", [1, 2, -3, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("kW", [1, 2, -3, 0, 0, 0, 0, 0], 1e3, 0.0),
    row("W/m2", [1, 0, -3, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("W/K", [1, 2, -3, 0, -1, 0, 0, 0], 1.0, 0.0),
    row("J/K", [1, 2, -2, 0, -1, 0, 0, 0], 1.0, 0.0),
    row("J/(kg.K)", [0, 2, -2, 0, -1, 0, 0, 0], 1.0, 0.0),
    row("K", [0, 0, 0, 0, 1, 0, 0, 0], 1.0, 0.0),
    row("degC", [0, 0, 0, 0, 1, 0, 0, 0], 1.0, 273.15),
    row("K/W", [-1, -2, 3, 0, 1, 0, 0, 0], 1.0, 0.0),
    row("K/s", [0, 0, -1, 0, 1, 0, 0, 0], 1.0, 0.0),
    row("1/K", [0, 0, 0, 0, -1, 0, 0, 0], 1.0, 0.0),
    row("A", [0, 0, 0, 1, 0, 0, 0, 0], 1.0, 0.0),
    row("V", [1, 2, -3, -1, 0, 0, 0, 0], 1.0, 0.0),
    row("Ohm", [1, 2, -3, -2, 0, 0, 0, 0], 1.0, 0.0),
    row("F", [-1, -2, 4, 2, 0, 0, 0, 0], 1.0, 0.0),
    row("H", [1, 2, -2, -2, 0, 0, 0, 0], 1.0, 0.0),
    row("C", [0, 0, 1, 1, 0, 0, 0, 0], 1.0, 0.0),
    row("N.m/A", [1, 2, -2, -1, 0, 0, 0, 0], 1.0, 0.0),
    row("V.s/rad", [1, 2, -2, -1, 0, 0, 0, -1], 1.0, 0.0),
    row("mol", [0, 0, 0, 0, 0, 1, 0, 0], 1.0, 0.0),
    row("cd", [0, 0, 0, 0, 0, 0, 1, 0], 1.0, 0.0),
    row("%", [0, 0, 0, 0, 0, 0, 0, 0], 1e-2, 0.0),
];

/// The usual display units, by unit of the variable.
const DISPLAY: &[(&str, &[&str])] = &[
    ("rad", &["deg"]),
    ("rad/s", &["deg/s", "rev/min"]),
    ("m", &["mm"]),
    ("m/s", &["km/h"]),
    ("K", &["degC"]),
    ("Pa", &["bar"]),
    ("W", &["kW"]),
];

fn known(name: &str) -> Option<&'static KnownUnit> {
    UNITS.iter().find(|unit| unit.name == name)
}

/// Whether two units are equal in dimension, factor and offset; unknown units are refused
/// elsewhere.
pub fn same_unit(a: &str, b: &str) -> bool {
    match (known(a), known(b)) {
        (Some(a), Some(b)) => {
            (a.exponents, a.factor, a.offset) == (b.exponents, b.factor, b.offset)
        }
        _ => true,
    }
}

/// Other names of units, with the names that are used here.
#[rustfmt::skip]
const OTHER_NAMES: &[(&str, &str)] = &[
    ("rpm", "rev/min"), ("1/min", "rev/min"), ("radian", "rad"), ("radians", "rad"),
    ("degree", "deg"), ("degrees", "deg"), ("°", "deg"), ("°/s", "deg/s"), ("sec", "s"), ("kph", "km/h"),
    ("°C", "degC"), ("celsius", "degC"), ("kelvin", "K"), ("percent", "%"), ("-", "1"),
    ("newton", "N"), ("joule", "J"), ("watt", "W"), ("meter", "m"), ("metre", "m"), ("Nms", "N.m.s"),
];

/// The known unit that a name probably means.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let plain = |name: &str| -> String {
        name.chars().filter(|c| !matches!(c, '.' | '*' | '^' | '·' | ' ' | '(' | ')')).collect()
    };
    let other = OTHER_NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
    let exact = UNITS.iter().find(|unit| plain(unit.name) == plain(name));
    let similar = || UNITS.iter().find(|unit| plain(unit.name).eq_ignore_ascii_case(&plain(name)));
    let of_table = || exact.or_else(similar).map(|unit| unit.name);
    other.map(|(_, unit)| *unit).or_else(of_table)
}

/// A unit with its usual display units, or `None` if it is not known.
pub(crate) fn unit(name: &str) -> Option<Unit> {
    let &KnownUnit { name, exponents, factor, offset } = known(name)?;
    let usual = DISPLAY.iter().find(|(unit, _)| *unit == name).map_or(&[][..], |(_, names)| names);
    let mut unit = Unit { name: name.to_owned(), exponents, factor, offset, display: Vec::new() };
    for display in usual {
        let added = add_display(&mut unit, display);
        debug_assert!(added, "{display} measures the same as {name}");
    }
    Some(unit)
}

/// The unit in which a quantity with this unit is usually shown: angles in degrees.
pub(crate) fn usual_display(unit: &str) -> Option<&'static str> {
    (unit == "rad").then_some("deg")
}

/// Adds a display unit; false if it is not known or has another dimension.
pub(crate) fn add_display(unit: &mut Unit, name: &str) -> bool {
    let Some(known) = known(name).filter(|known| known.exponents == unit.exponents) else {
        return false;
    };
    if !unit.display.iter().any(|display| display.name == name) {
        unit.display.push(DisplayUnit {
            name: name.to_owned(),
            factor: unit.factor / known.factor,
            offset: (unit.offset - known.offset) / known.factor,
        });
    }
    true
}

/// The unit of the derivative with respect to time of a quantity with this unit.
pub(crate) fn rate_of(name: &str) -> Option<&'static str> {
    let &KnownUnit { mut exponents, factor, .. } = known(name)?;
    exponents[2] -= 1;
    // If a unit has several names, the one that begins with the given name is chosen.
    let same = |unit: &&KnownUnit| {
        unit.exponents == exponents && unit.factor == factor && unit.offset == 0.0
    };
    let continued = format!("{name}/s");
    UNITS
        .iter()
        .filter(same)
        .find(|unit| unit.name == continued)
        .or_else(|| UNITS.iter().find(same))
        .map(|unit| unit.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_listed_once_and_display_units_measure_the_same() {
        for (i, known) in UNITS.iter().enumerate() {
            assert!(UNITS[..i].iter().all(|other| other.name != known.name), "{}", known.name);
            unit(known.name);
        }
    }

    /// Exponents and factor of a product such as `kg.m2`; `None` if a unit in it is not known.
    fn product(name: &str) -> Option<([i32; 8], f64)> {
        let (mut exponents, mut factor) = ([0; 8], 1.0);
        for part in name.split('.') {
            let base = if part == "1" { part } else { part.trim_end_matches(char::is_numeric) };
            let power: i32 = part[base.len()..].parse().unwrap_or(1);
            let known = known(base)?;
            exponents
                .iter_mut()
                .zip(known.exponents)
                .for_each(|(sum, e)| *sum += power * i32::from(e));
            factor *= known.factor.powi(power);
        }
        Some((exponents, factor))
    }

    #[test]
    fn a_compound_unit_measures_what_its_name_says() {
        let mut compounds = Vec::new();
        for &KnownUnit { name, exponents, factor, .. } in UNITS {
            let (above, below) = name.split_once('/').unwrap_or((name, "1"));
            let below = below.trim_matches(['(', ')']);
            let (Some(above), Some(below)) = (product(above), product(below)) else { continue };
            for (i, exponent) in exponents.into_iter().enumerate() {
                assert_eq!(i32::from(exponent), above.0[i] - below.0[i], "{name}");
            }
            assert!((factor * below.1 / above.1 - 1.0).abs() < 1e-15, "{name}");
            compounds.push(name);
        }
        for name in ["N.m/rad3", "J/(kg.K)", "km/h"] {
            assert!(compounds.contains(&name), "{name}");
        }
    }

    #[test]
    fn display_value_is_factor_times_value_plus_offset() {
        let kelvin = unit("K").unwrap();
        let DisplayUnit { name, factor, offset } = &kelvin.display[0];
        assert_eq!(name, "degC");
        assert_eq!(factor * 273.15 + offset, 0.0);
        let rad = unit("rad").unwrap();
        assert_eq!(rad.display[0].name, "deg");
        assert!((rad.display[0].factor * std::f64::consts::PI - 180.0).abs() < 1e-12);
    }

    #[test]
    fn other_names_of_units_lead_to_the_known_ones() {
        for (name, unit) in [
            ("Nm", "N.m"),
            ("rpm", "rev/min"),
            ("RPM", "rev/min"),
            ("kgm2", "kg.m2"),
            ("kg*m^2", "kg.m2"),
            ("m/s^2", "m/s2"),
            ("N*m/rad", "N.m/rad"),
            ("Nm/rad", "N.m/rad"),
            ("sec", "s"),
            ("KG", "kg"),
        ] {
            assert_eq!(meant(name), Some(unit), "{name}");
        }
        assert_eq!(meant("furlong"), None);
        assert!(
            OTHER_NAMES.iter().all(|(other, name)| known(other).is_none() && known(name).is_some())
        );
    }

    #[test]
    fn units_are_the_same_if_their_numbers_are() {
        assert!(same_unit("N.m", "N.m") && same_unit("1/s", "Hz") && same_unit("N.s/m", "kg/s"));
        for (a, b) in [("deg", "rad"), ("m", "N.m"), ("K", "degC"), ("rad/s", "1/s")] {
            assert!(!same_unit(a, b), "{a} {b}");
        }
    }

    #[test]
    fn the_rate_of_a_unit_has_one_more_second_below() {
        assert_eq!(rate_of("rad"), Some("rad/s"));
        assert_eq!(rate_of("rad/s"), Some("rad/s2"));
        assert_eq!(rate_of("m/s"), Some("m/s2"));
        assert_eq!(rate_of("J"), Some("W"));
        assert_eq!(rate_of("deg"), Some("deg/s"));
        assert_eq!(rate_of("furlong"), None);
    }
}
