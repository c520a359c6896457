//! Four-bar linkage in space with an analytic solution of its loop.
//!
//! A crank rotates about the x axis of the world. An assembly of two spherical joints, a massless
//! rod and a slider closes the loop: the position of the slider is computed from the angle of the
//! crank without iteration. One degree of freedom remains: the angle of the crank.
//!
//! The system is the example `Fourbar_analytic` of Modelica.Mechanics.MultiBody; its motion is that
//! of `Fourbar2`.

use coupler::multibody::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        j1: Revolute::new().n(X).phi(fixed(0)).w(fixed(300_f64.to_radians())).states(Always),
        b1: BodyCylinder::new().r([0.0, 0.5, 0.1]).diameter(0.05),
        b2: BodyCylinder::new().r([0.0, 0.2, 0.0]).diameter(0.05),
        b3: FixedTranslation::new().r([1.2, 0.0, 0.0]),
        joint "jointSSP": JointSSP::new()
            .rod1_length(1.1_f64.sqrt()).n_b(X).s_offset(-0.2).r_rod2_ib([0.0, 0.2, 0.0]),
    }

    m.chain((world.frame_b, j1, b1.frame_a));
    m.connect(world.frame_b, b3.frame_a);
    m.connect(joint.frame_a, b1.frame_b);
    m.connect(joint.frame_b, b3.frame_b);
    m.connect(joint.frame_ib, b2.frame_a);

    m.outputs([j1.phi, j1.w, joint.s]);
    m.stop_time(5);
}
