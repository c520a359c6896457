//! Rules for getting and setting variables.

use super::run::Run;
use super::{Fault, Trial};
use crate::error::Call;
use crate::host::{Instance, Kind, Library};
use crate::read::{Base, ScalarVariable};

/// A few units in the last place: a start value may be the sum of a state and a length.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl Instance<'_> {
    /// The value of a variable that is not a text.
    pub(super) fn number(&mut self, v: &ScalarVariable) -> Result<f64, Call> {
        let (reference, mut real, mut whole) = (&[v.value_reference], [0.0], [0]);
        match v.base {
            Base::Real => {
                self.get_real(reference, &mut real)?;
                return Ok(real[0]);
            }
            Base::Boolean => self.get_boolean(reference, &mut whole)?,
            _ => self.get_integer(reference, &mut whole)?,
        }
        Ok(f64::from(whole[0]))
    }

    /// The values of variables of one base type, which is not a text, in one call.
    fn numbers(&mut self, base: Base, references: &[u32]) -> Result<Vec<f64>, Call> {
        let n = references.len();
        let (mut reals, mut whole) = (vec![f64::NAN; n], vec![i32::MIN; n]);
        match base {
            Base::Real => {
                self.get_real(references, &mut reals)?;
                return Ok(reals);
            }
            Base::Boolean => self.get_boolean(references, &mut whole)?,
            _ => self.get_integer(references, &mut whole)?,
        }
        Ok(whole.into_iter().map(f64::from).collect())
    }

    /// Sets a variable to a value that it has or may have.
    fn set(&mut self, v: &ScalarVariable, value: f64) -> Result<(), Call> {
        let reference = &[v.value_reference];
        match v.base {
            Base::Real => self.set_real(reference, &[value]),
            Base::Boolean => self.set_boolean(reference, &[i32::from(value != 0.0)]),
            _ => self.set_integer(reference, &[value as i32]),
        }
    }
}

/// Whether a variable has exactly its start value when the simulation begins.
fn is_exact(v: &&ScalarVariable) -> bool {
    v.start.is_some() && v.initial() == Some("exact")
}

impl Trial<'_> {
    /// C050: what can be set has its start value; what is calculated from it, up to rounding.
    pub(super) fn starts(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        let given = |v: &&ScalarVariable| is_exact(v) || v.causality == "input";
        for v in self.fmu.description.variables.iter().filter(given) {
            if let Some(actual) = other_than_start(instance, v)? {
                let start = v.start.as_deref().unwrap_or_default();
                self.error("C050", format!("{}: start is {start}, but it is {actual}", v.name));
            }
        }
        Ok(())
    }

    /// C054: what is exact has its start value still when initialization is over.
    pub(super) fn exact(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        // In Co-Simulation the events of the start are over, and may have changed something.
        let constant = |v: &&ScalarVariable| matches!(&*v.variability, "constant" | "fixed");
        let all = self.kind == Kind::ModelExchange;
        for v in self.fmu.description.variables.iter().filter(is_exact) {
            if !all && !constant(&v) {
                continue;
            }
            if let Some(actual) = other_than_start(instance, v)? {
                let (name, start) = (&v.name, v.start.as_deref().unwrap_or_default());
                let text = format!("{name}: it is exact, {start}, but {actual} when it begins");
                self.error("C054", text);
            }
        }
        Ok(())
    }

    /// A055, A056, A063 and A068: all variables, read one per call, have values that can be.
    pub(super) fn plausible(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        let d = &self.fmu.description;
        for v in &d.variables {
            let name = &v.name;
            if v.base == Base::String {
                if instance.get_texts(&[v.value_reference])?[0].is_none() {
                    self.error("A056", format!("{name} is NULL"));
                }
                continue;
            }
            let value = instance.number(v)?;
            let items = d.declared_type(v).map(|t| &t.items[..]).unwrap_or_default();
            if !value.is_finite() {
                self.error("A068", format!("{name} is {value}"));
            }
            if v.base == Base::Boolean && value != 0.0 && value != 1.0 {
                self.error("A055", format!("{name} is {value}"));
            }
            if v.base == Base::Enumeration && !items.iter().any(|(_, item)| *item as f64 == value) {
                self.warning("A063", format!("{name} is {value}, which is none of its items"));
            }
            let (min, max) = (v.attributes.min, v.attributes.max);
            let outside = min.is_some_and(|min| value < min) || max.is_some_and(|max| value > max);
            if v.base == Base::Integer && outside {
                self.warning("A063", format!("{name} is {value}, not within min and max"));
            }
        }
        Ok(())
    }

    /// A040, A050, A051 and A056 to A058: getters and setters take what the standard allows.
    pub(super) fn values(&mut self, library: &Library) -> Result<(), Fault> {
        let mut instance = self.instantiate(library)?;
        self.stage("setting start values before initialization");
        self.settable(&mut instance, "before initialization", |v| {
            let settable = matches!(v.initial(), Some("exact" | "approx"));
            (settable && v.variability != "constant" || v.causality == "input") && v.start.is_some()
        });
        let (start, _) = Run::prepare(self, &mut instance)?;
        self.stage("setting start values in Initialization Mode");
        self.settable(&mut instance, "in Initialization Mode", |v| {
            let settable = v.initial() == Some("exact") && v.variability != "constant";
            (settable || v.causality == "input") && v.start.is_some()
        });
        self.starts(&mut instance)?;
        let d = &self.fmu.description;
        for v in d.variables.iter().filter(|v| v.causality == "independent") {
            let value = instance.number(v)?;
            if (value - start).abs() > ROUNDING * start.abs() {
                self.error("A040", format!("{} is {value} at the start time {start}", v.name));
            }
        }
        self.stage("fmi2ExitInitializationMode");
        instance.exit_initialization_mode()?;
        self.stage("setting inputs and tunable parameters");
        self.settable(&mut instance, "after initialization", |v| {
            let tunable = v.causality == "parameter" && v.variability == "tunable";
            (tunable || v.causality == "input") && v.start.is_some()
        });
        self.risk("A050", "empty lists");
        if let Err(call) = instance.empty_lists() {
            self.error("A050", format!("an empty list with NULL: {call}"));
        }
        self.stage("reading many variables in one call");
        self.lists(&mut instance)?;
        self.texts(&mut instance)
    }

    /// A057 and A058: variables can be set to their start values.
    fn settable(
        &mut self,
        instance: &mut Instance<'_>,
        when: &str,
        wanted: impl Fn(&ScalarVariable) -> bool,
    ) {
        for v in self.fmu.description.variables.iter().filter(|v| wanted(v)) {
            let start = v.start.as_deref().unwrap_or_default();
            let result = match (v.base, v.start_number()) {
                (Base::String, _) => instance.set_passing_text(v.value_reference, start),
                (_, Some(value)) => instance.set(v, value),
                _ => continue,
            };
            if let Err(call) = result {
                self.error("A058", format!("{} cannot be set {when}: {call}", v.name));
                continue;
            }
            if v.base == Base::String {
                let read = instance.get_texts(&[v.value_reference]);
                if read.is_ok_and(|read| read[0].as_deref() != Some(start)) {
                    self.error("A057", format!("{} is not what it was set to {when}", v.name));
                }
            }
        }
    }

    /// A051: any number of variables, in any order, twice: the values are the same as one by one.
    fn lists(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        for base in [Base::Real, Base::Integer, Base::Boolean] {
            let all = self.fmu.description.variables.iter();
            let mut variables: Vec<_> = all.filter(|v| v.base.name_space() == base).collect();
            if variables.is_empty() {
                continue;
            }
            variables.reverse();
            variables.extend_from_within(..);
            let references: Vec<u32> = variables.iter().map(|v| v.value_reference).collect();
            let together = instance.numbers(base, &references)?;
            for (v, together) in variables.into_iter().zip(together) {
                let single = instance.number(v)?;
                if single.to_bits() != together.to_bits() {
                    let name = &v.name;
                    let text = format!("{name} is {single}, but {together} among others");
                    self.error("A051", text);
                }
            }
        }
        Ok(())
    }

    /// A056: texts are valid together.
    fn texts(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        let texts = self.fmu.description.variables.iter().filter(|v| v.base == Base::String);
        let (names, references): (Vec<&str>, Vec<u32>) =
            texts.map(|v| (&*v.name, v.value_reference)).unzip();
        if references.is_empty() {
            return Ok(());
        }
        let together = instance.get_texts(&references)?;
        for ((name, reference), together) in names.iter().zip(&references).zip(together) {
            if instance.get_texts(&[*reference])?[0] != together {
                self.error("A056", format!("{name} is another text among others"));
            }
        }
        Ok(())
    }
}

/// The value of a variable, unless it is its start value.
fn other_than_start(
    instance: &mut Instance<'_>,
    v: &ScalarVariable,
) -> Result<Option<String>, Fault> {
    if v.base == Base::String {
        let actual = instance.get_texts(&[v.value_reference])?.remove(0);
        let same = actual == v.start;
        return Ok((!same).then(|| actual.unwrap_or_else(|| "NULL".to_owned())));
    }
    let value = instance.number(v)?;
    let calculated = v.causality != "input" && v.variability == "continuous";
    let same = v.start_number().is_some_and(|start| {
        let rounding = if calculated { ROUNDING * start.abs().max(1.0) } else { 0.0 };
        start.to_bits() == value.to_bits() || (start - value).abs() <= rounding
    });
    Ok((!same).then(|| value.to_string()))
}
