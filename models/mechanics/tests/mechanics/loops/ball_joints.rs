//! Spherical joints in loops: linkages pass all their configurations, whatever their direction.

use crate::common::linkages::{assert_closed, assert_same};
use crate::common::{Random, energy, initialize, program, run_to, simulation_of, start, value};
use equations::{Program, emit};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use nalgebra::{Rotation3, Unit, Vector3};

/// A crank and a rocker, joined by a rod with spherical joints at both ends.
#[derive(Clone)]
struct Linkage {
    /// Turns the linkage as its text states it.
    turned: Rotation3<f64>,
    /// Turns the linkage as a whole on the world.
    base: Rotation3<f64>,
    /// The joint between crank and rod.
    joint: Spherical,
}

impl Linkage {
    /// With a crank about z.
    fn new() -> Linkage {
        let none = Rotation3::identity();
        Linkage { turned: none, base: none, joint: Spherical::new() }
    }

    fn turned(turned: Rotation3<f64>) -> Linkage {
        Linkage { turned, ..Linkage::new() }
    }

    fn with(joint: Spherical) -> Linkage {
        Linkage { joint, ..Linkage::new() }
    }

    fn add(&self, m: &mut Assembly) {
        let along = |r: [f64; 3]| -> [f64; 3] { (self.turned * Vector3::from(r)).into() };
        let bar = |r: [f64; 3], mass: f64, inertia: f64| {
            let r_cm = along(r.map(|c| c / 2.0));
            BodyShape::new().r(along(r)).m(mass).r_cm(r_cm).inertia([inertia; 3])
        };
        let down: [f64; 3] = (self.base * self.turned * Vector3::new(0.3, -0.5, -1.0)).into();
        let (axis, angle) =
            self.base.axis_angle().unwrap_or((Unit::new_normalize(Vector3::x()), 0.0));
        let axis: [f64; 3] = axis.into_inner().into();
        let crank = Revolute::new().n(along(Z)).phi(fixed(0.5)).w(fixed(9)).states(Always);
        add! { m,
            world: World::new().n(down).g(3),
            base: FixedRotation::new().n(axis).angle(angle.to_degrees()),
            j1: crank,
            crank: bar([0.12, 0.0, 0.0], 0.3, 2e-3),
            s1: self.joint.clone(),
            rod: bar([0.5, 0.0, 0.0], 0.4, 0.01),
            s2: Spherical::new(),
            ground: FixedTranslation::new().r(along([0.45, 0.05, 0.35])),
            j4: Revolute::new().n(along([0.2, 1.0, 0.1])).phi(guess(-0.2)),
            rocker: bar([0.0, 0.0, -0.3], 0.5, 3e-3),
        }
        m.chain((world.frame_b, base.frame_a));
        m.chain((base.frame_b, j1, crank, s1, rod, s2, rocker.frame_b));
        m.chain((base.frame_b, ground, j4, rocker.frame_a));
    }

    fn program(&self) -> Program {
        program(|m| self.add(m)).expect("the model is sound")
    }
}

/// A rotation by up to half a turn.
fn any(random: &mut Random) -> Rotation3<f64> {
    Rotation3::new(3.0 * Vector3::from(random.array()))
}

/// The angles of the crank at 0.5, 1 and 1.5 s; energy is conserved, and the loop stays closed.
fn motion(linkage: &Linkage) -> [f64; 3] {
    let mut model: Simulation = simulation_of(&linkage.program());
    initialize(&mut model);
    let first = energy(&mut model);
    [0.5, 1.0, 1.5].map(|t| {
        run_to(&mut model, t);
        let drift = energy(&mut model) - first;
        assert!(drift.abs() < 1e-8, "{drift:e} J");
        assert_closed(&mut model);
        value(&mut model, "j1.phi")
    })
}

#[test]
fn a_rod_between_spherical_joints_moves_alike_in_every_direction() {
    let reference = motion(&Linkage::new());
    let mut random = Random(11);
    let to = |axis: Vector3<f64>| Rotation3::rotation_between(&Vector3::z(), &axis);
    let axes = [Vector3::x(), Vector3::y(), Vector3::new(0.3, -0.7, 0.5)];
    let mut all: Vec<Linkage> =
        axes.iter().filter_map(|&axis| to(axis)).map(Linkage::turned).collect();
    all.extend((0..8).map(|_| Linkage::turned(any(&mut random))));
    all.extend((0..2).map(|_| Linkage { base: any(&mut random), ..Linkage::new() }));
    for (k, linkage) in all.iter().enumerate() {
        for (a, b) in motion(linkage).into_iter().zip(reference) {
            assert!((a - b).abs() < 1e-8, "{k}: {a} {b}");
        }
    }
}

#[test]
fn guesses_of_an_orientation_mean_the_same_about_other_axes() {
    let reference = motion(&Linkage::new());
    let joint = Spherical::new().sequence_start([3, 1, 2]);
    let guessed = Linkage::with(joint.angles_start(guess_vector([-0.4, 0.1, -0.3])));
    for (a, b) in motion(&guessed).into_iter().zip(reference) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
}

/// The notes about the angles of a spherical joint.
fn notes(program: &Program) -> Vec<&String> {
    program.notes().iter().filter(|note| note.contains("three angles describe")).collect()
}

/// The description of a variable.
fn description(program: &Program, name: &str) -> String {
    let variables = &program.description().variables;
    let variable = variables.iter().find(|variable| variable.name == name);
    variable.expect("the variable exists").description.clone()
}

#[test]
fn the_build_says_which_axes_it_chooses_and_why() {
    let chosen = Linkage::new().program();
    let [note] = notes(&chosen)[..] else { panic!("{:?}", chosen.notes()) };
    assert!(
        note.starts_with("s1: ") && note.contains("about the axes 3, 2, 1: in all config"),
        "{note}"
    );
    let angle = description(&chosen, "s1.phi[2]");
    assert_eq!(angle, "Angle of the rotation about axis 2, in the sequence 3, 2, 1");
}

#[test]
fn axes_that_the_model_states_are_used() {
    let given = Linkage::with(Spherical::new().sequence_angle_states([2, 3, 1])).program();
    assert_eq!(notes(&given), [""; 0]);
    assert_eq!(description(&given, "s1.phi[2]"), "Angle of a rotation of the sequence");
}

/// A linkage in whose motion the rod stands across the crank, so that the second angle about the
/// axes 1, 2, 3 becomes a right one.
fn upright(m: &mut Assembly, joint: Spherical) {
    let bar = |r: [f64; 3], m: f64| {
        BodyShape::new().r(r).m(m).r_cm(r.map(|c| 0.4 * c)).inertia([4e-3; 3])
    };
    add! { m,
        world: World::new().g(2),
        j1: Revolute::new().n(Z).phi(fixed(0.3)).w(fixed(10)).states(Always),
        crank: bar([0.1, 0.0, 0.0], 0.2),
        s1: joint,
        rod: bar([0.42, 0.0, 0.0], 0.5),
        s2: Spherical::new(),
        ground: Fixed::new().r([0.4, 0.0, 0.3]),
        j4: Revolute::new().n(Y).phi(guess(0)),
        rocker: bar([0.0, 0.0, -0.25], 0.4),
    }
    m.chain((world.frame_b, j1, crank, s1, rod, s2, rocker.frame_b));
    m.chain((ground.frame_b, j4, rocker.frame_a));
}

#[test]
fn others_are_used_where_those_that_the_model_states_become_singular() {
    let stated = Spherical::new().sequence_angle_states([1, 2, 3]);
    let program = program(|m| upright(m, stated)).expect("the model is sound");
    let [note] = notes(&program)[..] else { panic!("{:?}", program.notes()) };
    assert!(note.contains("those of 1, 2, 3, which the model states, only 0 degrees"), "{note}");
    let mut model: Simulation = simulation_of(&program);
    initialize(&mut model);
    let first = energy(&mut model);
    let mut other = start(|m| upright(m, Spherical::new().sequence_angle_states([2, 3, 1])));
    for t in [0.5, 1.0, 1.5] {
        run_to(&mut model, t);
        run_to(&mut other, t);
        assert!((energy(&mut model) - first).abs() < 1e-8);
        assert_same(&mut model, &mut other, &["j1.phi", "j4.phi", "rocker.frame_b.r_0[3]"], 1e-8);
    }
}

#[test]
fn the_same_text_has_the_same_axes() {
    let linkage = Linkage::turned(any(&mut Random(3)));
    let [one, other] = [linkage.program(), linkage.program()];
    assert_eq!(one.notes(), other.notes());
    assert!(emit(&one) == emit(&other));
}
