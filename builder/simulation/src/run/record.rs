//! Records variables of an instance over time.

use super::assignment;
use fmus::csv::TimeSeries;
use fmus::error::{Error, FailedCall};
use fmus::fmi::Status;
use fmus::host::Instance;
use fmus::model_description::{Base, ModelDescription, ScalarVariable};

/// The scale of a signal's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Real, with its unit if it is known.
    Real(Option<String>),
    /// Integer or Enumeration, with the name of its type if it has one.
    Whole(Option<String>),
    /// Boolean: 0 and 1.
    Boolean,
}

impl Scale {
    /// Whether values of this scale can be compared with others of the same.
    pub fn is_known(&self) -> bool {
        !matches!(self, Scale::Real(None) | Scale::Whole(None))
    }
}

/// A recorded variable.
#[derive(Clone, Debug)]
pub struct RecordedSignal {
    /// Its name.
    pub name: String,
    /// The scale of its values.
    pub scale: Scale,
    /// Whether it changes only at events.
    pub discrete: bool,
    base: Base,
    reference: u32,
}

impl RecordedSignal {
    /// A variable of an FMU.
    pub fn of(v: &ScalarVariable) -> RecordedSignal {
        RecordedSignal {
            name: v.name.clone(),
            scale: match v.base {
                Base::Real => Scale::Real(v.attributes.unit.clone()),
                Base::Boolean => Scale::Boolean,
                _ => Scale::Whole(v.declared_type.clone()),
            },
            discrete: v.base != Base::Real || v.variability != "continuous",
            base: v.base,
            reference: v.value_reference,
        }
    }

    /// The same variable under another name.
    pub fn named(&self, name: String) -> RecordedSignal {
        RecordedSignal { name, ..self.clone() }
    }

    /// A Real of which only the name is known.
    pub fn real(name: &str) -> RecordedSignal {
        let name = name.to_owned();
        let (base, scale) = (Base::Real, Scale::Real(None));
        RecordedSignal { name, scale, discrete: false, base, reference: 0 }
    }

    /// Its unit, if it is known.
    pub fn unit(&self) -> Option<&str> {
        match &self.scale {
            Scale::Real(unit) => unit.as_deref(),
            _ => None,
        }
    }
}

/// Records variables of an instance over time.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// The recorded variables.
    pub signals: Vec<RecordedSignal>,
    /// The recorded values.
    pub table: TimeSeries,
    /// The names of variables that the FMU does not give.
    pub refused: Vec<String>,
}

impl Recorder {
    /// Records the variables with these names; by default the outputs, or else the states, or else
    /// all.
    ///
    /// # Errors
    /// If a variable does not exist or is not a number.
    pub fn new(
        description: &ModelDescription,
        names: Option<&[String]>,
    ) -> Result<Recorder, Error> {
        let chosen: Vec<&ScalarVariable> = match names {
            Some(names) => names
                .iter()
                .map(|n| assignment::lookup(description, n))
                .collect::<Result<_, _>>()?,
            None => by_default(description),
        };
        if let Some(text) = chosen.iter().find(|v| v.base == Base::String) {
            let model = &description.model_name;
            return Err(Error::Request(format!("{model}: {} is a text, not a number", text.name)));
        }
        for (index, v) in chosen.iter().enumerate() {
            if chosen[..index].iter().any(|earlier| earlier.name == v.name) {
                let model = &description.model_name;
                return Err(Error::Request(format!("{model}: {} is to be recorded twice", v.name)));
            }
        }
        let signals: Vec<RecordedSignal> = chosen.into_iter().map(RecordedSignal::of).collect();
        let names = signals.iter().map(|s| s.name.clone()).collect();
        Ok(Recorder {
            signals,
            table: TimeSeries { names, ..TimeSeries::default() },
            refused: Vec::new(),
        })
    }

    /// Records the present values.
    ///
    /// # Errors
    /// If the FMU refuses.
    pub fn sample(&mut self, instance: &mut Instance<'_>, time: f64) -> Result<(), FailedCall> {
        let row = values(&self.signals, instance)?;
        self.table.time.push(time);
        self.table.rows.push(row);
        Ok(())
    }

    /// Records the present values of the variables that the FMU gives; the others are forgotten.
    ///
    /// # Errors
    /// If the FMU gives none of them, or cannot be used any more.
    pub fn sample_readable(
        &mut self,
        instance: &mut Instance<'_>,
        time: f64,
    ) -> Result<(), FailedCall> {
        let failed = match self.sample(instance, time) {
            Err(failed) if failed.status != Status::Fatal => failed,
            other => return other,
        };
        let mut given = Vec::with_capacity(self.signals.len());
        for signal in &self.signals {
            match values(std::slice::from_ref(signal), instance) {
                Err(fatal) if fatal.status == Status::Fatal => return Err(fatal),
                answer => given.push(answer.is_ok()),
            }
        }
        if !given.contains(&true) || !given.contains(&false) {
            return Err(failed);
        }
        let refused = self.signals.iter().zip(&given).filter(|(_, given)| !**given);
        self.refused.extend(refused.map(|(signal, _)| signal.name.clone()));
        keep(&mut self.signals, &given);
        keep(&mut self.table.names, &given);
        self.table.rows.iter_mut().for_each(|row| keep(row, &given));
        self.sample(instance, time)
    }
}

/// Keeps the elements for which `kept` is true.
fn keep<T>(elements: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    elements.retain(|_| kept.next() == Some(&true));
}

/// The present values of variables.
fn values(signals: &[RecordedSignal], instance: &mut Instance<'_>) -> Result<Vec<f64>, FailedCall> {
    let mut row = vec![0.0; signals.len()];
    let (mut references, mut indices) = (Vec::new(), Vec::new());
    for base in [Base::Real, Base::Integer, Base::Boolean] {
        references.clear();
        indices.clear();
        for (index, signal) in signals.iter().enumerate() {
            if signal.base.name_space() == base {
                references.push(signal.reference);
                indices.push(index);
            }
        }
        if references.is_empty() {
            continue;
        }
        if base == Base::Real {
            let mut values = vec![0.0; references.len()];
            instance.get_real(&references, &mut values)?;
            indices.iter().zip(values).for_each(|(i, v)| row[*i] = v);
        } else {
            let mut values = vec![0; references.len()];
            match base {
                Base::Boolean => instance.get_boolean(&references, &mut values)?,
                _ => instance.get_integer(&references, &mut values)?,
            }
            indices.iter().zip(values).for_each(|(i, v)| row[*i] = f64::from(v));
        }
    }
    Ok(row)
}

/// The names of the variables that are recorded if none are chosen.
pub fn default_names(description: &ModelDescription) -> Vec<String> {
    by_default(description).into_iter().map(|v| v.name.clone()).collect()
}

fn by_default(description: &ModelDescription) -> Vec<&ScalarVariable> {
    let numbers = || description.variables.iter().filter(|v| v.base != Base::String);
    let mut outputs = description.ordered_outputs();
    outputs.retain(|v| v.base != Base::String);
    if !outputs.is_empty() {
        return outputs;
    }
    let states = description.states();
    if !states.is_empty() {
        return states.into_iter().map(|i| &description.variables[i]).collect();
    }
    numbers().filter(|v| v.causality != "parameter" && v.causality != "independent").collect()
}
