//! The Rust importer `fmi` runs every FMU, by Co-Simulation and by Model Exchange.

use coupler_tests::curves::distance;
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, Harness, Kind};
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

#[test]
fn co_simulation_gives_the_bits_of_the_harness() {
    for fmu in Fmu::all() {
        let h = fmu.stop_time() / 400.0;
        let run = Run::of(&fmu, h);
        let ours = run.co_simulation(&fmu);
        let references = fmu.reals(fmu.signals());
        let import = open(&fmu);
        let mut instance = import.instantiate_cs("cs", false, true).expect("an instance");
        initialize(&mut instance, &fmu);
        let mut values = vec![0.0; references.len()];
        for (i, row) in ours.rows.iter().enumerate().skip(1) {
            let (t, next) = ((i - 1) as f64 * h, i as f64 * h);
            instance.do_step(t, next - t, true).expect("a step");
            instance.get_real(&references, &mut values).expect("values");
            assert_eq!(&values, row, "{}: step {i}", fmu.name());
        }
        Common::terminate(&mut instance).expect("the end");
    }
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
fn euler(
    instance: &mut impl ModelExchange,
    nx: usize,
    nz: usize,
    h: f64,
    steps: usize,
) -> Vec<f64> {
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
    instance.get_continuous_states(&mut x).expect("states");
    x
}

#[test]
fn model_exchange_by_eulers_method_approaches_co_simulation() {
    for fmu in Fmu::all() {
        let stop = (fmu.stop_time() * 0.1).min(0.3);
        let (nx, nz) = (fmu.states().len(), fmu.description.number_of_event_indicators);
        let import = open(&fmu);
        let mut ends = Vec::new();
        for steps in [2000, 4000] {
            let mut instance = import.instantiate_me("me", false, true).expect("an instance");
            initialize(&mut instance, &fmu);
            ends.push(euler(&mut instance, nx, nz, stop / f64::from(steps), steps as usize));
        }
        // Richardson's extrapolation removes the method's first-order error, but not that of events
        // which are noticed only at the end of a step.
        let extrapolated: Vec<f64> =
            ends[0].iter().zip(&ends[1]).map(|(coarse, fine)| 2.0 * fine - coarse).collect();
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, Kind::CoSimulation);
        instance.start(Some(1e-9), fmu.starts()).step(0.0, stop);
        let ours = instance.reals(&fmu.reals(fmu.states()));
        let apart = distance(&extrapolated, &ours);
        let limit = if nz == 0 { 1e-5 } else { 2e-3 };
        assert!(apart <= limit, "{}: {apart:e}: {extrapolated:?} and {ours:?}", fmu.name());
    }
}
