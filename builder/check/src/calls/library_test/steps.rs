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

/// A096: derivatives of outputs agree with finite differences, if they are declared. Events within
/// a step make a difference wrong, so that a shorter step decides, if the FMU takes shorter ones.
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
    let Some((mut run, slopes)) = slopes(test, library, &outputs, 1.0)? else { return Ok(()) };
    for (name, reference) in &outputs {
        test.stage("fmi2GetRealOutputDerivatives");
        for order in 1..=i32::try_from(most).unwrap_or(1) {
            let value = run.instance.output_derivative(*reference, order)?;
            if !value.is_finite() {
                test.error("A096", format!("the derivative {order} of {name} is {value}"));
            }
        }
    }
    let mut suspects: Vec<usize> = (0..outputs.len()).filter(|k| slopes[*k].differs()).collect();
    if test.interface.flag("canHandleVariableCommunicationStepSize") {
        for share in SHARES {
            if suspects.is_empty() {
                break;
            }
            let Some((_, shorter)) = self::slopes(test, library, &outputs, share)? else { break };
            suspects.retain(|k| shorter[*k].differs() || !shorter[*k].decides());
        }
    }
    for k in suspects {
        let Slope { derivative, difference, .. } = slopes[k];
        let text = format!("the derivative of {} is {derivative}", outputs[k].0);
        test.error("A096", format!("{text}, but finite differences give {difference}"));
    }
    test.importer_risk("A096", "fmi2GetRealOutputDerivatives of order 0");
    if run.instance.output_derivative(outputs[0].1, 0).is_ok() {
        test.warning("A096", format!("{} has a derivative of order 0", outputs[0].0));
    }
    Ok(())
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
}

/// The slopes of outputs after two communication steps, from values that are apart by a share of a
/// step; none if the FMU ends before. The run stands at the last value.
fn slopes<'l>(
    test: &mut TypeTest<'_>,
    library: &'l FmuLibrary,
    outputs: &[(String, u32)],
    share: f64,
) -> Result<Option<(TestRun<'l>, Vec<Slope>)>, TestFault> {
    let references: Vec<u32> = outputs.iter().map(|(_, reference)| *reference).collect();
    let instance = test.instantiate(library)?;
    let mut run = TestRun::begin(test, instance)?;
    let apart = share * run.step;
    let mut values = [(); 3].map(|()| vec![0.0; references.len()]);
    let mut derivatives = Vec::new();
    for (point, values) in values.iter_mut().enumerate() {
        let steps: &[f64] = if point == 0 { &[run.step, run.step - apart] } else { &[apart] };
        for step in steps.iter().filter(|step| **step > 0.0) {
            if !run.progress.ended {
                run.advance(test, *step)?;
            }
        }
        if run.progress.ended {
            return Ok(None);
        }
        run.instance.get_real(&references, values)?;
        if point == 1 {
            test.stage("fmi2GetRealOutputDerivatives");
            for reference in &references {
                derivatives.push(run.instance.output_derivative(*reference, 1)?);
            }
        }
    }
    let [before, now, after] = values;
    let slope = |k: usize| Slope {
        derivative: derivatives[k],
        difference: (after[k] - before[k]) / (2.0 * apart),
        bend: (after[k] - 2.0 * now[k] + before[k]).abs() / apart,
        noise: NOISE * (1.0 + now[k].abs()) / apart,
    };
    Ok(Some((run, (0..references.len()).map(slope).collect())))
}
