//! A ball that falls, bounces and comes to rest.
//!
//! ```text
//! der(h) = v
//! der(v) = -g, or 0 at rest
//! at an impact (h < 0 and v < 0):  v := -e v,  or, if that is slower than v_min:  h := 0, v := 0
//! ```
//!
//! Every impact multiplies the speed by `e`, so without `v_min` infinitely many impacts would
//! happen in finite time. An impact requires both a height below zero and a downward speed. A ball
//! that has touched the floor and moves down therefore bounces again and cannot fall through the
//! floor, whatever the parameters are.

use coupler::equations::{Ex, Model, select};

/// The equations of the bouncing ball.
pub fn model(m: &mut Model) {
    m.stop_time(3);
    let g: Ex = m.parameter("g", 9.81).unit("m/s2").describe("Gravity").min(0.0).into();
    let e: Ex = m.parameter("e", 0.7).describe("Restitution").min(0.0).max(1.0).into();
    let v_min = m.parameter("v_min", 0.01).unit("m/s").min(1e-6).describe("Slowest rebound").done();

    let h = m.state("h", 1.0).unit("m").describe("Height").as_output().done();
    let v = m.state("v", 0.0).unit("m/s").describe("Velocity").as_output().done();
    let resting = m.discrete("resting", 0.0).boolean().describe("At rest on the floor").done();

    let below = m.relation("below", -h).active(!resting.pre_bool()).done();
    let falling = m.relation("falling", -v).active(below).done();
    let impact = below & falling;
    let rebound = -e * v;
    let stops = impact & rebound.lt(v_min);

    m.derivative(h, v);
    m.derivative(v, select(resting.pre_bool(), 0.0, -g));
    m.reinit(v, impact, select(stops, 0.0, rebound));
    m.reinit(h, stops, 0.0);
    m.update(resting, resting.pre_bool() | stops);
}
