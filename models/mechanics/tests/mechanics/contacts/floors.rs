//! Linkages that stand, slide and bounce on a floor with friction: they are simulated to the end
//! and their energy is accounted for, even where sliding reverses at a turning point of the
//! linkage.

use crate::common::account::{impacts, keep_account, missing};
use crate::common::cores::on_all_cores;
use crate::common::linkages::{at, attach, bar};
use crate::common::random_linkages::{Linkage, linkage};
use crate::common::wishbones::wishbone_vehicle;
use crate::common::{energy, interpreter_at, program_with, seeds, simulation_of, value};
use equations::Interpreter;
use fmu_runtime::Simulation;
use libraries::impulses::CollisionSpherePlane;
use libraries::multibody::*;
use libraries::prelude::*;

/// Speed in m/s that counts as zero for friction: a hundredth of `v_small`. While a contact sticks,
/// its remaining speed decays, and friction may supply energy.
const NO_SPEED: f64 = 1e-4;

/// The longest time in s between two checks of a run.
const PAUSE: f64 = 1e-3;

/// The largest error of an account, as a fraction of the energy turned over.
const MISSING: f64 = 1e-6;

/// The largest energy that friction may supply at speeds that count as zero, as a fraction of the
/// energy turned over.
const CREEP: f64 = 1e-3;

/// The account of a run.
struct Account {
    feet: usize,
    /// Energy, and what impacts have taken, at the start in J.
    energy: f64,
    impacts: f64,
    /// Time in s and sum of all friction forces in N at the last check.
    last: [f64; 2],
    /// The energy that impacts had taken at the last check.
    taken: f64,
    /// The largest energy that friction may have supplied so far.
    creep: f64,
}

impl Account {
    fn new(model: &mut Simulation, feet: usize) -> Account {
        let impacts = impacts(model);
        let last = [model.time(), friction(model, feet)];
        Account { feet, energy: energy(model), impacts, last, taken: impacts, creep: 0.0 }
    }

    /// Checks that the energy is that of the start, minus what friction, dampers and impacts have
    /// taken since. It may be larger only by what friction may supply at speeds that count as zero;
    /// impacts supply nothing.
    fn look(&mut self, model: &mut Simulation) -> Result<(), String> {
        let (missing, size) = missing(model, self.energy + self.impacts);
        let tolerance = MISSING * size + 1e-9;
        let taken = impacts(model);
        let won = energy(model) - self.energy;
        let [t, rubbed] = self.last;
        self.creep += NO_SPEED * rubbed * (model.time() - t);
        self.last = [model.time(), friction(model, self.feet)];
        let given = self.taken - taken;
        self.taken = taken;
        if missing.abs() > tolerance {
            return Err(format!("t = {}: {missing:e} J of {size} J are missing", model.time()));
        }
        if given > tolerance {
            return Err(format!("t = {}: impacts give {given:e} J of {size} J", model.time()));
        }
        if won > tolerance + self.creep.min(CREEP * size) {
            return Err(format!("t = {}: {won:e} J of {size} J are won", model.time()));
        }
        Ok(())
    }
}

/// The sum of all friction forces along the floor in N.
fn friction(model: &mut Simulation, feet: usize) -> f64 {
    let mut f = |foot: usize, k: usize| value(model, &format!("foot{foot}.f[{k}]"));
    (0..feet).map(|foot| f(foot, 1).hypot(f(foot, 3))).sum()
}

/// Simulates until `end` and keeps the account of the energy; `look` is called at every event, and
/// at least once in `PAUSE`.
fn run(
    model: &mut Simulation,
    feet: usize,
    end: f64,
    mut look: impl FnMut(&mut Simulation),
) -> Result<(), String> {
    // Vehicles in space take the longest; a linkage that runs into a dead point needs the highest
    // accuracy.
    let tolerance = if feet > 2 { 1e-7 } else { 1e-8 };
    model.start(Some(tolerance)).map_err(|why| why.to_string())?;
    let mut account = Account::new(model, feet);
    while model.time() < end {
        let next = end.min(model.time() + PAUSE);
        model.run_to_event(next).map_err(|why| why.to_string())?;
        look(model);
        account.look(model)?;
    }
    Ok(())
}

/// The ways in which a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// At the requested time.
    Ran,
    /// No force of a sliding foot is consistent, whether the foot presses or not.
    Paradox,
    /// The bars that close a loop are aligned.
    DeadPoint,
}

/// Simulates a linkage; returns how the run ends, or an error if it must not end so.
fn end_of(linkage: Linkage, seconds: f64) -> Result<End, String> {
    let Linkage { numbers, mut model, program, feet, loops } = linkage;
    let Err(why) = run(&mut model, feet, seconds, |_| ()) else { return Ok(End::Ran) };
    if why.contains("Painlevé") && is_paradox(&mut interpreter_at(&program, &model), feet) {
        return Ok(End::Paradox);
    }
    let singular = why.contains("a dead point") && why.contains("closing");
    if singular && loops.iter().any(|one| one.sine(&mut model).abs() < 1e-2) {
        return Ok(End::DeadPoint);
    }
    Err(format!("{numbers}: {why}"))
}

/// Whether no force of a sliding foot is consistent, whether the foot presses or not.
fn is_paradox(model: &mut Interpreter, feet: usize) -> bool {
    (0..feet).any(|k| {
        let names = ["closed", "mode"].map(|local| format!("foot{k}.{local}"));
        let [closed, mode] = names.map(|name| model.value_of(&name));
        let slides = closed == Some(1.0) && mode != Some(0.0);
        let begins = format!("foot{k}: f_n > 0");
        let mut all = 0..model.r.len();
        let presses = all.find(|&i| model.program().relation_name(i).starts_with(&begins));
        let presses = presses.expect("every foot may press");
        let mut residual = |truth: bool| {
            model.r[presses] = truth;
            model.realize().and_then(|()| model.relations()).map(|()| model.d[presses])
        };
        let (pressed, open) = (residual(true), residual(false));
        slides && pressed.is_ok_and(|d| d < 0.0) && open.is_ok_and(|d| d > 0.0)
    })
}

/// A model with its energy account.
fn accounted(text: impl FnOnce(&mut Assembly)) -> Simulation {
    let program = program_with(text, |model| keep_account(model, &[]));
    simulation_of(&program.expect("the model is sound"))
}

/// A mass on a vertical guide, whose arm is held up by a spring and slides with its end on the
/// floor.
fn hanging_arm(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let guide = m.add("guide", Prismatic::new().n(Y).s(fixed(0.36)).v(fixed(0.0)));
    let joint = m.add("joint", Revolute::new().n(Z).phi(fixed(-0.12)).w(fixed(0.0)));
    let arm = BodyShape::new().r([0.36, 0.0, 0.0]).r_cm([0.18, 0.0, 0.0]).m(3.5).inertia([0.06; 3]);
    let arm = m.add("arm", arm);
    m.connect(world.frame_b, guide.frame_a);
    m.connect(guide.frame_b, joint.frame_a);
    m.connect(joint.frame_b, arm.frame_a);
    attach(m, "mass", guide.frame_b, Body::new().m(110.0).r_cm([0.0; 3]));
    let tower = at(m, "tower", guide.frame_b, [0.1, 0.5, 0.0]);
    let seat = at(m, "seat", joint.frame_b, [0.18, 0.0, 0.0]);
    let spring = SpringDamperParallel::new().c(4500.0).d(80.0).s_unstretched(0.62);
    let spring = m.add("spring", spring);
    m.connect(spring.frame_a, tower);
    m.connect(spring.frame_b, seat);
    let foot = m.add("foot0", CollisionSpherePlane::new().ra(0.3).elasticity(0.0).mu_r(0.5));
    m.connect(foot.frame_a, arm.frame_b);
    m.connect(foot.frame_b, world.frame_b);
}

#[test]
fn an_arm_moves_on_where_the_sliding_of_its_foot_reverses() {
    for mu in [0.0, 0.02, 0.2, 0.5, 0.8] {
        let mut model = accounted(hanging_arm);
        model.set("foot0.mu_R", mu).unwrap();
        run(&mut model, 1, 2.5, |_| ()).unwrap_or_else(|why| panic!("mu = {mu}: {why}"));
        assert_eq!(value(&mut model, "foot0.closed"), 1.0);
    }
}

#[test]
fn a_foot_swings_through_its_turning_point_and_slides_the_other_way() {
    // A mass on a vertical guide sinks while its arm keeps its end on the floor. A heavy wheel
    // there does not rotate, so the end moves as the cosine of the arm's angle: the turning point
    // is where the arm is horizontal.
    for (mu, side) in [(0.1, 1.0_f64), (0.4, 1.0), (0.1, -1.0), (0.4, -1.0)] {
        let mut directions = Vec::new();
        // Sinking from below the horizontal, or thrown up from above it.
        let w = if side > 0.0 { 0.0 } else { -9.0 };
        let lift = -w * 0.5 * 0.6_f64.cos();
        let height = -0.5 * (0.6 * side).sin() - 0.1;
        let mut model = accounted(|m| {
            let world = m.add("world", World::new());
            let guide = m.add("guide", Prismatic::new().n(Y).s(fixed(0.0)).v(fixed(lift)));
            let joint = m.add("joint", Revolute::new().n(Z).phi(fixed(-0.6 * side)).w(fixed(w)));
            let arm = m.add("arm", bar([0.5, 0.0, 0.0], 2.0));
            m.connect(world.frame_b, guide.frame_a);
            m.connect(guide.frame_b, joint.frame_a);
            m.connect(joint.frame_b, arm.frame_a);
            attach(m, "mass", guide.frame_b, Body::new().m(20.0).r_cm([0.0; 3]));
            let hub = m.add("hub", Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)));
            m.connect(arm.frame_b, hub.frame_a);
            attach(m, "wheel", hub.frame_b, Body::new().m(1.0).r_cm([0.0; 3]).inertia([1e3; 3]));
            let floor = m.add("floor", Fixed::new().r([0.0, height, 0.0]));
            let foot = CollisionSpherePlane::new().ra(0.1).elasticity(0.0).mu_r(mu);
            let foot = m.add("foot0", foot);
            m.connect(foot.frame_a, hub.frame_b);
            m.connect(foot.frame_b, floor.frame_b);
        });
        let done = run(&mut model, 1, 0.45, |model| {
            if model.time() > 0.1 {
                directions.push((value(model, "joint.phi"), value(model, "foot0.f[1]")));
            }
        });
        done.expect("it runs to the end");
        // As the arm passes the horizontal, its end moves outwards before and inwards after.
        for (phi, f) in directions {
            let inwards = f * phi * side;
            assert!(phi.abs() < 1e-3 || inwards > 0.0, "phi = {phi}: {f} N");
        }
        assert!(value(&mut model, "joint.phi") * side > 0.1, "it swings through");
    }
}

#[test]
fn friction_opposes_a_velocity_while_its_direction_turns() {
    // Its weight pulls a block back and to one side, so the velocity turns by more than a right
    // angle although the speed is never small.
    for (pull, side) in [(0.45, 0.1), (0.6, 0.03), (0.9, 0.3)] {
        let mut model = accounted(|m| {
            let world = World::new().n([-pull, -1.0, side]);
            let mut frame = m.add("world", world).frame_b;
            for (name, n, v) in [("x", X, 1.0), ("y", Y, 0.0), ("z", Z, 0.0)] {
                let joint = Prismatic::new().n(n).s(fixed(0.0)).v(fixed(v)).states(Always);
                let joint = m.add(name, joint);
                m.connect(frame, joint.frame_a);
                frame = joint.frame_b;
            }
            attach(m, "block", frame, Body::new().m(2.0).r_cm([0.0; 3]));
            let floor = m.add("floor", Fixed::new().r([0.0, -0.1, 0.0]));
            let foot = CollisionSpherePlane::new().ra(0.1).elasticity(0.0).mu_r(0.3);
            let foot = m.add("foot0", foot);
            m.connect(foot.frame_a, frame);
            m.connect(foot.frame_b, floor.frame_b);
        });
        let mut slowest = f64::INFINITY;
        let done = run(&mut model, 1, 1.0, |model| {
            let [v_x, v_z, f_x, f_z, f_n] = ["x.v", "z.v", "foot0.f[1]", "foot0.f[3]", "foot0.f_n"]
                .map(|name| value(model, name));
            let speed = v_x.hypot(v_z);
            slowest = slowest.min(speed);
            let against = -(f_x * v_x + f_z * v_z) / (0.3 * f_n * speed);
            assert!(
                (against - 1.0).abs() < 1e-9,
                "t = {}: {against} of the friction",
                model.time()
            );
        });
        done.expect("it runs to the end");
        let v_x = value(&mut model, "x.v");
        assert!(slowest > 5e-3 && v_x < -1.0, "{slowest} m/s, {v_x} m/s");
    }
}

#[test]
fn a_vehicle_on_double_wishbones_settles_on_its_wheels() {
    // Its arms pass the horizontal, where the wheels stop moving sideways, at 0.15 s.
    for mu in [0.0, 0.8] {
        let mut model = accounted(wishbone_vehicle);
        for foot in 0..4 {
            model.set(&format!("foot{foot}.mu_R"), mu).unwrap();
        }
        let mut angles = Vec::new();
        let done = run(&mut model, 4, 0.3, |model| {
            angles.push(value(model, "front_left_lower_joint.phi"))
        });
        done.unwrap_or_else(|why| panic!("mu = {mu}: {why}"));
        let passes = |pair: &[f64]| pair[0] * pair[1] < 0.0;
        assert!(angles.windows(2).any(passes), "mu = {mu}: the arms pass the level");
        let model = &mut model;
        let weight: f64 = (0..4).map(|foot| value(model, &format!("foot{foot}.f_n"))).sum();
        assert!((weight / (1312.0 * 9.80665) - 1.0).abs() < 0.1, "mu = {mu}: {weight} N");
    }
}

/// Simulates the linkages of seeds, of which at least nine in ten run to the end.
fn check(seeds: &[u64]) {
    let count = seeds.len();
    let ends = on_all_cores(seeds, |seed| {
        let linkage = linkage(seed)?;
        let seconds = if linkage.feet > 2 { 0.2 } else { 0.5 };
        end_of(linkage, seconds)
    });
    let failed: Vec<&String> = ends.iter().filter_map(|end| end.as_ref().err()).collect();
    assert!(failed.is_empty(), "{} of {count}:\n{failed:#?}", failed.len());
    let ended = |how: End| ends.iter().filter(|end| **end == Ok(how)).count();
    let [ran, paradox, dead] = [End::Ran, End::Paradox, End::DeadPoint].map(ended);
    println!("{ran} run to the end, {paradox} stop at a paradox, {dead} at a dead point");
    assert!(10 * (paradox + dead) < ends.len().max(20), "of {count} only {ran} run to the end");
}

#[test]
fn random_linkages_on_a_floor_run_to_the_end_and_account_for_their_energy() {
    check(&seeds(&(0..200).collect::<Vec<u64>>()));
}
