//! A planar mechanism with three loops whose crank has a prescribed motion.
//!
//! Each loop is an assembly of three revolute joints. The first one follows the crank, and each of
//! the others the rocker before it. There is no state: a step costs the evaluation of the outputs
//! only. The structure is that of the example `PlanarLoops_analytic` of
//! Modelica.Mechanics.MultiBody.

use std::f64::consts::TAU;

use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::Position;

/// For each loop the lengths of rod and rocker in m, and a guess of the rocker's angle in deg.
const LOOPS: [[f64; 3]; 3] = [[0.9, 0.7, 106.6], [1.0, 0.8, 104.8], [1.0, 0.9, 103.5]];

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        ramp: Ramp::new().height(TAU).duration(1.0),
        position: Position::new().exact(true),
        crank: Revolute::new().n(Z),
        bar: BodyShape::new().r([0.2, 0.0, 0.0]).r_cm([0.1, 0.0, 0.0]).m(1),
    }
    m.chain((world.frame_b, crank, bar.frame_a));
    m.connect(ramp.y, position.phi_ref);
    m.connect(position.flange, crank.axis);
    let mut last = bar.frame_b;
    for (k, [rod, rocker, guess]) in LOOPS.into_iter().enumerate() {
        let body = |length: f64| {
            BodyShape::new().r([length, 0.0, 0.0]).r_cm([length / 2.0, 0.0, 0.0]).m(1)
        };
        let name = format!("loop{}", k + 1);
        add! { m, name;
            pivot: FixedTranslation::new().r([1.0 + k as f64, 0.0, 0.0]),
            joint "jointRRR": JointRRR::new()
                .r_rod1_ia([rod, 0.0, 0.0]).r_rod2_ib([rocker, 0.0, 0.0]).phi_guess(guess),
            rod: body(rod),
            rocker: body(rocker),
        }
        m.chain((world.frame_b, pivot, joint.frame_b));
        m.connect(last, joint.frame_a);
        m.connect(joint.frame_ia, rod.frame_a);
        m.connect(joint.frame_ib, rocker.frame_a);
        m.output(format!("phi{}", k + 1), joint.phi);
        last = joint.frame_im;
    }
    m.output("tau", position.tau);
    m.stop_time(1);
}
