//! The units that variables can have.

use crate::vocabulary::description::{DisplayUnit, Unit};
use crate::vocabulary::error::Error;
use kernels::limits::Number;
use std::borrow::Cow;

/// A unit that variables can have.
#[derive(Clone, Debug, PartialEq)]
struct KnownUnit {
    name: Cow<'static, str>,
    /// Exponents of kg, m, s, A, K, mol, cd, rad.
    exponents: [i8; 8],
    /// Factor to the base unit.
    factor: f64,
    /// Offset to the base unit.
    offset: f64,
}

/// A row of the table of units.
const fn row(name: &'static str, exponents: [i8; 8], factor: f64, offset: f64) -> KnownUnit {
    KnownUnit { name: Cow::Borrowed(name), exponents, factor, offset }
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
    row("rpm", [0, 0, -1, 0, 0, 0, 0, 1], REVOLUTION_PER_MINUTE, 0.0),
    row("m", [0, 1, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("mm", [0, 1, 0, 0, 0, 0, 0, 0], 1e-3, 0.0),
    row("cm", [0, 1, 0, 0, 0, 0, 0, 0], 1e-2, 0.0),
    row("km", [0, 1, 0, 0, 0, 0, 0, 0], 1e3, 0.0),
    row("m2", [0, 2, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("m3", [0, 3, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("l", [0, 3, 0, 0, 0, 0, 0, 0], 1e-3, 0.0),
    row("m3/s", [0, 3, -1, 0, 0, 0, 0, 0], 1.0, 0.0),
    row("m3/h", [0, 3, -1, 0, 0, 0, 0, 0], 1.0 / 3600.0, 0.0),
    row("l/min", [0, 3, -1, 0, 0, 0, 0, 0], 1e-3 / 60.0, 0.0),
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
    row("Wh", [1, 2, -2, 0, 0, 0, 0, 0], 3600.0, 0.0),
    row("kWh", [1, 2, -2, 0, 0, 0, 0, 0], 3.6e6, 0.0),
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
    row("S", [-1, -2, 3, 2, 0, 0, 0, 0], 1.0, 0.0),
    row("F", [-1, -2, 4, 2, 0, 0, 0, 0], 1.0, 0.0),
    row("H", [1, 2, -2, -2, 0, 0, 0, 0], 1.0, 0.0),
    row("Wb", [1, 2, -2, -1, 0, 0, 0, 0], 1.0, 0.0),
    row("C", [0, 0, 1, 1, 0, 0, 0, 0], 1.0, 0.0),
    row("Ah", [0, 0, 1, 1, 0, 0, 0, 0], 3600.0, 0.0),
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
    ("m3/s", &["l/min"]),
    ("C", &["Ah"]),
];

fn of_table(name: &str) -> Option<&'static KnownUnit> {
    UNITS.iter().find(|unit| unit.name == name)
}

/// Whether a unit is known to a model that declares units of its own: a unit of the table or of the
/// model, or a product of some.
pub fn is_unit(name: &str, own: &[&str]) -> bool {
    let own = own.iter().map(|own| KnownUnit { name: Cow::Owned((*own).to_owned()), ..NUMBER });
    Units { own: own.collect() }.known(name).is_some()
}

/// The unit of numbers.
const NUMBER: KnownUnit = row("1", [0; 8], 1.0, 0.0);

/// The units of a model: the units in the table, the units that the model declares, and products of
/// both.
#[derive(Clone, Debug, Default)]
pub(crate) struct Units {
    own: Vec<KnownUnit>,
}

impl Units {
    /// Declares a unit: `1 name = factor of`.
    ///
    /// # Errors
    /// `of` is not known, the factor is not positive, or the name has another meaning.
    pub fn declare(&mut self, name: &str, factor: f64, of: &str) -> Result<(), Error> {
        let refuse = |why: &str| {
            Err(Error::Unit(format!("the unit {name} = {} {of}: {why}", Number(factor))))
        };
        let Some(base) = self.known(of) else {
            return refuse(&format!("the unit {of} is not known{}", use_meant(of, "")));
        };
        if !(factor > 0.0 && factor.is_finite()) {
            return refuse("the factor must be positive and finite");
        }
        if name.is_empty() {
            return refuse("it has no name");
        }
        if base.offset != 0.0 {
            return refuse(&format!("{of} has an offset, so it cannot define another unit"));
        }
        let KnownUnit { exponents, factor: of_base, .. } = base;
        let name = Cow::Owned(name.to_owned());
        let unit = KnownUnit { name, exponents, factor: factor * of_base, offset: 0.0 };
        match self.known(&unit.name) {
            None => self.own.push(unit),
            Some(known) if known == unit => {}
            Some(_) => return refuse("the unit has another meaning already"),
        }
        Ok(())
    }

    fn known(&self, name: &str) -> Option<KnownUnit> {
        let has_other_name = OTHER_NAMES.iter().any(|(other, _)| *other == name);
        let product = || (!has_other_name).then(|| self.product(name)).flatten();
        self.listed(name).cloned().or_else(product)
    }

    fn listed(&self, name: &str) -> Option<&KnownUnit> {
        of_table(name).or_else(|| self.own.iter().find(|unit| unit.name == name))
    }

    /// The unit with the name of a product or a quotient of listed units without offset, such as
    /// `kg.m2` or `J/(mol.K)`.
    fn product(&self, name: &str) -> Option<KnownUnit> {
        let (above, below) = name.split_once('/').map_or((name, None), |(a, b)| (a, Some(b)));
        let mut unit = row("", [0; 8], 1.0, 0.0);
        for part in above.split('.') {
            self.multiply(&mut unit, part, 1)?;
        }
        match below.map(|below| (below, below.strip_prefix('(').and_then(|b| b.strip_suffix(')'))))
        {
            Some((_, Some(parts))) => {
                for part in parts.split('.') {
                    self.multiply(&mut unit, part, -1)?;
                }
            }
            Some((part, None)) => self.multiply(&mut unit, part, -1)?,
            None => {}
        }
        unit.name = Cow::Owned(name.to_owned());
        Some(unit)
    }

    /// Multiplies a unit by a power such as `m2` or `s-1`, or divides it if `sign` is -1.
    fn multiply(&self, unit: &mut KnownUnit, part: &str, sign: i8) -> Option<()> {
        let base =
            if part == "1" { part } else { part.trim_end_matches(|c: char| c.is_ascii_digit()) };
        let digits = &part[base.len()..];
        let (base, is_inverse) = match base.strip_suffix('-') {
            Some(base) if !digits.is_empty() => (base, true),
            _ => (base, false),
        };
        let least = if is_inverse { 1 } else { 2 };
        let power: i8 = match digits {
            "" => 1,
            _ => digits.parse().ok().filter(|power| *power >= least && !digits.starts_with('0'))?,
        };
        let power = if is_inverse { -power } else { power };
        let power = power.checked_mul(sign)?;
        let known = self.listed(base).filter(|known| known.offset == 0.0)?;
        for (sum, exponent) in unit.exponents.iter_mut().zip(known.exponents) {
            *sum = sum.checked_add(exponent.checked_mul(power)?)?;
        }
        unit.factor *= known.factor.powi(power.into());
        Some(())
    }

    /// Whether two units are equal in dimension, factor and offset; unknown units are refused
    /// elsewhere.
    pub fn same(&self, a: &str, b: &str) -> bool {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => {
                let close = (a.factor / b.factor - 1.0).abs() < 1e-14;
                a.exponents == b.exponents && close && a.offset == b.offset
            }
            _ => true,
        }
    }

    /// A unit with its usual display units, or `None` if it is not known.
    pub fn unit(&self, name: &str) -> Option<Unit> {
        let KnownUnit { name, exponents, factor, offset } = self.known(name)?;
        let name = name.into_owned();
        let usual = DISPLAY.iter().find(|(unit, _)| *unit == name);
        let mut unit = Unit { name, exponents, factor, offset, display: Vec::new() };
        for display in usual.map_or(&[][..], |(_, names)| names) {
            let added = self.add_display(&mut unit, display);
            debug_assert!(added, "{display} measures the same as {}", unit.name);
        }
        Some(unit)
    }

    /// The unit of the derivative with respect to time of a quantity with this unit: one of the
    /// table if there is one, or else a quotient. `None` if it has no name.
    pub fn rate_of(&self, name: &str) -> Option<String> {
        let KnownUnit { mut exponents, factor, .. } = self.known(name)?;
        exponents[2] -= 1;
        let same = |unit: &&KnownUnit| {
            unit.exponents == exponents && unit.factor == factor && unit.offset == 0.0
        };
        let quotient = match name.split_once('/') {
            None => format!("{name}/s"),
            Some((above, below)) => {
                let below =
                    below.strip_prefix('(').and_then(|b| b.strip_suffix(')')).unwrap_or(below);
                format!("{above}/({below}.s)")
            }
        };
        // If a unit has several names, the one that begins with the given name is chosen.
        let of_table = of_table(&quotient).filter(same).or_else(|| UNITS.iter().find(same));
        let of_table = of_table.map(|unit| unit.name.to_string());
        of_table.or_else(|| self.known(&quotient).map(|_| quotient))
    }

    /// Adds a display unit; false if it is not known or has another dimension.
    pub fn add_display(&self, unit: &mut Unit, name: &str) -> bool {
        let known = self.known(name).filter(|known| known.exponents == unit.exponents);
        let Some(known) = known else { return false };
        if !unit.display.iter().any(|display| display.name == name) {
            unit.display.push(DisplayUnit {
                name: name.to_owned(),
                factor: unit.factor / known.factor,
                offset: (unit.offset - known.offset) / known.factor,
            });
        }
        true
    }
}

/// Other names of units, with the names that are used here.
#[rustfmt::skip]
const OTHER_NAMES: &[(&str, &str)] = &[
    ("1/min", "rev/min"), ("radian", "rad"), ("radians", "rad"),
    ("degree", "deg"), ("degrees", "deg"), ("°", "deg"), ("°/s", "deg/s"), ("sec", "s"), ("kph", "km/h"),
    ("°C", "degC"), ("celsius", "degC"), ("kelvin", "K"), ("percent", "%"), ("-", "1"),
    ("newton", "N"), ("joule", "J"), ("watt", "W"), ("meter", "m"), ("metre", "m"), ("Nms", "N.m.s"),
];

/// The known unit that a name probably means.
fn meant(name: &str) -> Option<&'static str> {
    let plain = |name: &str| -> String {
        name.chars().filter(|c| !matches!(c, '.' | '*' | '^' | '·' | ' ' | '(' | ')')).collect()
    };
    let other = OTHER_NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
    let exact = UNITS.iter().find(|unit| plain(&unit.name) == plain(name));
    let similar = || UNITS.iter().find(|unit| plain(&unit.name).eq_ignore_ascii_case(&plain(name)));
    let of_table = || exact.or_else(similar).map(|unit| &*unit.name);
    other.map(|(_, unit)| *unit).or_else(of_table)
}

/// The unit that was probably meant, as the end of a message; `otherwise` if none was.
pub(crate) fn use_meant(name: &str, otherwise: &str) -> String {
    meant(name).map_or(otherwise.to_owned(), |meant| format!("; use {meant}"))
}

/// The unit in which a quantity with this unit is usually shown: angles in degrees.
pub(crate) fn usual_display(unit: &str) -> Option<&'static str> {
    (unit == "rad").then_some("deg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_listed_once_and_display_units_measure_the_same() {
        for (i, known) in UNITS.iter().enumerate() {
            assert!(UNITS[..i].iter().all(|other| other.name != known.name), "{}", known.name);
            Units::default().unit(&known.name);
        }
    }

    #[test]
    fn a_compound_unit_measures_what_its_name_says() {
        let mut compounds = Vec::new();
        for unit in UNITS.iter().filter(|unit| unit.name.contains(['.', '/'])) {
            let Some(product) = Units::default().product(&unit.name) else { continue };
            assert_eq!(product.exponents, unit.exponents, "{}", unit.name);
            assert!((product.factor / unit.factor - 1.0).abs() < 1e-15, "{}", unit.name);
            compounds.push(&*unit.name);
        }
        for name in ["N.m/rad3", "J/(kg.K)", "km/h", "l/min"] {
            assert!(compounds.contains(&name), "{name}");
        }
    }

    #[test]
    fn products_of_known_units_are_units() {
        let units = Units::default();
        let motor = units.unit("kg.m2/(A.s2)").unwrap();
        assert_eq!((motor.exponents, motor.factor), ([1, 2, -2, -1, 0, 0, 0, 0], 1.0));
        assert!(units.same("kg.m2/s2", "J") && units.same("kW/m", "W/mm"));
        assert_eq!(units.unit("mm2").unwrap().factor, 1e-6);
        for name in ["Nm", "degC/s", "m/s/s", "kg.", "m2x", "m999", "/s", "kg.furlong"] {
            assert_eq!(units.unit(name), None, "{name}");
        }
    }

    #[test]
    fn a_model_has_units_of_its_own() {
        let mut units = Units::default();
        units.declare("gal/min", 6.30902e-5, "m3/s").unwrap();
        units.declare("gal/min", 6.30902e-5, "m3/s").unwrap();
        units.declare("lbf", 4.448222, "N").unwrap();
        let gallons = units.unit("gal/min").unwrap();
        assert_eq!((gallons.exponents, gallons.factor), ([0, 3, -1, 0, 0, 0, 0, 0], 6.30902e-5));
        assert_eq!(units.unit("lbf.m").unwrap().factor, 4.448222);
        let mut flow = units.unit("m3/s").unwrap();
        assert!(units.add_display(&mut flow, "gal/min"));
        for (name, factor, of, sentence) in [
            ("lbf", 1.0, "N", "the unit lbf = 1 N: the unit has another meaning already"),
            (
                "ft",
                0.3048,
                "metre",
                "the unit ft = 0.3048 metre: the unit metre is not known; use m",
            ),
            (
                "degX",
                2.0,
                "degC",
                "the unit degX = 2 degC: degC has an offset, so it cannot define another unit",
            ),
            ("ft", 0.0, "m", "the unit ft = 0 m: the factor must be positive and finite"),
        ] {
            assert_eq!(units.declare(name, factor, of).unwrap_err().to_string(), sentence);
        }
    }

    #[test]
    fn display_value_is_factor_times_value_plus_offset() {
        let units = Units::default();
        let kelvin = units.unit("K").unwrap();
        let DisplayUnit { name, factor, offset } = &kelvin.display[0];
        assert_eq!(name, "degC");
        assert_eq!(factor * 273.15 + offset, 0.0);
        let rad = units.unit("rad").unwrap();
        assert_eq!(rad.display[0].name, "deg");
        assert!((rad.display[0].factor * std::f64::consts::PI - 180.0).abs() < 1e-12);
    }

    #[test]
    fn other_names_of_units_lead_to_the_known_ones() {
        for (name, unit) in [
            ("Nm", "N.m"),
            ("1/min", "rev/min"),
            ("RPM", "rpm"),
            ("kgm2", "kg.m2"),
            ("kg*m^2", "kg.m2"),
            ("m/s^2", "m/s2"),
            ("N*m/rad", "N.m/rad"),
            ("Nm/rad", "N.m/rad"),
            ("sec", "s"),
            ("KG", "kg"),
        ] {
            assert_eq!(meant(name), Some(unit), "{name}");
            assert!(Units::default().known(name).is_none(), "{name} is not known");
        }
        assert_eq!(meant("furlong"), None);
        assert!(
            OTHER_NAMES
                .iter()
                .all(|(other, name)| of_table(other).is_none() && of_table(name).is_some())
        );
    }

    #[test]
    fn units_are_the_same_if_their_numbers_are() {
        let units = Units::default();
        let same_unit = |a, b| units.same(a, b);
        assert!(same_unit("N.m", "N.m") && same_unit("1/s", "Hz") && same_unit("N.s/m", "kg/s"));
        for (a, b) in [("deg", "rad"), ("m", "N.m"), ("K", "degC"), ("rad/s", "1/s")] {
            assert!(!same_unit(a, b), "{a} {b}");
        }
    }

    #[test]
    fn the_rate_of_a_unit_has_one_more_second_below() {
        let mut units = Units::default();
        units.declare("mV", 1e-3, "V").unwrap();
        units.declare("gal/min", 6.30902e-5, "m3/s").unwrap();
        for (unit, rate) in [
            ("rad", Some("rad/s")),
            ("rad/s", Some("rad/s2")),
            ("m/s", Some("m/s2")),
            ("J", Some("W")),
            ("deg", Some("deg/s")),
            ("degC", Some("K/s")),
            ("A", Some("A/s")),
            ("mV", Some("mV/s")),
            ("N.m/A", Some("V")),
            ("kg/A", Some("kg/(A.s)")),
            ("J/(kg.K)", Some("J/(kg.K.s)")),
            ("gal/min", None),
        ] {
            assert_eq!(units.rate_of(unit).as_deref(), rate, "{unit}");
        }
        assert_eq!(units.rate_of("furlong"), None);
    }
}
