//! Constraints: each moves like the joint with the same degrees of freedom, with start values that
//! are given as conditions on the relative motion.

use crate::common::{has_blocks, run_to, simulation, start, step, value, vector};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;

/// A body on a spring, held at a rotated frame of the world by the components that `hold` adds.
fn sprung(m: &mut Assembly, hold: impl FnOnce(&mut Assembly, [Frame; 2])) {
    let world = m.add("world", World::new());
    let turned = FixedRotation::new().sequence([1, 2, 3]).angles([10.0, 55.0, 68.0]);
    let turned = m.add("fixedRotation", turned.r([0.2, -0.3, 0.2]));
    let bar = m.add("fixedTranslation", FixedTranslation::new().r([0.8, 0.0, 0.3]));
    let body = BodyShape::new().r([0.4, 0.0, 0.0]).r_cm([0.2, 0.0, 0.0]).m(1.0).inertia([1.0; 3]);
    let body = m.add("body", body);
    let spring = m.add("spring", Spring::new().c(20.0));
    m.connect(world.frame_b, turned.frame_a);
    m.connect(world.frame_b, bar.frame_a);
    m.connect(bar.frame_b, spring.frame_a);
    m.connect(spring.frame_b, body.frame_b);
    hold(m, [turned.frame_b, body.frame_a]);
}

/// Adds a component of two frames.
fn between<P: Part>(
    m: &mut Assembly,
    name: &str,
    part: P,
    [a, b]: [Frame; 2],
    frames: impl FnOnce(P::Ports) -> [Frame; 2],
) {
    let ports = m.add(name, part);
    let [near, far] = frames(ports);
    m.connect(a, near);
    m.connect(far, b);
}

macro_rules! hold {
    ($m:expr, $name:expr, $part:expr, $frames:expr) => {
        between($m, $name, $part, $frames, |p| [p.frame_a, p.frame_b])
    };
}

/// The degrees of freedom that a joint and a constraint have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Freedoms {
    /// About y.
    Turn,
    /// Along and about y.
    Screw,
    /// In the x-y plane.
    Plane,
    /// About all axes.
    QuaternionOrientation,
    /// Along x and about all axes.
    SlidingBall,
    /// About x, then y.
    Cross,
    /// Along z, and about x, then y.
    SlidingCross,
    /// Along x and y.
    Shifts,
    /// None.
    Rigid,
}

use Freedoms::*;

const ALL: [Freedoms; 9] =
    [Turn, Screw, Plane, QuaternionOrientation, SlidingBall, Cross, SlidingCross, Shifts, Rigid];

const S: [f64; 3] = [0.15, -0.1, 0.2];
const V: [f64; 3] = [0.4, 0.3, -0.5];
const PHI: [f64; 3] = [0.3, -0.2, 0.25];
const W: [f64; 3] = [-0.6, 0.8, 0.5];

impl Freedoms {
    /// The released translations and rotations; the rotations are angles of the sequence 1, 2, 3.
    fn free(self) -> [[bool; 3]; 2] {
        const NO: [bool; 3] = [false; 3];
        match self {
            Turn => [NO, [false, true, false]],
            Screw => [[false, true, false], [false, true, false]],
            Plane => [[true, true, false], [false, false, true]],
            QuaternionOrientation => [NO, [true; 3]],
            SlidingBall => [[true, false, false], [true; 3]],
            Cross => [NO, [true, true, false]],
            SlidingCross => [[false, false, true], [true, true, false]],
            Shifts => [[true, true, false], NO],
            Rigid => [NO, NO],
        }
    }

    /// Ordinary joints in series.
    fn joints(self, m: &mut Assembly, [near, far]: [Frame; 2]) {
        let [slides, turns] = self.free();
        let mut frame = near;
        for k in 0..3 {
            if slides[k] {
                let joint = Prismatic::new().n([X, Y, Z][k]).s(fixed(S[k])).v(fixed(V[k]));
                let joint = m.add(format!("s{}", k + 1), joint);
                m.connect(frame, joint.frame_a);
                frame = joint.frame_b;
            }
        }
        for k in 0..3 {
            if turns[k] {
                let joint = Revolute::new().n([X, Y, Z][k]).phi(fixed(PHI[k])).w(fixed(W[k]));
                let joint = m.add(format!("phi{}", k + 1), joint);
                m.connect(frame, joint.frame_a);
                frame = joint.frame_b;
            }
        }
        let end = m.add("end", FixedTranslation::new().r([0.0; 3]));
        m.connect(frame, end.frame_a);
        m.connect(end.frame_b, far);
    }

    /// The constraint.
    fn constraint(self, m: &mut Assembly, frames: [Frame; 2]) {
        let [[x, y, z], _] = self.free();
        match self {
            Turn | Screw => {
                let constraint = RevoluteConstraint::new();
                let constraint = constraint.x_locked(!x).y_locked(!y).z_locked(!z);
                hold!(m, "constraint", constraint, frames);
            }
            Plane => {
                let constraint = RevoluteConstraint::new().n([0.0, 0.0, 5.0]);
                let constraint = constraint.x_locked(!x).y_locked(!y).z_locked(!z);
                hold!(m, "constraint", constraint, frames);
            }
            QuaternionOrientation | SlidingBall => {
                let constraint = SphericalConstraint::new();
                let constraint = constraint.x_locked(!x).y_locked(!y).z_locked(!z);
                hold!(m, "constraint", constraint, frames);
            }
            Cross | SlidingCross => {
                let constraint = UniversalConstraint::new();
                let constraint = constraint.x_locked(!x).y_locked(!y).z_locked(!z);
                hold!(m, "constraint", constraint, frames);
            }
            Shifts | Rigid => {
                let constraint = PrismaticConstraint::new();
                let constraint = constraint.x_locked(!x).y_locked(!y).z_locked(!z);
                hold!(m, "constraint", constraint, frames);
            }
        }
    }

    /// The start values of the free coordinates, as conditions on the relative motion.
    fn conditions(self) -> FreeMotionScalarInit {
        let [slides, turns] = self.free();
        let of = |free: [bool; 3], values: [f64; 3]| {
            std::array::from_fn(|k| if free[k] { fixed(values[k]) } else { guess(0.0) })
        };
        FreeMotionScalarInit::new()
            .r_rel_a(of(slides, S))
            .v_rel_a(of(slides, V))
            .angle(of(turns, PHI))
            .angle_d(of(turns, W))
    }
}

/// Asserts that the bodies of two models move alike.
fn assert_alike([one, other]: [&mut Simulation; 2], tolerance: f64, what: &str) {
    for n in 0..600 {
        if n % 50 == 0 {
            for name in ["body.r_0", "body.v_0", "body.a_0", "body.body.w_a", "body.body.z_a"] {
                let (a, b) = (vector(one, name), vector(other, name));
                let near = (0..3).all(|k| (a[k] - b[k]).abs() < tolerance * a[k].abs().max(1.0));
                assert!(near, "{what}, step {n}, {name}: {a:?} {b:?}");
            }
        }
        if one.continuous_states().is_empty() {
            return;
        }
        step(one, 1e-3);
        step(other, 1e-3);
    }
}

#[test]
fn a_constraint_moves_like_the_joint_with_the_same_degrees_of_freedom() {
    for freedoms in ALL {
        let mut joints = start(|m| sprung(m, |m, frames| freedoms.joints(m, frames)));
        let mut constraint = start(|m| {
            sprung(m, |m, frames| {
                freedoms.constraint(m, frames);
                hold!(m, "init", freedoms.conditions(), frames);
            });
        });
        assert_alike([&mut joints, &mut constraint], 1e-9, &format!("{freedoms:?}"));
    }
}

#[test]
fn a_constraint_that_closes_a_loop_moves_like_the_joint_with_the_same_degrees_of_freedom() {
    for freedoms in ALL.into_iter().filter(|freedoms| *freedoms != Rigid) {
        let mut joints = start(|m| sprung(m, |m, frames| freedoms.joints(m, frames)));
        let mut constraint = start(|m| {
            sprung(m, |m, frames| {
                let [slides, turns] = freedoms.free();
                let first = |free: [bool; 3]| {
                    let mut states = [Avoid; 3];
                    if let Some(k) = free.iter().position(|&free| free) {
                        states[k] = Always;
                    }
                    states
                };
                // One state of the free motion is enforced: it becomes the joint.
                let conditions = freedoms.conditions();
                let conditions = if slides.contains(&true) {
                    conditions.r_rel_a_states(first(slides))
                } else {
                    conditions.angle_states(first(turns))
                };
                freedoms.constraint(m, frames);
                hold!(m, "init", conditions, frames);
            });
        });
        assert!(has_blocks(&constraint), "{freedoms:?} closes a loop");
        assert_alike([&mut joints, &mut constraint], 1e-9, &format!("{freedoms:?} in a loop"));
    }
}

/// Both copies of a published example: `bodyOfJoint` at a joint, `bodyOfConstraint` at a
/// constraint.
fn published(
    m: &mut Assembly,
    joint: impl FnOnce(&mut Assembly, [Frame; 2]),
    constraint: impl FnOnce(&mut Assembly, [Frame; 2]),
) {
    let world = m.add("world", World::new());
    let turned = FixedRotation::new().sequence([1, 2, 3]).angles([10.0, 55.0, 68.0]);
    let turned = m.add("fixedRotation", turned.r([0.2, -0.3, 0.2]));
    let bar = m.add("fixedTranslation", FixedTranslation::new().r([0.8, 0.0, 0.3]));
    m.connect(world.frame_b, turned.frame_a);
    m.connect(world.frame_b, bar.frame_a);
    let mut bodies = ["Joint", "Constraint"]
        .map(|of| {
            let body =
                BodyShape::new().r([0.4, 0.0, 0.0]).r_cm([0.2, 0.0, 0.0]).m(1.0).inertia([1.0; 3]);
            let body = m.add(format!("bodyOf{of}"), body);
            let spring = m.add(format!("springOf{of}"), Spring::new().c(20.0));
            m.connect(bar.frame_b, spring.frame_a);
            m.connect(spring.frame_b, body.frame_b);
            [turned.frame_b, body.frame_a]
        })
        .into_iter();
    joint(m, bodies.next().expect("two"));
    constraint(m, bodies.next().expect("two"));
}

/// Asserts that both copies move alike, and as published (`t`, `w_a[2]`, `w_a[3]`) except for the
/// errors of the published curve, which reach 1.3e-4.
fn assert_published(model: &mut Simulation, published: &[[f64; 3]]) {
    for &[t, w_2, w_3] in published {
        run_to(model, t);
        let joint = vector(model, "bodyOfJoint.body.w_a");
        let constraint = vector(model, "bodyOfConstraint.body.w_a");
        for k in 0..3 {
            assert!((joint[k] - constraint[k]).abs() < 1e-9, "{t} s: {joint:?} {constraint:?}");
            let wanted = [0.0, w_2, w_3][k];
            let gap = (constraint[k] - wanted).abs();
            assert!(gap < 2e-4, "w_a[{}] at {t} s: {} is not {wanted}", k + 1, constraint[k]);
        }
    }
}

#[test]
fn a_revolute_constraint_swings_as_published() {
    let mut model = start(|m| {
        published(
            m,
            |m, frames| {
                let joint = Revolute::new().n(Y).phi(fixed(0.0)).w(fixed(0.0));
                hold!(m, "joint", joint, frames);
            },
            |m, frames| {
                let second = [guess(0.0), fixed(0.0), guess(0.0)];
                let init = FreeMotionScalarInit::new().angle(second).angle_d(second);
                hold!(m, "constraint", RevoluteConstraint::new().n(Y), frames);
                hold!(m, "freeMotionScalarInit", init, frames);
            },
        );
    });
    let curve = [
        [1.0, -2.33734702, 0.0],
        [2.0, 1.33606692, 0.0],
        [5.0, -0.0490955167, 0.0],
        [8.002, -1.41681495, 0.0],
        [10.0, 0.0981644903, 0.0],
    ];
    assert_published(&mut model, &curve);
    let phi = value(&mut model, "joint.phi");
    assert!((phi + 0.00115557675).abs() < 1e-4, "joint.phi at 10 s: {phi}");
    let phi_c = value(&mut model, "constraint.phi");
    assert!((phi - phi_c).abs() < 1e-9, "{phi} {phi_c}");
}

#[test]
fn a_spherical_constraint_swings_as_published() {
    let mut model = start(|m| {
        published(
            m,
            |m, frames| {
                let zero = fixed_vector([0.0; 3]);
                let joint = Spherical::new().angles_start(zero).w_rel_a_start(zero);
                hold!(m, "joint", joint.enforce_states(true), frames);
            },
            |m, frames| {
                let zero = fixed_vector([0.0; 3]);
                let init = FreeMotionScalarInit::new().angle(zero).angle_d(zero);
                hold!(m, "constraint", SphericalConstraint::new(), frames);
                hold!(m, "freeMotionScalarInit", init, frames);
            },
        );
    });
    let curve = [
        [1.898, 1.14906019, 0.476102208],
        [4.758, -0.387875021, -0.160756799],
        [7.656, -1.69229254, -0.701215439],
        [10.0, -1.21424015, -0.5029927],
    ];
    assert_published(&mut model, &curve);
}

#[test]
fn axes_of_a_universal_constraint_are_at_right_angles() {
    let refused = simulation(|m| {
        sprung(m, |m, frames| {
            let constraint = UniversalConstraint::new().n_a(X).n_b([0.1, 1.0, 0.0]);
            hold!(m, "constraint", constraint, frames);
        });
    });
    let sentence = refused.err().unwrap_or_default();
    assert!(sentence.contains("constraint.n_b: the angle to n_a is 84.28"), "{sentence}");
    assert!(sentence.contains("must be 90 deg"), "{sentence}");
}
