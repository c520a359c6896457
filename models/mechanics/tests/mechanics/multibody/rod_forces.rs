//! Forces along rods: against sensors at their ends, against Newton and Euler, and in assemblies.

use crate::common::linkages::{attach, lump};
use crate::common::{start, step, value, vector};
use libraries::multibody::*;
use libraries::prelude::*;

fn assert_near(found: f64, wanted: f64, size: f64, what: &str) {
    assert!((found - wanted).abs() < 1e-9 * (1.0 + size.abs()), "{what}: {found} is not {wanted}");
}

/// A crank and a slider; returns the free frames of both.
fn crank_and_slider(m: &mut Assembly) -> [Frame; 2] {
    let world = m.add("world", World::new());
    let rest = m.add("rest", FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let crank = crank(m, world.frame_b);
    let j2 = m.add("j2", Prismatic::new().n(X).s(guess(-0.2)));
    let b2 = m.add("b2", slider());
    m.connect(world.frame_b, rest.frame_a);
    m.connect(rest.frame_b, j2.frame_a);
    m.connect(j2.frame_b, b2.frame_a);
    [crank, b2.frame_b]
}

fn crank(m: &mut Assembly, base: Frame) -> Frame {
    let j1 = m.add("j1", Revolute::new().n(X).phi(fixed(0.0)).w(fixed(5.0)).states(Always));
    let b1 = m.add("b1", BodyCylinder::new().r([0.0, 0.5, 0.1]).diameter(0.05));
    m.connect(base, j1.frame_a);
    m.connect(j1.frame_b, b1.frame_a);
    b1.frame_b
}

const SLIDER: f64 = 1.5;

fn slider() -> BodyShape {
    BodyShape::new().r([0.0, 0.2, 0.0]).r_cm([0.0, 0.1, 0.0]).m(SLIDER)
}

/// A sensor in world axes that leads to a frame.
fn sensor(m: &mut Assembly, name: &str, from: Frame, to: Frame) {
    let sensor = CutForceAndTorque::new().resolve_in_frame(ResolveInFrameA::World);
    let sensor = m.add(name, sensor);
    m.connect(from, sensor.frame_a);
    m.connect(sensor.frame_b, to);
}

const LENGTH: [f64; 3] = [-1.0, 0.3, 0.1];

#[test]
fn the_force_along_a_rod_moves_the_slider() {
    let mut model = start(|m| {
        let [crank, slider] = crank_and_slider(m);
        let rod = UniversalSpherical::new().n1_a(Y).r_rod_ia(LENGTH).check_total_power(true);
        let rod = m.add("rod", rod);
        m.connect(slider, rod.frame_a);
        sensor(m, "end", crank, rod.frame_b);
    });
    for _ in 0..5 {
        let f = value(&mut model, "rod.f_rod");
        let e = vector(&mut model, "rod.rRod_0").normalize();
        let gap = vector(&mut model, "end.force") + e * f;
        assert!(gap.norm() < 1e-9 * (1.0 + f.abs()), "{gap:?}");
        assert!(f.abs() > 1.0);
        assert_near(-f * e[0], SLIDER * value(&mut model, "j2.a"), f, "slider");
        assert_near(value(&mut model, "rod.totalPower"), 0.0, f, "totalPower");
        step(&mut model, 0.05);
    }
}

#[test]
fn a_body_on_a_rod_pulls_at_it_and_takes_no_power_from_the_joint() {
    let mut model = start(|m| {
        let [crank, slider] = crank_and_slider(m);
        let rod = UniversalSpherical::new().n1_a(Y).r_rod_ia(LENGTH).check_total_power(true);
        let rod = m.add("rod", rod);
        let body = Body::new().m(1.0).r_cm([-0.4, 0.3, 0.2]).inertia([0.02, 0.05, 0.04]);
        let body = m.add("body", body.products([0.01, 0.0, 0.005]));
        sensor(m, "start", slider, rod.frame_a);
        sensor(m, "end", crank, rod.frame_b);
        m.connect(rod.frame_ia, body.frame_a);
    });
    for _ in 0..5 {
        let f = value(&mut model, "rod.f_rod");
        let e = vector(&mut model, "rod.rRod_0").normalize();
        let end = vector(&mut model, "end.force");
        assert_near(-end.dot(&e), f, f, "end.force");
        assert!((end + e * f).norm() > 0.1, "nothing acts across the rod");
        assert!(vector(&mut model, "end.torque").norm() < 1e-9);
        assert_near(value(&mut model, "rod.totalPower"), 0.0, 10.0 * f, "totalPower");
        // The torque at the universal joint is along the normal of its two axes.
        let torque = vector(&mut model, "start.torque");
        assert!(torque.norm() > 0.1 && torque[1].abs() < 1e-9, "{torque:?}");
        step(&mut model, 0.05);
    }
}

#[test]
fn half_the_force_of_a_mass_in_a_rod_counts_at_its_first_end() {
    let mass = 0.8;
    let mut model = start(|m| {
        let [crank, slider] = crank_and_slider(m);
        let rod =
            SphericalSpherical::new().compute_rod_length(true).m(mass).check_total_power(true);
        let rod = m.add("rod", rod);
        sensor(m, "start", slider, rod.frame_a);
        sensor(m, "end", crank, rod.frame_b);
    });
    for _ in 0..5 {
        let f = value(&mut model, "rod.f_rod");
        let e = vector(&mut model, "rod.rRod_0").normalize();
        let (at_a, at_b) = (vector(&mut model, "start.force"), vector(&mut model, "end.force"));
        assert_near(at_a.dot(&e), f, f, "start.force");
        let of_mass = at_a + at_b;
        assert_near(at_b.dot(&e), of_mass.dot(&e) - f, f, "end.force");
        assert!(of_mass.norm() > 1.0);
        let half = of_mass - e * of_mass.dot(&e);
        assert!((at_a - e * f - half * 0.5).norm() < 1e-9 * (1.0 + f.abs()));
        assert!(vector(&mut model, "start.torque").norm() < 1e-9);
        assert_near(value(&mut model, "rod.totalPower"), 0.0, f, "totalPower");
        step(&mut model, 0.05);
    }
}

#[test]
fn the_rod_of_an_assembly_carries_the_force_of_the_same_rod_alone() {
    for mass in [0.0, 0.6] {
        let length = LENGTH.iter().map(|c| c * c).sum::<f64>().sqrt();
        let mut rod = start(|m| {
            let [crank, slider] = crank_and_slider(m);
            let rod = m.add("rod", SphericalSpherical::new().rod_length(length).m(mass));
            m.connect(crank, rod.frame_a);
            m.connect(slider, rod.frame_b);
        });
        let mut assembly = start(|m| {
            let world = m.add("world", World::new());
            let rest = m.add("rest", FixedTranslation::new().r([1.2, 0.0, 0.0]));
            let crank = crank(m, world.frame_b);
            let joint = JointSSP::new().rod1_length(length).n_b(X).r_rod2_ib([0.0, 0.2, 0.0]);
            let joint = m.add("joint", joint.s_offset(-0.2).rod1_mass(mass));
            let b2 = m.add("b2", slider());
            m.connect(world.frame_b, rest.frame_a);
            m.connect(rest.frame_b, joint.frame_b);
            m.connect(crank, joint.frame_a);
            m.connect(joint.frame_ib, b2.frame_a);
        });
        for _ in 0..100 {
            let (f, g) = (value(&mut rod, "rod.f_rod"), value(&mut assembly, "joint.f_rod"));
            assert_near(f, g, f, "f_rod");
            step(&mut rod, 1e-3);
            step(&mut assembly, 1e-3);
        }
    }
}

/// A spring and damper along the coordinate of an assembly that slides.
fn spring(m: &mut Assembly, axis: TranslationalFlange, bearing: TranslationalFlange) {
    let spring = libraries::translational::SpringDamper::new().c(200.0).d(5.0);
    let spring = m.add("spring", spring);
    m.connect(bearing, spring.flange_a);
    m.connect(spring.flange_b, axis);
}

fn driven(m: &mut Assembly, kind: &str) {
    let world = m.add("world", World::new());
    let rest = m.add("rest", FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let crank = crank(m, world.frame_b);
    m.connect(world.frame_b, rest.frame_a);
    let length = 1.1_f64.sqrt();
    let rods = ([length, 0.0, 0.0], [0.0, 0.2, 0.0]);
    match kind {
        "USP" => {
            let joint =
                JointUSP::new().r_rod1_ia(rods.0).r_rod2_ib(rods.1).n1_a(Y).n_b(X).s_offset(-0.2);
            let joint = m.add("joint", joint.check_total_power(true));
            m.connect(crank, joint.frame_a);
            m.connect(rest.frame_b, joint.frame_b);
            attach(m, "on_ia", joint.frame_ia, lump(0.7));
            attach(m, "on_ib", joint.frame_ib, lump(0.7));
            attach(m, "on_im", joint.frame_im, lump(0.7));
            spring(m, joint.axis, joint.bearing);
        }
        "SSP" => {
            let joint = JointSSP::new().rod1_length(length).n_b(X).r_rod2_ib(rods.1).rod1_mass(0.5);
            let joint = m.add("joint", joint.s_offset(-0.2).check_total_power(true));
            m.connect(crank, joint.frame_a);
            m.connect(rest.frame_b, joint.frame_b);
            attach(m, "on_ib", joint.frame_ib, lump(0.7));
            attach(m, "on_im", joint.frame_im, lump(0.7));
            spring(m, joint.axis, joint.bearing);
        }
        "USR" => {
            let joint = JointUSR::new()
                .r_rod1_ia([1.3, 0.0, 0.0])
                .r_rod2_ib([0.0, 0.6, 0.0])
                .n1_a(Y)
                .n_b(Z);
            let joint = m.add("joint", joint.check_total_power(true));
            m.connect(crank, joint.frame_a);
            m.connect(rest.frame_b, joint.frame_b);
            attach(m, "on_ia", joint.frame_ia, lump(0.7));
            attach(m, "on_ib", joint.frame_ib, lump(0.7));
            let brake = m.add("brake", libraries::rotational::SpringDamper::new().c(5.0).d(1.0));
            m.connect(joint.bearing, brake.flange_a);
            m.connect(brake.flange_b, joint.axis);
        }
        _ => {
            let joint = m.add("joint", JointUPS::new().n1_a(Y).check_total_power(true));
            m.connect(crank, joint.frame_a);
            m.connect(rest.frame_b, joint.frame_b);
            attach(m, "on_ia", joint.frame_ia, lump(0.7));
            attach(m, "on_ib", joint.frame_ib, lump(0.7));
            spring(m, joint.axis, joint.bearing);
        }
    }
}

#[test]
fn assemblies_take_no_power() {
    for kind in ["USP", "SSP", "USR", "UPS"] {
        let mut model = start(|m| driven(m, kind));
        let mut size = 0.0_f64;
        for _ in 0..5 {
            let power = value(&mut model, "joint.totalPower");
            assert!(power.abs() < 1e-9, "{kind}: {power:e} W");
            size = size.max(value(&mut model, "j1.a").abs());
            step(&mut model, 0.04);
        }
        assert!(size > 1.0, "{kind}: nothing happens");
    }
}
