//! The coupling of a system: all connected values as vectors, the courses of the inputs, and the
//! linear correction at communication points.

use std::collections::BTreeMap;

use fmus::error::FailedCall;
use fmus::model_description::{Base, ModelDescription, ScalarVariable};
use nalgebra::{DMatrix, DVector};

use super::failure::{Failure, of};
use super::slave::{Course, Slave, mean, value_after};
use crate::systems::wiring::{Link, Wiring};

/// A connected Real input: `factor * output + offset`.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// The slave, and the index among its connected inputs.
    pub slave: usize,
    pub local: usize,
    /// The output.
    pub output: usize,
    pub factor: f64,
    pub offset: f64,
    /// Its name, and that of the output.
    pub name: String,
    pub source: String,
    /// Whether it changes between events, so that its course has derivatives.
    pub continuous: bool,
    /// Whether its FMU follows a course within a step.
    pub interpolates: bool,
    /// The magnitude of its values, from its nominal value.
    pub nominal: f64,
}

/// A connected output: its slave, and the index among the slave's connected outputs.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub slave: usize,
    pub local: usize,
    pub name: String,
    /// Whether it changes between events.
    pub continuous: bool,
}

/// A connection of values that are not Real: they are copied at communication points.
#[derive(Clone, Debug)]
struct Copied {
    base: Base,
    from: (usize, u32),
    to: (usize, u32),
}

/// Values of all connected inputs and outputs of a system.
pub(super) struct Coupling {
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    copies: Vec<Copied>,
    /// The values of the outputs at the communication point.
    pub y: Vec<f64>,
    /// The values of the inputs there.
    pub u: Vec<f64>,
    /// The courses that the inputs had in the last step, moved to its end.
    pub last: Vec<Course>,
    /// Earlier points: time and values of the inputs, the newest one first.
    history: Vec<(f64, Vec<f64>)>,
    /// The first derivatives of the inputs at the beginning of the last step: time and values.
    slopes: Option<(f64, Vec<f64>)>,
    /// The largest magnitudes of the inputs so far.
    pub magnitude: Vec<f64>,
}

impl Coupling {
    /// The coupling of the slaves of a wiring, which learn what is connected.
    pub(super) fn of(wiring: &Wiring, slaves: &mut [Slave<'_>]) -> Coupling {
        let (mut inputs, mut outputs, mut copies) = (Vec::new(), Vec::new(), Vec::new());
        let is_continuous = |v: &ScalarVariable| v.variability == "continuous";
        let mut known = BTreeMap::new();
        for Link { from, to, factor, offset } in wiring.links.iter().copied() {
            let (source, sink) = (wiring.variable(from), wiring.variable(to));
            if sink.base != Base::Real {
                copies.push(Copied {
                    base: sink.base.name_space(),
                    from: (from.part, source.value_reference),
                    to: (to.part, sink.value_reference),
                });
                continue;
            }
            let output = *known.entry(from).or_insert_with(|| {
                let list = &mut slaves[from.part].outputs;
                list.push(source.value_reference);
                outputs.push(Output {
                    slave: from.part,
                    local: list.len() - 1,
                    name: wiring.label(from),
                    continuous: is_continuous(source),
                });
                outputs.len() - 1
            });
            let continuous = is_continuous(source) && is_continuous(sink);
            let slave = &mut slaves[to.part];
            slave.inputs.push(sink.value_reference);
            slave.moving.push(continuous);
            let magnitude = source.attributes.nominal.map_or(1.0, |n| (n * factor).abs());
            inputs.push(Input {
                slave: to.part,
                local: slave.inputs.len() - 1,
                output,
                factor,
                offset,
                name: wiring.label(to),
                source: wiring.label(from),
                continuous,
                interpolates: slave.abilities.interpolates,
                nominal: if magnitude > 0.0 { magnitude } else { 1.0 },
            });
        }
        for (index, slave) in slaves.iter_mut().enumerate() {
            slave.direct = direct(wiring.description(index), &slave.outputs, &slave.inputs);
        }
        let (nu, ny) = (inputs.len(), outputs.len());
        let magnitude = inputs.iter().map(|input| input.nominal * LEAST_MAGNITUDE).collect();
        Coupling {
            inputs,
            outputs,
            copies,
            y: vec![0.0; ny],
            u: vec![0.0; nu],
            last: vec![[0.0; 3]; nu],
            history: Vec::new(),
            slopes: None,
            magnitude,
        }
    }

    /// Reads a value of each output from the slaves.
    fn collect(
        &self,
        slaves: &mut [Slave<'_>],
        mut read: impl FnMut(&mut Slave<'_>, &mut [f64]) -> Result<(), FailedCall>,
    ) -> Result<Vec<f64>, Failure> {
        let mut all = vec![0.0; self.outputs.len()];
        let mut local = Vec::new();
        for (index, slave) in slaves.iter_mut().enumerate() {
            local.clear();
            local.resize(slave.outputs.len(), 0.0);
            read(slave, &mut local).map_err(of(slave))?;
            for (value, output) in all.iter_mut().zip(&self.outputs) {
                if output.slave == index {
                    *value = local[output.local];
                }
            }
        }
        Ok(all)
    }

    /// Reads the outputs, which must be finite numbers.
    pub(super) fn read(&self, slaves: &mut [Slave<'_>]) -> Result<Vec<f64>, Failure> {
        let y = self.collect(slaves, |slave, values| slave.read(values))?;
        match self.outputs.iter().zip(&y).find(|(_, value)| !value.is_finite()) {
            None => Ok(y),
            Some((output, value)) => {
                Err(Failure::of_system(format!("{} is {value}, not a finite number", output.name)))
            }
        }
    }

    /// The inputs that follow from outputs.
    pub(super) fn inputs_of(&self, y: &[f64]) -> Vec<f64> {
        self.inputs.iter().map(|i| i.factor * y[i.output] + i.offset).collect()
    }

    /// The elements of a vector over all inputs that belong to a slave, in its own order, which is
    /// that of the vector.
    pub(super) fn of_slave<T: Copy>(&self, all: &[T], index: usize) -> Vec<T> {
        let own = self.inputs.iter().zip(all).filter(|(input, _)| input.slave == index);
        own.map(|(_, value)| *value).collect()
    }

    /// Sets the Real inputs of all slaves to their present values.
    pub(super) fn write(&self, slaves: &mut [Slave<'_>]) -> Result<(), Failure> {
        for (index, slave) in slaves.iter_mut().enumerate() {
            let values = self.of_slave(&self.u, index);
            slave.write(&values).map_err(of(slave))?;
        }
        Ok(())
    }

    /// Copies the values that are not Real.
    pub(super) fn copy(&self, slaves: &mut [Slave<'_>]) -> Result<(), Failure> {
        for copy in &self.copies {
            let from = &mut slaves[copy.from.0];
            let (reference, mut value) = ([copy.from.1], [0]);
            match copy.base {
                Base::Boolean => from.instance.get_boolean(&reference, &mut value),
                _ => from.instance.get_integer(&reference, &mut value),
            }
            .map_err(of(from))?;
            let to = &mut slaves[copy.to.0];
            let reference = [copy.to.1];
            match copy.base {
                Base::Boolean => to.instance.set_boolean(&reference, &value),
                _ => to.instance.set_integer(&reference, &value),
            }
            .map_err(of(to))?;
        }
        Ok(())
    }

    /// The derivatives of outputs with respect to inputs, by output and input.
    pub(super) fn feedthrough(&self, slaves: &mut [Slave<'_>]) -> Result<DMatrix<f64>, Failure> {
        let mut d = DMatrix::zeros(self.outputs.len(), self.inputs.len());
        for (index, slave) in slaves.iter_mut().enumerate() {
            let own = |of: usize| of == index;
            let rows: Vec<usize> =
                (0..self.outputs.len()).filter(|k| own(self.outputs[*k].slave)).collect();
            let columns: Vec<usize> =
                (0..self.inputs.len()).filter(|k| own(self.inputs[*k].slave)).collect();
            for (output, input, value) in slave.feedthrough().map_err(of(slave))? {
                d[(rows[output], columns[input])] = value;
            }
        }
        Ok(d)
    }

    /// The matrix of the connections: inputs from outputs.
    pub(super) fn connections(&self) -> DMatrix<f64> {
        let mut l = DMatrix::zeros(self.inputs.len(), self.outputs.len());
        for (row, input) in self.inputs.iter().enumerate() {
            l[(row, input.output)] = input.factor;
        }
        l
    }

    /// The linear correction (Andersson 2016): the inputs that agree with the outputs, if these
    /// were computed with other inputs (`used`) and depend on them by the feedthrough `d`. Inputs
    /// with a fixed value keep it.
    pub(super) fn corrected(
        &self,
        d: &DMatrix<f64>,
        (y, used): (&[f64], &[f64]),
        fixed: &[Option<f64>],
        is_derivative: bool,
    ) -> Result<Vec<f64>, Failure> {
        let n = self.inputs.len();
        let l = self.connections();
        let y = DVector::from_row_slice(y);
        let used = DVector::from_row_slice(used);
        let mut right = &l * (y - d * used);
        if !is_derivative {
            right.iter_mut().zip(&self.inputs).for_each(|(r, input)| *r += input.offset);
        }
        let mut matrix = DMatrix::identity(n, n) - &l * d;
        for (row, value) in fixed.iter().enumerate() {
            if let Some(value) = value {
                right[row] = *value;
                matrix.row_mut(row).fill(0.0);
                matrix[(row, row)] = 1.0;
            }
        }
        let solved = matrix.lu().solve(&right).filter(|u| u.iter().all(|u| u.is_finite()));
        let solved = solved.ok_or_else(|| {
            let names: Vec<&str> = self.inputs.iter().map(|input| input.name.as_str()).collect();
            let names = names.join(", ");
            Failure::of_system(format!(
                "the directional derivatives of the FMUs determine no single values of {names}"
            ))
        })?;
        Ok(solved.as_slice().to_vec())
    }

    /// The courses of the inputs in the next step, extrapolated with an order: by the derivatives
    /// of the outputs where the FMU gives them, and else through earlier values.
    pub(super) fn extrapolated(
        &self,
        slaves: &mut [Slave<'_>],
        order: u32,
        time: f64,
        d: Option<&DMatrix<f64>>,
    ) -> Result<Vec<Course>, Failure> {
        let mut courses: Vec<Course> = self.u.iter().map(|u| [*u, 0.0, 0.0]).collect();
        let mut has_first = vec![false; self.outputs.len()];
        for k in 1..=order {
            let given = self.derivatives(slaves, k)?;
            let through = self.through_history(time, k, order);
            let other = |index: usize, input: &Input| match (k, &self.slopes) {
                _ if !input.continuous => 0.0,
                // The second derivative follows from two given first ones.
                (2, slopes) if has_first[input.output] => slopes
                    .as_ref()
                    .map_or(0.0, |(t, before)| (courses[index][1] - before[index]) / (time - t)),
                _ => through[index],
            };
            let is_given = |input: &Input| input.continuous && given[input.output].is_some();
            let fixed: Vec<Option<f64>> = (self.inputs.iter().enumerate())
                .map(|(index, input)| (!is_given(input)).then(|| other(index, input)))
                .collect();
            let y: Vec<f64> = given.iter().map(|value| value.unwrap_or(0.0)).collect();
            let of_inputs = match d {
                Some(d) => {
                    let used: Vec<f64> = self.last.iter().map(|c| c[k as usize]).collect();
                    self.corrected(d, (&y, &used), &fixed, true)?
                }
                None => (self.inputs.iter().zip(&fixed))
                    .map(|(input, fixed)| fixed.unwrap_or(input.factor * y[input.output]))
                    .collect(),
            };
            for (course, value) in courses.iter_mut().zip(of_inputs) {
                course[k as usize] = value;
            }
            has_first = given.iter().map(Option::is_some).collect();
        }
        Ok(courses)
    }

    /// The derivatives of an order of the outputs; none where the FMU does not give them.
    fn derivatives(
        &self,
        slaves: &mut [Slave<'_>],
        order: u32,
    ) -> Result<Vec<Option<f64>>, Failure> {
        let mut all = vec![None; self.outputs.len()];
        for (index, slave) in slaves.iter_mut().enumerate() {
            if slave.abilities.output_derivatives < order {
                continue;
            }
            let own = |output: &Output| output.slave == index && output.continuous;
            let indices: Vec<usize> =
                (0..self.outputs.len()).filter(|k| own(&self.outputs[*k])).collect();
            let locals: Vec<usize> = indices.iter().map(|k| self.outputs[*k].local).collect();
            let values = slave.read_derivatives(order, &locals).map_err(of(slave))?;
            for (k, value) in indices.into_iter().zip(values) {
                all[k] = value;
            }
        }
        Ok(all)
    }

    /// Derivatives at the present point of the polynomials through it and earlier points.
    fn through_history(&self, time: f64, k: u32, order: u32) -> Vec<f64> {
        let points: Vec<(f64, &[f64])> = std::iter::once((time, &*self.u))
            .chain(self.history.iter().map(|(t, u)| (*t, &**u)))
            .take(order as usize + 1)
            .collect();
        let slope = |a: usize, b: usize, i: usize| {
            (points[a].1[i] - points[b].1[i]) / (points[a].0 - points[b].0)
        };
        let n = self.inputs.len();
        match (points.len(), k) {
            (2.., 1) if points.len() == 2 => (0..n).map(|i| slope(0, 1, i)).collect(),
            (3.., _) => {
                let second =
                    |i| 2.0 * (slope(0, 1, i) - slope(1, 2, i)) / (points[0].0 - points[2].0);
                let first = |i| slope(0, 1, i) + 0.5 * second(i) * (points[0].0 - points[1].0);
                (0..n).map(|i| if k == 1 { first(i) } else { second(i) }).collect()
            }
            _ => vec![0.0; n],
        }
    }

    /// Moves on to the end of a step: new outputs and inputs, and the courses that led there.
    pub(super) fn advance(&mut self, time: f64, h: f64, y: Vec<f64>, u: Vec<f64>, used: &[Course]) {
        self.history.insert(0, (time, std::mem::replace(&mut self.u, u)));
        self.history.truncate(2);
        self.slopes = Some((time, used.iter().map(|course| course[1]).collect()));
        self.y = y;
        let moved = |(input, c): (&Input, &Course)| match input.interpolates {
            true => [value_after(*c, h), c[1] + h * c[2], c[2]],
            false => [mean(*c, h), 0.0, 0.0],
        };
        self.last = self.inputs.iter().zip(used).map(moved).collect();
        for (magnitude, u) in self.magnitude.iter_mut().zip(&self.u) {
            *magnitude = magnitude.max(u.abs());
        }
    }
}

/// The magnitude that a value is taken to have at least, as a part of its nominal value.
const LEAST_MAGNITUDE: f64 = 1e-3;

/// Pairs of an output and an input on which the output depends directly, by indices into lists of
/// references; all pairs if the description lists no dependencies.
pub(super) fn direct(
    description: &ModelDescription,
    outputs: &[u32],
    inputs: &[u32],
) -> Vec<(usize, usize)> {
    let has = |index: usize, reference: u32| {
        let v = description.variables.get(index);
        v.is_some_and(|v| v.base == Base::Real && v.value_reference == reference)
    };
    // FMI has derivatives of and by continuous variables only.
    let moves = |reference: u32| {
        let mut all = description.variables.iter();
        all.any(|v| {
            let is_it = v.base == Base::Real && v.value_reference == reference;
            is_it && v.variability == "continuous"
        })
    };
    let depends = |output: u32, input: u32| {
        let unknown = description.outputs.iter().find(|unknown| has(unknown.index, output));
        moves(output)
            && moves(input)
            && unknown
                .and_then(|unknown| unknown.dependencies.as_ref())
                .is_none_or(|dependencies| dependencies.iter().any(|index| has(*index, input)))
    };
    let pairs = outputs.iter().enumerate().flat_map(|(o, output)| {
        inputs.iter().enumerate().map(move |(i, input)| ((o, *output), (i, *input)))
    });
    let found = pairs.filter(|((_, output), (_, input))| depends(*output, *input));
    found.map(|((o, _), (i, _))| (o, i)).collect()
}
