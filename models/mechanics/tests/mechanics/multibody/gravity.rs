//! Gravity fields: forces at centres of mass, energy, orbits, and a field that the model gives.

use crate::common::{Random, derivatives, energy, run_to, simulation, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use mechanics::equations::{Ex, differentiate};
use mechanics::vector::{Vector, constant, dot};

/// A chain of joints and bodies whose centres of mass lie beside their frames.
fn chain(m: &mut Assembly, world: World) {
    let mut random = Random(3);
    let world = m.add("world", world);
    let mut end = world.frame_b;
    for k in 0..4 {
        let body = BodyShape::new().r(random.vector()).r_cm(random.vector()).m(1.5);
        let body =
            m.add(format!("b{k}"), body.inertia([0.3, 0.5, 0.4]).products([0.05, 0.02, 0.1]));
        if k == 2 {
            let slide = Prismatic::new().n(random.vector()).s(fixed(0.3)).v(fixed(-0.4));
            let joint = m.add(format!("j{k}"), slide);
            m.connect(end, joint.frame_a);
            m.connect(joint.frame_b, body.frame_b);
            end = body.frame_a;
        } else {
            let turn = Revolute::new().n(random.vector()).phi(fixed(0.5)).w(fixed(1.5));
            let joint = m.add(format!("j{k}"), turn);
            m.connect(end, joint.frame_b);
            m.connect(joint.frame_a, body.frame_a);
            end = body.frame_b;
        }
    }
}

/// A particle that moves freely in the plane z = 0, at `(1, 0)` with velocity `(0, v)`.
fn particle(m: &mut Assembly, world: World, v: f64) {
    let world = m.add("world", world);
    let x = m.add("x", Prismatic::new().n(X).s(fixed(1.0)).v(fixed(0.0)));
    let y = m.add("y", Prismatic::new().n(Y).s(fixed(0.0)).v(fixed(v)));
    let body = m.add("body", Body::new().m(2.0).r_cm([0.0; 3]));
    m.connect(world.frame_b, x.frame_a);
    m.connect(x.frame_b, y.frame_a);
    m.connect(y.frame_b, body.frame_a);
}

#[test]
fn a_field_that_is_the_same_everywhere_is_uniform_gravity() {
    let g = [1.0, -9.0, 4.0];
    let size = g.iter().map(|g| g * g).sum::<f64>().sqrt();
    let mut uniform = start(|m| chain(m, World::new().g(size).n(g)));
    let mut field = start(|m| {
        let world = World::new().gravity_acceleration(move |_| constant(g));
        chain(m, world.gravity_potential(move |r| -dot(&constant(g), r)));
    });
    for _ in 0..100 {
        for (one, other) in derivatives(&mut uniform).iter().zip(derivatives(&mut field)) {
            assert!((one - other).abs() <= 1e-10 * (1.0 + one.abs()), "{one} is not {other}");
        }
        for name in ["b3.a_0[1]", "b1.body.z_a[2]", "energy.potential"] {
            let (one, other) = (value(&mut uniform, name), value(&mut field, name));
            assert!((one - other).abs() <= 1e-10 * (1.0 + one.abs()), "{name}: {one}, {other}");
        }
        step(&mut uniform, 2e-3);
        step(&mut field, 2e-3);
    }
}

#[test]
fn no_gravity_is_gravity_of_zero() {
    let mut none = start(|m| chain(m, World::new().gravity_type(GravityType::None)));
    let mut zero = start(|m| chain(m, World::new().g(0.0)));
    assert_eq!(derivatives(&mut none), derivatives(&mut zero));
    assert_eq!(value(&mut none, "energy.potential"), 0.0);
}

/// A potential without symmetry, in J/kg.
fn potential(r: &Vector) -> Ex {
    r[0].square() * 3.0 + r[0] * r[1] * 2.0 - r[2] * 5.0 + r[1].powi(3) * 0.3 + (r[2] * r[0]).sin()
}

/// The negative gradient of the potential.
fn gradient_field(r: &Vector) -> Vector {
    let at = Vector::from_fn(|_, _| Ex::symbol());
    let slope = |i: usize| {
        let derivative = differentiate(&[potential(&at)], &[(at[i], Ex::one())]);
        let by = [(at[0], r[0]), (at[1], r[1]), (at[2], r[2])];
        -equations::substitute(&derivative, &by)[0]
    };
    Vector::new(slope(0), slope(1), slope(2))
}

#[test]
fn a_field_conserves_the_energy_of_its_potential() {
    let mut model = start(|m| {
        let world = World::new().gravity_acceleration(gradient_field);
        chain(m, world.gravity_potential(potential));
    });
    let initial = energy(&mut model);
    let potential = value(&mut model, "energy.potential");
    step(&mut model, 0.2);
    let exchanged = (value(&mut model, "energy.potential") - potential).abs();
    assert!(exchanged > 1.0, "no energy was exchanged: {exchanged} J");
    let drift = (energy(&mut model) - initial).abs();
    assert!(drift < 1e-8, "energy drifts by {drift:e} J");
}

#[test]
fn chains_conserve_their_energy_near_a_point_mass() {
    let mut model = start(|m| {
        chain(m, World::new().gravity_type(GravityType::Point).mu(20.0));
    });
    let initial = energy(&mut model);
    step(&mut model, 0.2);
    let drift = (energy(&mut model) - initial).abs();
    assert!(drift < 1e-8, "energy drifts by {drift:e} J");
}

#[test]
fn a_particle_returns_after_the_period_of_its_ellipse() {
    let (mu, v) = (2.0_f64, 1.1_f64);
    let mut model = start(|m| {
        particle(m, World::new().gravity_type(GravityType::Point).mu(mu), v);
    });
    // Half the long axis from the energy, the period by Kepler.
    let axis = -mu / (2.0 * (v * v / 2.0 - mu));
    let period = std::f64::consts::TAU * (axis.powi(3) / mu).sqrt();
    step(&mut model, 0.5 * period);
    let far = value(&mut model, "x.s");
    assert!((far + (2.0 * axis - 1.0)).abs() < 1e-8, "the other end is at {far}");
    step(&mut model, 0.5 * period);
    for (name, want) in [("x.s", 1.0), ("y.s", 0.0), ("x.v", 0.0), ("y.v", v)] {
        let have = value(&mut model, name);
        assert!((have - want).abs() < 1e-8, "{name}: {have} is not {want}");
    }
}

/// Gravity in m/s2 at a height in m above the equator, after the World Geodetic System of 1984.
fn earth(height: Ex) -> Ex {
    let (a, b, ge) = (6_378_137.0_f64, 6_356_752.314_2_f64, 9.780_325_335_9);
    let (f, w, gm) = (1.0 / 298.257_223_563, 7.292_115e-5_f64, 3.986_004_418e14);
    let m = w * w * a * a * b / gm;
    let h = height / a;
    ge * (1.0 - h * (2.0 * (1.0 + f + m) + 3.0 * h))
}

#[test]
fn a_pendulum_in_the_field_of_the_earth_swings_as_published() {
    let mut model = start(|m| {
        let field = |r: &Vector| Vector::new(Ex::zero(), -earth(r[1]), Ex::zero());
        let world = m.add("world", World::new().gravity_acceleration(field));
        let post = m.add("post", FixedTranslation::new().r([0.0, 20.0, 0.0]));
        let rev = m.add("rev", Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)));
        let body = m.add("body", Body::new().m(1000.0).r_cm([10.0, 0.0, 0.0]));
        let damper = m.add("damper", Gain::new().k(-0.1).unit("N.m"));
        let none = m.add("none", Constant::new().k(0.0));
        let torque = m.add("torque", Torque::new());
        m.connect(world.frame_b, post.frame_a);
        m.connect(post.frame_b, rev.frame_a);
        m.connect(rev.frame_b, body.frame_a);
        m.connect(torque.frame_a, rev.frame_a);
        m.connect(torque.frame_b, rev.frame_b);
        m.connect(rev.w, damper.u);
        m.connect(torque.torque, [none.y, none.y, damper.y]);
    });
    let published = [
        (2.0, -1.74547131, -1.38790732),
        (4.0, -3.11092195, 0.244902803),
        (6.002, -1.05465837, 1.30431278),
        (8.002, -0.123599909, -0.491059429),
        (10.0, -2.39344438, -1.15353859),
    ];
    for (t, phi, w) in published {
        run_to(&mut model, t);
        let (have_phi, have_w) = (value(&mut model, "rev.phi"), value(&mut model, "rev.w"));
        assert!((have_phi - phi).abs() < 1e-6, "rev.phi at {t} s: {have_phi} is not {phi}");
        assert!((have_w - w).abs() < 1e-6, "rev.w at {t} s: {have_w} is not {w}");
    }
}

#[test]
fn wrong_fields_are_named() {
    let refusal = |world: World| simulation(|m| particle(m, world, 1.0)).expect_err("it is wrong");
    let message = refusal(World::new().gravity_potential(|r| r[0]));
    assert!(message.contains("world.gravity_potential: a potential requires"), "{message}");
    let message = refusal(World::new().gravity_type(GravityType::Point).mu(-1.0));
    assert!(message.contains("world.mu = -1 m3/s2"), "{message}");
}
