//! Tests that derivatives of outputs are slopes, and that asking for them changes nothing.

use coupler_tests::harness::references_text;
use coupler_tests::runs::events;
use coupler_tests::{Fmu, FmuType, Harness, Instance};
use fmu_builder::model_description::{Base, Unknown};

const TOLERANCE: f64 = 1e-9;

/// The derivatives of an order of outputs.
fn derivatives(instance: &Instance, references: &[u32], order: usize) -> Vec<f64> {
    let orders = vec![order.to_string(); references.len()].join(" ");
    let arguments = format!("{} {orders}", references_text(references));
    instance.ok("get_output_derivatives", &arguments).reals(0)
}

/// The derivatives of outputs in the middle of four steps, and the values at their five ends.
struct Around {
    /// The derivatives of orders 1 and 2.
    exact: [Vec<f64>; 2],
    /// The derivatives of orders 0 and 1, the first of which are the values.
    values: [[Vec<f64>; 5]; 2],
    width: f64,
    /// Whether there was an event, at which slopes may jump.
    has_event: bool,
}

impl Around {
    /// Makes four steps from an instant on; two of them are as long as a width.
    fn new(instance: &Instance, references: &[u32], t: f64, width: f64) -> Around {
        let mut around = Around {
            exact: Default::default(),
            values: Default::default(),
            width,
            has_event: false,
        };
        let before = events(instance);
        for i in 0..5 {
            if i > 0 {
                instance.step(t + 0.5 * width * (i as f64 - 1.0), 0.5 * width);
            }
            around.values[0][i] = instance.reals(references);
            around.values[1][i] = derivatives(instance, references, 1);
            if i == 2 {
                let second = derivatives(instance, references, 2);
                around.exact = [around.values[1][i].clone(), second];
            }
        }
        around.has_event = events(instance) > before;
        around
    }

    /// The derivative of an output of an order, as the slope of that of the order before, and a
    /// bound of its error; `None` if the estimate says nothing, because there is an event or a
    /// corner, or because the curve bends too much for this width.
    fn slope(&self, i: usize, order: usize) -> Option<(f64, f64)> {
        let values = &self.values[order - 1];
        let [begin, before, middle, after, end] = values.each_ref().map(|values| values[i]);
        let (left, right) = ((middle - begin) / self.width, (end - middle) / self.width);
        if self.has_event || (left - right).abs() >= 0.1 * (1.0 + left.abs()) {
            return None;
        }
        // The first is exact for a polynomial of degree four, the second for one of degree two. If
        // the second derivative jumps once, the error is at most twice their difference.
        let slope = (8.0 * (after - before) - (end - begin)) / (6.0 * self.width);
        let difference = (slope - (after - before) / self.width).abs();
        let limit = 1e-4 * (1.0 + slope.abs());
        (difference <= limit).then_some((slope, limit + 2.0 * difference))
    }
}

/// How much the derivative of an output, by reference, may differ because the states are accurate
/// up to a relative error only: the sum of the changes with all states. In a stiff model, small
/// errors of states are large ones of derivatives, and larger ones of second derivatives.
fn inaccuracy(instance: &Instance, output: u32, order: usize, relative: f64) -> f64 {
    let fmu = instance.fmu;
    let states = fmu.reals(fmu.states());
    let name = |unknown: &Unknown| fmu.description.variables[unknown.index].value_reference;
    let rates: Vec<u32> = fmu.description.derivatives.iter().map(name).collect();
    let change = |(state, value): (&u32, f64)| {
        let mut of = instance.directional(&rates, &[*state], &[relative * value.abs().max(1.0)]);
        for _ in 1..order {
            of = instance.directional(&rates, &states, &of);
        }
        instance.directional(&[output], &states, &of)[0].abs()
    };
    states.iter().zip(instance.reals(&states)).map(change).sum()
}

/// The names and references of the outputs that have derivatives.
fn outputs(fmu: &Fmu) -> (Vec<&str>, Vec<u32>) {
    let mut names = fmu.names(Base::Real, &["output"]);
    names.retain(|name| fmu.variable(name).variability == "continuous");
    let references = fmu.reals(names.iter().copied());
    (names, references)
}

// FMI: A096, C016, maxOutputDerivativeOrder
#[test]
fn output_derivatives_are_the_slopes_of_the_outputs() {
    for fmu in Fmu::all() {
        let (names, references) = outputs(&fmu);
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(Some(TOLERANCE), fmu.starts());
        let pause = (fmu.stop_time() / 20.0).min(0.07);
        // The second width is smaller than the periods of controllers.
        let widths = [1e-4, 1e-6].map(|width| width * fmu.stop_time().min(1.0));
        let mut checked = vec![[0; 2]; names.len()];
        let mut t = 0.0;
        for _ in 0..20 {
            for width in widths {
                let around = Around::new(&instance, &references, t, width);
                for (i, name) in names.iter().enumerate() {
                    for order in [1, 2] {
                        let Some((slope, limit)) = around.slope(i, order) else { continue };
                        let exact = around.exact[order - 1][i];
                        let apart = (slope - exact).abs();
                        let inaccuracy =
                            || inaccuracy(&instance, references[i], order, 10.0 * TOLERANCE);
                        let close = apart < limit || apart < limit + inaccuracy();
                        let place = format_args!("{} {name}, order {order}, {t}", fmu.name());
                        assert!(close, "{place}: {slope}, not {exact}");
                        checked[i][order - 1] += 1;
                    }
                }
                t += 2.0 * width;
            }
            instance.step(t, pause);
            t += pause;
        }
        // Fast rotations, or the strokes of an engine, sometimes look like corners, and so does the
        // current of a diode.
        for (name, checked) in names.iter().zip(checked) {
            let enough = checked[0] >= 20 && checked[1] >= 5;
            assert!(enough, "{} {name}: {checked:?} of 40 slopes", fmu.name());
        }
    }
}

// FMI: A072, A096
#[test]
fn derivatives_of_outputs_leave_no_trace() {
    for fmu in Fmu::all() {
        let (_, references) = outputs(&fmu);
        let harness = Harness::new(&fmu);
        let [asked, other] = [(); 2].map(|()| harness.instantiate(&fmu, FmuType::CoSimulation));
        for instance in [&asked, &other] {
            instance.start(None, fmu.starts());
        }
        let h = fmu.stop_time() / 97.0;
        for k in 0..97 {
            // What is asked for first is computed, and the work for it is counted.
            let everything = asked.everything();
            assert!(everything == other.everything(), "{}: {k} steps of {h}", fmu.name());
            for order in [1, 2] {
                derivatives(&asked, &references, order);
            }
            assert!(everything == asked.everything(), "{}: {k} steps of {h}", fmu.name());
            for instance in [&asked, &other] {
                instance.step(f64::from(k) * h, h);
            }
        }
    }
}
