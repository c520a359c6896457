//! The units that variables can have.

use crate::description::Unit;

/// Name, exponents of kg, m, s, A, K, mol, cd, rad, factor and offset to the base unit.
type Row = (&'static str, [i8; 8], f64, f64);

const DEGREE: f64 = std::f64::consts::PI / 180.0;
const REVOLUTION_PER_MINUTE: f64 = std::f64::consts::PI / 30.0;

#[rustfmt::skip]
const UNITS: &[Row] = &[
    ("1", [0, 0, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("s", [0, 0, 1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("ms", [0, 0, 1, 0, 0, 0, 0, 0], 1e-3, 0.0),
    ("min", [0, 0, 1, 0, 0, 0, 0, 0], 60.0, 0.0),
    ("h", [0, 0, 1, 0, 0, 0, 0, 0], 3600.0, 0.0),
    ("Hz", [0, 0, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("1/s", [0, 0, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("1/s2", [0, 0, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("rad", [0, 0, 0, 0, 0, 0, 0, 1], 1.0, 0.0),
    ("rad/s", [0, 0, -1, 0, 0, 0, 0, 1], 1.0, 0.0),
    ("rad/s2", [0, 0, -2, 0, 0, 0, 0, 1], 1.0, 0.0),
    ("rad/s3", [0, 0, -3, 0, 0, 0, 0, 1], 1.0, 0.0),
    ("rad/m", [0, -1, 0, 0, 0, 0, 0, 1], 1.0, 0.0),
    ("1/rad", [0, 0, 0, 0, 0, 0, 0, -1], 1.0, 0.0),
    ("s/rad", [0, 0, 1, 0, 0, 0, 0, -1], 1.0, 0.0),
    ("s/m", [0, -1, 1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("deg", [0, 0, 0, 0, 0, 0, 0, 1], DEGREE, 0.0),
    ("deg/s", [0, 0, -1, 0, 0, 0, 0, 1], DEGREE, 0.0),
    ("rev/min", [0, 0, -1, 0, 0, 0, 0, 1], REVOLUTION_PER_MINUTE, 0.0),
    ("m", [0, 1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("mm", [0, 1, 0, 0, 0, 0, 0, 0], 1e-3, 0.0),
    ("cm", [0, 1, 0, 0, 0, 0, 0, 0], 1e-2, 0.0),
    ("km", [0, 1, 0, 0, 0, 0, 0, 0], 1e3, 0.0),
    ("m2", [0, 2, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("m3", [0, 3, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("1/m", [0, -1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("m/rad", [0, 1, 0, 0, 0, 0, 0, -1], 1.0, 0.0),
    ("m/s", [0, 1, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("km/h", [0, 1, -1, 0, 0, 0, 0, 0], 1.0 / 3.6, 0.0),
    ("m/s2", [0, 1, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("m/s3", [0, 1, -3, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("m3/s2", [0, 3, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("m3/(kg.s2)", [-1, 3, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kg", [1, 0, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("g", [1, 0, 0, 0, 0, 0, 0, 0], 1e-3, 0.0),
    ("kg/m", [1, -1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kg/m2", [1, -2, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kg/m3", [1, -3, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kg/s", [1, 0, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kg.m", [1, 1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kg.m2", [1, 2, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kg.m/s", [1, 1, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kg.m2/s", [1, 2, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("N", [1, 1, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kN", [1, 1, -2, 0, 0, 0, 0, 0], 1e3, 0.0),
    ("N.s", [1, 1, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("N/m", [1, 0, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("N.s/m", [1, 0, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("N.s2/m2", [1, -1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("N.m", [1, 2, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("N.m.s", [1, 2, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("N.m/rad", [1, 2, -2, 0, 0, 0, 0, -1], 1.0, 0.0),
    ("N.m/rad3", [1, 2, -2, 0, 0, 0, 0, -3], 1.0, 0.0),
    ("N.m.s/rad", [1, 2, -1, 0, 0, 0, 0, -1], 1.0, 0.0),
    ("N.m.s2/rad2", [1, 2, 0, 0, 0, 0, 0, -2], 1.0, 0.0),
    ("N/rad", [1, 1, -2, 0, 0, 0, 0, -1], 1.0, 0.0),
    ("N.s/rad", [1, 1, -1, 0, 0, 0, 0, -1], 1.0, 0.0),
    ("N/m2", [1, -1, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("Pa", [1, -1, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("bar", [1, -1, -2, 0, 0, 0, 0, 0], 1e5, 0.0),
    ("J", [1, 2, -2, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("W", [1, 2, -3, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("kW", [1, 2, -3, 0, 0, 0, 0, 0], 1e3, 0.0),
    ("W/m2", [1, 0, -3, 0, 0, 0, 0, 0], 1.0, 0.0),
    ("W/K", [1, 2, -3, 0, -1, 0, 0, 0], 1.0, 0.0),
    ("J/K", [1, 2, -2, 0, -1, 0, 0, 0], 1.0, 0.0),
    ("J/(kg.K)", [0, 2, -2, 0, -1, 0, 0, 0], 1.0, 0.0),
    ("K", [0, 0, 0, 0, 1, 0, 0, 0], 1.0, 0.0),
    ("degC", [0, 0, 0, 0, 1, 0, 0, 0], 1.0, 273.15),
    ("K/W", [-1, -2, 3, 0, 1, 0, 0, 0], 1.0, 0.0),
    ("K/s", [0, 0, -1, 0, 1, 0, 0, 0], 1.0, 0.0),
    ("1/K", [0, 0, 0, 0, -1, 0, 0, 0], 1.0, 0.0),
    ("A", [0, 0, 0, 1, 0, 0, 0, 0], 1.0, 0.0),
    ("V", [1, 2, -3, -1, 0, 0, 0, 0], 1.0, 0.0),
    ("Ohm", [1, 2, -3, -2, 0, 0, 0, 0], 1.0, 0.0),
    ("F", [-1, -2, 4, 2, 0, 0, 0, 0], 1.0, 0.0),
    ("H", [1, 2, -2, -2, 0, 0, 0, 0], 1.0, 0.0),
    ("C", [0, 0, 1, 1, 0, 0, 0, 0], 1.0, 0.0),
    ("N.m/A", [1, 2, -2, -1, 0, 0, 0, 0], 1.0, 0.0),
    ("V.s/rad", [1, 2, -2, -1, 0, 0, 0, -1], 1.0, 0.0),
    ("mol", [0, 0, 0, 0, 0, 1, 0, 0], 1.0, 0.0),
    ("cd", [0, 0, 0, 0, 0, 0, 1, 0], 1.0, 0.0),
    ("%", [0, 0, 0, 0, 0, 0, 0, 0], 1e-2, 0.0),
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

fn row(name: &str) -> Option<&'static Row> {
    UNITS.iter().find(|row| row.0 == name)
}

/// Whether two units are equal in dimension, factor and offset; unknown units are refused
/// elsewhere.
pub fn same_unit(a: &str, b: &str) -> bool {
    match (row(a), row(b)) {
        (Some(a), Some(b)) => (a.1, a.2, a.3) == (b.1, b.2, b.3),
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
    let exact = UNITS.iter().find(|row| plain(row.0) == plain(name));
    let similar = || UNITS.iter().find(|row| plain(row.0).eq_ignore_ascii_case(&plain(name)));
    let of_table = || exact.or_else(similar).map(|row| row.0);
    other.map(|(_, unit)| *unit).or_else(of_table)
}

/// A unit with its usual display units, or `None` if it is not known.
pub(crate) fn unit(name: &str) -> Option<Unit> {
    let &(name, exponents, factor, offset) = row(name)?;
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
    let Some(&(_, exponents, factor, offset)) = row(name) else { return false };
    if exponents != unit.exponents {
        return false;
    }
    if !unit.display.iter().any(|(known, ..)| known == name) {
        let display = (name.to_owned(), unit.factor / factor, (unit.offset - offset) / factor);
        unit.display.push(display);
    }
    true
}

/// The unit of the derivative with respect to time of a quantity with this unit.
pub(crate) fn rate_of(name: &str) -> Option<&'static str> {
    let &(_, mut exponents, factor, _) = row(name)?;
    exponents[2] -= 1;
    // If a unit has several names, the one that begins with the given name is chosen.
    let same = |row: &&Row| row.1 == exponents && row.2 == factor && row.3 == 0.0;
    let continued = format!("{name}/s");
    UNITS
        .iter()
        .filter(same)
        .find(|row| row.0 == continued)
        .or_else(|| UNITS.iter().find(same))
        .map(|row| row.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_listed_once_and_display_units_measure_the_same() {
        for (i, row) in UNITS.iter().enumerate() {
            assert!(UNITS[..i].iter().all(|other| other.0 != row.0), "{}", row.0);
            unit(row.0);
        }
    }

    /// Exponents and factor of a product such as `kg.m2`; `None` if a unit in it is not known.
    fn product(name: &str) -> Option<([i32; 8], f64)> {
        let (mut exponents, mut factor) = ([0; 8], 1.0);
        for part in name.split('.') {
            let base = if part == "1" { part } else { part.trim_end_matches(char::is_numeric) };
            let power: i32 = part[base.len()..].parse().unwrap_or(1);
            let known = row(base)?;
            exponents.iter_mut().zip(known.1).for_each(|(sum, e)| *sum += power * i32::from(e));
            factor *= known.2.powi(power);
        }
        Some((exponents, factor))
    }

    #[test]
    fn a_compound_unit_measures_what_its_name_says() {
        let mut compounds = Vec::new();
        for &(name, exponents, factor, _) in UNITS {
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
        let (name, factor, offset) = &kelvin.display[0];
        assert_eq!(name, "degC");
        assert_eq!(factor * 273.15 + offset, 0.0);
        let rad = unit("rad").unwrap();
        assert_eq!(rad.display[0].0, "deg");
        assert!((rad.display[0].1 * std::f64::consts::PI - 180.0).abs() < 1e-12);
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
            OTHER_NAMES.iter().all(|(other, unit)| row(other).is_none() && row(unit).is_some())
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
