//! The Rust importer `fmi`, by Co-Simulation and by Model Exchange.

use coupler_tests::Fmu;
use fmi::EventFlags;
use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common, ModelExchange};

fn open(fmu: &Fmu) -> Fmi2Import {
    fmi::import::from_path(&fmu.path).expect("the importer opens the FMU")
}

fn initialize(instance: &mut impl Common, fmu: &Fmu) {
    Common::setup_experiment(instance, Some(fmu.tolerance()), 0.0, None).expect("set-up");
    for (name, value) in fmu.starts() {
        instance.set_real(&fmu.reals([*name]), &[*value]).expect("a start value");
    }
    Common::enter_initialization_mode(instance).expect("Initialization Mode");
    Common::exit_initialization_mode(instance).expect("initialization");
}

/// The signals at the communication points, from the first step on.
pub fn co_simulation(fmu: &Fmu, h: f64, steps: usize) -> Vec<Vec<f64>> {
    let references = fmu.reals(fmu.signals());
    let import = open(fmu);
    let mut instance = import.instantiate_cs("cs", false, true).expect("an instance");
    initialize(&mut instance, fmu);
    let mut rows = Vec::new();
    for i in 0..steps {
        let (t, next) = (i as f64 * h, (i + 1) as f64 * h);
        instance.do_step(t, next - t, true).expect("a step");
        let mut values = vec![0.0; references.len()];
        instance.get_real(&references, &mut values).expect("values");
        rows.push(values);
    }
    Common::terminate(&mut instance).expect("the end");
    rows
}

/// Completes an event and returns the next time event.
fn iterate(instance: &mut impl ModelExchange) -> f64 {
    let mut flags = EventFlags { discrete_states_need_update: true, ..EventFlags::default() };
    while flags.discrete_states_need_update {
        instance.new_discrete_states(&mut flags).expect("an event iteration");
    }
    ModelExchange::enter_continuous_time_mode(instance).expect("Continuous-Time Mode");
    flags.next_event_time.unwrap_or(f64::INFINITY)
}

/// Explicit Euler with events at the ends of steps, by any importer's calls.
fn euler(instance: &mut impl ModelExchange, nx: usize, nz: usize, h: f64, steps: usize) {
    let (mut x, mut dx) = (vec![0.0; nx], vec![0.0; nx]);
    let (mut z, mut z0) = (vec![0.0; nz], vec![0.0; nz]);
    let mut next_event = iterate(instance);
    instance.get_event_indicators(&mut z0).expect("event indicators");
    for i in 1..=steps {
        let t = i as f64 * h;
        instance.get_continuous_states(&mut x).expect("states");
        instance.get_derivatives(&mut dx).expect("derivatives");
        x.iter_mut().zip(&dx).for_each(|(x, d)| *x += h * d);
        instance.set_time(t).expect("time");
        instance.set_continuous_states(&x).expect("states");
        let (mut enter, mut terminate) = (false, false);
        instance.completed_integrator_step(true, &mut enter, &mut terminate).expect("a step");
        instance.get_event_indicators(&mut z).expect("event indicators");
        let crossed = z.iter().zip(&z0).any(|(a, b)| (*a > 0.0) != (*b > 0.0));
        if crossed || enter || t >= next_event {
            ModelExchange::enter_event_mode(instance).expect("Event Mode");
            next_event = iterate(instance);
            instance.get_event_indicators(&mut z).expect("event indicators");
        }
        std::mem::swap(&mut z, &mut z0);
    }
}

/// The signals at the end of a run by Euler's method, extrapolated to steps of length zero: that
/// removes the method's error of first order, but not that of events which are noticed only at the
/// end of a step.
pub fn by_eulers_method(fmu: &Fmu, stop: f64, steps: [usize; 2]) -> Vec<f64> {
    let (nx, nz) = (fmu.states().len(), fmu.description.number_of_event_indicators);
    let references = fmu.reals(fmu.signals());
    let import = open(fmu);
    let [coarse, fine] = steps.map(|steps| {
        let mut instance = import.instantiate_me("me", false, true).expect("an instance");
        initialize(&mut instance, fmu);
        euler(&mut instance, nx, nz, stop / steps as f64, steps);
        let mut values = vec![0.0; references.len()];
        instance.get_real(&references, &mut values).expect("values");
        values
    });
    coarse.iter().zip(&fine).map(|(coarse, fine)| 2.0 * fine - coarse).collect()
}
