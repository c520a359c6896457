//! Impacts of mechanisms with loops: the solution in generalised coordinates is that of free bodies
//! with all reactions, and the loops stay closed.

use crate::common::{energy, run_to, simulate, start, value};
use libraries::impulses::CollisionSpherePlane;
use libraries::multibody::{
    Body, BodyShape, FixedTranslation, Revolute, RevolutePlanarLoopConstraint, World,
};
use libraries::prelude::*;
use libraries::rotational::Brake;
use nalgebra::{DMatrix, DVector};

/// Masses of crank, coupler and rocker in kg; their moments of inertia follow from these.
const MASSES: [f64; 3] = [1.0, 2.0, 1.5];
const INERTIA: f64 = 0.02;
const LENGTHS: [f64; 3] = [0.4, 1.0, 0.7];
const GROUND: f64 = 0.9;
const RADIUS: f64 = 0.05;

/// A four-bar linkage in the plane perpendicular to z whose coupler carries a sphere in its middle,
/// above a floor; a brake may act on its rocker.
fn linkage(e: f64, braked: bool) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let world = m.add("world", World::new().g(9.81));
        let bar = |k: usize| {
            let r = [LENGTHS[k], 0.0, 0.0];
            let middle = r.map(|c| c / 2.0);
            BodyShape::new().r(r).r_cm(middle).m(MASSES[k]).inertia([INERTIA; 3])
        };
        let a = m.add("a", Revolute::new().n(Z).phi(fixed(1.2)).w(fixed(-6.0)));
        let crank = m.add("crank", bar(0));
        let b = m.add("b", Revolute::new().n(Z).phi(guess(-1.0)));
        let coupler = m.add("coupler", bar(1));
        let ground = m.add("ground", FixedTranslation::new().r([GROUND, 0.0, 0.0]));
        let d = m.add("d", Revolute::new().n(Z).phi(guess(1.3)));
        let rocker = m.add("rocker", bar(2));
        let c = m.add("c", RevolutePlanarLoopConstraint::new().n(Z));
        m.connect(world.frame_b, a.frame_a);
        m.connect(a.frame_b, crank.frame_a);
        m.connect(crank.frame_b, b.frame_a);
        m.connect(b.frame_b, coupler.frame_a);
        m.connect(world.frame_b, ground.frame_a);
        m.connect(ground.frame_b, d.frame_a);
        m.connect(d.frame_b, rocker.frame_a);
        m.connect(coupler.frame_b, c.frame_a);
        m.connect(rocker.frame_b, c.frame_b);
        let middle = m.add("middle", FixedTranslation::new().r([0.5 * LENGTHS[1], 0.2, 0.0]));
        let floor = m.add("floor", FixedTranslation::new().r([0.0, 0.15, 0.0]));
        let mark = m.add("mark", Body::new().m(0.0).r_cm([0.0; 3]).inertia([0.0; 3]));
        let contact = m.add("contact", CollisionSpherePlane::new().ra(RADIUS).elasticity(e));
        m.connect(coupler.frame_a, middle.frame_a);
        m.connect(middle.frame_b, mark.frame_a);
        m.connect(world.frame_b, floor.frame_a);
        m.connect(middle.frame_b, contact.frame_a);
        m.connect(floor.frame_b, contact.frame_b);
        if braked {
            let brake = m.add("brake", Brake::new().fn_max(1.0).mu_pos(0.5));
            let press = m.add("press", Constant::new().k(1.0));
            m.connect(press.y, brake.f_normalized);
            m.connect(brake.flange_a, d.axis);
        }
    }
}

/// Angles and angular velocities of crank, coupler and rocker.
fn bars(model: &mut fmu_runtime::Simulation) -> [[f64; 2]; 3] {
    let mut read =
        |joint: &str| [value(model, &format!("{joint}.phi")), value(model, &format!("{joint}.w"))];
    let (a, b, d) = (read("a"), read("b"), read("d"));
    [a, [a[0] + b[0], a[1] + b[1]], d]
}

/// The angular velocities after an impact, from free bodies in the plane: Newton and Euler for
/// each, all reactions of the pins, and the impulse of the contact.
fn by_all_reactions(before: [[f64; 2]; 3], e: f64) -> [f64; 3] {
    let along = |k: usize, s: f64| {
        let (sin, cos) = before[k][0].sin_cos();
        [s * LENGTHS[k] * cos, s * LENGTHS[k] * sin]
    };
    // Rows of the velocity of a point of a body: x, y, angle of that body; `r` from its centre.
    let point = |body: usize, r: [f64; 2], axis: usize| {
        let mut row = DVector::zeros(9);
        row[3 * body + axis] = 1.0;
        row[3 * body + 2] = if axis == 0 { -r[1] } else { r[0] };
        row
    };
    let mut rows = Vec::new();
    for axis in 0..2 {
        rows.push(point(0, along(0, -0.5), axis));
        rows.push(point(0, along(0, 0.5), axis) - point(1, along(1, -0.5), axis));
        rows.push(point(1, along(1, 0.5), axis) - point(2, along(2, 0.5), axis));
        rows.push(point(2, along(2, -0.5), axis));
    }
    // The sphere is 0.2 m beside the middle of the coupler.
    let (sin, cos) = before[1][0].sin_cos();
    let normal = point(1, [-0.2 * sin, 0.2 * cos], 1);
    let mut v = DVector::zeros(9);
    let mut origin = [[0.0; 2]; 3];
    let crank = along(0, 1.0);
    origin[1] = [-crank[1] * before[0][1], crank[0] * before[0][1]];
    for k in 0..3 {
        let (r, w) = (along(k, 0.5), before[k][1]);
        v[3 * k] = origin[k][0] - r[1] * w;
        v[3 * k + 1] = origin[k][1] + r[0] * w;
        v[3 * k + 2] = w;
    }
    let mut matrix = DMatrix::zeros(18, 18);
    let mut rhs = DVector::zeros(18);
    for k in 0..3 {
        for (i, m) in [MASSES[k], MASSES[k], INERTIA].into_iter().enumerate() {
            matrix[(3 * k + i, 3 * k + i)] = m;
            rhs[3 * k + i] = m * v[3 * k + i];
        }
    }
    rows.push(normal.clone());
    for (j, row) in rows.iter().enumerate() {
        for i in 0..9 {
            matrix[(i, 9 + j)] = -row[i];
            matrix[(9 + j, i)] = row[i];
        }
    }
    rhs[17] = -e * normal.dot(&v);
    let solved = matrix.lu().solve(&rhs).expect("the linkage is regular");
    [solved[2], solved[5], solved[8]]
}

#[test]
fn an_impact_of_a_linkage_is_that_of_its_free_bodies_with_all_reactions() {
    for e in [1.0, 0.4] {
        let mut model = start(linkage(e, false));
        let mut impacts = 0;
        while impacts < 5 {
            let (before, kinetic) = approach(&mut model);
            impacts += 1;
            let expected = by_all_reactions(before, e);
            let after = bars(&mut model);
            for (bar, w) in after.iter().zip(expected) {
                assert!((bar[1] - w).abs() < 1e-9 * (1.0 + w.abs()), "{after:?} {expected:?}");
            }
            assert!(loop_speed(after) <= 1e-10, "{:e}", loop_speed(after));
            assert!(value(&mut model, "loops.residual") <= 1e-10);
            let now = energy(&mut model);
            if e == 1.0 {
                assert!((now - kinetic).abs() < 1e-9 * kinetic.abs().max(1.0));
            } else {
                assert!(now < kinetic);
            }
        }
    }
}

#[test]
fn a_linkage_with_a_brake_comes_to_rest_on_the_floor() {
    let mut model = start(linkage(0.5, true));
    let mut before = energy(&mut model);
    simulate(&mut model, 4.0, |model| {
        let now = energy(model);
        assert!(now <= before + 1e-9, "energy grows from {before} to {now} at {}", model.time());
        before = now;
    });
    assert!(value(&mut model, "contact.impacts") > 5.0);
    assert_eq!(value(&mut model, "contact.closed"), 1.0);
    assert!(bars(&mut model).iter().all(|bar| bar[1].abs() < 1e-9));
}

/// Simulates to the next impact; returns the motion of the bars and the energy just before it.
fn approach(model: &mut fmu_runtime::Simulation) -> ([[f64; 2]; 3], f64) {
    let impacts = value(model, "contact.impacts");
    loop {
        let end = model.time() + 0.01;
        let mut before = None;
        let now = model.fmu_state();
        simulate(model, end, |after| {
            if before.is_none() && value(after, "contact.impacts") > impacts {
                before = Some(after.time());
            }
        });
        let Some(instant) = before else { continue };
        model.set_fmu_state(&now).unwrap();
        run_to(model, instant - 1e-12);
        let found = (bars(model), energy(model));
        run_to(model, instant + 1e-12);
        assert!(value(model, "contact.impacts") > impacts);
        return found;
    }
}

/// The speed at which the loop opens: the relative velocity of coupler and rocker at their pin.
fn loop_speed([a, b, d]: [[f64; 2]; 3]) -> f64 {
    let turn = |bar: [f64; 2], length: f64| {
        let (sin, cos) = bar[0].sin_cos();
        [-length * sin * bar[1], length * cos * bar[1]]
    };
    let (a, b, d) = (turn(a, LENGTHS[0]), turn(b, LENGTHS[1]), turn(d, LENGTHS[2]));
    (a[0] + b[0] - d[0]).hypot(a[1] + b[1] - d[1])
}
