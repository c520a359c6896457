//! Mechanisms that reach positions where their equations are singular: the step is refused, by
//! name.

use coupler_tests::crate_text::CrateText;
use coupler_tests::harness::{Instantiation, bits};
use coupler_tests::{Fmu, Harness, Status};

const TEXTS: &str = r#"//! Mechanisms that reach singular positions.
use mechanics::multibody::*;
use mechanics::prelude::*;

/// The model.
pub fn singular(m: &mut Assembly) {
    MODEL(m);
    m.stop_time(10.0);
}

/// Crank and rod, the rod shorter than the crank, so that the crank can only swing.
#[allow(dead_code)]
fn crank(m: &mut Assembly, close: impl FnOnce(&mut Assembly, Frame, Frame)) {
    let world = m.add("world", World::default().g(0.0));
    let j1 = m.add("j1", Revolute::n(Z).phi(fixed(0.3)).w(fixed(1.0)).states(Always));
    let crank = m.add("crank", BodyBox::r([0.1, 0.0, 0.0]).width(0.02));
    let j2 = m.add("j2", Revolute::n(Z).phi(guess(-0.9)));
    let rod = m.add("rod", BodyBox::r([0.05, 0.0, 0.0]).width(0.02));
    let slide = m.add("slide", Prismatic::n(X).s(guess(0.14)));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    m.connect(crank.frame_b, j2.frame_a);
    m.connect(j2.frame_b, rod.frame_a);
    m.connect(slide.frame_a, world.frame_b);
    close(m, rod.frame_b, slide.frame_b);
}

/// Closed by a joint.
#[allow(dead_code)]
fn joint(m: &mut Assembly) {
    crank(m, |m, rod, slide| {
        let j3 = m.add("j3", Revolute::n(Z));
        m.connect(rod, j3.frame_a);
        m.connect(j3.frame_b, slide);
    });
}

/// Closed by a constraint in the plane.
#[allow(dead_code)]
fn constraint(m: &mut Assembly) {
    crank(m, |m, rod, slide| {
        let j3 = m.add("j3", RevolutePlanarLoopConstraint::n(Z));
        m.connect(rod, j3.frame_a);
        m.connect(j3.frame_b, slide);
    });
}

/// Closed by a rod of fixed length.
#[allow(dead_code)]
fn rod(m: &mut Assembly) {
    let world = m.add("world", World::default().g(0.0));
    let j1 = m.add("j1", Revolute::n(Z).phi(fixed(0.3)).w(fixed(1.0)).states(Always));
    let crank = m.add("crank", BodyBox::r([0.1, 0.0, 0.0]).width(0.02));
    let rod = m.add("rod", SphericalSpherical::rod_length(0.05));
    let slide = m.add("slide", Prismatic::n(X).s(guess(0.14)));
    let slider = m.add("slider", Body::m_r_cm(1.0, [0.0; 3]));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    m.connect(crank.frame_b, rod.frame_a);
    m.connect(rod.frame_b, slide.frame_b);
    m.connect(slide.frame_b, slider.frame_a);
    m.connect(slide.frame_a, world.frame_b);
}

/// A free body that turns about the second of its angles, nearly.
#[allow(dead_code)]
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

/// Builds one of the models, and flies until it is singular: the instant, and what is said of it.
fn flight(model: &str) -> (f64, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = CrateText {
        package: "singular",
        build: BUILD,
        export: "//! Mechanisms that reach singular positions.\n\nfmu_runtime::export!();\n",
        model: &TEXTS.replace("MODEL", model),
    };
    let fmu: Fmu = text.build(folder.path());
    let harness = Harness::new(&fmu);
    let with = Instantiation { logging: true, ..Instantiation::of(&fmu) };
    let instance = harness.try_instantiate(&fmu, &with).expect("an instance");
    instance.start(Some(1e-6), &[]);
    let states = fmu.reals(fmu.states());
    let h = 1e-2;
    for step in 0..1000 {
        let t = f64::from(step) * h;
        let before = instance.reals(&states);
        let answer = instance.call("step", &format!("{} {}", bits(t), bits(h)));
        if answer.status() == Status::Ok {
            assert!(instance.reals(&states).iter().all(|x| x.is_finite()), "{model} at {t}");
            continue;
        }
        assert_eq!(answer.status(), Status::Discard, "{model} at {t}");
        let log = harness.log();
        let refusal = log.iter().rfind(|message| message.status == Status::Discard as i64);
        let sentence = refusal.map(|message| message.text.clone()).unwrap_or_default();
        // What follows a refused step are finite values of the last point that was reached.
        let after = instance.reals(&states);
        assert_eq!(after.len(), before.len());
        assert!(after.iter().all(|x| x.is_finite()), "{model}: {after:?}");
        return (t, sentence);
    }
    panic!("{model}: no position is singular");
}

#[test]
fn a_step_into_a_singular_position_is_refused_by_name() {
    // The model, when it is singular at the earliest in s, and the name of the loop or body.
    let cases = [
        ("joint", 0.1, "j3"),
        ("constraint", 0.1, "j3"),
        ("rod", 0.1, "rod"),
        ("angles", 1.55, "body"),
    ];
    for (model, earliest, name) in cases {
        let (t, sentence) = flight(model);
        assert!(t >= earliest, "{model}: at {t} s already: {sentence}");
        assert!(sentence.contains(name), "{model}: {sentence}");
    }
}
