//! Promises about what depends on what: directional derivatives and dependencies.

use super::run::Run;
use super::{Fault, STEPS, Trial};
use crate::host::{Kind, Library};
use crate::read::{Base, ModelDescription, ScalarVariable, Unknown};

/// By how much a known is moved, relative to its value or to one.
const MOVE: f64 = 1e-5;

/// How far a derivative may be from the difference, relative to the largest in its row.
const DEVIATION: f64 = 1e-3;

/// What is smaller is noise: of solutions by iteration, and of rounding.
const NOISE: f64 = 1e-9;

/// More knowns than these are not moved one by one.
const MOST_KNOWNS: usize = 200;

/// A variable whose value the importer gives.
struct Known {
    /// Its place among the variables.
    index: usize,
    /// Its place among the states, unless it is an input.
    state: Option<usize>,
}

/// States and continuous inputs.
fn knowns(d: &ModelDescription) -> Vec<Known> {
    let states = d.states().into_iter().enumerate();
    let states = states.map(|(k, index)| Known { index, state: Some(k) });
    let moves = |v: &ScalarVariable| {
        v.causality == "input" && v.base == Base::Real && v.variability == "continuous"
    };
    let inputs = d.variables.iter().enumerate().filter(|(_, v)| moves(v));
    states.chain(inputs.map(|(index, _)| Known { index, state: None })).take(MOST_KNOWNS).collect()
}

/// Derivatives of states and continuous outputs.
fn unknowns(d: &ModelDescription) -> Vec<&Unknown> {
    let continuous = |u: &&Unknown| {
        let v = d.variables.get(u.index);
        v.is_some_and(|v| v.base == Base::Real && v.variability == "continuous")
    };
    d.derivatives.iter().chain(&d.outputs).filter(continuous).collect()
}

impl Trial<'_> {
    pub(super) fn sensitivities(&mut self, library: &Library) -> Result<(), Fault> {
        let d = &self.fmu.description;
        let instance = self.instantiate(library)?;
        let mut run = Run::begin(self, instance)?;
        run.go(self, STEPS / 2)?;
        let (knowns, unknowns) = (knowns(d), unknowns(d));
        if run.place.ended || unknowns.is_empty() {
            return Ok(());
        }
        let directional = self.interface.flag("providesDirectionalDerivative");
        let mut at = Point { run, d, unknowns: &unknowns };
        for known in &knowns {
            let name = &d.variables[known.index].name;
            self.stage(&format!("moving {name}"));
            let differences = match self.kind {
                Kind::ModelExchange => at.differences(known)?,
                Kind::CoSimulation => None,
            };
            if let Some(differences) = &differences {
                self.dependencies(known, &unknowns, differences);
                self.factors(known, &mut at)?;
            }
            if directional {
                self.stage(&format!("fmi2GetDirectionalDerivative with respect to {name}"));
                let derivatives = at.derivatives(known, 1.0)?;
                let doubled = at.derivatives(known, 2.0)?;
                self.linear(known, &unknowns, &derivatives, &doubled);
                self.independent(known, &unknowns, &derivatives);
                if let Some(differences) = differences {
                    self.equal(known, &unknowns, &derivatives, &differences);
                }
            }
        }
        Ok(())
    }

    fn names(&self, known: &Known, unknown: &Unknown) -> (&str, &str) {
        let variables = &self.fmu.description.variables;
        (&variables[unknown.index].name, &variables[known.index].name)
    }

    /// C077: what is not listed as a dependency has no influence.
    fn dependencies(&mut self, known: &Known, unknowns: &[&Unknown], differences: &[Difference]) {
        for (unknown, difference) in unknowns.iter().zip(differences) {
            let Some(listed) = &unknown.dependencies else { continue };
            if !listed.contains(&known.index) && difference.moved {
                let (unknown, known) = self.names(known, unknown);
                let text = format!("{unknown} depends on {known}, which is not listed");
                self.error("C077", text);
            }
        }
    }

    /// A083: what does not depend has no derivative.
    fn independent(&mut self, known: &Known, unknowns: &[&Unknown], derivatives: &[f64]) {
        for (unknown, derivative) in unknowns.iter().zip(derivatives) {
            let listed = unknown.dependencies.as_ref();
            if *derivative != 0.0 && listed.is_some_and(|listed| !listed.contains(&known.index)) {
                let (unknown, known) = self.names(known, unknown);
                let text = format!(
                    "the derivative of {unknown} with respect to {known} is {derivative}, \
                     though there is no dependency"
                );
                self.error("A083", text);
            }
        }
    }

    /// C079: where a dependency is said to be a factor, the unknown is linear in the known.
    fn factors(&mut self, known: &Known, at: &mut Point<'_, '_>) -> Result<(), Fault> {
        let factor = |u: &&Unknown| {
            let place = u.dependencies.as_ref()?.iter().position(|i| *i == known.index)?;
            Some(u.kinds.as_ref()?.get(place)? != "dependent")
        };
        if !at.unknowns.iter().any(|u| factor(u).unwrap_or(false)) {
            return Ok(());
        }
        let Some(bends) = at.bends(known)? else { return Ok(()) };
        for (unknown, bend) in at.unknowns.iter().zip(bends) {
            if factor(unknown).unwrap_or(false) && bend {
                let (unknown, known) = self.names(known, unknown);
                let text = format!("{unknown} is not linear in {known}, as its kind says");
                self.error("C079", text);
            }
        }
        Ok(())
    }

    /// A081 and A084: derivatives are finite, and linear in the seed.
    fn linear(&mut self, known: &Known, unknowns: &[&Unknown], once: &[f64], twice: &[f64]) {
        for ((unknown, once), twice) in unknowns.iter().zip(once).zip(twice) {
            if !once.is_finite() || !twice.is_finite() {
                let (unknown, known) = self.names(known, unknown);
                let text = format!("the derivative of {unknown} with respect to {known} is {once}");
                self.error("A084", text);
                continue;
            }
            let linear = (2.0 * once - twice).abs() <= NOISE * twice.abs().max(f64::MIN_POSITIVE);
            if !linear {
                let (unknown, known) = self.names(known, unknown);
                let text = format!(
                    "the derivative of {unknown} with respect to {known} is {once}, \
                     and {twice} with the seed 2"
                );
                self.error("A081", text);
            }
        }
    }

    /// A081: derivatives are what differences are.
    fn equal(
        &mut self,
        known: &Known,
        unknowns: &[&Unknown],
        derivatives: &[f64],
        differences: &[Difference],
    ) {
        for ((unknown, derivative), difference) in unknowns.iter().zip(derivatives).zip(differences)
        {
            let off = (derivative - difference.value).abs();
            if off > DEVIATION * derivative.abs() + difference.uncertainty {
                let (unknown, known) = self.names(known, unknown);
                let text = format!(
                    "the derivative of {unknown} with respect to {known} is {derivative}, \
                     but differences say {}",
                    difference.value
                );
                self.error("A081", text);
            }
        }
    }
}

/// A derivative by differences.
struct Difference {
    value: f64,
    uncertainty: f64,
    /// Whether the unknown moved at all.
    moved: bool,
}

/// The point at which an instance stands.
struct Point<'r, 'l> {
    run: Run<'l>,
    d: &'r ModelDescription,
    unknowns: &'r [&'r Unknown],
}

impl Point<'_, '_> {
    fn references(&self) -> Vec<u32> {
        self.unknowns.iter().map(|u| self.d.variables[u.index].value_reference).collect()
    }

    fn values(&mut self) -> Result<Vec<f64>, Fault> {
        let references = self.references();
        let mut values = vec![0.0; references.len()];
        self.run.instance.get_real(&references, &mut values)?;
        Ok(values)
    }

    fn set(&mut self, known: &Known, value: f64) -> Result<(), Fault> {
        let instance = &mut self.run.instance;
        match known.state {
            Some(k) => {
                let mut x = vec![0.0; self.d.derivatives.len()];
                instance.get_continuous_states(&mut x)?;
                x[k] = value;
                instance.set_continuous_states(&x)?;
            }
            None => {
                let reference = self.d.variables[known.index].value_reference;
                instance.set_real(&[reference], &[value])?;
            }
        }
        Ok(())
    }

    /// Central differences of two widths; none where the known cannot be moved.
    fn differences(&mut self, known: &Known) -> Result<Option<Vec<Difference>>, Fault> {
        let v = &self.d.variables[known.index];
        let value = self.run.instance.number(v)?;
        let width = MOVE * v.attributes.nominal.unwrap_or(1.0).abs().max(value.abs());
        let here = self.values()?;
        let mut sides = Vec::new();
        for k in [2.0, 1.0, -1.0, -2.0] {
            let moved = self.set(known, value + k * width).and_then(|()| self.values());
            self.set(known, value)?;
            match moved {
                Ok(values) => sides.push(values),
                Err(_) => return Ok(None),
            }
        }
        let difference = |i: usize| {
            let of = |a: usize, b: usize, h: f64| (sides[a][i] - sides[b][i]) / (h * width);
            let (wide, narrow) = (of(0, 3, 4.0), of(1, 2, 2.0));
            let noise = NOISE * (1.0 + here[i].abs());
            Difference {
                value: narrow,
                uncertainty: 2.0 * (wide - narrow).abs() + noise / width,
                moved: sides.iter().any(|side| (side[i] - here[i]).abs() > noise),
            }
        };
        Ok(Some((0..here.len()).map(difference).collect()))
    }

    /// Whether each unknown bends as the known moves far; none where it cannot be moved.
    fn bends(&mut self, known: &Known) -> Result<Option<Vec<bool>>, Fault> {
        let v = &self.d.variables[known.index];
        let value = self.run.instance.number(v)?;
        let width = 0.1 * v.attributes.nominal.unwrap_or(1.0).abs().max(value.abs());
        let here = self.values()?;
        let mut sides = Vec::new();
        for k in [1.0, -1.0] {
            let moved = self.set(known, value + k * width).and_then(|()| self.values());
            self.set(known, value)?;
            match moved {
                Ok(values) => sides.push(values),
                Err(_) => return Ok(None),
            }
        }
        let bend = |i: usize| {
            let (up, down) = (sides[0][i], sides[1][i]);
            let scale = 1.0 + here[i].abs().max(up.abs()).max(down.abs());
            (up - 2.0 * here[i] + down).abs() > 1e3 * NOISE * scale
        };
        Ok(Some((0..here.len()).map(bend).collect()))
    }

    fn derivatives(&mut self, known: &Known, seed: f64) -> Result<Vec<f64>, Fault> {
        let references = self.references();
        let known = self.d.variables[known.index].value_reference;
        Ok(self.run.instance.directional_derivative(&references, &[known], &[seed])?)
    }
}
