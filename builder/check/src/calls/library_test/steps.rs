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
    if test.fmu_type == FmuType::ModelExchange || most == 0 {
        return Ok(());
    }
    let outputs: Vec<(String, u32)> =
        continuous(test, "output").iter().map(|v| (v.name.clone(), v.value_reference)).collect();
    let references: Vec<u32> = outputs.iter().map(|(_, reference)| *reference).collect();
    let instance = test.instantiate(library)?;
    let mut run = TestRun::begin(test, instance)?;
    let (mut values, mut derivatives) = (Vec::new(), Vec::new());
    for point in 0..3 {
        run.go(test, 1)?;
        if run.progress.ended || outputs.is_empty() {
            return Ok(());
        }
        let mut now = vec![0.0; references.len()];
        run.instance.get_real(&references, &mut now)?;
        values.push(now);
        test.stage("fmi2GetRealOutputDerivatives");
        for (name, reference) in outputs.iter().filter(|_| point == 1) {
            for order in 1..=i32::try_from(most).unwrap_or(1) {
                let value = run.instance.output_derivative(*reference, order)?;
                if !value.is_finite() {
                    test.error("A096", format!("the derivative {order} of {name} is {value}"));
                }
                derivatives.extend((order == 1).then_some(value));
            }
        }
    }
    for (k, (name, _)) in outputs.iter().enumerate() {
        let [before, now, after] = [values[0][k], values[1][k], values[2][k]];
        let difference = (after - before) / (2.0 * run.step);
        // The difference of both one-sided differences estimates the error of the central one.
        let bend = (after - 2.0 * now + before).abs() / run.step;
        let noise = NOISE * (1.0 + now.abs()) / run.step;
        let derivative = derivatives[k];
        if (derivative - difference).abs() > DEVIATION * derivative.abs() + bend + noise {
            let text = format!("the derivative of {name} is {derivative}");
            test.error("A096", format!("{text}, but finite differences give {difference}"));
        }
    }
    test.importer_risk("A096", "fmi2GetRealOutputDerivatives of order 0");
    if run.instance.output_derivative(references[0], 0).is_ok() {
        test.warning("A096", format!("{} has a derivative of order 0", outputs[0].0));
    }
    Ok(())
}
