//! Initial accelerations that signals give.

use crate::common::{simulation, start, value};
use mechanics::prelude::*;
use mechanics::rotational as r;

#[test]
fn initial_accelerations_follow_other_initial_conditions() {
    // Each body begins where the one before it is, turned further by 0.1; the last one where its
    // spring accelerates it by 2.
    let mut model = start(|m| {
        let mut before = m.add("body0", r::Inertia::new().J(1.0).phi(fixed(0.5)).w(fixed(0.0)));
        for k in 1..=4 {
            let sensor = m.add(format!("sensor{k}"), r::AngleSensor::new());
            let further = m.add(format!("further{k}"), Constant::new().k(0.1));
            let sum = m.add(format!("sum{k}"), Add::new());
            let body = m.add(format!("body{k}"), r::Inertia::new().J(1.0).w(fixed(0.0)));
            let begin = m.add(format!("begin{k}"), r::InitializeFlange::new());
            m.connect(before.flange_b, sensor.flange);
            m.connect(sensor.phi, sum.u1);
            m.connect(further.y, sum.u2);
            m.connect(sum.y, begin.phi_start);
            m.connect(begin.flange, body.flange_a);
            before = body;
        }
        let spring = m.add("spring", r::Spring::new().c(10.0));
        let load = m.add("load", r::Inertia::new().J(1.0).w(fixed(0.0)));
        let begin = m.add("begin", r::InitializeFlange::new());
        let wanted = m.add("wanted", Constant::new().k(2.0));
        m.connect(before.flange_b, spring.flange_a);
        m.connect(spring.flange_b, load.flange_a);
        m.connect(wanted.y, begin.a_start);
        m.connect(begin.flange, load.flange_b);
    });
    assert!((value(&mut model, "body4.phi") - 0.9).abs() < 1e-14);
    assert!((value(&mut model, "load.phi") - 0.7).abs() < 1e-14);
    assert!((value(&mut model, "load.a") - 2.0).abs() < 1e-12);
}

#[test]
fn an_initial_acceleration_that_nothing_can_bring_about_is_refused() {
    let message = simulation(|m| {
        let body = m.add("body", r::Inertia::new().J(1.0));
        let begin = m.add("begin", r::InitializeFlange::new());
        let wanted = m.add("wanted", Constant::new().k(1.0));
        m.connect(wanted.y, begin.a_start);
        m.connect(begin.flange, body.flange_a);
    });
    let sentence = "begin: the initial acceleration depends on no initial value that is free";
    assert_eq!(message.err().unwrap_or_default(), sentence);
}
