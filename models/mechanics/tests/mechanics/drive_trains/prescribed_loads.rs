//! Loads of prescribed motions: the work of drives is the rise of the energy plus the losses.

use crate::common::{energy_rate, run_to, start, value};
use libraries::impulses::CollisionSpherePlane;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::{rotational, translational};

/// Compares, after some time, the power of drives (load and speed) with the rise of the energy and
/// the losses.
fn balance(text: impl FnOnce(&mut Assembly), drives: &[[&str; 2]], losses: &[&str], end: f64) {
    let mut model = start(text);
    run_to(&mut model, end);
    let power: f64 =
        drives.iter().map(|[load, speed]| value(&mut model, load) * value(&mut model, speed)).sum();
    let lost: f64 = losses.iter().map(|name| value(&mut model, name)).sum();
    let rise = energy_rate(&mut model);
    let size = power.abs().max(rise.abs());
    assert!((power - rise - lost).abs() < 1e-6 * size, "{power} {rise} {lost}");
    assert!(size > 0.1, "{size}");
}

/// Moves an axis with an oscillating angle.
fn swing(m: &mut Assembly, name: &str, axis: Flange, amplitude: f64) {
    let angle = m.add(format!("{name}_angle"), Sine::new().amplitude(amplitude).f(0.7));
    let drive = m.add(name, rotational::Position::new().exact(true));
    m.connect(angle.y, drive.phi_ref);
    m.connect(drive.flange, axis);
}

fn bar(length: f64, m: f64) -> BodyShape {
    BodyShape::new()
        .r([length, 0.0, 0.0])
        .r_cm([0.4 * length, 0.02, 0.0])
        .m(m)
        .inertia([0.01, 0.03, 0.02])
}

#[test]
fn the_load_of_a_drive_is_the_opposite_of_its_cut_torque() {
    let mut model = start(|m| {
        let speed = m.add("speed", Sine::new().amplitude(3.0).f(0.5));
        let drive = m.add("drive", rotational::Speed::new().exact(true));
        let gear = m.add("gear", rotational::IdealGear::new().ratio(-3.0));
        let load = m.add("load", rotational::Inertia::new().J(2.0));
        let friction = rotational::BearingFriction::new().tau_pos([[0.0, 4.0], [10.0, 6.0]]);
        let friction = m.add("friction", friction);
        m.connect(speed.y, drive.w_ref);
        m.connect(drive.flange, gear.flange_a);
        m.connect(gear.flange_b, load.flange_a);
        m.connect(load.flange_b, friction.flange_a);
        m.output("tau", drive.tau);
    });
    run_to(&mut model, 0.4);
    let [own, cut, read] =
        ["drive.tau", "drive.flange.tau", "tau"].map(|name| value(&mut model, name));
    let [a, f] = ["load.a", "friction.tau"].map(|name| value(&mut model, name));
    assert!((own + cut).abs() < 1e-12 && own == read, "{own} {cut}");
    assert!((own + (2.0 * a + f) / 3.0).abs() < 1e-12 && own.abs() > 1.0, "{own}");
}

#[test]
fn drives_of_a_chain_in_space_supply_its_energy() {
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let mut end = world.frame_b;
        for k in 0..8 {
            let axis = [Z, Y, X][k % 3];
            let revolute = Revolute::new().n(axis);
            let driven = k == 0 || k == 4;
            let revolute = if driven { revolute } else { revolute.phi(fixed(0.2)).w(fixed(0.5)) };
            let joint = m.add(format!("j{k}"), revolute);
            let body = m.add(format!("b{k}"), bar(0.3, 1.0 - 0.05 * k as f64));
            m.connect(end, joint.frame_a);
            m.connect(joint.frame_b, body.frame_a);
            if driven {
                swing(m, &format!("d{k}"), joint.axis, 0.8);
            }
            end = body.frame_b;
        }
    };
    balance(text, &[["d0.tau", "d0.w"], ["d4.tau", "d4.w"]], &[], 0.2);
}

#[test]
fn the_drive_of_a_crank_supplies_the_losses_of_a_loop_with_friction() {
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let crank = m.add("crank", Revolute::new().n(Z));
        let arm = m.add("arm", bar(0.2, 1.0));
        let rod = m.add("rod", bar(0.7, 2.0));
        let pin = m.add("pin", Revolute::new().n(Z).phi(guess(-0.3)));
        let slide = m.add("slide", Prismatic::new().n(X).s(guess(0.8)));
        let piston = m.add("piston", Body::new().m(3.0).r_cm([0.0; 3]).inertia([0.0; 3]));
        let end = m.add("end", RevolutePlanarLoopConstraint::new().n(Z));
        let friction = m.add("friction", translational::SupportFriction::new().f_pos([[0.0, 9.0]]));
        let drive = m.add("drive", rotational::ConstantSpeed::new().w_fixed(6.0).phi(fixed(0.4)));
        m.connect(world.frame_b, crank.frame_a);
        m.connect(drive.flange, crank.axis);
        m.connect(crank.frame_b, arm.frame_a);
        m.connect(arm.frame_b, pin.frame_a);
        m.connect(pin.frame_b, rod.frame_a);
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, piston.frame_a);
        m.connect(rod.frame_b, end.frame_a);
        m.connect(slide.frame_b, end.frame_b);
        m.connect(friction.flange_a, slide.axis);
    };
    balance(text, &[["drive.tau", "drive.w"]], &["friction.lossPower"], 0.13);
}

#[test]
fn a_drive_works_against_the_friction_of_a_closed_contact() {
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let slide = m.add("slide", Prismatic::new().n(X));
        let plate = m.add("plate", Body::new().m(1.0).r_cm([0.0; 3]).inertia([0.0; 3]));
        let lift = m.add("lift", FixedTranslation::new().r([0.0, 0.4, 0.0]));
        let joint =
            m.add("joint", Revolute::new().n(Z).phi(fixed(-0.3)).w(fixed(0.0)).states(Always));
        let arm = m.add("arm", bar(1.0, 2.0));
        let drop = 0.4 - 0.05 - 0.3_f64.sin();
        let floor = m.add("floor", FixedTranslation::new().r([0.0, drop, 0.0]));
        let contact = CollisionSpherePlane::new().ra(0.05).elasticity(0.0).mu_r(0.3);
        let contact = m.add("contact", contact);
        let drive = m.add("drive", translational::Accelerate::new().v(fixed(-0.4)));
        let rate = m.add("rate", Constant::new().k(-1.5));
        m.connect(rate.y, drive.a_ref);
        m.connect(drive.flange, slide.axis);
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, plate.frame_a);
        m.connect(slide.frame_b, lift.frame_a);
        m.connect(lift.frame_b, joint.frame_a);
        m.connect(joint.frame_b, arm.frame_a);
        m.connect(world.frame_b, floor.frame_a);
        m.connect(arm.frame_b, contact.frame_a);
        m.connect(floor.frame_b, contact.frame_b);
    };
    balance(text, &[["drive.f", "drive.v"]], &["contact.lossPower"], 0.2);
}

#[test]
fn a_drive_carries_a_mounted_drive_train() {
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let joint = m.add("joint", Revolute::new().n(Y));
        let arm = m.add("arm", bar(0.6, 2.0));
        let wrist =
            m.add("wrist", Revolute::new().n(X).phi(fixed(0.3)).w(fixed(1.0)).states(Always));
        let hand = m.add("hand", bar(0.4, 1.0));
        let axis = [0.48, 0.64, 0.6];
        let mounting = m.add("mounting", Mounting1D::new().n(axis));
        let spring = m.add("spring", rotational::SpringDamper::new().c(3.0).d(0.0));
        let rotor = m.add("rotor", Rotor1D::new().J(2e-2).n(axis).phi(fixed(0.5)).w(fixed(9.0)));
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, arm.frame_a);
        m.connect(arm.frame_b, wrist.frame_a);
        m.connect(wrist.frame_b, hand.frame_a);
        m.connect(hand.frame_b, mounting.frame_a);
        m.connect(mounting.flange_b, spring.flange_a);
        m.connect(hand.frame_b, rotor.frame_a);
        m.connect(spring.flange_b, rotor.flange_a);
        swing(m, "drive", joint.axis, 1.0);
    };
    balance(text, &[["drive.tau", "drive.w"]], &[], 0.3);
}
