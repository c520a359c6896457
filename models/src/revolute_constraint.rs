//! Body on a revolute joint, and body on a constraint with the same degree of freedom.
//!
//! Two equal bodies hang on springs. One of them is carried by a revolute joint, the other one by a
//! constraint with the same degree of freedom, whose start values are initial conditions on the
//! relative motion. Both have the same motion.
//!
//! The system is the example `RevoluteConstraint` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;

/// A body on a spring from `bar`, whose other end is free.
fn body_on_spring(m: &mut Assembly, of: &str, bar: Frame) -> BodyShapePorts {
    add! { m,
        body [format!("bodyOf{of}")]:
            BodyShape::new().r([0.4, 0.0, 0.0]).r_cm([0.2, 0.0, 0.0]).m(1).inertia([1; 3]),
        spring [format!("springOf{of}")]: Spring::new().c(20),
    }
    m.chain((bar, spring, body.frame_b));
    body
}

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        turned "fixedRotation": FixedRotation::new()
            .sequence([1, 2, 3]).angles([10, 55, 68]).r([0.2, -0.3, 0.2]),
        bar "fixedTranslation": FixedTranslation::new().r([0.8, 0.0, 0.3]),
    }
    m.connect(world.frame_b, turned.frame_a);
    m.connect(world.frame_b, bar.frame_a);

    let body = body_on_spring(m, "Joint", bar.frame_b);
    add! { m, joint: Revolute::new().n(Y).phi(fixed(0)).w(fixed(0)) }
    m.chain((turned.frame_b, joint, body.frame_a));

    let constrained = body_on_spring(m, "Constraint", bar.frame_b);
    let about_y = [guess(0), fixed(0), guess(0)];
    add! { m,
        constraint: RevoluteConstraint::new().n(Y),
        init "freeMotionScalarInit": FreeMotionScalarInit::new().angle(about_y).angle_d(about_y),
    }
    m.chain((turned.frame_b, constraint, constrained.frame_a));
    m.chain((turned.frame_b, init, constrained.frame_a));

    m.output("phi_joint", joint.phi);
    m.output("phi_constraint", constraint.phi);
    m.output("w_joint", body.w_a[1]);
    m.output("w_constraint", constrained.w_a[1]);
    m.stop_time(10);
    m.step_size(0.002);
}
