//! Rules for sensitivities: directional derivatives and declared dependencies.

use super::faults::TestFault;
use super::test_run::TestRun;
use super::type_test::{STEPS, TypeTest};
use fmus::fmi::FmuType;
use fmus::host::FmuLibrary;
use fmus::model_description::{Base, ModelDescription, ScalarVariable, Unknown};

/// Change of a known for finite differences, relative to its value or to one.
const MOVE: f64 = 1e-5;

/// Maximum deviation of a derivative from the finite difference, relative to the derivative.
const DEVIATION: f64 = 1e-3;

/// Accuracy of derivatives that the FMU computes by differences, in which digits are lost: relative
/// to the value of the unknown divided by the size of the known, or to one.
const LOST_DIGITS: f64 = 1e-6;

/// Maximum nonlinearity of a derivative in its seed: the FMU may use differences, whose width
/// depends on the seed.
const BEND: f64 = 0.05;

/// Smaller differences are noise, due to iterative solutions and rounding.
const NOISE: f64 = 1e-9;

/// Maximum number of knowns that are changed one by one.
const MAX_KNOWNS: usize = 200;

/// A variable whose value the importer sets.
struct Known {
    /// Its index among the variables.
    index: usize,
    /// Its index among the states, unless it is an input.
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
    states.chain(inputs.map(|(index, _)| Known { index, state: None })).take(MAX_KNOWNS).collect()
}

/// Derivatives of states and continuous outputs, which time alone does not change.
fn unknowns<'a>(test: &TypeTest<'a>) -> Vec<&'a Unknown> {
    let d = &test.fmu.description;
    let continuous = |u: &&Unknown| {
        let v = d.variables.get(u.index).filter(|_| !test.restless.contains(&u.index));
        v.is_some_and(|v| v.base == Base::Real && v.variability == "continuous")
    };
    d.derivatives.iter().chain(&d.outputs).filter(continuous).collect()
}

pub(super) fn check(test: &mut TypeTest<'_>, library: &FmuLibrary) -> Result<(), TestFault> {
    let d = &test.fmu.description;
    let (knowns, unknowns) = (knowns(d), unknowns(test));
    if unknowns.is_empty() {
        return Ok(());
    }
    let Some(mut at) = point(test, library, &unknowns)? else { return Ok(()) };
    let directional = test.interface.flag("providesDirectionalDerivative");
    for known in &knowns {
        if at.broken {
            drop(at);
            let Some(other) = point(test, library, &unknowns)? else { return Ok(()) };
            at = other;
        }
        let name = &d.variables[known.index].name;
        test.stage(&format!("moving {name}"));
        let differences = match test.fmu_type {
            FmuType::ModelExchange => at.differences(known)?,
            FmuType::CoSimulation => None,
        };
        if let Some(differences) = &differences {
            dependencies(test, known, &unknowns, differences);
            factors(test, known, &mut at)?;
        }
        if directional && !at.broken {
            test.stage(&format!("fmi2GetDirectionalDerivative with respect to {name}"));
            let derivatives = at.directional(known)?;
            linear(test, known, &unknowns, &derivatives);
            independent(test, known, &unknowns, &derivatives);
            if let Some(differences) = differences {
                equal(test, known, &unknowns, &derivatives, &differences);
            }
        }
    }
    Ok(())
}

/// A new instance after some steps; none if it has ended by then.
fn point<'a, 'r, 'l>(
    test: &mut TypeTest<'a>,
    library: &'l FmuLibrary,
    unknowns: &'r [&'r Unknown],
) -> Result<Option<OperatingPoint<'r, 'l>>, TestFault>
where
    'a: 'r,
{
    let d = &test.fmu.description;
    let instance = test.instantiate(library)?;
    let mut run = TestRun::begin(test, instance)?;
    run.go(test, STEPS / 2)?;
    Ok((!run.progress.ended).then_some(OperatingPoint { run, d, unknowns, broken: false }))
}

/// Reports a finding about an unknown and a known. If the unknown is an output and is itself the
/// known, the finding is only a warning: the standard does not say that a state depends on itself.
fn pair(test: &mut TypeTest<'_>, rule: &'static str, known: &Known, unknown: &Unknown, text: &str) {
    let derivatives = &test.fmu.description.derivatives;
    let is_output = !derivatives.iter().any(|d| std::ptr::eq(d, unknown));
    let (y, x) = names(test, known, unknown);
    let cause = format!("the influence of {x} on {y}");
    if known.index == unknown.index && is_output {
        test.warning_due_to(cause, rule, text);
    } else {
        test.error_due_to(cause, rule, text);
    }
}

fn names<'a>(test: &TypeTest<'a>, known: &Known, unknown: &Unknown) -> (&'a str, &'a str) {
    let variables = &test.fmu.description.variables;
    (&variables[unknown.index].name, &variables[known.index].name)
}

/// C077: a known that is not listed as a dependency has no influence.
fn dependencies(
    test: &mut TypeTest<'_>,
    known: &Known,
    unknowns: &[&Unknown],
    differences: &[Difference],
) {
    for (unknown, difference) in unknowns.iter().zip(differences) {
        let Some(listed) = &unknown.dependencies else { continue };
        if !listed.contains(&known.index) && difference.moved {
            let (y, x) = names(test, known, unknown);
            let text = format!("{y} depends on {x}, which is not listed");
            pair(test, "C077", known, unknown, &text);
        }
    }
}

/// A083: the derivative with respect to a known without dependency is zero.
fn independent(
    test: &mut TypeTest<'_>,
    known: &Known,
    unknowns: &[&Unknown],
    derivatives: &[Directional],
) {
    for (unknown, derivative) in unknowns.iter().zip(derivatives) {
        let listed = unknown.dependencies.as_ref();
        if listed.is_none_or(|listed| listed.contains(&known.index)) {
            continue;
        }
        if derivative.once.abs() > derivative.noise {
            let (y, x) = names(test, known, unknown);
            let value = derivative.once;
            let text = format!(
                "the derivative of {y} with respect to {x} is {value}, \
                 though there is no dependency"
            );
            pair(test, "A083", known, unknown, &text);
        }
    }
}

/// C079: if a dependency is declared to be a factor, the unknown is linear in the known.
fn factors(
    test: &mut TypeTest<'_>,
    known: &Known,
    at: &mut OperatingPoint<'_, '_>,
) -> Result<(), TestFault> {
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
            let (unknown, known) = names(test, known, unknown);
            let text = format!("{unknown} is not linear in {known}, as its kind says");
            test.error("C079", text);
        }
    }
    Ok(())
}

/// A081 and A084: derivatives are finite, and linear in the seed.
fn linear(
    test: &mut TypeTest<'_>,
    known: &Known,
    unknowns: &[&Unknown],
    derivatives: &[Directional],
) {
    for (unknown, derivative) in unknowns.iter().zip(derivatives) {
        let (once, twice) = (derivative.once, derivative.twice);
        let (y, x) = names(test, known, unknown);
        let what = format!("the derivative of {y} with respect to {x} is {once}");
        if !once.is_finite() || !twice.is_finite() {
            test.error_due_to("A084", "A084", what);
        } else if derivative.bend() > BEND * twice.abs() + derivative.noise {
            let text = format!("{what}, and {twice} with the seed 2");
            test.error_due_to("the seed", "A081", text);
        }
    }
}

/// A081: derivatives agree with finite differences.
fn equal(
    test: &mut TypeTest<'_>,
    known: &Known,
    unknowns: &[&Unknown],
    derivatives: &[Directional],
    differences: &[Difference],
) {
    for ((unknown, derivative), difference) in unknowns.iter().zip(derivatives).zip(differences) {
        let (value, expected) = (derivative.once, difference.value);
        let inexact = difference.uncertainty + derivative.noise + 2.0 * derivative.bend();
        if (value - expected).abs() > DEVIATION * value.abs() + inexact {
            let (y, x) = names(test, known, unknown);
            let text = format!(
                "the derivative of {y} with respect to {x} is {value}, \
                 but finite differences give {expected}"
            );
            pair(test, "A081", known, unknown, &text);
        }
    }
}

/// A derivative from the FMU, which may compute it by differences.
struct Directional {
    /// Its value with the seed 1.
    once: f64,
    /// Its value with the seed 2.
    twice: f64,
    /// The error that differences may have.
    noise: f64,
}

impl Directional {
    /// Its deviation from linearity in the seed.
    fn bend(&self) -> f64 {
        (2.0 * self.once - self.twice).abs()
    }
}

/// A derivative from finite differences.
struct Difference {
    value: f64,
    uncertainty: f64,
    /// Whether the unknown changed.
    moved: bool,
}

/// An instance at a point, with the unknowns.
struct OperatingPoint<'r, 'l> {
    run: TestRun<'l>,
    d: &'r ModelDescription,
    unknowns: &'r [&'r Unknown],
    /// Whether a call has failed, after which no further call is possible.
    broken: bool,
}

impl OperatingPoint<'_, '_> {
    fn references(&self) -> Vec<u32> {
        self.unknowns.iter().map(|u| self.d.variables[u.index].value_reference).collect()
    }

    fn values(&mut self) -> Result<Vec<f64>, TestFault> {
        let references = self.references();
        let mut values = vec![0.0; references.len()];
        self.run.instance.get_real(&references, &mut values)?;
        Ok(values)
    }

    fn set(&mut self, known: &Known, value: f64) -> Result<(), TestFault> {
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

    /// The size of a known: its nominal value, or its value.
    fn scale(&mut self, known: &Known) -> Result<(f64, f64), TestFault> {
        let v = &self.d.variables[known.index];
        let value = self.run.instance.number(v)?;
        Ok((value, v.attributes.nominal.unwrap_or(1.0).abs().max(value.abs())))
    }

    /// The values of the unknowns after a known is changed; none if it cannot be changed.
    fn moved(
        &mut self,
        known: &Known,
        value: f64,
        moves: &[f64],
    ) -> Result<Option<Vec<Vec<f64>>>, TestFault> {
        let mut sides = Vec::new();
        for by in moves {
            match self.set(known, value + by).and_then(|()| self.values()) {
                Ok(values) => sides.push(values),
                Err(fault) if fault.discarded => break,
                Err(_) => {
                    self.broken = true;
                    return Ok(None);
                }
            }
        }
        self.set(known, value)?;
        Ok((sides.len() == moves.len()).then_some(sides))
    }

    /// Central differences of two widths; none if the known cannot be changed.
    fn differences(&mut self, known: &Known) -> Result<Option<Vec<Difference>>, TestFault> {
        let (value, scale) = self.scale(known)?;
        let width = MOVE * scale;
        let here = self.values()?;
        let moves = [2.0, 1.0, -1.0, -2.0].map(|k| k * width);
        let Some(sides) = self.moved(known, value, &moves)? else { return Ok(None) };
        let difference = |i: usize| {
            let of = |a: usize, b: usize, h: f64| (sides[a][i] - sides[b][i]) / (h * width);
            let (wide, narrow) = (of(0, 3, 4.0), of(1, 2, 2.0));
            let noise = NOISE * (1.0 + here[i].abs());
            // At a kink, the differences on both sides disagree.
            let kink = (sides[1][i] - 2.0 * here[i] + sides[2][i]).abs() / width;
            Difference {
                value: narrow,
                uncertainty: 2.0 * (wide - narrow).abs() + kink + noise / width,
                moved: sides.iter().any(|side| (side[i] - here[i]).abs() > noise),
            }
        };
        Ok(Some((0..here.len()).map(difference).collect()))
    }

    /// Whether each unknown is nonlinear in a large change of the known; none if it cannot be
    /// changed.
    fn bends(&mut self, known: &Known) -> Result<Option<Vec<bool>>, TestFault> {
        let (value, scale) = self.scale(known)?;
        let here = self.values()?;
        let moves = [0.1 * scale, -0.1 * scale];
        let Some(sides) = self.moved(known, value, &moves)? else { return Ok(None) };
        let bend = |i: usize| {
            let (up, down) = (sides[0][i], sides[1][i]);
            let scale = 1.0 + here[i].abs().max(up.abs()).max(down.abs());
            (up - 2.0 * here[i] + down).abs() > 1e3 * NOISE * scale
        };
        Ok(Some((0..here.len()).map(bend).collect()))
    }

    /// The directional derivatives of all unknowns.
    fn directional(&mut self, known: &Known) -> Result<Vec<Directional>, TestFault> {
        let (_, scale) = self.scale(known)?;
        let here = self.values()?;
        let references = self.references();
        let known = self.d.variables[known.index].value_reference;
        let mut with_seed =
            |seed| self.run.instance.directional_derivative(&references, &[known], &[seed]);
        let (once, twice) = (with_seed(1.0)?, with_seed(2.0)?);
        let all = here.into_iter().zip(once).zip(twice);
        let noise = |here: f64| LOST_DIGITS * (1.0 + here.abs()) / scale.min(1.0);
        Ok(all.map(|((y, once), twice)| Directional { once, twice, noise: noise(y) }).collect())
    }
}
