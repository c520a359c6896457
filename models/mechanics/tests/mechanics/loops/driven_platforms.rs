//! A platform on six actuators that follow filtered references: inputs that change at every
//! communication point, as a master algorithm sets them.

use super::platforms::{POSITION, TURN, hexapod};
use crate::common::{program, run_to};
use fmu_runtime::Simulation;
use fmu_runtime::equations::{Equations, RunnableModel};
use fmu_runtime::kernels::Dual;
use fmu_runtime::system::{Env, Info, Solved, Stage, Subject, Update};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::translational;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A platform on rods whose feet slide on rails; with `stops`, each slide has one at the end of its
/// range.
fn platform(m: &mut Assembly, stops: bool, f_crit: f64) {
    let world = m.add("world", World::new().n([0.0, 0.0, -1.0]));
    let body = Body::new().m(5.0).r_cm([0.02, -0.01, 0.1]).inertia([0.4, 0.5, 0.6]);
    let body = body.r_0(guess_vector(POSITION)).angles_start(guess_vector(TURN));
    let body = m.add("platform", body.use_quaternions(false));
    for (k, (foot, head)) in hexapod().into_iter().enumerate() {
        let name = |what: &str| format!("{what}{k}");
        let line: [f64; 3] = std::array::from_fn(|i| head[i] + POSITION[i] - foot[i]);
        let length = line.iter().map(|c| c * c).sum::<f64>().sqrt();
        let slide = m.add(name("slide"), Prismatic::new().n([foot[1], -foot[0], 0.2]));
        let foot = m.add(name("foot"), FixedTranslation::new().r(foot));
        let head = m.add(name("head"), FixedTranslation::new().r(head));
        let rod = m.add(name("rod"), SphericalSpherical::new().rod_length(length));
        let drive = m.add(name("drive"), translational::Position::new().f_crit(f_crit));
        let input = m.add(name("s_ref"), ExternalInput::new().unit("m").start(0.02 * k as f64));
        m.connect(world.frame_b, foot.frame_a);
        m.connect(foot.frame_b, slide.frame_a);
        m.connect(body.frame_a, head.frame_a);
        m.connect(slide.frame_b, rod.frame_a);
        m.connect(head.frame_b, rod.frame_b);
        m.connect(input.y, drive.s_ref);
        m.connect(drive.flange, slide.axis);
        m.connect(drive.support, slide.support);
        if stops {
            let gap = translational::ElastoGap::new().c(1e5).d(100.0).s_rel0(-1.0);
            let gap = m.add(name("gap"), gap);
            m.connect(slide.axis, gap.flange_b);
            m.connect(slide.support, gap.flange_a);
        }
    }
}

/// A simulation of the platform whose evaluations are counted.
fn driven(stops: bool, f_crit: f64) -> (Simulation, Counts) {
    let program = program(|m| platform(m, stops, f_crit)).expect("the model is sound");
    let counts = Counts::default();
    let model = Counted { of: Arc::new(program.taped()), counts: counts.clone() };
    let mut simulation = Simulation::of(&model).expect("no table is in a file");
    simulation.start(Some(1e-6)).expect("the platform can be assembled");
    assert_eq!(simulation.continuous_states().len(), 12);
    (simulation, counts)
}

/// Communication steps of 1 ms, each after new references.
fn follow(simulation: &mut Simulation, steps: u32) {
    for _ in 0..steps {
        let t = simulation.time();
        for k in 0..6 {
            let s = 0.02 * f64::from(k) + 0.02 * (10.0 * t + f64::from(k)).sin();
            simulation.set(&format!("s_ref{k}"), s).expect("it is an input");
        }
        run_to(simulation, t + 1e-3);
    }
}

#[test]
fn new_inputs_cost_one_evaluation_and_the_steps_to_the_next_communication_point() {
    // Steps of the slow filters are longer than a communication step.
    for (stops, f_crit, steps) in [(false, 2.0, 1), (true, 2.0, 1), (true, 50.0, 3)] {
        let (mut simulation, counts) = driven(stops, f_crit);
        follow(&mut simulation, 50);
        let before = counts.all();
        follow(&mut simulation, 100);
        let after = counts.all();
        // A step has six stages. The gaps of the stops are states plus a constant, so bounds
        // replace samples between its ends.
        let evaluations = 1 + 6 * steps;
        let relations = if stops { 2 + steps } else { 0 };
        let expected = [evaluations, evaluations, relations];
        assert_eq!([0, 1, 2].map(|i| after[i] - before[i]), expected.map(|each| 100 * each));
    }
}

#[test]
fn a_step_may_pass_the_communication_point_again_where_only_a_parameter_has_changed() {
    let (mut simulation, counts) = driven(true, 2.0);
    follow(&mut simulation, 50);
    simulation.set("gap0.c", 2e5).expect("it can be tuned");
    let t = simulation.time();
    run_to(&mut simulation, t + 1e-3);
    let before = counts.all();
    run_to(&mut simulation, t + 1.1e-3);
    assert_eq!(counts.all(), before, "the step that began at the change covers this point");
}

#[test]
fn a_restored_platform_repeats_the_steps_of_changing_inputs_to_the_bit() {
    let (mut simulation, counts) = driven(true, 50.0);
    follow(&mut simulation, 7);
    let kept = simulation.fmu_state();
    let run = |simulation: &mut Simulation| {
        let before = counts.all();
        follow(simulation, 5);
        run_to(simulation, simulation.time() + 2e-3);
        follow(simulation, 5);
        let states: Vec<u64> = simulation.continuous_states().iter().map(|x| x.to_bits()).collect();
        let after = counts.all();
        (states, [0, 1, 2].map(|i| after[i] - before[i]))
    };
    let once = run(&mut simulation);
    simulation.set_fmu_state(&kept).expect("it is a state of this model");
    assert_eq!(run(&mut simulation), once);
}

/// How often derivatives, positions and relations were evaluated.
#[derive(Clone, Default)]
struct Counts(Arc<[AtomicU64; 3]>);

impl Counts {
    fn add(&self, what: usize) {
        self.0[what].fetch_add(1, Ordering::Relaxed);
    }

    fn all(&self) -> [u64; 3] {
        [0, 1, 2].map(|i| self.0[i].load(Ordering::Relaxed))
    }
}

/// A model whose evaluations are counted.
struct Counted<M> {
    of: M,
    counts: Counts,
}

struct CountedEquations {
    of: Box<dyn Equations>,
    counts: Counts,
}

impl<M: RunnableModel> RunnableModel for Counted<M> {
    fn info(&self) -> &'static Info {
        self.of.info()
    }
    fn equations(&self) -> Box<dyn Equations> {
        Box::new(CountedEquations { of: self.of.equations(), counts: self.counts.clone() })
    }
}

impl CountedEquations {
    fn see(&self, stages: &[Stage]) {
        for (what, stage) in [Stage::Dynamics, Stage::Position].iter().enumerate() {
            if stages.contains(stage) {
                self.counts.add(what);
            }
        }
    }
}

impl Equations for CountedEquations {
    fn requirements(&mut self, subject: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved {
        self.of.requirements(subject, e, met)
    }
    fn assertions(&mut self, e: &mut Env<'_, f64>, hold: &mut [bool]) -> Solved {
        self.of.assertions(e, hold)
    }
    fn modes_at_start(&self) -> bool {
        self.of.modes_at_start()
    }
    fn first_modes(&mut self, e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved {
        self.of.first_modes(e, truths)
    }
    fn initial(&mut self, e: &mut Env<'_, f64>) -> Solved {
        self.of.initial(e)
    }
    fn advance(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        self.see(stages);
        self.of.advance(stages, e)
    }
    fn report(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        self.of.report(stages, e)
    }
    fn relations(&mut self, stages: &[Stage], e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        self.see(stages);
        self.counts.add(2);
        self.of.relations(stages, e, d)
    }
    fn indicators(&mut self, e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        self.counts.add(2);
        self.of.indicators(e, d)
    }
    fn unknowns(&mut self, e: &mut Env<'_, f64>) -> Solved {
        self.of.unknowns(e)
    }
    fn event(&mut self, e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        self.of.event(e, next)
    }
    fn initial_tangent(&mut self, e: &mut Env<'_, Dual>) -> Solved {
        self.of.initial_tangent(e)
    }
    fn advance_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        self.of.advance_tangent(stages, e)
    }
    fn report_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        self.of.report_tangent(stages, e)
    }
}
