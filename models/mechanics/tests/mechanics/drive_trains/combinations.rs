//! Whole drive trains: the power is balanced at every moment of the motion.

use crate::common;
use crate::common::{energy_rate, run_to, simulate, start, value};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::rotational::*;
use libraries::{thermal, translational as t};

/// A drive train with the sources that supply it.
struct Case {
    name: &'static str,
    text: fn(&mut Assembly),
    stop_time: f64,
    /// Torque (or force) into a source, speed, and a sign: the product is the supplied power.
    sources: &'static [(&'static str, &'static str, f64)],
}

const CASES: [Case; 12] = [
    Case {
        name: "simpson",
        text: simpson,
        stop_time: 2.6,
        sources: &[("motor.flange.tau", "engine.w", -1.0), ("load.flange.tau", "out.w", -1.0)],
    },
    Case {
        name: "ravigneaux",
        text: ravigneaux,
        stop_time: 2.0,
        sources: &[("drive.flange.tau", "engine.w", -1.0)],
    },
    Case {
        name: "hoist",
        text: hoist,
        stop_time: 2.0,
        sources: &[("tq.flange.tau", "motor.w", -1.0), ("g.flange.f", "mass.v", -1.0)],
    },
    Case { name: "heat", text: heat, stop_time: 2.0, sources: &[] },
    Case {
        name: "belt",
        text: belt,
        stop_time: 3.0,
        sources: &[("belt.flange.f", "belt.v", -1.0)],
    },
    Case {
        name: "rigid_clutches",
        text: rigid_clutches,
        stop_time: 2.0,
        sources: &[("drive.flange.tau", "a.w", -1.0)],
    },
    Case {
        name: "torque_loop",
        text: torque_loop,
        stop_time: 1.0,
        sources: &[("tq.flange.tau", "b.w", -1.0), ("drive.flange.tau", "a.w", -1.0)],
    },
    Case {
        name: "two_lossy",
        text: two_lossy,
        stop_time: 1.2,
        sources: &[("tq.flange.tau", "a.w", -1.0), ("l.flange.tau", "c.w", -1.0)],
    },
    Case {
        name: "housing",
        text: housing,
        stop_time: 1.5,
        sources: &[("tq.flange.tau", "rotor.w", -1.0), ("tq.flange.tau", "h.w", 1.0)],
    },
    Case { name: "stops", text: stops, stop_time: 1.0, sources: &[("f.flange.f", "a.v", -1.0)] },
    Case {
        name: "alternator",
        text: alternator,
        stop_time: 1.0,
        sources: &[("crank.flange.tau", "w.y", -1.0), ("l.flange.tau", "rotor.w", -1.0)],
    },
    Case {
        name: "supports_linear",
        text: supports_linear,
        stop_time: 1.0,
        sources: &[("f.flange.f", "slider.v", -1.0), ("f.flange.f", "cart.v", 1.0)],
    },
];

/// The sum of all losses in W; the losses of parts are contained in that of their group.
fn losses(model: &mut Simulation) -> f64 {
    let names = model.names().filter(|name| name.ends_with(".lossPower"));
    let names: Vec<String> = names.map(str::to_owned).collect();
    names.iter().map(|name| value(model, name)).sum()
}

#[test]
fn power_is_balanced_at_every_moment_of_the_motion() {
    for case in &CASES {
        let mut model = start(case.text);
        let mut events = 0;
        for k in 1..=30 {
            let end = case.stop_time * f64::from(k) / 30.0;
            simulate(&mut model, end, |_| events += 1);
            let power = |(flow, speed, sign): &(&str, &str, f64)| {
                sign * value(&mut model, flow) * value(&mut model, speed)
            };
            let supplied: f64 = case.sources.iter().map(power).sum();
            let (lost, stored) = (losses(&mut model), energy_rate(&mut model));
            let (gap, size) = (supplied - lost - stored, supplied.abs() + lost.abs());
            assert!(
                gap.abs() < 1e-5 * (1.0 + size),
                "{} at {end} s: {gap:e} of {size} W",
                case.name
            );
        }
        let moves = !["torque_loop", "supports_linear"].contains(&case.name);
        assert!(!moves || events > 0, "{}: nothing sticks, slides or touches", case.name);
    }
}

/// The energy that a train without sources loses becomes heat.
#[test]
fn lost_energy_becomes_heat() {
    let mut model = start(heat);
    let energy =
        |model: &mut Simulation| common::energy(model) + 50.0 * (value(model, "cap.T") - 293.15);
    let before = energy(&mut model);
    run_to(&mut model, 2.0);
    let after = energy(&mut model);
    assert!(value(&mut model, "cap.T") > 350.0, "it becomes warm");
    assert!((after - before).abs() < 1e-7 * before, "{before} J and {after} J");
}

/// A constant torque.
fn torque(m: &mut Assembly, name: &str, tau: f64) -> Flange {
    m.add(name, ConstantTorque::new().tau_constant(tau)).flange
}

/// A signal that jumps.
fn press(m: &mut Assembly, name: &str, from: f64, to: f64, at: f64) -> Quantity {
    m.add(name, Step::new().height(to - from).offset(from).start_time(at)).y
}

/// An automatic gearbox of two planetary gears (Simpson) that shifts twice.
fn simpson(m: &mut Assembly) {
    let engine = m.add("engine", Inertia::new().J(0.2).phi(fixed(0.0)).w(fixed(100.0)));
    let f = torque(m, "motor", 100.0);
    m.connect(f, engine.flange_a);
    let p1 = m.add("p1", IdealPlanetary::new().ratio(2.0));
    let p2 = m.add("p2", IdealPlanetary::new().ratio(2.5));
    let sun = m.add("sunshaft", Inertia::new().J(0.01));
    let ring = m.add("ringshaft", Inertia::new().J(0.02));
    let carrier2 = m.add("carrier2", Inertia::new().J(0.03));
    let out = m.add("out", Inertia::new().J(5.0).w(fixed(0.0)).phi(fixed(0.0)));
    m.connect(p1.sun, p2.sun);
    m.connect(p1.sun, sun.flange_a);
    m.connect(p1.ring, ring.flange_a);
    m.connect(p1.carrier, p2.ring);
    m.connect(p1.carrier, out.flange_a);
    m.connect(p2.carrier, carrier2.flange_a);
    let c1 = m.add("c1", Clutch::new().fn_max(4000.0));
    let c2 = m.add("c2", Clutch::new().fn_max(4000.0));
    let b1 = m.add("b1", Brake::new().fn_max(4000.0));
    let b2 = m.add("b2", Brake::new().fn_max(4000.0));
    m.connect(engine.flange_b, c1.flange_a);
    m.connect(c1.flange_b, ring.flange_b);
    m.connect(engine.flange_b, c2.flange_a);
    m.connect(c2.flange_b, sun.flange_b);
    m.connect(b1.flange_a, sun.flange_b);
    m.connect(b2.flange_a, carrier2.flange_b);
    let load = m.add(
        "load",
        QuadraticSpeedDependentTorque::new()
            .tau_nominal(-50.0)
            .w_nominal(100.0)
            .torque_direction(false),
    );
    m.connect(load.flange, out.flange_b);
    let q = press(m, "u1", 0.0, 1.0, 0.1);
    m.connect(q, c1.f_normalized);
    let q = press(m, "u2", 1.0, 0.0, 1.0);
    m.connect(q, b2.f_normalized);
    let pulse = m.add(
        "u3",
        Trapezoid::new()
            .amplitude(1.0)
            .period(10.0)
            .rising(0.1)
            .width(0.9)
            .falling(0.1)
            .start_time(1.0),
    );
    m.connect(pulse.y, b1.f_normalized);
    let q = press(m, "u4", 0.0, 1.0, 2.1);
    m.connect(q, c2.f_normalized);
}

/// An automatic gearbox with a common carrier and ring (Ravigneaux); it leaves its one-way clutch.
fn ravigneaux(m: &mut Assembly) {
    let engine = m.add("engine", Inertia::new().J(0.3).phi(fixed(0.0)).w(fixed(50.0)));
    let tau = torque(m, "drive", 80.0);
    m.connect(tau, engine.flange_a);
    let p1 = m.add("p1", IdealPlanetary::new().ratio(2.2));
    let p2 = m.add("p2", IdealPlanetary::new().ratio(-2.6));
    m.connect(p1.carrier, p2.carrier);
    m.connect(p1.ring, p2.ring);
    let out = m.add("out", Inertia::new().J(4.0).phi(fixed(0.0)).w(fixed(25.0)));
    m.connect(p1.ring, out.flange_a);
    let s1 = m.add("s1", Inertia::new().J(0.01));
    let s2 = m.add("s2", Inertia::new().J(0.01).w(guess(3.0)));
    let ca = m.add("ca", Inertia::new().J(0.05));
    m.connect(p1.sun, s1.flange_a);
    m.connect(p2.sun, s2.flange_a);
    m.connect(p1.carrier, ca.flange_a);
    let k1 = m.add("k1", Clutch::new().fn_max(1500.0));
    let k2 = m.add("k2", Clutch::new().fn_max(1500.0));
    let b1 = m.add("b1", Brake::new().fn_max(3000.0).peak(1.1));
    let f1 = m.add("f1", OneWayClutch::new().fn_max(20.0));
    let ground = m.add("ground", Fixed::new());
    m.connect(engine.flange_b, k1.flange_a);
    m.connect(k1.flange_b, s2.flange_b);
    m.connect(engine.flange_b, k2.flange_a);
    m.connect(k2.flange_b, s1.flange_b);
    m.connect(b1.flange_a, s1.flange_b);
    m.connect(f1.flange_a, ground.flange);
    m.connect(f1.flange_b, ca.flange_b);
    let one = m.add("one", Constant::new().k(1.0));
    m.connect(one.y, f1.f_normalized);
    m.connect(one.y, k1.f_normalized);
    let q = press(m, "u1", 0.0, 1.0, 1.0);
    m.connect(q, b1.f_normalized);
    let z = m.add("z", Constant::new().k(0.0));
    m.connect(z.y, k2.f_normalized);
}

/// A hoist with a self-locking gear and a brake.
fn hoist(m: &mut Assembly) {
    let motor = m.add("motor", Inertia::new().J(0.02).phi(fixed(0.0)).w(fixed(0.0)));
    let sine = m.add(
        "sine",
        Trapezoid::new()
            .amplitude(8.0)
            .period(2.0)
            .rising(0.2)
            .width(0.5)
            .falling(0.2)
            .offset(-1.0),
    );
    let tq = m.add("tq", Torque::new());
    m.connect(sine.y, tq.tau);
    m.connect(tq.flange, motor.flange_a);
    let gear = m.add("gear", LossyGear::new().ratio(20.0).loss_table([[0.0, 0.4, 0.3, 0.1, 0.1]]));
    m.connect(motor.flange_b, gear.flange_a);
    let drum = m.add("drum", IdealRollingWheel::new().radius(0.25));
    m.connect(gear.flange_b, drum.flange_r);
    let mass = m.add("mass", t::Mass::new().m(20.0));
    m.connect(drum.flange_t, mass.flange_a);
    let g = m.add("g", t::ConstantForce::new().f_constant(-20.0 * 9.81));
    m.connect(g.flange, mass.flange_b);
    let brake = m.add("brake", Brake::new().fn_max(40.0));
    m.connect(brake.flange_a, motor.flange_b);
    let q = press(m, "u", 0.0, 1.0, 1.5);
    m.connect(q, brake.f_normalized);
}

/// Everything that loses power heats one body.
fn heat(m: &mut Assembly) {
    let cap = m.add("cap", thermal::HeatCapacitor::new().C(50.0).T(fixed(293.15)));
    let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(100.0)));
    let b = m.add("b", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
    let c = m.add("c", Inertia::new().J(1.0));
    let cl = m.add("cl", Clutch::new().fn_max(100.0));
    let sd =
        m.add("sd", SpringDamper::new().c(1000.0).d(10.0).phi_rel(fixed(0.1)).w_rel(fixed(3.0)));
    let bf = m.add("bf", BearingFriction::new().tau_pos(1.0));
    let e = m.add("e", EddyCurrentTorque::new().tau_nominal(5.0).w_nominal(50.0).alpha20(0.004));
    let one = m.add("one", Constant::new().k(1.0));
    m.connect(one.y, cl.f_normalized);
    m.connect(a.flange_b, cl.flange_a);
    m.connect(cl.flange_b, b.flange_a);
    m.connect(b.flange_b, sd.flange_a);
    m.connect(sd.flange_b, c.flange_a);
    m.connect(c.flange_b, bf.flange_a);
    m.connect(e.flange, a.flange_a);
    let g = m.add("g", LossyGear::new().ratio(3.0).loss_table([[0.0, 0.9, 0.9, 0.1, 0.1]]));
    m.connect(g.flange_a, c.flange_b);
    let d = m.add("d", Inertia::new().J(2.0));
    m.connect(g.flange_b, d.flange_a);
    for h in [cl.heat_port, sd.heat_port, bf.heat_port, e.heat_port, g.heat_port] {
        m.connect(h, cap.port);
    }
}

/// A mass that sticks to a belt and slips back on a spring.
fn belt(m: &mut Assembly) {
    let belt = m.add("belt", t::ConstantSpeed::new().v_fixed(0.1));
    let mass = m.add("mass", t::Mass::new().m(1.0).s(fixed(0.0)).v(fixed(0.1)));
    let fr = m
        .add("fr", t::SupportFriction::new().f_pos([[0.0, 5.0], [0.2, 3.0], [1.0, 3.0]]).peak(1.2));
    let wall = m.add("wall", t::Fixed::new().s0(0.0));
    let sp = m.add("sp", t::SpringDamper::new().c(100.0).d(0.1));
    m.connect(belt.flange, fr.support);
    m.connect(fr.flange_a, mass.flange_a);
    m.connect(mass.flange_b, sp.flange_b);
    m.connect(sp.flange_a, wall.flange);
}

/// Clutches that lock a planetary gear in three ways at once, and a brake.
fn rigid_clutches(m: &mut Assembly) {
    let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(10.0)));
    let b = m.add("b", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
    let c = m.add("c", Inertia::new().J(1.0));
    let p = m.add("p", IdealPlanetary::new().ratio(2.0));
    m.connect(a.flange_b, p.sun);
    m.connect(b.flange_b, p.ring);
    m.connect(c.flange_b, p.carrier);
    let u = press(m, "u", 0.0, 1.0, 0.2);
    for (k, (x, y)) in
        [(a.flange_b, b.flange_b), (b.flange_b, c.flange_b), (a.flange_b, c.flange_b)]
            .into_iter()
            .enumerate()
    {
        let cl = m.add(format!("c{k}"), Clutch::new().fn_max(30.0 + 10.0 * k as f64));
        m.connect(u, cl.f_normalized);
        m.connect(x, cl.flange_a);
        m.connect(y, cl.flange_b);
    }
    let br = m.add("br", Brake::new().fn_max(40.0));
    let q = press(m, "u2", 0.0, 1.0, 1.0);
    m.connect(q, br.f_normalized);
    m.connect(br.flange_a, c.flange_b);
    let f = torque(m, "drive", 3.0);
    m.connect(f, a.flange_a);
}

/// A torque that follows a measured torque, which it changes.
fn torque_loop(m: &mut Assembly) {
    let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
    let ts = m.add("ts", TorqueSensor::new());
    let b = m.add("b", Inertia::new().J(2.0));
    m.connect(a.flange_b, ts.flange_a);
    m.connect(ts.flange_b, b.flange_a);
    let g = m.add("gain", Gain::new().k(0.5));
    m.connect(ts.tau, g.u);
    let tq = m.add("tq", Torque::new());
    m.connect(g.y, tq.tau);
    m.connect(tq.flange, b.flange_b);
    let f = torque(m, "drive", 3.0);
    m.connect(f, a.flange_a);
    let br = m.add("br", BearingFriction::new().tau_pos(0.5));
    m.connect(br.flange_a, b.flange_b);
}

/// Gears with losses in series, one of them self-locking.
fn two_lossy(m: &mut Assembly) {
    let a = m.add("a", Inertia::new().J(0.1).phi(fixed(0.0)).w(fixed(0.0)));
    let sig = m.add("sig", Sine::new().amplitude(10.0).f(1.0));
    let tq = m.add("tq", Torque::new());
    m.connect(sig.y, tq.tau);
    m.connect(tq.flange, a.flange_a);
    let g1 = m.add("g1", LossyGear::new().ratio(3.0).loss_table([[0.0, 0.8, 0.7, 0.2, 0.3]]));
    let b = m.add("b", Inertia::new().J(0.3));
    let g2 = m.add("g2", LossyGear::new().ratio(4.0).loss_table([[0.0, 0.45, 0.35, 0.2, 0.3]]));
    let c = m.add("c", Inertia::new().J(2.0));
    m.connect(a.flange_b, g1.flange_a);
    m.connect(g1.flange_b, b.flange_a);
    m.connect(b.flange_b, g2.flange_a);
    m.connect(g2.flange_b, c.flange_a);
    let l = torque(m, "l", -20.0);
    m.connect(l, c.flange_b);
}

/// A drive whose housing is held by a spring.
fn housing(m: &mut Assembly) {
    let h = m.add("h", Inertia::new().J(5.0).phi(fixed(0.1)).w(fixed(0.0)));
    let wall = m.add("wall", Fixed::new());
    let mount = m.add("mount", SpringDamper::new().c(1000.0).d(5.0));
    m.connect(wall.flange, mount.flange_a);
    m.connect(mount.flange_b, h.flange_a);
    let rotor = m.add("rotor", Inertia::new().J(0.5).phi(fixed(0.0)).w(fixed(10.0)));
    let tq = m.add("tq", Torque::new());
    let sig = m.add("sig", Sine::new().amplitude(30.0).f(2.0));
    m.connect(sig.y, tq.tau);
    m.connect(tq.flange, rotor.flange_a);
    m.connect(tq.support, h.flange_b);
    let gear = m.add(
        "gear",
        LossyGear::new()
            .ratio(-3.0)
            .loss_table([[0.0, 0.8, 0.7, 0.2, 0.3], [20.0, 0.9, 0.8, 0.4, 0.5]]),
    );
    m.connect(rotor.flange_b, gear.flange_a);
    m.connect(gear.support, h.flange_b);
    let load = m.add("load", Inertia::new().J(2.0));
    m.connect(gear.flange_b, load.flange_a);
    let br = m.add("br", Brake::new().fn_max(50.0).peak(1.1));
    m.connect(br.flange_a, load.flange_b);
    m.connect(br.support, h.flange_b);
    let q = press(m, "u", 0.0, 1.0, 0.7);
    m.connect(q, br.f_normalized);
    let bf = m.add("bf", BearingFriction::new().tau_pos([[0.0, 0.5], [1.0, 0.7]]));
    m.connect(bf.flange_a, rotor.flange_b);
    m.connect(bf.support, h.flange_b);
}

/// A mass between stops that pulls a braked one.
fn stops(m: &mut Assembly) {
    let a = m.add(
        "a",
        t::MassWithStopAndFriction::new()
            .m(1.0)
            .L(0.2)
            .smin(-0.5)
            .smax(0.5)
            .f_prop(1.0)
            .f_coulomb(2.0)
            .f_stribeck(1.0)
            .fexp(2.0)
            .s(fixed(0.0))
            .v(fixed(0.0)),
    );
    let sig = m.add("sig", Sine::new().amplitude(20.0).f(1.0));
    let f = m.add("f", t::Force::new());
    m.connect(sig.y, f.f);
    m.connect(f.flange, a.flange_a);
    let sp = m.add("sp", t::SpringDamper::new().c(200.0).d(1.0));
    let b = m.add("b", t::Mass::new().m(0.5).v(fixed(0.0)));
    m.connect(a.flange_b, sp.flange_a);
    m.connect(sp.flange_b, b.flange_a);
    let fr = m.add("fr", t::Brake::new().fn_max(4.0));
    m.connect(fr.flange_a, b.flange_b);
    let one = m.add("one", Constant::new().k(1.0));
    m.connect(one.y, fr.f_normalized);
}

/// An alternator behind a belt and a one-way clutch, on a prescribed crank.
fn alternator(m: &mut Assembly) {
    let sp = m.add("w", Sine::new().amplitude(20.0).f(3.0).offset(100.0));
    let drive = m.add("crank", Speed::new().exact(true));
    m.connect(sp.y, drive.w_ref);
    let pulley = m.add("pulley", IdealGear::new().ratio(0.4));
    m.connect(drive.flange, pulley.flange_a);
    let belt = m.add("belt", SpringDamper::new().c(300.0).d(0.3));
    m.connect(pulley.flange_b, belt.flange_a);
    let wheel = m.add("wheel", Inertia::new().J(0.001).w(fixed(250.0)));
    m.connect(belt.flange_b, wheel.flange_a);
    let owc = m.add("owc", OneWayClutch::new().fn_max(1.0).mu_pos(0.3));
    let one = m.add("one", Constant::new().k(1.0));
    m.connect(one.y, owc.f_normalized);
    let rotor = m.add("rotor", Inertia::new().J(0.004).w(fixed(250.0)));
    m.connect(wheel.flange_b, owc.flange_a);
    m.connect(owc.flange_b, rotor.flange_a);
    let l = m.add(
        "l",
        InverseSpeedDependentTorque::new()
            .tau_nominal(-1.0)
            .w_nominal(250.0)
            .torque_direction(false)
            .w0(10.0),
    );
    m.connect(l.flange, rotor.flange_b);
}

/// A rolling wheel whose housings both move.
fn supports_linear(m: &mut Assembly) {
    let cart = m.add("cart", t::Mass::new().m(10.0).s(fixed(0.0)).v(fixed(1.0)));
    let frame = m.add("frame", Inertia::new().J(3.0).phi(fixed(0.0)).w(fixed(0.0)));
    let w = m.add("w", IdealRollingWheel::new().radius(0.2));
    let rotor = m.add("rotor", Inertia::new().J(0.3).phi(fixed(0.0)).w(fixed(5.0)));
    let slider = m.add("slider", t::Mass::new().m(1.0));
    m.connect(w.support_r, frame.flange_a);
    m.connect(w.support_t, cart.flange_a);
    m.connect(w.flange_r, rotor.flange_a);
    m.connect(w.flange_t, slider.flange_a);
    let f = m.add("f", t::ConstantForce::new().f_constant(7.0));
    m.connect(f.flange, slider.flange_b);
    m.connect(f.support, cart.flange_b);
    let sp = m.add("sp", SpringDamper::new().c(50.0).d(0.1));
    let gr = m.add("gr", Fixed::new());
    m.connect(sp.flange_a, gr.flange);
    m.connect(sp.flange_b, frame.flange_b);
}
