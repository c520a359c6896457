//! The work of the build grows with the number of loops that share nothing but a shaft, not with a
//! power of it.

use crate::common::program;
use libraries::multibody::*;
use libraries::prelude::*;
use std::time::{Duration, Instant};

/// How much longer the build of four times as many legs may take: without terms that grow faster
/// than their number, it takes four times as long.
const LARGEST_RATIO: f64 = 9.0;

/// A walking machine of Jansen: legs with three loops each, a little apart on one shaft.
fn legs(m: &mut Assembly, count: usize) {
    add! { m,
        world: World::new(),
        shaft: Revolute::new().n(Z).phi(fixed(0)).w(fixed(8)).states(Always),
        wheel: Body::new().m(1).r_cm([0; 3]).I_33(0.05),
    }
    m.chain((world.frame_b, shaft, wheel.frame_a));
    for k in 0..count {
        let name = |part: &str| format!("{part}_{k}");
        let rod = |l: f64| {
            BodyShape::new().r([l, 0.0, 0.0]).m(2.0 * l).r_cm([0.5 * l, 0.0, 0.0]).I_33(0.02)
        };
        let turn = |angle: f64| Revolute::new().n(Z).phi(guess(angle));
        add! { m,
            phase [name("phase")]: FixedRotation::new().n(Z).angle(3.0 * k as f64),
            crank [name("crank")]: FixedTranslation::new().r([0.15, 0.0, 0.0]),
            ground [name("ground")]: Fixed::new().r([-0.38, -0.078, 0.0]),
            lj [name("lj")]: rod(0.5),
            lk [name("lk")]: rod(0.619),
            lc [name("lc")]: rod(0.393),
            lf [name("lf")]: rod(0.394),
            upper [name("upper")]: rod(0.415),
            upper_d [name("upper_d")]:
                FixedTranslation::new().r([0.0260987952, 0.4001497881, 0.0]),
            foot [name("foot")]: rod(0.367),
            j2 [name("j2")]: turn(2.46),
            j3 [name("j3")]: turn(-2.32),
            j4 [name("j4")]: turn(1.23),
            j5 [name("j5")]: turn(-1.28),
            j6 [name("j6")]: turn(-1.24),
            j7 [name("j7")]: turn(1.03),
            j8 [name("j8")]: turn(-2.39),
            j9 [name("j9")]: turn(-2.35),
            j10 [name("j10")]: turn(-2.47),
        }
        m.chain((shaft.frame_b, phase, crank));
        m.connect(upper.frame_a, upper_d.frame_a);
        m.chain((crank.frame_b, j2, lj.frame_a));
        m.chain((crank.frame_b, j3, lk.frame_a));
        m.chain((ground.frame_b, j4, upper.frame_a));
        m.chain((ground.frame_b, j5, lc.frame_a));
        m.chain((lj.frame_b, j6, upper.frame_b));
        m.chain((lk.frame_b, j7, lc.frame_b));
        m.chain((upper_d.frame_b, j8, lf.frame_a));
        m.chain((lc.frame_b, j9, foot.frame_a));
        m.chain((lf.frame_b, j10, foot.frame_b));
    }
}

/// The processor time of this thread, where the system tells it.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(stat.split_whitespace().next()?.parse().ok()?))
}

/// The shortest time in s of several builds with this number of legs.
fn build_time(count: usize, builds: usize) -> f64 {
    let build = |_| {
        let (start, on_processor) = (Instant::now(), processor_time());
        program(|m| legs(m, count)).expect("the legs close");
        let spent = processor_time().zip(on_processor).map(|(end, start)| end - start);
        spent.unwrap_or_else(|| start.elapsed()).as_secs_f64()
    };
    (0..builds).map(build).fold(f64::INFINITY, f64::min)
}

#[test]
fn legs_on_one_shaft_are_built_in_a_time_in_proportion_to_their_number() {
    let (few, many) = (build_time(3, 3), build_time(12, 2));
    assert!(many < LARGEST_RATIO * few, "three legs {few:.2} s, twelve legs {many:.2} s");
}
