//! The controls of a page: inputs and parameters with their ranges.

use report::{Control, Effect, Entry};

use fmus::csv::number;
use fmus::model_description::{Base, ModelDescription, ScalarVariable};
use fmus::wording::shown_unit;
use fmus::xml::boolean;
use simulation::run::{is_settable, is_tunable};

/// The controls of a model: first the inputs, then the parameters. A control starts at the value
/// set by the user, `name=value`, or else at the start value in the description.
pub fn of(d: &ModelDescription, set: &[String]) -> Vec<Control> {
    let offered = |v: &&ScalarVariable| {
        let is_offered = v.causality == "input" || v.causality == "parameter";
        is_offered && is_settable(v)
    };
    let mut variables: Vec<&ScalarVariable> = d.variables.iter().filter(offered).collect();
    variables.sort_by_key(|v| v.causality != "input");
    variables.into_iter().map(|v| control(d, v, given(&v.name, set))).collect()
}

/// The value that the user has set for a variable.
pub fn given<'s>(name: &str, set: &'s [String]) -> Option<&'s str> {
    set.iter()
        .find_map(|text| Some(text.trim().strip_prefix(name)?.trim().strip_prefix('=')?.trim()))
}

fn control(d: &ModelDescription, v: &ScalarVariable, given: Option<&str>) -> Control {
    let items = d.declared_type(v).map(|t| &t.items[..]).unwrap_or_default();
    let text = given.or(v.start.as_deref()).unwrap_or_default();
    let named = |value: i64| items.iter().find(|(_, v)| *v == value).map(|(name, _)| name.clone());
    let (entry, value) = match v.base {
        Base::Boolean => {
            let value = boolean(text).unwrap_or_default();
            (Entry::Choice(vec!["false".to_owned(), "true".to_owned()]), value.to_string())
        }
        Base::Enumeration => {
            let names = items.iter().map(|(name, _)| name.clone()).collect();
            let value = text.parse().ok().and_then(named);
            (Entry::Choice(names), value.unwrap_or_else(|| text.to_owned()))
        }
        Base::String => (Entry::Text, text.to_owned()),
        Base::Real | Base::Integer => {
            let value = text.parse().ok().filter(|v: &f64| v.is_finite()).unwrap_or(0.0);
            let (low, high) = range(v, value);
            let (min, max) = (v.attributes.min, v.attributes.max);
            let finite = |limit: Option<f64>| limit.filter(|v| v.is_finite());
            let is_whole = v.base == Base::Integer;
            let (min, max) = (finite(min), finite(max));
            (Entry::Number { min, max, low, high, is_whole }, number(value))
        }
    };
    Control {
        name: v.name.clone(),
        unit: shown_unit(v.attributes.unit.as_deref()).unwrap_or_default().to_owned(),
        description: v.description.clone(),
        effect: if is_tunable(v) { Effect::AtOnce } else { Effect::AtRestart },
        entry,
        value,
    }
}

/// The ends of a slider: the limits of the variable; without a limit, as far from the start value
/// as this is from zero, or by the nominal value if it is zero.
fn range(v: &ScalarVariable, start: f64) -> (f64, f64) {
    let limits = [v.attributes.min, v.attributes.max].map(|l| l.filter(|l| l.is_finite()));
    let nominal = v.attributes.nominal.map(f64::abs).filter(|n| *n > 0.0 && n.is_finite());
    let reach = if start == 0.0 { nominal.unwrap_or(1.0) } else { start.abs() };
    let [low, high] = [limits[0].unwrap_or(start - reach), limits[1].unwrap_or(start + reach)];
    // A limit on the other side of the start value leaves no room.
    if low < high { (low, high) } else { (low.min(high) - reach, low.max(high) + reach) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fmus::model_description::Attributes;

    fn variable(min: Option<f64>, max: Option<f64>, nominal: Option<f64>) -> ScalarVariable {
        let attributes = Attributes { min, max, nominal, ..Attributes::default() };
        ScalarVariable { attributes, ..ScalarVariable::default() }
    }

    #[test]
    fn sliders_end_at_the_limits_or_else_around_the_start_value() {
        let check = |min, max, nominal, start, expected| {
            assert_eq!(range(&variable(min, max, nominal), start), expected);
        };
        check(Some(-3.0), Some(5.0), None, 1.0, (-3.0, 5.0));
        check(None, None, None, 2.0, (0.0, 4.0));
        check(None, None, None, -2.0, (-4.0, 0.0));
        check(None, None, None, 0.0, (-1.0, 1.0));
        check(None, None, Some(50.0), 0.0, (-50.0, 50.0));
        check(Some(0.5), None, None, 2.0, (0.5, 4.0));
        check(Some(f64::NEG_INFINITY), Some(3.0), None, 2.0, (0.0, 3.0));
    }

    #[test]
    fn controls_have_the_values_that_the_user_has_set() {
        let set = ["m = 3".to_owned(), "mass=4".to_owned()];
        assert_eq!(given("m", &set), Some("3"));
        assert_eq!(given("mass", &set), Some("4"));
        assert_eq!(given("a", &set), None);
        let mut mass = variable(Some(1e-9), None, None);
        (mass.name, mass.causality) = ("m".to_owned(), "parameter".to_owned());
        (mass.variability, mass.start) = ("fixed".to_owned(), Some("1".to_owned()));
        let mut force = mass.clone();
        (force.name, force.causality) = ("f".to_owned(), "input".to_owned());
        let d = ModelDescription { variables: vec![mass, force], ..ModelDescription::default() };
        let controls = of(&d, &set);
        let seen = controls.iter().map(|c| (&*c.name, &*c.value, c.effect)).collect::<Vec<_>>();
        assert_eq!(seen, [("f", "1", Effect::AtOnce), ("m", "3", Effect::AtRestart)]);
    }
}
