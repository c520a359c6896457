//! Comparison of directional derivatives with finite differences, in every mode that has them.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::fmi2::*;

// FMI: A081, providesDirectionalDerivative
#[test]
fn derivatives_equal_differences_and_are_linear_in_the_seeds() {
    let fmu = Fmu::me_from::<Oscillator>(0.0, &[]);
    fmu.set_states(&[0.3, -0.7]);
    fmu.set_real(&[Oscillator::U], &[0.9]);
    let unknowns = [Oscillator::DER_V, Oscillator::POWER, Oscillator::ENERGY];
    let knowns = [Oscillator::X, Oscillator::V, Oscillator::U];
    let mut sum = [0.0; 3];
    for (i, &known) in knowns.iter().enumerate() {
        let (status, exact) = fmu.directional(&unknowns, &[known], &[1.0]);
        assert_eq!(status, fmi2OK);
        let mut ends = [[0.0; 3]; 2];
        let middle = fmu.real(known);
        for (end, shift) in ends.iter_mut().zip([-1e-6, 1e-6]) {
            fmu.set_real(&[known], &[middle + shift]);
            *end = unknowns.map(|unknown| fmu.real(unknown));
        }
        fmu.set_real(&[known], &[middle]);
        for k in 0..3 {
            let difference = (ends[1][k] - ends[0][k]) / 2e-6;
            assert!((exact[k] - difference).abs() < 1e-8, "d{k}/d{i}");
            sum[k] += (i as f64 + 2.0) * exact[k];
        }
    }
    let (_, whole) = fmu.directional(&unknowns, &knowns, &[2.0, 3.0, 4.0]);
    for (a, b) in whole.iter().zip(sum) {
        assert!((a - b).abs() < 1e-13);
    }
    assert_eq!(fmu.states(2).1, [0.3, -0.7], "nothing was changed");
}

// FMI: A082, A084
#[test]
fn derivatives_exist_with_respect_to_start_values_during_initialization() {
    let fmu = Fmu::cs::<Oscillator>();
    fmu.setup(0.0, None);
    fmu.enter_initialization_mode();
    let unknowns = [Oscillator::TWICE, Oscillator::DER_V, Oscillator::ENERGY];
    let knowns = [Oscillator::SIZE, Oscillator::X, Oscillator::C];
    let one = |i: usize| fmu.directional(&unknowns, &[knowns[i]], &[1.0]);
    assert_eq!(one(0), (fmi2OK, vec![2.0, 0.0, 0.0]));
    assert_eq!(one(1), (fmi2OK, vec![0.0, -4.0, 4.0]));
    assert_eq!(one(2), (fmi2OK, vec![0.0, -1.0, 0.5]));
}

#[test]
fn derivatives_go_through_implicit_equations() {
    for fmu in [Fmu::me_from::<Implicit>(0.0, &[]), Fmu::cs_from::<Implicit>(0.0, &[])] {
        let z = fmu.real(Implicit::Z);
        let (status, exact) = fmu.directional(&[Implicit::Z], &[Implicit::X], &[1.0]);
        assert_eq!(status, fmi2OK);
        assert!((exact[0] - 1.0 / (1.0 + 3.0 * z * z)).abs() < 1e-14);
    }
}

// FMI: A083
#[test]
fn variables_of_the_wrong_role_are_errors() {
    let derivative = |unknown, known| {
        Fmu::me_from::<Oscillator>(0.0, &[]).directional(&[unknown], &[known], &[1.0]).0
    };
    assert_eq!(derivative(Oscillator::DER_V, Oscillator::X), fmi2OK);
    assert_eq!(derivative(Oscillator::C, Oscillator::X), fmi2Error);
    assert_eq!(derivative(Oscillator::DER_V, Oscillator::C), fmi2Error);
    assert_eq!(derivative(Oscillator::DER_V, Oscillator::POWER), fmi2Error);
    assert_eq!(derivative(99, Oscillator::X), fmi2Error);
    assert_eq!(derivative(Oscillator::DER_V, 99), fmi2Error);
}

// FMI: A082
#[test]
fn every_output_has_derivatives_whatever_its_source_is() {
    let outputs = Mirror::OUTPUTS;
    let fmu = Fmu::me::<Mirror>();
    fmu.setup(0.0, None);
    fmu.enter_initialization_mode();
    let by_parameter = fmu.directional(&outputs, &[Mirror::P], &[1.0]);
    assert_eq!(by_parameter, (fmi2OK, vec![0.0, 1.0, 3.0, 0.0, 0.0, 0.0]));

    let along_time = vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    for fmu in [Fmu::me_from::<Mirror>(0.0, &[]), Fmu::cs_from::<Mirror>(0.0, &[])] {
        let by_time = fmu.directional(&outputs, &[Mirror::TIME], &[1.0]);
        assert_eq!(by_time, (fmi2OK, along_time.clone()));
        assert_eq!(fmu.directional(&[Mirror::P], &[Mirror::X], &[1.0]).0, fmi2Error);
    }
    let fmu = Fmu::cs_from::<Mirror>(0.0, &[]);
    let slopes = outputs.map(|output| fmu.slope(output, 1));
    assert_eq!(slopes, [0.0, 0.0, 0.0, 0.0, 1.0, 2.0].map(|slope| (fmi2OK, slope)));
}

// FMI: A082
#[test]
fn every_continuous_variable_has_derivatives_whatever_its_source_is() {
    let rates = Mirror::RATES;
    let fmu = Fmu::me::<Mirror>();
    fmu.setup(0.0, None);
    fmu.enter_initialization_mode();
    assert_eq!(fmu.directional(&rates, &[Mirror::P], &[1.0]), (fmi2OK, vec![1.0, 0.0, 0.0]));

    for fmu in [Fmu::me_from::<Mirror>(0.0, &[]), Fmu::cs_from::<Mirror>(0.0, &[])] {
        let by_time = fmu.directional(&rates, &[Mirror::TIME], &[1.0]);
        assert_eq!(by_time, (fmi2OK, vec![0.0, 1.0, 0.0]));
        let by_state = fmu.directional(&rates, &[Mirror::X], &[1.0]);
        assert_eq!(by_state, (fmi2OK, vec![0.0; 3]));
        assert_eq!(fmu.directional(&[Mirror::FIXED], &[Mirror::X], &[1.0]).0, fmi2Error);
    }
}

#[test]
fn derivatives_between_steps_belong_to_the_point_reached() {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[(Oscillator::V, 1.0)]);
    let t = fmu.steps(0.0, 0.5, 1);
    let answers = || {
        let unknowns = [Oscillator::DER_V, Oscillator::ENERGY];
        let partial = fmu.directional(&unknowns, &[Oscillator::X], &[1.0]);
        let values = unknowns.map(|unknown| fmu.real(unknown));
        (partial, values, fmu.slope(Oscillator::DER_V, 1))
    };
    let before = answers();
    assert_eq!(before.0.1[0], -4.0);
    assert_eq!(fmu.set_real(&[Oscillator::C], &[9.0]), fmi2OK);
    assert_eq!(fmu.real(Oscillator::C), 9.0);
    assert_eq!(answers(), before);
    assert_eq!(fmu.step(t, 0.0), fmi2OK);
    let after = answers();
    assert_eq!(after.0.1[0], -9.0);
    assert_eq!(after.1[0], -9.0 * fmu.real(Oscillator::X));
}
