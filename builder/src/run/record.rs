//! Records variables of an instance over time.

use crate::csv::Table;
use crate::error::{Call, Error};
use crate::host::Instance;
use crate::read::{Base, ModelDescription, ScalarVariable};
use crate::run::values;

/// A recorded variable.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// Its unit, if it has one.
    pub unit: Option<String>,
    /// Whether it changes only at events.
    pub discrete: bool,
    base: Base,
    reference: u32,
}

/// Records variables of an instance over time.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// What is recorded.
    pub signals: Vec<Signal>,
    /// What has been recorded.
    pub table: Table,
}

impl Recorder {
    /// Records the variables of these names; unless given, the outputs, else the states, else all.
    ///
    /// # Errors
    /// A variable does not exist or is not a number.
    pub fn new(
        description: &ModelDescription,
        names: Option<&[String]>,
    ) -> Result<Recorder, Error> {
        let chosen: Vec<&ScalarVariable> = match names {
            Some(names) => {
                names.iter().map(|n| values::lookup(description, n)).collect::<Result<_, _>>()?
            }
            None => by_default(description),
        };
        if let Some(text) = chosen.iter().find(|v| v.base == Base::String) {
            let model = &description.model_name;
            return Err(Error::Request(format!("{model}: {} is a text, not a number", text.name)));
        }
        let signal = |v: &&ScalarVariable| Signal {
            name: v.name.clone(),
            unit: v.attributes.unit.clone(),
            discrete: v.base != Base::Real || v.variability != "continuous",
            base: v.base,
            reference: v.value_reference,
        };
        let signals: Vec<Signal> = chosen.iter().map(signal).collect();
        let names = signals.iter().map(|s| s.name.clone()).collect();
        Ok(Recorder { signals, table: Table { names, ..Table::default() } })
    }

    /// Records the present values.
    ///
    /// # Errors
    /// The FMU refuses.
    pub fn sample(&mut self, instance: &mut Instance<'_>, time: f64) -> Result<(), Call> {
        let mut row = vec![0.0; self.signals.len()];
        let (mut references, mut indices) = (Vec::new(), Vec::new());
        for base in [Base::Real, Base::Integer, Base::Boolean] {
            references.clear();
            indices.clear();
            for (index, signal) in self.signals.iter().enumerate() {
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
        self.table.time.push(time);
        self.table.rows.push(row);
        Ok(())
    }
}

fn by_default(description: &ModelDescription) -> Vec<&ScalarVariable> {
    let numbers = || description.variables.iter().filter(|v| v.base != Base::String);
    let outputs: Vec<&ScalarVariable> = numbers().filter(|v| v.causality == "output").collect();
    if !outputs.is_empty() {
        return outputs;
    }
    let states = description.states();
    if !states.is_empty() {
        return states.into_iter().map(|i| &description.variables[i]).collect();
    }
    numbers().filter(|v| v.causality != "parameter" && v.causality != "independent").collect()
}
