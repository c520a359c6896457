//! Parts of 3-D mechanics: where rigid parts put frames, and what mass and inertia bodies have.

use crate::common::{energy, simulation, start, value, vector};
use libraries::multibody::*;
use libraries::prelude::*;
use nalgebra::{Rotation3, Vector3};

/// A massless body, which shows where a frame is.
fn probe(m: &mut Assembly, name: &str, frame: Frame) {
    let probe = m.add(name, PointMass::new().m(0.0));
    m.connect(frame, probe.frame_a);
}

/// The position of the point `p` of `frame_b` if `frame_a` is at rest at the origin.
fn placed(rotation: FixedRotation, p: [f64; 3]) -> Vector3<f64> {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let turned = m.add("turned", rotation);
        let arm = m.add("arm", FixedTranslation::new().r(p));
        m.connect(world.frame_b, turned.frame_a);
        m.connect(turned.frame_b, arm.frame_a);
        probe(m, "probe", arm.frame_b);
    });
    vector(&mut model, "probe.r_0")
}

#[test]
fn fixed_frames_are_where_they_are_put() {
    let mut model = start(|m| {
        let fixed = m.add("fixed", Fixed::new().r([1.0, -2.0, 0.5]));
        probe(m, "probe", fixed.frame_b);
    });
    assert_eq!(vector(&mut model, "probe.r_0"), Vector3::new(1.0, -2.0, 0.5));
}

#[test]
fn a_fixed_rotation_turns_the_points_of_its_frame_b() {
    let (r, p) = ([0.2, -0.3, 0.4], [0.5, 0.7, -1.1]);
    let [r_a, p_b] = [r, p].map(Vector3::from);
    let about = |axis: usize, degrees: f64| {
        let axis = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()][axis - 1];
        Rotation3::from_axis_angle(&axis, degrees.to_radians())
    };
    for sequence in [[1, 2, 3], [3, 1, 3], [2, 3, 1], [3, 2, 1]] {
        let angles = [10.0, 55.0, -168.0];
        let turn = (0..3).fold(Rotation3::identity(), |t, i| t * about(sequence[i], angles[i]));
        let at = placed(FixedRotation::new().sequence(sequence).angles(angles).r(r), p);
        assert!((at - (r_a + turn * p_b)).norm() < 1e-14, "{sequence:?}");
    }
    let n = Vector3::new(1.0, -2.0, 3.0);
    let turn = Rotation3::from_scaled_axis(n.normalize() * 30_f64.to_radians());
    let at = placed(FixedRotation::new().n([n.x, n.y, n.z]).angle(30.0).r(r), p);
    assert!((at - (r_a + turn * p_b)).norm() < 1e-14);
}

#[test]
fn a_rotation_is_the_same_by_axis_by_directions_and_by_angles() {
    let p = [0.5, 0.7, -1.1];
    let by_axis = placed(FixedRotation::new().n([0.0, 0.0, 2.0]).angle(90.0), p);
    assert_eq!(by_axis, Vector3::new(-0.7, 0.5, -1.1), "no rounding");
    assert_eq!(by_axis, placed(FixedRotation::new().n_x([0.0, 3.0, 0.0]).n_y([-1.0, 5.0, 0.0]), p));
    for (sequence, angles) in [([3, 1, 2], [90.0, 0.0, 0.0]), ([1, 3, 1], [0.0, -270.0, 0.0])] {
        assert_eq!(by_axis, placed(FixedRotation::new().sequence(sequence).angles(angles), p));
    }
    let (n_x, n_y) = ([1.0, 1.0, 0.0], [0.0, 1.0, 1.0]);
    let directions = placed(FixedRotation::new().n_x(n_x).n_y(n_y), [2.0, 0.0, 0.0]);
    assert!((directions - Vector3::from(n_x) * 2_f64.sqrt()).norm() < 1e-15);
    let y = placed(FixedRotation::new().n_x(n_x).n_y(n_y), Y);
    assert!(y.dot(&Vector3::from(n_x)).abs() < 1e-15 && y.dot(&Vector3::from(n_y)) > 0.0);
}

#[test]
fn a_fixed_rotation_may_be_passed_from_b_to_a() {
    let rotation = || FixedRotation::new().n([1.0, 2.0, -0.5]).angle(40.0).r([0.3, 0.1, 0.2]);
    let mut model = start(|m| {
        let fixed = m.add("fixed", Fixed::new().r([0.4, 0.5, 0.6]));
        let there = m.add("there", rotation());
        let back = m.add("back", rotation());
        m.connect(fixed.frame_b, there.frame_b);
        m.connect(there.frame_a, back.frame_a);
        probe(m, "probe", back.frame_b);
    });
    assert!((vector(&mut model, "probe.r_0") - Vector3::new(0.4, 0.5, 0.6)).norm() < 1e-15);
}

#[test]
fn a_point_mass_swings_as_a_mathematical_pendulum() {
    let (l, phi) = (0.7, 0.4_f64);
    let pendulum = move |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let rev = m.add("rev", Revolute::new().phi(fixed(phi)).w(fixed(1.3)));
        let arm = m.add("arm", FixedTranslation::new().r([0.0, -l, 0.0]));
        let mass = m.add("mass", PointMass::new().m(2.0));
        m.connect(world.frame_b, rev.frame_a);
        m.connect(rev.frame_b, arm.frame_a);
        m.connect(arm.frame_b, mass.frame_a);
    };
    let mut model = start(pendulum);
    let acceleration = -9.80665 / l * phi.sin();
    assert!((value(&mut model, "rev.a") - acceleration).abs() < 1e-13);
    let a_0 = vector(&mut model, "mass.a_0");
    let along = Vector3::new(phi.cos(), phi.sin(), 0.0);
    let inwards = Vector3::new(-phi.sin(), phi.cos(), 0.0);
    let expected = along * (l * acceleration) + inwards * (l * 1.3 * 1.3);
    assert!((a_0 - expected).norm() < 1e-13, "{a_0}");
    let kinetic = value(&mut model, "energy.kinetic");
    assert!((kinetic - 0.5 * 2.0 * (1.3 * l) * (1.3 * l)).abs() < 1e-14);
}

#[test]
fn a_point_mass_on_an_axis_does_not_resist_a_turn() {
    let refused = simulation(|m| {
        let world = m.add("world", World::new());
        let rev = m.add("rev", Revolute::new());
        let mass = m.add("mass", PointMass::new().m(2.0));
        m.connect(world.frame_b, rev.frame_a);
        m.connect(rev.frame_b, mass.frame_a);
    });
    let message = refused.expect_err("nothing resists rev.phi");
    assert!(message.contains("rev"), "{message}");
}

/// The kinetic energy in J of a body that turns at 1 rad/s about `n` through the origin.
fn turning<P>(n: [f64; 3], add: impl Fn(&mut Assembly) -> P, frame: impl Fn(&P) -> Frame) -> f64 {
    let mut model = start(|m| {
        let world = m.add("world", World::new().g(0.0));
        let rev = m.add("rev", Revolute::new().n(n).phi(fixed(0.3)).w(fixed(1.0)));
        m.connect(world.frame_b, rev.frame_a);
        let part = add(m);
        m.connect(rev.frame_b, frame(&part));
    });
    energy(&mut model)
}

#[test]
fn a_hollow_cylinder_is_a_cylinder_without_its_bore() {
    let (r, r_shape) = ([0.3, 0.5, -0.2], [0.05, -0.1, 0.2]);
    let cylinder = |d: f64, bore: f64| {
        let body = BodyCylinder::new().r(r).r_shape(r_shape).density(1500.0);
        body.diameter(d).inner_diameter(bore)
    };
    for n in [X, Y, Z, [1.0, 2.0, -3.0]] {
        let energy = |d, bore| turning(n, |m| m.add("b", cylinder(d, bore)), |b| b.frame_a);
        let (hollow, parts) = (energy(0.2, 0.15), energy(0.2, 0.0) - energy(0.15, 0.0));
        assert!((hollow - parts).abs() < 1e-14 * energy(0.2, 0.0), "{n:?}: {hollow} {parts}");
    }
}

#[test]
fn a_hollow_box_is_a_box_without_its_inside() {
    let (r, r_shape) = ([0.3, 0.5, -0.2], [0.05, -0.1, 0.2]);
    let brick = |w: f64, h: f64| BodyBox::new().r(r).r_shape(r_shape).width(w).height(h);
    for n in [X, Y, Z, [1.0, 2.0, -3.0]] {
        let energy = |body: BodyBox| turning(n, |m| m.add("b", body.clone()), |b| b.frame_a);
        let hollow = energy(brick(0.2, 0.1).inner_width(0.12).inner_height(0.04));
        let parts = energy(brick(0.2, 0.1)) - energy(brick(0.12, 0.04));
        assert!((hollow - parts).abs() < 1e-13 * hollow, "{n:?}: {hollow} {parts}");
    }
}

#[test]
fn a_box_has_the_inertia_of_its_points() {
    let (l, w, h) = (0.6, 0.3, 0.2);
    let along = Vector3::new(0.48, 0.36, 0.0);
    let (r, width_direction) = (along, Vector3::new(0.0, 0.2, 1.0));
    let e_x = along.normalize();
    let e_z = e_x.cross(&width_direction).normalize();
    let e_y = e_z.cross(&e_x);
    let k = 40;
    let cell = |i: usize| (i as f64 + 0.5) / k as f64 - 0.5;
    for n in [X, Y, Z, [1.0, 2.0, -3.0]] {
        let e = Vector3::from(n).normalize();
        let mut sum = 0.0;
        for (i, j) in (0..k * k).map(|ij| (ij / k, ij % k)) {
            for q in 0..k {
                let p = e_x * (l * (cell(i) + 0.5)) + e_y * (w * cell(j)) + e_z * (h * cell(q));
                sum += e.cross(&p).norm_squared();
            }
        }
        let mass = 7700.0 * l * w * h;
        let expected = 0.5 * mass * sum / (k * k * k) as f64;
        let body =
            BodyBox::new().r([r.x, r.y, r.z]).width_direction([0.0, 0.2, 1.0]).width(w).height(h);
        let energy = turning(n, |m| m.add("b", body.clone()), |b| b.frame_a);
        // The midpoint rule misses the part 1/k^2 of each cell's own inertia.
        let own = (mass / 12.0) * (l * l + w * w + h * h) / (k * k) as f64;
        assert!((energy - expected).abs() < own, "{n:?}: {energy} {expected}");
        assert!(energy > expected, "{n:?}: {energy} {expected}");
    }
}

#[test]
fn a_solid_has_default_sizes_and_may_be_placed_freely() {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let plain = m.add("plain", BodyCylinder::new().r([0.0, 0.4, 0.0]));
        let other = BodyBox::new().r([1.0, 0.0, 0.0]).r_shape([0.2, 0.1, 0.0]).density(1000.0);
        let other = other.length_direction([0.0, 0.0, -2.0]).length(0.5).width(0.1).height(0.2);
        let other = m.add("other", other);
        m.connect(world.frame_b, plain.frame_a);
        m.connect(world.frame_b, other.frame_a);
    });
    let radius = 0.4 / 20.0 / 2.0;
    let mass = 7700.0 * std::f64::consts::PI * radius * radius * 0.4;
    assert!((value(&mut model, "plain.m") - mass).abs() < 1e-15);
    assert!((value(&mut model, "plain.length") - 0.4).abs() < 1e-15);
    assert!((vector(&mut model, "plain.r_CM") - Vector3::new(0.0, 0.2, 0.0)).norm() < 1e-15);
    let axial = 0.5 * mass * radius * radius;
    assert!((value(&mut model, "plain.I[2,2]") - axial).abs() < 1e-17);
    assert!((value(&mut model, "other.m") - 10.0).abs() < 1e-13);
    assert!((vector(&mut model, "other.r_CM") - Vector3::new(0.2, 0.1, -0.25)).norm() < 1e-15);
    // The inertia is oriented along r, whatever the direction of the shape is.
    let axial = 10.0 / 12.0 * (0.1 * 0.1 + 0.2 * 0.2);
    assert!((value(&mut model, "other.I[1,1]") - axial).abs() < 1e-14);
}

#[test]
fn wrong_parts_are_refused_by_name() {
    fn message<P: Part>(part: P, frame: impl FnOnce(&P::Ports) -> Frame) -> String {
        let refused = simulation(|m| {
            let world = m.add("world", World::new());
            let ports = m.add("p", part);
            m.connect(world.frame_b, frame(&ports));
        });
        refused.expect_err("it is wrong")
    }
    let cylinder = || BodyCylinder::new().r([0.1, 0.0, 0.0]);
    for (message, expected) in [
        (
            message(FixedRotation::new().n([0.0; 3]).angle(10.0), |p| p.frame_a),
            "p.n: [0.0, 0.0, 0.0] has no direction",
        ),
        (
            message(FixedRotation::new().n(X).angle(f64::NAN), |p| p.frame_a),
            "p.angle = NaN deg: must be a finite number",
        ),
        (
            message(FixedRotation::new().sequence([1, 1, 3]).angles([0.0; 3]), |p| p.frame_a),
            "p.sequence: [1, 1, 3] are not axes 1 to 3 with different neighbours",
        ),
        (message(PointMass::new().m(-1.0), |p| p.frame_a), "p.m = -1 kg: must be positive or zero"),
        (
            message(cylinder().diameter(0.1).inner_diameter(0.1), |p| p.frame_a),
            "p.innerDiameter = 0.1 m, p.diameter = 0.1 m: the inner diameter must be less than the diameter",
        ),
        (
            message(cylinder().r_shape([0.1, 0.0, 0.0]), |p| p.frame_a),
            "p.length = 0 m: must be positive",
        ),
        (
            message(cylinder().r_shape([0.1, 0.0, 0.0]).length(1.0), |p| p.frame_a),
            "p.lengthDirection: r and r_shape are equal, so the shape has no direction",
        ),
        (
            message(BodyBox::new().r(X).width(0.1).inner_width(0.2), |p| p.frame_a),
            "p.innerWidth = 0.2 m, p.width = 0.1 m: the hollow must fit into the box",
        ),
    ] {
        assert!(message.contains(expected), "{message}");
    }
}
