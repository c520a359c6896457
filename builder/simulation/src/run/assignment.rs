//! Values that the user gives to variables: variables are found by name, and values are checked and
//! set.

use std::fmt;

use fmus::csv::number;
use fmus::error::{Error, FailedCall};
use fmus::host::Instance;
use fmus::model_description::{Base, ModelDescription, ScalarVariable};
use fmus::wording::{shown_unit, similar};
use fmus::xml::boolean;
use kernels::limits::Limits;

/// A start value to be set before initialization.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// Name of the variable.
    pub name: String,
    reference: u32,
    value: Value,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Real(f64),
    Integer(i32),
    Boolean(bool),
    String(String),
}

/// Its text, `name=value`.
impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=", self.name)?;
        match &self.value {
            Value::Real(value) => f.write_str(&number(*value)),
            Value::Integer(value) => value.fmt(f),
            Value::Boolean(value) => value.fmt(f),
            Value::String(value) => f.write_str(value),
        }
    }
}

impl Assignment {
    /// Parses `name=value`.
    ///
    /// # Errors
    /// If the variable does not exist or cannot be set, or if the value is not legal for the
    /// variable.
    pub fn parse(description: &ModelDescription, text: &str) -> Result<Assignment, Error> {
        let model = &description.model_name;
        // The name may contain `=` in quotation marks.
        let splits = text.match_indices('=').map(|(i, _)| (&text[..i], &text[i + 1..]));
        let mut splits = splits.map(|(name, value)| (name.trim(), value.trim()));
        let Some(first) = splits.next() else {
            return Err(Error::Request(format!("`{text}` is not of the form name=value")));
        };
        let found = [first]
            .into_iter()
            .chain(splits)
            .find_map(|(name, value)| description.variable(name).map(|variable| (variable, value)));
        let (variable, value) = match found {
            Some(found) => found,
            None => (lookup(description, first.0)?, first.1),
        };
        if !is_settable(variable) {
            return Err(Error::Request(format!(
                "{model}: {} cannot be set, it is {}",
                variable.name,
                nature(description, variable)
            )));
        }
        let value = parse_value(description, variable, value)?;
        let (name, reference) = (variable.name.clone(), variable.value_reference);
        Ok(Assignment { name, reference, value })
    }

    /// Parses `name=value` for a variable of a simulation that runs.
    ///
    /// # Errors
    /// As [`Assignment::parse`], and if the variable is neither an input nor a tunable parameter.
    pub fn parse_live(description: &ModelDescription, text: &str) -> Result<Assignment, Error> {
        let assignment = Assignment::parse(description, text)?;
        let variable = lookup(description, &assignment.name)?;
        match is_tunable(variable) {
            true => Ok(assignment),
            false => Err(Error::Request(format!(
                "{}: {} does not change while the simulation runs: its value takes effect when \
                 the simulation starts again",
                description.model_name, variable.name
            ))),
        }
    }

    /// Sets the value.
    ///
    /// # Errors
    /// If the FMU refuses.
    pub fn apply(&self, instance: &mut Instance<'_>) -> Result<(), FailedCall> {
        let reference = &[self.reference];
        match &self.value {
            Value::Real(value) => instance.set_real(reference, &[*value]),
            Value::Integer(value) => instance.set_integer(reference, &[*value]),
            Value::Boolean(value) => instance.set_boolean(reference, &[i32::from(*value)]),
            Value::String(value) => instance.set_string(reference, &[value]),
        }
    }
}

/// Checks `name=value` for the variable with this name, which may contain `=`.
///
/// # Errors
/// As [`Assignment::parse`], or [`Assignment::parse_live`] for a simulation that runs.
pub fn check_assignment(
    description: &ModelDescription,
    name: &str,
    text: &str,
    is_running: bool,
) -> Result<(), Error> {
    lookup(description, name)?;
    let parse = if is_running { Assignment::parse_live } else { Assignment::parse };
    parse(description, text).map(|_| ())
}

/// The variable with a name.
///
/// # Errors
/// If there is none; the message suggests the most similar name.
pub fn lookup<'d>(
    description: &'d ModelDescription,
    name: &str,
) -> Result<&'d ScalarVariable, Error> {
    description.variable(name).ok_or_else(|| {
        let names = description.variables.iter().map(|v| v.name.as_str());
        let hint = similar(name, names).map(|similar| format!("; is it `{similar}`?"));
        let hint = hint.unwrap_or_default();
        Error::Request(format!("{} has no variable `{name}`{hint}", description.model_name))
    })
}

/// The kind of a variable, as the end of a sentence.
fn nature(description: &ModelDescription, v: &ScalarVariable) -> String {
    match (&*v.causality, &*v.variability) {
        ("parameter", _) => "a parameter".to_owned(),
        ("calculatedParameter", _) => match &followed(description, v)[..] {
            [] => "calculated from parameters".to_owned(),
            [parameter] => format!("calculated from {parameter}: set this parameter instead"),
            parameters => {
                format!("calculated from {}: set these parameters instead", parameters.join(", "))
            }
        },
        ("input", _) => "an input".to_owned(),
        ("independent", _) => "the independent variable".to_owned(),
        (_, "constant") => "a constant: its value was fixed when the FMU was made".to_owned(),
        ("local", "fixed") => "fixed: the model or parameters determine it".to_owned(),
        ("output", _) => "an output that the model computes".to_owned(),
        _ => "a variable that the model computes".to_owned(),
    }
}

/// The parameters from which a calculated parameter follows, as far as the FMU lists them.
fn followed<'d>(description: &'d ModelDescription, v: &ScalarVariable) -> Vec<&'d str> {
    let unknowns = description.initial_unknowns.iter();
    let named = |index: &usize| description.variables.get(*index);
    let mut unknowns = unknowns.filter(|u| named(&u.index).is_some_and(|u| u.name == v.name));
    let dependencies = unknowns.find_map(|unknown| unknown.dependencies.as_ref());
    let variables = dependencies.into_iter().flatten().filter_map(named);
    variables.filter(|v| v.causality == "parameter").map(|v| v.name.as_str()).collect()
}

/// Whether a variable may be set while a simulation runs.
pub fn is_tunable(v: &ScalarVariable) -> bool {
    v.causality == "input" || v.causality == "parameter" && v.variability == "tunable"
}

/// Whether a variable may be set before initialization.
pub fn is_settable(v: &ScalarVariable) -> bool {
    v.causality == "input"
        || v.variability != "constant" && matches!(v.initial(), Some("exact" | "approx"))
}

/// Checks a number against the type and the limits of a variable.
///
/// # Errors
/// A message such as `s = -1 m: must be positive`.
pub fn check_number(v: &ScalarVariable, value: f64) -> Result<(), String> {
    let refuse = |why: &str| Err(format!("{} = {} is {why}", v.name, number(value)));
    let attributes = &v.attributes;
    let limits = Limits {
        min: attributes.min.unwrap_or(Limits::ANY.min),
        max: attributes.max.unwrap_or(Limits::ANY.max),
    };
    match v.base {
        Base::Boolean if value != 0.0 && value != 1.0 => refuse("neither true nor false"),
        _ if !limits.contain(value) => {
            Err(limits.refuse(&v.name, value, attributes.unit.as_deref().unwrap_or_default()))
        }
        Base::Real => Ok(()),
        _ if value.fract() != 0.0 => refuse("not a whole number"),
        _ if value.abs() > f64::from(i32::MAX) => refuse("too large for a whole number"),
        _ => Ok(()),
    }
}

fn parse_value(
    description: &ModelDescription,
    v: &ScalarVariable,
    text: &str,
) -> Result<Value, Error> {
    let fail = |sentence: String| Error::Request(format!("{}: {sentence}", description.model_name));
    let items = description.declared_type(v).map_or(&[][..], |t| &t.items);
    let parsed = match v.base {
        Base::String => return Ok(Value::String(text.to_owned())),
        Base::Boolean => boolean(text).map(f64::from),
        Base::Enumeration => {
            let item = items.iter().find(|(name, _)| name == text);
            item.map(|(_, value)| *value as f64).or_else(|| text.parse().ok())
        }
        _ => text.parse().ok(),
    };
    let value: f64 = parsed.ok_or_else(|| {
        let wanted = match v.base {
            Base::Boolean => "neither true nor false".to_owned(),
            Base::Enumeration => none_of(items),
            _ => match shown_unit(v.attributes.unit.as_deref()) {
                Some(unit) => format!("not a number of {unit}"),
                None => "not a number".to_owned(),
            },
        };
        fail(format!("{} = {text} is {wanted}", v.name))
    })?;
    if value.is_infinite() && text.contains(|c: char| c.is_ascii_digit()) {
        return Err(fail(format!("{} = {text} is beyond the range of numbers", v.name)));
    }
    check_number(v, value).map_err(fail)?;
    let whole = value as i32;
    if v.base == Base::Enumeration && !items.iter().any(|(_, item)| *item == i64::from(whole)) {
        return Err(fail(format!("{} = {text} is {}", v.name, none_of(items))));
    }
    Ok(match v.base {
        Base::Real => Value::Real(value),
        Base::Boolean => Value::Boolean(value != 0.0),
        _ => Value::Integer(whole),
    })
}

/// The items of an enumeration, for a message about another value.
fn none_of(items: &[(String, i64)]) -> String {
    let items: Vec<String> =
        items.iter().map(|(name, value)| format!("{name} ({value})")).collect();
    format!("none of {}", items.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PENDULUM: &str = r#"<fmiModelDescription fmiVersion="2.0" modelName="Pendulum" guid="{0}">
  <CoSimulation modelIdentifier="Pendulum"/>
  <ModelVariables>
    <ScalarVariable name="body.m" valueReference="0" causality="parameter" initial="exact">
      <Real unit="kg" min="1e-9" start="0.1"/>
    </ScalarVariable>
    <ScalarVariable name="brake.engaged" valueReference="0" causality="input" variability="discrete">
      <Boolean start="true"/>
    </ScalarVariable>
    <ScalarVariable name="phi" valueReference="3" causality="local" initial="exact">
      <Real unit="rad" start="0.3"/>
    </ScalarVariable>
    <ScalarVariable name="w" valueReference="4" causality="output" initial="calculated">
      <Real unit="rad/s"/>
    </ScalarVariable>
  </ModelVariables>
  <ModelStructure/>
</fmiModelDescription>"#;

    #[test]
    fn faulty_assignments_are_refused_in_one_sentence() {
        let description = ModelDescription::parse(PENDULUM).unwrap();
        let check = |assignment: &str, sentence: &str| {
            let error = Assignment::parse(&description, assignment).unwrap_err().to_string();
            assert_eq!(error, sentence);
        };
        check("body.m", "`body.m` is not of the form name=value");
        check("bdy.m=1", "Pendulum has no variable `bdy.m`; is it `body.m`?");
        check("xyzzyxyzzy=1", "Pendulum has no variable `xyzzyxyzzy`");
        check("body.m=-1", "Pendulum: body.m = -1 kg: must be at least 1e-9 kg");
        check("body.m=NaN", "Pendulum: body.m = NaN kg: must be at least 1e-9 kg");
        check("body.m=1e400", "Pendulum: body.m = 1e400 is beyond the range of numbers");
        check("body.m=heavy", "Pendulum: body.m = heavy is not a number of kg");
        check("w=1", "Pendulum: w cannot be set, it is an output that the model computes");
        check("brake.engaged=2", "Pendulum: brake.engaged = 2 is neither true nor false");
        let mut mass = description.variable("body.m").unwrap().clone();
        mass.attributes.min = Some(f64::MIN_POSITIVE);
        let refused = |value| check_number(&mass, value).unwrap_err();
        assert_eq!(refused(0.0), "body.m = 0 kg: must be positive");
        assert_eq!(refused(f64::INFINITY), "body.m = inf kg: must be finite and positive");
        assert!(Assignment::parse(&description, "phi=0.5").is_ok());
        assert!(Assignment::parse(&description, "brake.engaged = false").is_ok());
    }
}
