//! Rules for getting and setting variables.

use super::run::Run;
use super::{Fault, ROUNDING, Trial, shown};
use crate::error::Call;
use crate::fmi::{FmuType, Status};
use crate::host::{FmuLibrary, Instance};
use crate::model_description::{Base, ScalarVariable};

/// A start value may be calculated: the sum of a state and a length, or a solution.
const CALCULATED: f64 = 1e-12;

/// A number that is written with 15 digits is the same number, cut or rounded. How many digits a
/// text has does not tell: zeros at the end are often left out, as in 0.3 for 0.1 + 0.2.
const DIGITS: f64 = 1e-14;

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
fn is_exact(v: &ScalarVariable) -> bool {
    v.start.is_some() && v.initial() == Some("exact")
}

/// A mode in which start values may be set.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Instantiated,
    Initialization,
    Initialized,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Instantiated => "before initialization",
            Mode::Initialization => "in Initialization Mode",
            Mode::Initialized => "after initialization",
        }
    }

    /// Whether the standard allows to set a variable in this mode.
    fn allows(self, v: &ScalarVariable) -> bool {
        let exact = v.initial() == Some("exact") && v.variability != "constant";
        let input = v.causality == "input";
        match self {
            Mode::Instantiated => {
                exact || v.initial() == Some("approx") && v.variability != "constant"
            }
            Mode::Initialization => exact || input,
            Mode::Initialized => input || v.causality == "parameter" && v.variability == "tunable",
        }
    }
}

impl Trial<'_> {
    /// C050: outputs that are exact have their start values; no others of them may be read in
    /// Initialization Mode.
    pub(super) fn outputs_at_start(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        for v in self.fmu.description.variables.iter() {
            if v.causality == "output" && is_exact(v) {
                self.at_start("C050", instance, v)?;
            }
        }
        Ok(())
    }

    /// C050: states that are exact have their start values in Initialization Mode.
    pub(super) fn states_at_start(&mut self, values: &[f64]) {
        let d = &self.fmu.description;
        for (index, value) in d.states().into_iter().zip(values) {
            let v = &d.variables[index];
            if is_exact(v) && !is_start(v, *value) {
                self.not_at_start("C050", v, &shown(*value));
            }
        }
    }

    /// C050 and C054: when initialization is over, inputs and what is exact have their start
    /// values.
    pub(super) fn starts(&mut self, instance: &mut Instance<'_>) -> Result<(), Fault> {
        for v in &self.fmu.description.variables {
            let given = matches!(&*v.causality, "input" | "parameter");
            let constant = matches!(&*v.variability, "constant" | "fixed");
            // What is continuous goes on from its start in Model Exchange, up to the first event.
            let goes_on = self.fmu_type == FmuType::ModelExchange && v.variability != "discrete";
            if v.causality == "input" && v.start.is_some() || is_exact(v) && given {
                self.at_start("C050", instance, v)?;
            } else if is_exact(v) && (constant || goes_on) {
                self.at_start("C054", instance, v)?;
            } else if is_exact(v) {
                // The equations of events have been at work, which may have changed it.
                self.at_start("", instance, v)?;
            }
        }
        Ok(())
    }

    /// A finding if a variable does not have its start value; only a warning without a rule.
    fn at_start(
        &mut self,
        rule: &'static str,
        instance: &mut Instance<'_>,
        v: &ScalarVariable,
    ) -> Result<(), Fault> {
        let actual = if v.base == Base::String {
            let actual = instance.get_texts(&[v.value_reference])?.remove(0);
            // An empty text and none at all cannot be told apart in XML.
            let same = actual.as_deref().unwrap_or_default() == v.start.as_deref().unwrap_or("");
            (!same).then(|| actual.unwrap_or_else(|| "NULL".to_owned()))
        } else {
            let value = instance.number(v)?;
            (!is_start(v, value)).then(|| shown(value))
        };
        if let Some(actual) = actual {
            self.not_at_start(rule, v, &actual);
        }
        Ok(())
    }

    fn not_at_start(&mut self, rule: &'static str, v: &ScalarVariable, actual: &str) {
        let (name, start) = (&v.name, v.start.as_deref().unwrap_or_default());
        if self.after_reset {
            // What is wrong in new instances, too, is said already.
            if !self.known.not_at_start.contains(name) {
                let text = format!("after fmi2Reset {name} is {actual}, but its start is {start}");
                self.error("A049", text);
            }
            return;
        }
        self.known.not_at_start.insert(name.clone());
        match rule {
            "C050" => self.error(rule, format!("{name}: start is {start}, but it is {actual}")),
            "C054" => {
                let text = format!("{name}: it is exact, {start}, but {actual} when it begins");
                self.error(rule, text);
            }
            _ => {
                let text = format!("{name}: it is exact, {start}, but {actual} after the events");
                self.warning("C054", text);
            }
        }
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
                self.warning("A068", format!("{name} is {value}"));
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
    pub(super) fn values(&mut self, library: &FmuLibrary) -> Result<(), Fault> {
        self.settable(library, Mode::Instantiated)?;
        self.settable(library, Mode::Initialization)?;
        self.settable(library, Mode::Initialized)?;
        let mut instance = self.instantiate(library)?;
        let (start, _) = Run::prepare(self, &mut instance)?;
        self.stage("fmi2ExitInitializationMode");
        instance.exit_initialization_mode()?;
        let d = &self.fmu.description;
        for v in d.variables.iter().filter(|v| v.causality == "independent") {
            let value = instance.number(v)?;
            if (value - start).abs() > ROUNDING * start.abs() {
                self.error("A040", format!("{} is {value} at the start time {start}", v.name));
            }
        }
        self.stage("reading many variables in one call");
        self.lists(&mut instance)?;
        self.texts(&mut instance)?;
        self.importer_risk("A050", "empty lists");
        if let Err(call) = instance.empty_lists() {
            self.warning("A050", format!("an empty list with NULL: {call}"));
        }
        Ok(())
    }

    /// An instance in a mode.
    fn instance_in<'l>(
        &mut self,
        library: &'l FmuLibrary,
        mode: Mode,
    ) -> Result<Instance<'l>, Fault> {
        let mut instance = self.instantiate(library)?;
        if mode != Mode::Instantiated {
            Run::prepare(self, &mut instance)?;
        }
        if mode == Mode::Initialized {
            instance.exit_initialization_mode()?;
        }
        self.stage(&format!("setting start values {}", mode.name()));
        Ok(instance)
    }

    /// A057 and A058: variables can be set to their start values.
    fn settable(&mut self, library: &FmuLibrary, mode: Mode) -> Result<(), Fault> {
        /// Where so many cannot be set, others are not tried.
        const MOST_FAILURES: u32 = 20;
        let when = mode.name();
        let mut failures = 0;
        let mut texts = Vec::new();
        let mut instance = self.instance_in(library, mode)?;
        for v in self.fmu.description.variables.iter().filter(|v| mode.allows(v)) {
            let Some(start) = v.start.as_deref() else { continue };
            let result = match (v.base, v.start_number()) {
                (Base::String, _) => instance.set_passing_text(v.value_reference, start),
                (_, Some(value)) => instance.set(v, value),
                _ => continue,
            };
            if let Err(call) = result {
                self.error("A058", format!("{} cannot be set {when}: {call}", v.name));
                failures += 1;
                if failures == MOST_FAILURES {
                    return Ok(());
                }
                if call.status != Status::Discard {
                    drop(instance);
                    instance = self.instance_in(library, mode)?;
                    texts.clear();
                }
            } else if v.base == Base::String && v.initial() != Some("approx") {
                texts.push((v, start));
            }
        }
        if mode == Mode::Instantiated {
            Run::prepare(self, &mut instance)?;
        }
        if mode != Mode::Initialized {
            self.stage("fmi2ExitInitializationMode");
            instance.exit_initialization_mode()?;
        } else if self.fmu_type == FmuType::CoSimulation {
            // What was set is not read before a step.
            return Ok(());
        }
        for (v, start) in texts {
            let read = instance.get_texts(&[v.value_reference]);
            if read.is_ok_and(|read| read[0].as_deref().unwrap_or_default() != start) {
                self.error("A057", format!("{} is not what it was set to {when}", v.name));
            }
        }
        Ok(())
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

/// Whether a value that is not a text is the start value of a variable.
fn is_start(v: &ScalarVariable, value: f64) -> bool {
    let Some(start) = v.start_number() else { return true };
    if start.to_bits() == value.to_bits() || v.base != Base::Real {
        return start == value;
    }
    let calculated = v.causality != "input" && v.variability == "continuous";
    let rounding = if calculated { CALCULATED * start.abs().max(1.0) } else { 0.0 };
    (start - value).abs() <= rounding.max(DIGITS * start.abs())
}
