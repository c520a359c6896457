//! Mechanisms that reach positions where their equations are singular: the step is refused, by
//! name.

use coupler_tests::crate_text::CrateText;
use coupler_tests::harness::{Instantiation, bits};
use coupler_tests::{Fmu, Harness, Kind, Status};
use std::f64::consts::PI;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

const TEXTS: &str = r#"//! Mechanisms that reach singular positions.
#![allow(dead_code, reason = "one of them is the model")]
use mechanics::multibody::*;
use mechanics::prelude::*;

/// The model.
pub fn singular(m: &mut Assembly) {
    MODEL(m);
    m.stop_time(10.0);
}

/// A joint that closes a loop.
fn hinge(m: &mut Assembly, a: Frame, b: Frame) {
    let j3 = m.add("j3", Revolute::n(Z));
    m.connect(a, j3.frame_a);
    m.connect(j3.frame_b, b);
}

/// A constraint in the plane that closes a loop.
fn pin(m: &mut Assembly, a: Frame, b: Frame) {
    let j3 = m.add("j3", RevolutePlanarLoopConstraint::n(Z));
    m.connect(a, j3.frame_a);
    m.connect(j3.frame_b, b);
}

/// A bar that turns about its beginning; gives its end.
fn bar(
    m: &mut Assembly,
    [joint, bar]: [&str; 2],
    turns: Revolute,
    from: Frame,
    length: f64,
) -> Frame {
    let joint = m.add(joint, turns);
    let bar = m.add(bar, BodyBox::r([length, 0.0, 0.0]).width(0.02));
    m.connect(from, joint.frame_a);
    m.connect(joint.frame_b, bar.frame_a);
    bar.frame_b
}

/// The joint of a bar that another one moves.
fn follows(phi: f64) -> Revolute {
    Revolute::n(Z).phi(guess(phi))
}

/// The joint of a bar that moves others.
fn moves(phi: f64, w: f64) -> Revolute {
    Revolute::n(Z).phi(fixed(phi)).w(fixed(w)).states(Always)
}

/// Crank and rod, the rod shorter than the crank, so that the crank can only swing.
fn crank(m: &mut Assembly, close: impl FnOnce(&mut Assembly, Frame, Frame)) {
    let world = m.add("world", World::default().g(0.0));
    let crank = bar(m, ["j1", "crank"], moves(0.3, 1.0), world.frame_b, 0.1);
    let rod = bar(m, ["j2", "rod"], follows(-0.9), crank, 0.05);
    let slide = m.add("slide", Prismatic::n(X).s(guess(0.14)));
    m.connect(slide.frame_a, world.frame_b);
    close(m, rod, slide.frame_b);
}

fn joint(m: &mut Assembly) {
    crank(m, hinge);
}

fn constraint(m: &mut Assembly) {
    crank(m, pin);
}

/// Closed by a rod of fixed length.
fn rod(m: &mut Assembly) {
    let world = m.add("world", World::default().g(0.0));
    let crank = bar(m, ["j1", "crank"], moves(0.3, 1.0), world.frame_b, 0.1);
    let rod = m.add("rod", SphericalSpherical::rod_length(0.05));
    let slide = m.add("slide", Prismatic::n(X).s(guess(0.14)));
    let slider = m.add("slider", Body::m_r_cm(1.0, [0.0; 3]));
    m.connect(crank, rod.frame_a);
    m.connect(rod.frame_b, slide.frame_b);
    m.connect(slide.frame_b, slider.frame_a);
    m.connect(slide.frame_a, world.frame_b);
}

/// Opposite sides are equal, and the crank turns towards the position where all are in a line:
/// from there it could go on in two ways.
fn parallelogram(m: &mut Assembly, close: impl FnOnce(&mut Assembly, Frame, Frame)) {
    let world = m.add("world", World::default().g(0.0));
    let ground = m.add("ground", FixedTranslation::r([0.4, 0.0, 0.0]));
    m.connect(world.frame_b, ground.frame_a);
    let crank = bar(m, ["j1", "crank"], moves(0.5, -1.0), world.frame_b, 0.1);
    let rod = bar(m, ["j2", "rod"], follows(-0.5), crank, 0.4);
    let rocker = bar(m, ["j4", "rocker"], follows(0.5), ground.frame_b, 0.1);
    close(m, rod, rocker);
}

fn change_of_joints(m: &mut Assembly) {
    parallelogram(m, hinge);
}

fn change_of_constraint(m: &mut Assembly) {
    parallelogram(m, pin);
}

/// Crank and rod are equally long: with the crank upright the slider could stay, or go on.
fn change_of_rod(m: &mut Assembly) {
    let world = m.add("world", World::default().g(0.0));
    let crank = bar(m, ["j1", "crank"], moves(0.3, 4.0), world.frame_b, 0.1);
    let rod = m.add("rod", SphericalSpherical::rod_length(0.1));
    let slide = m.add("slide", Prismatic::n(X).s(guess(0.19)));
    let slider = m.add("slider", Body::m_r_cm(0.5, [0.0; 3]));
    m.connect(crank, rod.frame_a);
    m.connect(rod.frame_b, slide.frame_b);
    m.connect(slide.frame_b, slider.frame_a);
    m.connect(slide.frame_a, world.frame_b);
}

/// A crank of constant speed: nothing limits the integrator's steps.
fn turning(m: &mut Assembly) {
    let world = m.add("world", World::default());
    let speed = m.add("speed", mechanics::rotational::ConstantSpeed::w_fixed(50.0));
    let j1 = m.add("j1", Revolute::n(Z));
    let crank = m.add("crank", BodyBox::r([0.1, 0.0, 0.0]).width(0.02));
    m.connect(speed.flange, j1.axis);
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    let rod = bar(m, ["j2", "rod"], follows(0.0), crank.frame_b, 0.15);
    let slide = m.add("slide", Prismatic::n(X).s(guess(0.24)));
    let slider = m.add("slider", Body::m_r_cm(0.5, [0.0; 3]));
    m.connect(slide.frame_a, world.frame_b);
    m.connect(slide.frame_b, slider.frame_a);
    hinge(m, rod, slide.frame_b);
}

/// A crank that stands where an input says, and a rocker.
fn driven(m: &mut Assembly) {
    let phi = ExternalInput::unit_start("rad", 2.2).describe("Angle of the crank");
    let phi = m.add("phi", phi);
    let position = m.add("position", mechanics::rotational::Position::exact());
    let world = m.add("world", World::default());
    let ground = m.add("ground", FixedTranslation::r([0.4, 0.0, 0.0]));
    let j1 = m.add("j1", follows(2.2));
    let crank = m.add("crank", BodyBox::r([0.2, 0.0, 0.0]).width(0.02));
    m.connect(phi.y, position.phi_ref);
    m.connect(position.flange, j1.axis);
    m.connect(world.frame_b, ground.frame_a);
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    let rod = bar(m, ["j2", "rod"], follows(-2.05), crank.frame_b, 0.301);
    let rocker = bar(m, ["j4", "rocker"], follows(2.39), ground.frame_b, 0.301);
    let j3 = m.add("j3", follows(2.24));
    m.connect(rod, j3.frame_a);
    m.connect(rocker, j3.frame_b);
}

/// A free body that turns about the second of its angles, nearly.
fn angles(m: &mut Assembly) {
    m.add("world", World::default().g(0.0));
    let body = Body::m_r_cm(2.0, [0.0; 3])
        .inertia([0.02; 3])
        .w_0_start(fixed_vector([1e-4, 1.0, 0.0]))
        .use_quaternions(false);
    m.add("body", body);
}
"#;

const BUILD: &str = "//! Writes the equations.\n\
    #[path = \"src/model.rs\"]\nmod model;\n\
    fn main() {\n    mechanics::build(model::singular);\n}\n";

/// All models have the same name, and are built in the same place.
static BUILDING: Mutex<()> = Mutex::new(());

/// Builds one of the models in a folder.
fn build(model: &str, folder: &Path) -> Fmu {
    let _one_at_a_time = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let text = CrateText {
        package: "singular",
        build: BUILD,
        export: "//! Mechanisms that reach singular positions.\n\nfmu_runtime::export!();\n",
        model: &TEXTS.replace("MODEL", model),
    };
    text.build(folder)
}

/// The last message of a status.
fn sentence(harness: &Harness, status: Status) -> String {
    let log = harness.log();
    let last = log.iter().rfind(|message| message.status == status as i64);
    last.map(|message| message.text.clone()).unwrap_or_default()
}

/// What becomes of a model that flies until it is singular.
struct End {
    /// The time that is reached, in s.
    t: f64,
    /// What is said of it.
    sentence: String,
    /// The values of what is watched.
    watched: Vec<f64>,
}

/// Flies in steps of `h` until a step is refused. All variables can be read at all communication
/// points.
fn flight(fmu: &Fmu, h: f64, watched: &[&str]) -> End {
    let model = fmu.name();
    let harness = Harness::new(fmu);
    let with = Instantiation { logging: true, ..Instantiation::of(fmu) };
    let instance = harness.try_instantiate(fmu, &with).expect("an instance");
    instance.start(Some(1e-6), &[]);
    let states = fmu.reals(fmu.states());
    for step in 0..1000 {
        let t = f64::from(step) * h;
        let answer = instance.call("step", &format!("{} {}", bits(t), bits(h)));
        // What follows a refused step are finite values of the last point that was reached.
        assert!(instance.reals(&states).iter().all(|x| x.is_finite()), "{model} at {t}");
        instance.everything();
        if answer.status() == Status::Ok {
            continue;
        }
        assert_eq!(answer.status(), Status::Discard, "{model} at {t}");
        let watched = instance.values(watched);
        return End { t, sentence: sentence(&harness, Status::Discard), watched };
    }
    panic!("{model}: no position is singular");
}

#[test]
fn a_step_into_a_singular_position_is_refused_by_name() {
    // The model, when it is singular at the earliest in s, and what is said.
    let dead = "reaches a singular position: residual";
    let cases = [
        ("joint", 0.1, "j3", dead),
        ("constraint", 0.1, "j3", dead),
        ("rod", 0.1, "rod", dead),
        ("angles", 1.55, "body", "become parallel"),
    ];
    for (model, earliest, name, what) in cases {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let End { t, sentence, .. } = flight(&build(model, folder.path()), 1e-2, &[]);
        assert!(t >= earliest, "{model}: at {t} s already: {sentence}");
        assert!(sentence.contains(name) && sentence.contains(what), "{model}: {sentence}");
    }
}

#[test]
fn a_parallelogram_stops_where_it_could_go_on_in_two_ways() {
    for model in ["change_of_joints", "change_of_constraint"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let fmu = build(model, folder.path());
        for h in [1e-3, 1.7e-2, 0.13, 2.0] {
            let End { sentence, watched, .. } = flight(&fmu, h, &["j1.phi", "j4.phi"]);
            let [crank, rocker] = watched[..] else { unreachable!("two values") };
            assert!((0.0..1e-2).contains(&crank), "{model} in {h} s: {crank} rad");
            assert!((crank - rocker).abs() < 1e-9, "{model} in {h} s: {crank} and {rocker} rad");
            assert!(sentence.contains("j3: the loop reaches a singular position"), "{sentence}");
            assert!(sentence.contains("m (or rad)"), "{sentence}");
        }
    }
}

#[test]
fn a_slider_crank_of_equal_lengths_stops_where_it_could_go_on_in_two_ways() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = build("change_of_rod", folder.path());
    for h in [1e-3, 1.7e-2, 0.13, 2.0] {
        let End { sentence, watched, .. } = flight(&fmu, h, &["j1.phi", "slide.s"]);
        let [crank, slide] = watched[..] else { unreachable!("two values") };
        assert!((PI / 2.0 - 1e-2..PI / 2.0).contains(&crank), "in {h} s: {crank} rad");
        assert!((slide - 0.2 * crank.cos()).abs() < 1e-9, "in {h} s: {slide} m");
        assert!(sentence.contains("rod: the loop reaches a singular position"), "{sentence}");
    }
}

#[test]
fn a_loop_knows_its_angles_after_many_turns_in_one_step_of_the_integrator() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = build("turning", folder.path());
    let harness = Harness::new(&fmu);
    for h in [1e-2, 0.1, 2.0] {
        let instance = harness.instantiate(&fmu, Kind::CoSimulation);
        instance.start(Some(1e-6), &[]);
        for step in 0..(2.0_f64 / h).round() as u32 {
            let t = f64::from(step) * h;
            instance.step(t, h);
            let [crank, rod] = instance.values(&["j1.phi", "j2.phi"])[..] else { unreachable!() };
            assert!((crank - 50.0 * (t + h)).abs() < 1e-9, "{crank} rad at {t} s");
            let exact = -crank - (0.1 * crank.sin() / 0.15).asin();
            assert!((rod - exact).abs() < 1e-9, "{rod} instead of {exact} rad at {t} s");
        }
    }
}

#[test]
fn a_loop_that_cannot_be_assembled_is_refused_with_the_gap_that_remains() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = build("rod", folder.path());
    let harness = Harness::new(&fmu);
    let with = Instantiation { logging: true, ..Instantiation::of(&fmu) };
    let instance = harness.try_instantiate(&fmu, &with).expect("an instance");
    instance.setup(None, 0.0, None);
    // The end of the crank is 0.0296 m away from the axis of the slide.
    instance.set("rod.rodLength", 0.02);
    instance.then("enter_initialization");
    let answer = instance.call("exit_initialization", "");
    assert_eq!(answer.status(), Status::Error);
    let sentence = sentence(&harness, Status::Error);
    assert!(sentence.contains("rod: the loop cannot be assembled with the present"), "{sentence}");
    let gap = sentence.split("residual ").nth(1).and_then(|rest| rest.split(' ').next());
    let gap: f64 = gap.and_then(|gap| gap.parse().ok()).expect("a residual");
    assert!(gap > 1e-3 && gap < 0.1, "{sentence}");
}

#[test]
fn a_loop_follows_jumps_of_its_drive_towards_a_singular_position() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = build("driven", folder.path());
    let harness = Harness::new(&fmu);
    let instance = harness.instantiate(&fmu, Kind::CoSimulation);
    instance.start(Some(1e-6), &[]);
    // With the crank at pi, rod and rocker are nearly in a line.
    for (step, phi) in [2.2, PI, 2.2, 3.0, 1.9, 2.5, PI].into_iter().enumerate() {
        instance.set("phi", phi);
        instance.step(0.1 * step as f64, 0.1);
        let end = [0.2 * phi.cos() - 0.4, 0.2 * phi.sin()];
        let distance = end[0].hypot(end[1]);
        let rocker = end[1].atan2(end[0]) - (distance / 0.602).acos();
        let [crank, found] = instance.values(&["j1.phi", "j4.phi"])[..] else { unreachable!() };
        assert!((crank - phi).abs() < 1e-12, "{crank} instead of {phi} rad");
        assert!((found - rocker).abs() < 1e-9, "{found} instead of {rocker} rad at {phi} rad");
    }
}
