//! Inputs over time from a table: continuous inputs are linear between the rows, discrete ones are
//! constant, and rows with the same time are a jump.

use std::path::Path;

use super::assignment;
use super::experiment::RunPlan;
use fmus::csv::{TimeSeries, number};
use fmus::error::{Error, FailedCall};
use fmus::host::Instance;
use fmus::model_description::{Base, ModelDescription};

use fmus::wording::excerpt;

/// The inputs of a simulation; by default there are none.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    time: Vec<f64>,
    columns: Vec<InputColumn>,
}

#[derive(Clone, Debug)]
struct InputColumn {
    name: String,
    reference: u32,
    base: Base,
    continuous: bool,
    values: Vec<f64>,
}

/// The side of a time, which matters if an input jumps there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The values are those immediately before the time.
    Before,
    /// The values are those from the time on.
    After,
}

impl Inputs {
    /// Reads the inputs of a model from a CSV file.
    ///
    /// # Errors
    /// If the file is not a table, a column is not an input, or a value is not legal for it.
    pub fn read(path: &Path, description: &ModelDescription) -> Result<Inputs, Error> {
        let table = TimeSeries::read(path)?;
        let fail = |reason: String| Error::Content { path: path.to_owned(), reason };
        let model = &description.model_name;
        if table.names.is_empty() {
            return Err(fail("it has no columns besides `time`".to_owned()));
        }
        let mut columns = Vec::new();
        for (index, name) in table.names.iter().enumerate() {
            let variable = description.variable(name).filter(|v| v.causality == "input");
            let variable = variable.ok_or_else(|| {
                let inputs = description.variables.iter().filter(|v| v.causality == "input");
                let inputs: Vec<&str> = inputs.map(|v| v.name.as_str()).collect();
                let known = match &inputs[..] {
                    [] => "it has none".to_owned(),
                    [only] => format!("its only input is {only}"),
                    _ => format!("its inputs are {}", inputs.join(", ")),
                };
                fail(format!("column `{}` is not an input of {model}: {known}", excerpt(name)))
            })?;
            let values: Vec<f64> = table.rows.iter().map(|row| row[index]).collect();
            for (time, value) in table.time.iter().zip(&values) {
                assignment::check_number(variable, *value)
                    .map_err(|e| fail(format!("at {} s: {e}", number(*time))))?;
            }
            columns.push(InputColumn {
                name: name.clone(),
                reference: variable.value_reference,
                base: variable.base,
                continuous: variable.variability == "continuous",
                values,
            });
        }
        Ok(Inputs { time: table.time, columns })
    }

    /// Moves rows that differ from a point of the experiment only by rounding errors to this point.
    pub fn snap(&mut self, experiment: &RunPlan) {
        for time in &mut self.time {
            let index = ((*time - experiment.start) / experiment.step).round();
            if index >= 0.0 {
                let point = experiment.point(index as usize);
                if (*time - point).abs() < 1e-9 * experiment.step {
                    *time = point;
                }
            }
        }
    }

    /// Whether an input is given.
    pub fn contains(&self, name: &str) -> bool {
        self.columns.iter().any(|c| c.name == name)
    }

    /// The times at which an input or its slope changes, strictly between two times.
    pub fn knots(&self, after: f64, before: f64) -> impl Iterator<Item = f64> + '_ {
        let from = self.time.partition_point(|t| *t <= after);
        let end = self.time.partition_point(|t| *t < before);
        self.time[from..end.max(from)].chunk_by(f64::eq).map(|same| same[0])
    }

    /// Whether an input jumps at a time.
    pub fn has_event(&self, time: f64) -> bool {
        self.columns
            .iter()
            .any(|c| self.value(c, time, Side::Before) != self.value(c, time, Side::After))
    }

    /// Sets all inputs to their values from a time on.
    ///
    /// # Errors
    /// If the FMU refuses.
    pub fn set_all(&self, instance: &mut Instance<'_>, time: f64) -> Result<(), FailedCall> {
        self.set_continuous(instance, time, Side::After)?;
        for column in self.columns.iter().filter(|c| !c.continuous) {
            let (reference, value) = (&[column.reference], self.value(column, time, Side::After));
            match column.base {
                Base::Real => instance.set_real(reference, &[value])?,
                Base::Boolean => instance.set_boolean(reference, &[i32::from(value != 0.0)])?,
                _ => instance.set_integer(reference, &[value as i32])?,
            }
        }
        Ok(())
    }

    /// Sets the continuous inputs to their values at one side of a time.
    ///
    /// # Errors
    /// If the FMU refuses.
    pub fn set_continuous(
        &self,
        instance: &mut Instance<'_>,
        time: f64,
        side: Side,
    ) -> Result<(), FailedCall> {
        for column in self.columns.iter().filter(|c| c.continuous) {
            instance.set_real(&[column.reference], &[self.value(column, time, side)])?;
        }
        Ok(())
    }

    /// Sets the slopes of the continuous inputs between two times, between which they are linear.
    ///
    /// # Errors
    /// If the FMU refuses.
    pub fn set_slopes(
        &self,
        instance: &mut Instance<'_>,
        from: f64,
        to: f64,
    ) -> Result<(), FailedCall> {
        for column in self.columns.iter().filter(|c| c.continuous) {
            let begin = self.value(column, from, Side::After);
            let slope = (self.value(column, to, Side::Before) - begin) / (to - from);
            instance.set_input_slopes(&[column.reference], &[slope])?;
        }
        Ok(())
    }

    fn value(&self, column: &InputColumn, time: f64, side: Side) -> f64 {
        // The number of rows that come before the time, or up to and including it.
        let passed = self.time.partition_point(|t| match side {
            Side::Before => *t < time,
            Side::After => *t <= time,
        });
        let Some(row) = passed.checked_sub(1) else { return column.values[0] };
        let value = column.values[row];
        let next = self.time.get(passed).filter(|_| column.continuous && time > self.time[row]);
        match next {
            Some(next) if *next == time => column.values[passed],
            Some(next) => {
                let part = (time - self.time[row]) / (next - self.time[row]);
                value + part * (column.values[passed] - value)
            }
            None => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(continuous: bool, values: &[f64]) -> InputColumn {
        let (name, values) = (String::new(), values.to_vec());
        InputColumn { name, reference: 0, base: Base::Real, continuous, values }
    }

    fn inputs() -> Inputs {
        let columns = vec![column(true, &[1.0, 3.0, 3.0]), column(false, &[0.0, 7.0, 8.0])];
        Inputs { time: vec![0.1, 0.3, 0.35], columns }
    }

    impl Inputs {
        fn at(&self, time: f64, side: Side) -> Vec<f64> {
            self.columns.iter().map(|c| self.value(c, time, side)).collect()
        }
    }

    #[test]
    fn continuous_inputs_are_straight_and_discrete_ones_held() {
        let inputs = inputs();
        assert_eq!(inputs.at(0.0, Side::After), [1.0, 0.0]);
        assert_eq!(inputs.at(0.2, Side::After), [2.0, 0.0]);
        assert_eq!(inputs.at(0.3, Side::After), [3.0, 7.0]);
        assert_eq!(inputs.at(9.0, Side::After), [3.0, 8.0]);
    }

    #[test]
    fn rows_of_the_same_time_are_a_jump_from_the_first_to_the_last() {
        let columns = vec![
            column(true, &[1.0, 2.0, 9.0, 5.0, 6.0]),
            column(false, &[0.0, 0.0, 1.0, 2.0, 2.0]),
        ];
        let inputs = Inputs { time: vec![0.0, 1.0, 1.0, 1.0, 2.0], columns };
        assert_eq!(inputs.at(1.0, Side::Before), [2.0, 0.0]);
        assert_eq!(inputs.at(1.0, Side::After), [5.0, 2.0]);
        assert_eq!(inputs.at(0.5, Side::Before), inputs.at(0.5, Side::After));
        assert_eq!(inputs.at(1.5, Side::Before), [5.5, 2.0]);
        assert_eq!(inputs.at(2.0, Side::Before), [6.0, 2.0]);
        assert_eq!(inputs.knots(0.0, 2.0).collect::<Vec<_>>(), [1.0]);
        assert!(inputs.has_event(1.0) && !inputs.has_event(0.5) && !inputs.has_event(2.0));
    }

    #[test]
    fn row_at_a_point_is_an_event_there_in_spite_of_round_off() {
        let experiment = RunPlan { start: 0.0, stop: 1.0, step: 0.1, tolerance: None, steps: 10 };
        let mut inputs = inputs();
        let point = experiment.point(3);
        assert_ne!(point, 0.3);
        assert!(!inputs.has_event(point));
        inputs.snap(&experiment);
        assert!(inputs.has_event(point) && inputs.has_event(0.35) && !inputs.has_event(0.1));
        assert_eq!(inputs.knots(point, experiment.point(4)).collect::<Vec<_>>(), [0.35]);
    }
}
