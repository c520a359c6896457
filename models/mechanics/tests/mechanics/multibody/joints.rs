//! Joints with several degrees of freedom move like the chains of single joints that they replace:
//! in an open chain, reversed, and where they close a loop.

use crate::common::{energy, simulation, start, step, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;

/// A kind of joint.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Universal,
    Cylindrical,
    Planar,
    Quaternion,
    Angles,
}

const KINDS: [Kind; 5] =
    [Kind::Universal, Kind::Cylindrical, Kind::Planar, Kind::Quaternion, Kind::Angles];

/// The single joints of a joint: axes of translations, then axes of rotations.
struct Chain {
    slides: Vec<[f64; 3]>,
    turns: Vec<[f64; 3]>,
    /// The joint's own names of positions, speeds and accelerations.
    names: Vec<[&'static str; 3]>,
}

const N: [f64; 3] = [0.6, 0.0, 0.8];
const N_B: [f64; 3] = [0.0, 1.0, 0.0];
/// Perpendicular to `N`.
const N_X: [f64; 3] = [0.8, 0.0, -0.6];

impl Kind {
    fn chain(self) -> Chain {
        let (slides, turns, names) = match self {
            Kind::Universal => {
                (vec![], vec![N, N_B], vec![["phi_a", "w_a", "a_a"], ["phi_b", "w_b", "a_b"]])
            }
            Kind::Cylindrical => (vec![N], vec![N], vec![["s", "v", "a"], ["phi", "w", "wd"]]),
            Kind::Planar => (
                vec![N_X, [0.0, 1.0, 0.0]],
                vec![N],
                vec![["s_x", "v_x", "a_x"], ["s_y", "v_y", "a_y"], ["phi", "w", "wd"]],
            ),
            Kind::Quaternion => (vec![X, Y, Z], vec![X, Y, Z], R_REL_A.to_vec()),
            Kind::Angles => {
                (vec![X, Y, Z], vec![X, Y, Z], R_REL_A.into_iter().chain(ANGLES).collect())
            }
        };
        Chain { slides, turns, names }
    }

    /// Start values of the coordinates; the angles of a free orientation start at zero, where their
    /// rates are the angular velocity.
    fn starts(self) -> Vec<[f64; 2]> {
        let all = [[0.3, 0.7], [-0.2, 0.4], [0.25, -0.6], [0.0, 0.5], [0.0, -0.8], [0.0, 1.1]];
        let chain = self.chain();
        all[..chain.slides.len() + chain.turns.len()].to_vec()
    }

    /// The joint itself.
    fn add(self, m: &mut Assembly, [near, far]: [Frame; 2]) {
        let starts = self.starts();
        let (q, v) = (|k: usize| fixed(starts[k][0]), |k: usize| fixed(starts[k][1]));
        let [a, b] = match self {
            Kind::Universal => {
                let joint =
                    Universal::new().n_a(N).n_b(N_B).phi_a(q(0)).w_a(v(0)).phi_b(q(1)).w_b(v(1));
                let joint = m.add("joint", joint);
                [joint.frame_a, joint.frame_b]
            }
            Kind::Cylindrical => {
                let joint = Cylindrical::new().n(N).s(q(0)).v(v(0)).phi(q(1)).w(v(1));
                let joint = m.add("joint", joint);
                [joint.frame_a, joint.frame_b]
            }
            Kind::Planar => {
                // Only the component of a direction in the plane is used.
                let n_x = [N_X[0] + 2.0 * N[0], N_X[1] + 2.0 * N[1], N_X[2] + 2.0 * N[2]];
                let joint = Planar::new().n(N).n_x(n_x).s_x(q(0)).v_x(v(0)).s_y(q(1)).v_y(v(1));
                let joint = m.add("joint", joint.phi(q(2)).w(v(2)));
                [joint.frame_a, joint.frame_b]
            }
            Kind::Quaternion | Kind::Angles => {
                let joint = FreeMotion::new()
                    .r_rel_a([q(0), q(1), q(2)])
                    .v_rel_a([v(0), v(1), v(2)])
                    .angles_start(fixed_vector([0.0; 3]))
                    .w_rel_a_start([v(3), v(4), v(5)])
                    .use_quaternions(self == Kind::Quaternion);
                let joint = m.add("joint", joint);
                [joint.frame_a, joint.frame_b]
            }
        };
        m.connect(near, a);
        m.connect(b, far);
    }

    /// The chain, named `c1` and so on.
    fn add_chain(self, m: &mut Assembly, [near, far]: [Frame; 2], [turned, states]: [bool; 2]) {
        let Chain { slides, turns, .. } = self.chain();
        let mut frame = near;
        let mut steps: Vec<usize> = (0..slides.len() + turns.len()).collect();
        if turned {
            steps.reverse();
        }
        for k in steps {
            let name = format!("c{}", k + 1);
            let [q, v] = self.starts()[k];
            let [a, b] = if k < slides.len() {
                let joint = Prismatic::new().n(slides[k]);
                let joint = if states { joint.s(fixed(q)).v(fixed(v)) } else { joint };
                let joint = m.add(name, joint);
                [joint.frame_a, joint.frame_b]
            } else {
                let joint = Revolute::new().n(turns[k - slides.len()]);
                let joint = if states { joint.phi(fixed(q)).w(fixed(v)) } else { joint };
                let joint = m.add(name, joint);
                [joint.frame_a, joint.frame_b]
            };
            let [a, b] = if turned { [b, a] } else { [a, b] };
            m.connect(frame, a);
            frame = b;
        }
        m.connect(frame, far);
    }
}

const R_REL_A: [[&str; 3]; 3] = [
    ["r_rel_a[1]", "v_rel_a[1]", "a_rel_a[1]"],
    ["r_rel_a[2]", "v_rel_a[2]", "a_rel_a[2]"],
    ["r_rel_a[3]", "v_rel_a[3]", "a_rel_a[3]"],
];
const ANGLES: [[&str; 3]; 3] =
    [["phi[1]", "phi_d[1]", ""], ["phi[2]", "phi_d[2]", ""], ["phi[3]", "phi_d[3]", ""]];

/// A swinging arm on the world and a body, with given components between them.
fn carried(m: &mut Assembly, between: impl FnOnce(&mut Assembly, [Frame; 2])) {
    let world = m.add("world", World::new());
    let swing = m.add("swing", Revolute::new().n([0.2, 1.0, 0.5]).phi(fixed(0.4)).w(fixed(1.3)));
    let arm =
        BodyShape::new().r([0.4, 0.2, -0.1]).r_cm([0.2, 0.1, 0.0]).m(1.5).inertia([0.1, 0.2, 0.15]);
    let arm = m.add("arm", arm);
    let body = Body::new().m(0.8).r_cm([0.2, -0.1, 0.3]).inertia([0.05, 0.07, 0.03]);
    let body = m.add("body", body.products([0.01, -0.005, 0.002]));
    m.connect(world.frame_b, swing.frame_a);
    m.connect(swing.frame_b, arm.frame_a);
    between(m, [arm.frame_b, body.frame_a]);
}

/// Asserts that two models move alike: the body, the arm, and pairs of variables.
fn assert_alike(
    [one, other]: [&mut Simulation; 2],
    pairs: &[(String, String)],
    tolerance: f64,
    what: &str,
) {
    let mut names: Vec<(String, String)> = pairs.to_vec();
    for vector in ["body.r_0", "body.v_0", "body.a_0", "body.w_a", "body.z_a", "arm.body.w_a"] {
        for k in 1..=3 {
            names.push((format!("{vector}[{k}]"), format!("{vector}[{k}]")));
        }
    }
    for n in 0..500 {
        if n % 50 == 0 {
            for (a, b) in &names {
                let (p, q) = (value(one, a), value(other, b));
                let scale = p.abs().max(1.0);
                assert!((p - q).abs() < tolerance * scale, "{what}, step {n}, {a} {b}: {p} {q}");
            }
        }
        step(one, 5e-4);
        step(other, 5e-4);
    }
}

/// The joint's own variables with those of its chain.
fn pairs(kind: Kind, accelerations: bool) -> Vec<(String, String)> {
    let chain = kind.chain();
    let mut pairs = Vec::new();
    for (k, own) in chain.names.iter().enumerate() {
        let words = if k < chain.slides.len() { ["s", "v", "a"] } else { ["phi", "w", "a"] };
        for (own, word) in own.iter().zip(words) {
            if !own.is_empty() && (accelerations || word != "a") {
                pairs.push((format!("joint.{own}"), format!("c{}.{word}", k + 1)));
            }
        }
    }
    pairs
}

#[test]
fn a_joint_with_several_degrees_of_freedom_moves_like_a_chain_of_simple_joints() {
    for kind in KINDS {
        let mut one = start(|m| carried(m, |m, frames| kind.add(m, frames)));
        let mut chain = start(|m| carried(m, |m, frames| kind.add_chain(m, frames, [false, true])));
        let what = format!("{kind:?}");
        assert_alike([&mut one, &mut chain], &pairs(kind, true), 1e-9, &what);
    }
}

#[test]
fn a_joint_with_its_frames_exchanged_moves_like_its_chain_with_the_frames_exchanged() {
    for kind in KINDS {
        let mut one = start(|m| carried(m, |m, [a, b]| kind.add(m, [b, a])));
        let mut chain = start(|m| carried(m, |m, frames| kind.add_chain(m, frames, [true, true])));
        let what = format!("{kind:?} turned round");
        assert_alike([&mut one, &mut chain], &pairs(kind, true), 1e-9, &what);
    }
}

/// Six single joints hold the body, so that the joint closes a loop.
fn in_a_loop(m: &mut Assembly, kind: Kind) {
    carried(m, |m, [a, b]| {
        Kind::Angles.add_chain(m, [a, b], [false, false]);
        kind.add(m, [a, b]);
    });
}

#[test]
fn a_joint_that_closes_a_loop_moves_like_one_in_an_open_chain() {
    for kind in KINDS {
        let mut closed = start(|m| in_a_loop(m, kind));
        let mut chain = start(|m| carried(m, |m, frames| kind.add_chain(m, frames, [false, true])));
        // If a joint has singular positions, all four coordinates of the loop are states.
        let coordinates = if matches!(kind, Kind::Universal) { 4 } else { 1 + kind.starts().len() };
        assert_eq!(closed.continuous_states().len(), 2 * coordinates, "{kind:?}");
        let what = format!("{kind:?} closing a loop");
        assert_alike([&mut closed, &mut chain], &pairs(kind, true), 1e-9, &what);
    }
}

#[test]
fn joints_with_several_degrees_of_freedom_keep_the_energy() {
    for kind in KINDS {
        let mut model = start(|m| carried(m, |m, frames| kind.add(m, frames)));
        let first = energy(&mut model);
        step(&mut model, 0.5);
        let drift = energy(&mut model) - first;
        assert!(drift.abs() < 1e-9, "{kind:?}: {drift:e}");
    }
}

/// The sentence with which a joint between the world and a body is refused.
fn refusal<P: Part>(joint: P, frames: impl Fn(P::Ports) -> [Frame; 2]) -> String {
    let refused = simulation(|m| {
        let world = m.add("world", World::new());
        let ports = m.add("joint", joint);
        let body = m.add("body", Body::new().m(1.0).r_cm([0.1, 0.0, 0.0]));
        let [a, b] = frames(ports);
        m.connect(world.frame_b, a);
        m.connect(b, body.frame_a);
    });
    refused.err().unwrap_or_default()
}

#[test]
fn axes_that_make_no_joint_are_refused() {
    let parallel =
        refusal(Universal::new().n_a(X).n_b([-2.0, 0.0, 0.0]), |p| [p.frame_a, p.frame_b]);
    assert!(parallel.contains("joint.n_b") && parallel.contains("parallel"), "{parallel}");
    let normal = refusal(Planar::new().n(Z).n_x([0.0, 0.0, 3.0]), |p| [p.frame_a, p.frame_b]);
    assert!(normal.contains("joint.n_x") && normal.contains("parallel"), "{normal}");
    let nowhere = refusal(Cylindrical::new().n([0.0; 3]), |p| [p.frame_a, p.frame_b]);
    assert!(nowhere.contains("joint.n") && nowhere.contains("direction"), "{nowhere}");
    let place = [guess(f64::NAN), guess(0.0), guess(0.0)];
    let nan = refusal(FreeMotion::new().r_rel_a(place), |p| [p.frame_a, p.frame_b]);
    assert!(nan.contains("joint.r_rel_a[1] = NaN m: must be a finite number"), "{nan}");
}

#[test]
fn an_acceleration_may_be_an_initial_condition() {
    // Half the angular acceleration of a horizontal pendulum: 60 degrees from the horizontal.
    let (m, l, i) = (2.0, 0.5, 0.3);
    let wanted = -0.5 * m * 9.80665 * l / (i + m * l * l);
    let mut model = start(|model| {
        let world = model.add("world", World::new());
        let joint =
            Cylindrical::new().n(Z).s(fixed(0.0)).v(fixed(0.0)).phi(guess(0.9)).w(fixed(0.0));
        let joint = model.add("joint", joint.wd(fixed(wanted)));
        let body = model.add("body", Body::new().m(m).r_cm([l, 0.0, 0.0]).inertia([0.1, 0.2, i]));
        model.connect(world.frame_b, joint.frame_a);
        model.connect(joint.frame_b, body.frame_a);
    });
    let (wd, phi) = (value(&mut model, "joint.wd"), value(&mut model, "joint.phi"));
    assert!((wd - wanted).abs() < 1e-9, "{wd}");
    assert!((phi - std::f64::consts::FRAC_PI_3).abs() < 1e-9, "{phi}");
}

#[test]
fn states_of_a_free_motion_between_held_frames_are_refused_if_enforced() {
    let held = |joint: FreeMotion| {
        simulation(move |m| {
            carried(m, |m, [a, b]| {
                Kind::Cylindrical.add(m, [a, b]);
                let free = m.add("free", joint);
                m.connect(a, free.frame_a);
                m.connect(free.frame_b, b);
            });
        })
    };
    assert!(held(FreeMotion::new()).is_ok());
    let sentence = held(FreeMotion::new().enforce_states(true)).err().unwrap_or_default();
    assert!(sentence.contains("free."), "{sentence}");
}
