//! Tests of the second derivatives of outputs: closed forms, borders of what can be evaluated, and
//! that the calls change nothing.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::fmi2::*;
use fmu_runtime::kernels::rows::TableShape;
use fmu_runtime::system::*;

/// The derivative of an order, which must exist.
fn derivative(fmu: &Fmu, reference: u32, order: i32) -> f64 {
    let (status, value) = fmu.slope(reference, order);
    assert_eq!(status, fmi2OK, "{}", fmu.last_text());
    value
}

/// Whether two numbers are equal up to the part of a scale.
#[track_caller]
fn close(ours: f64, wanted: f64, limit: f64) {
    assert!((ours - wanted).abs() <= limit, "{ours} instead of {wanted}");
}

// FMI: A096, maxOutputDerivativeOrder
#[test]
fn second_derivatives_are_those_of_the_equations_with_each_method() {
    for method in 0..=5 {
        let fmu = Fmu::cs::<Oscillator>();
        assert_eq!(fmu.set_integer(Oscillator::METHOD, method), fmi2OK);
        fmu.initialize(0.0, &[(Oscillator::STEP, 0.01)]);
        // The first point is the start, before the integrator has made a step.
        for k in 0..20 {
            let x = fmu.real(Oscillator::X);
            let [of_x, of_v, of_rate, of_energy] =
                [Oscillator::X, Oscillator::V, Oscillator::DER_V, Oscillator::ENERGY]
                    .map(|reference| derivative(&fmu, reference, 2));
            assert_eq!(of_x, fmu.real(Oscillator::DER_V), "exact for a state");
            assert_eq!(of_v, derivative(&fmu, Oscillator::DER_V, 1), "exact for a state");
            close(of_rate, 16.0 * x, 1e-11);
            close(of_energy, 0.0, 1e-11);
            fmu.steps(0.1 * f64::from(k), 0.1, 1);
        }
    }
}

// FMI: A095, A096
#[test]
fn polynomial_inputs_move_with_their_derivatives() {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[(Oscillator::TOLERANCE, 1e-10)]);
    let [u, slope, bend, jerk] = [1.5, -2.0, 7.0, 4.0];
    fmu.set_real(&[Oscillator::U], &[u]);
    for (order, value) in [(1, slope), (2, bend), (3, jerk)] {
        assert_eq!(fmu.set_slope(Oscillator::U, order, value), fmi2OK);
    }
    let t = fmu.steps(0.0, 0.25, 1);
    let [u, slope, bend] = [
        u + t * (slope + t * (bend / 2.0 + t * jerk / 6.0)),
        slope + t * (bend + t * jerk / 2.0),
        bend + t * jerk,
    ];
    let wanted = || {
        let [v, dv] = [Oscillator::V, Oscillator::DER_V].map(|reference| fmu.real(reference));
        let ddv = slope - 4.0 * v;
        [bend, bend - 4.0 * dv, bend * v + 2.0 * slope * dv + u * ddv]
    };
    let second = || {
        [Oscillator::U, Oscillator::DER_V, Oscillator::POWER]
            .map(|reference| derivative(&fmu, reference, 2))
    };
    let at_end = second();
    for (ours, wanted) in at_end.into_iter().zip(wanted()) {
        close(ours, wanted, 1e-10);
    }
    // What is set now takes effect in the next step.
    fmu.set_real(&[Oscillator::U], &[-30.0]);
    assert_eq!(second(), at_end);
}

// FMI: A096
#[test]
fn orders_may_be_mixed_in_a_call_with_many_variables() {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
    fmu.steps(0.0, 0.1, 3);
    let variables = [Oscillator::X, Oscillator::DER_V, Oscillator::POWER, Oscillator::ENERGY];
    let references: Vec<u32> = variables.into_iter().cycle().take(101).collect();
    let orders: Vec<i32> = (0..101).map(|k| 1 + k / 3 % 2).collect();
    let (status, values) = fmu.output_derivatives(&references, &orders);
    assert_eq!(status, fmi2OK);
    for ((reference, order), value) in references.into_iter().zip(orders).zip(values) {
        close(value, derivative(&fmu, reference, order), 1e-11);
    }
}

#[test]
fn a_solved_equation_has_the_second_derivative_of_its_solution() {
    // With z + z^3 = x and x' = -z: z' = -z / (1 + 3 z^2).
    let fmu = Fmu::cs_from::<Implicit>(0.0, &[]);
    for k in 0..10 {
        let z = fmu.real(Implicit::Z);
        let s = 1.0 + 3.0 * z * z;
        close(derivative(&fmu, Implicit::Z, 2), z * (1.0 - 3.0 * z * z) / (s * s * s), 1e-10);
        fmu.steps(0.1 * f64::from(k), 0.1, 1);
    }
}

/// Where the table of a [`Reader`] ends.
const END: f64 = 4.0;

/// Outputs over time: a cubic polynomial inside a table, a sine, and a slope with a jump at 1 s.
/// With `SHORT = 1` the table ends where it begins.
struct Reader<const SHORT: usize>;

impl<const SHORT: usize> Reader<SHORT> {
    const CUBIC: u32 = 1;
    const SINE: u32 = 2;
    const CORNER: u32 = 3;
}

const fn table(rows: &'static [f64]) -> Table {
    let shape = TableShape { columns: 2, jumps: false, periodic: false };
    Table { name: "range", shape, data: Data::Rows(rows) }
}

impl<const SHORT: usize> System for Reader<SHORT> {
    const INFO: Info = model("Reader", "{second}")
        .reals(&[
            Variable::new("x", Source::State(0)).output(),
            Variable::new("cubic", Source::Reported(0, Stage::Time)).output(),
            Variable::new("sine", Source::Reported(1, Stage::Time)).output(),
            Variable::new("corner", Source::Reported(2, Stage::Time)).output(),
        ])
        .states(&[State::new("x")])
        .tables(&[table(&[0.0, 0.0, END, 0.0]), table(&[0.0, 0.0, f64::MIN_POSITIVE, 0.0])])
        .fallible(None, Some(Stage::Time));

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = S::from(0.0);
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = S::from(1.0);
        }
        Ok(())
    }

    fn report<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Time {
            let t = e.t;
            e.w[0] = e.tables[SHORT].guard(SHORT as u32, t.value(), t * t * t)?;
            e.w[1] = t.sin_cos().0;
            e.w[2] = if t.value() < 1.0 { t * t } else { S::from(2.0) - t * t * t };
        }
        Ok(())
    }
}

// FMI: A096
#[test]
fn at_the_ends_of_a_table_the_side_inside_decides() {
    type Long = Reader<0>;
    let fmu = Fmu::cs_from::<Long>(0.0, &[]);
    close(derivative(&fmu, Long::CUBIC, 2), 0.0, 1e-9);
    close(derivative(&fmu, Long::SINE, 2), 0.0, 1e-9);
    assert_eq!(fmu.step(0.0, END), fmi2OK);
    close(derivative(&fmu, Long::CUBIC, 2), 6.0 * END, 1e-6);
    close(derivative(&fmu, Long::SINE, 2), -END.sin(), 1e-7);
    assert_eq!(derivative(&fmu, 0, 2), 0.0);
}

#[test]
fn at_a_jump_of_the_slope_the_derivative_is_that_after_it() {
    let fmu = Fmu::cs_from::<Reader<0>>(0.0, &[]);
    for (until, wanted) in [(0.999, 2.0), (1.0, -6.0), (1.001, -6.006)] {
        fmu.step(fmu.last_successful_time().1, until - fmu.last_successful_time().1);
        close(derivative(&fmu, Reader::<0>::CORNER, 2), wanted, 1e-6);
    }
}

// FMI: A096
#[test]
fn a_second_derivative_that_does_not_exist_is_refused_with_its_name() {
    type Short = Reader<1>;
    let fmu = Fmu::cs_from::<Short>(0.0, &[]);
    assert_eq!(derivative(&fmu, Short::CUBIC, 1), 0.0);
    assert_eq!(fmu.slope(Short::CUBIC, 2).0, fmi2Error);
    let reason = "t=0 the second derivative of cubic is not defined here: close to this instant, \
                  the first one jumps or cannot be computed";
    assert_eq!(fmu.last_text(), reason);
    assert_eq!(fmu.real(Short::CUBIC), 0.0, "which leaves the instance unaffected");
}

#[test]
fn second_derivatives_are_accurate_at_late_times() {
    for start in [1e3, 1e6] {
        let fmu = Fmu::cs::<Wave>();
        fmu.initialize(start, &[]);
        let t = fmu.steps(start, 0.25, 3);
        close(derivative(&fmu, 1, 2), -t.sin(), 1e-6);
    }
}

/// `x' = 1`, and the sine of time.
struct Wave;

impl System for Wave {
    const INFO: Info = model("Wave", "{wave}")
        .reals(&[
            Variable::new("x", Source::State(0)).output(),
            Variable::new("sine", Source::Reported(0, Stage::Time)).output(),
        ])
        .states(&[State::new("x")]);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = S::from(0.0);
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = S::from(1.0);
        }
        Ok(())
    }

    fn report<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Time {
            e.w[0] = e.t.sin_cos().0;
        }
        Ok(())
    }
}

/// The bytes of the present state of an instance.
fn bytes(fmu: &Fmu) -> Vec<u8> {
    let mut state = fmu.get_state();
    let (_, size) = fmu.serialized_size(state);
    let (status, bytes) = fmu.serialize(state, size);
    assert_eq!((status, fmu.free_state(&mut state)), (fmi2OK, fmi2OK));
    bytes
}

/// Asks one of two instances for second derivatives at each communication point.
fn leaves_no_trace<T: System>(references: &[u32]) {
    let [asked, other] = [(); 2].map(|()| Fmu::cs_from::<T>(0.0, &[]));
    for k in 0..200 {
        for &reference in references {
            assert_eq!(asked.slope(reference, 1).0, fmi2OK);
            assert_eq!(other.slope(reference, 1).0, fmi2OK);
            let before = bytes(&asked);
            assert_eq!(asked.slope(reference, 2).0, fmi2OK, "{}", asked.last_text());
            assert_eq!(bytes(&asked), before, "{}: step {k}", T::INFO.name);
        }
        for fmu in [&asked, &other] {
            assert_eq!(fmu.step(0.01 * f64::from(k), 0.01), fmi2OK);
        }
        assert_eq!(bytes(&asked), bytes(&other), "{}: step {k}", T::INFO.name);
    }
}

// FMI: A096, A072
#[test]
fn second_derivatives_leave_no_trace() {
    leaves_no_trace::<Oscillator>(&[Oscillator::DER_V, Oscillator::ENERGY]);
    leaves_no_trace::<Implicit>(&[Implicit::Z]);
    leaves_no_trace::<Shy>(&[Shy::Z]);
    leaves_no_trace::<Ball>(&[Ball::H, Ball::V]);
    leaves_no_trace::<Threshold>(&[Threshold::Y]);
    leaves_no_trace::<Reader<0>>(&[Reader::<0>::CUBIC]);
}
