//! Rules for derivatives of inputs and outputs over communication steps.

use super::faults::TestFault;
use super::test_run::TestRun;
use super::type_test::TypeTest;
use fmus::fmi::FmuType;
use fmus::host::FmuLibrary;
use fmus::model_description::{Base, ScalarVariable};

/// Maximum deviation of a derivative from the finite difference, relative to the derivative.
const DEVIATION: f64 = 0.05;

/// Accuracy of the values from which differences are formed, relative to the value or to one.
const NOISE: f64 = 1e-3;

/// The ratio of a communication step to the shortest time constant, from which on derivatives of an
/// order above one are not judged.
const STIFFEST: f64 = 1e4;

/// Shorter steps, as shares of the communication step.
const SHARES: [f64; 3] = [0.1, 0.01, 0.001];

fn continuous<'a>(test: &TypeTest<'a>, causality: &str) -> Vec<&'a ScalarVariable> {
    let wanted = |(index, v): &(usize, &ScalarVariable)| {
        let continuous = v.base == Base::Real && v.variability == "continuous";
        continuous && v.causality == causality && !test.restless.contains(index)
    };
    let all = test.fmu.description.variables.iter().enumerate();
    all.filter(wanted).map(|(_, v)| v).collect()
}

/// A095: each continuous input accepts derivatives, if that is declared.
pub(super) fn input_derivatives(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
) -> Result<(), TestFault> {
    if test.fmu_type == FmuType::ModelExchange || !test.interface.flag("canInterpolateInputs") {
        return Ok(());
    }
    let inputs = test.fmu.description.variables.iter().filter(|v| {
        v.base == Base::Real && v.variability == "continuous" && v.causality == "input"
    });
    let inputs: Vec<(&str, u32)> = inputs.map(|v| (&*v.name, v.value_reference)).collect();
    let instance = test.instantiate(library)?;
    let mut run = TestRun::begin(test, instance)?;
    for (name, reference) in &inputs {
        test.stage(&format!("fmi2SetRealInputDerivatives of {name}"));
        if let Err(call) = run.instance.set_input_derivative(*reference, 1, 0.0) {
            test.error("A095", format!("{name} does not accept a derivative: {call}"));
            drop(run);
            let instance = test.instantiate(library)?;
            run = TestRun::begin(test, instance)?;
        }
    }
    run.go(test, 1)?;
    if let Some((name, reference)) = inputs.first().filter(|_| !run.progress.ended) {
        test.importer_risk("A095", "fmi2SetRealInputDerivatives of order 0");
        if run.instance.set_input_derivative(*reference, 0, 0.0).is_ok() {
            test.warning("A095", format!("{name} accepts a derivative of order 0"));
        }
    }
    Ok(())
}

/// A096: derivatives of outputs agree with finite differences, if they are declared.
pub(super) fn output_derivatives(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
) -> Result<(), TestFault> {
    let most = test.interface.number("maxOutputDerivativeOrder");
    let outputs: Vec<(String, u32)> =
        continuous(test, "output").iter().map(|v| (v.name.clone(), v.value_reference)).collect();
    if test.fmu_type == FmuType::ModelExchange || most == 0 || outputs.is_empty() {
        return Ok(());
    }
    for order in 1..=i32::try_from(most).unwrap_or(1) {
        let tried = output_derivatives_of_order(test, library, &outputs, order)?;
        let Some((mut run, are_right)) = tried else { return Ok(()) };
        if order == 1 {
            test.importer_risk("A096", "fmi2GetRealOutputDerivatives of order 0");
            if run.instance.output_derivative(outputs[0].1, 0).is_ok() {
                test.warning("A096", format!("{} has a derivative of order 0", outputs[0].0));
            }
        }
        // Wrong derivatives of an order would be the reason for differences from the next one.
        if !are_right {
            break;
        }
    }
    Ok(())
}

/// The derivatives of an order agree with differences of those of the order before. Events within a
/// step make a difference wrong, so that a shorter step decides, if the FMU takes shorter ones.
/// Returns a run and whether all are right; none if the FMU ends before.
fn output_derivatives_of_order<'l>(
    test: &mut TypeTest<'_>,
    library: &'l FmuLibrary,
    outputs: &[(String, u32)],
    order: i32,
) -> Result<Option<(TestRun<'l>, bool)>, TestFault> {
    let Some((run, slopes)) = slopes(test, library, outputs, order, 1.0)? else {
        return Ok(None);
    };
    let mut are_right = true;
    for ((name, _), Slope { derivative, .. }) in outputs.iter().zip(&slopes) {
        if !derivative.is_finite() {
            are_right = false;
            test.error("A096", format!("the derivative {order} of {name} is {derivative}"));
        }
    }
    let mut suspects: Vec<usize> = (0..outputs.len()).filter(|k| slopes[*k].differs()).collect();
    let mut sure: Vec<bool> = slopes.iter().map(Slope::is_sure).collect();
    if test.interface.flag("canHandleVariableCommunicationStepSize") {
        for share in SHARES {
            if suspects.is_empty() {
                break;
            }
            let shorter = self::slopes(test, library, outputs, order, share)?;
            let Some((_, shorter)) = shorter else { break };
            suspects.retain(|k| shorter[*k].differs() || !shorter[*k].decides());
            for (sure, slope) in sure.iter_mut().zip(&shorter) {
                *sure |= slope.is_sure();
            }
        }
    }
    suspects.retain(|k| sure[*k]);
    are_right &= suspects.is_empty();
    for k in suspects {
        let Slope { derivative, difference, .. } = slopes[k];
        let (what, of) = match order {
            1 => ("derivative".to_owned(), String::new()),
            _ => (format!("derivative {order}"), format!(" of derivative {}", order - 1)),
        };
        let text = format!("the {what} of {} is {derivative}", outputs[k].0);
        test.error("A096", format!("{text}, but finite differences{of} give {difference}"));
    }
    Ok(Some((run, are_right)))
}

/// The derivative of an output at a point, and the central difference around the point.
#[derive(Clone, Copy)]
struct Slope {
    derivative: f64,
    difference: f64,
    /// The difference of both one-sided differences, which estimates the error of the central one.
    bend: f64,
    /// The error due to that of the values.
    noise: f64,
    /// How much the derivative may differ in a stiff system, in which a small error of the states
    /// is a large one of a derivative, and a larger one of the next; 0 for the first derivative.
    stiffness: f64,
}

impl Slope {
    /// Whether both differ by more than their errors. Values that are not finite are the matter of
    /// another rule.
    fn differs(&self) -> bool {
        let error = (self.derivative - self.difference).abs();
        error > DEVIATION * self.derivative.abs() + self.bend + self.noise
    }

    /// Whether the values are so accurate that the difference says something.
    fn decides(&self) -> bool {
        self.noise <= 0.5 * self.derivative.abs()
    }

    /// Whether a difference is a fault.
    fn is_sure(&self) -> bool {
        (self.derivative - self.difference).abs() > self.stiffness
    }
}

/// The derivatives of outputs of an order after two communication steps, and their slopes from
/// those of the order before, or values, that are apart by a share of a step; none if the FMU ends
/// before. The run stands at the last value.
fn slopes<'l>(
    test: &mut TypeTest<'_>,
    library: &'l FmuLibrary,
    outputs: &[(String, u32)],
    order: i32,
    share: f64,
) -> Result<Option<(TestRun<'l>, Vec<Slope>)>, TestFault> {
    let references: Vec<u32> = outputs.iter().map(|(_, reference)| *reference).collect();
    let instance = test.instantiate(library)?;
    let mut run = TestRun::begin(test, instance)?;
    let apart = share * run.step;
    // The derivatives of the three orders at the three points.
    let mut all = [(); 3].map(|()| [(); 3].map(|()| vec![0.0; references.len()]));
    for (point, orders) in all.iter_mut().enumerate() {
        let steps: &[f64] = if point == 0 { &[run.step, run.step - apart] } else { &[apart] };
        for step in steps.iter().filter(|step| **step > 0.0) {
            if !run.progress.ended {
                run.advance(test, *step)?;
            }
        }
        if run.progress.ended {
            return Ok(None);
        }
        for (values, of) in orders.iter_mut().zip(order - 2..=order) {
            if of == 0 {
                run.instance.get_real(&references, values)?;
            }
            if of > 0 && (of < order || point == 1) {
                test.stage("fmi2GetRealOutputDerivatives");
                for (value, reference) in values.iter_mut().zip(&references) {
                    *value = run.instance.output_derivative(*reference, of)?;
                }
            }
        }
    }
    let [before, now, after] = all;
    let rate = STIFFEST / run.step;
    let slope = |k: usize| Slope {
        derivative: now[2][k],
        difference: (after[1][k] - before[1][k]) / (2.0 * apart),
        bend: (after[1][k] - 2.0 * now[1][k] + before[1][k]).abs() / apart,
        noise: NOISE * (1.0 + now[1][k].abs()) / apart,
        stiffness: match order {
            1 => 0.0,
            _ => {
                let difference = (after[0][k] - before[0][k]) / (2.0 * apart);
                (now[1][k] - difference).abs() * rate
            }
        },
    };
    Ok(Some((run, (0..references.len()).map(slope).collect())))
}
