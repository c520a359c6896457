//! Body on a spherical joint, and body on a constraint with the same degrees of freedom.
//!
//! Two equal bodies hang on springs. One of them is carried by a spherical joint, the other one by
//! a constraint with the same degrees of freedom, whose start values are initial conditions on the
//! relative motion. Both have the same motion.
//!
//! The system is the example `SphericalConstraint` of Modelica.Mechanics.MultiBody.

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
    let zero = fixed_vector([0; 3]);
    add! { m,
        joint: Spherical::new().angles_start(zero).w_rel_a_start(zero).enforce_states(true),
    }
    m.chain((turned.frame_b, joint, body.frame_a));

    let constrained = body_on_spring(m, "Constraint", bar.frame_b);
    add! { m,
        constraint: SphericalConstraint::new(),
        init "freeMotionScalarInit": FreeMotionScalarInit::new().angle(zero).angle_d(zero),
    }
    m.chain((turned.frame_b, constraint, constrained.frame_a));
    m.chain((turned.frame_b, init, constrained.frame_a));

    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        m.output(format!("w_{axis}_joint"), body.w_a[k]);
        m.output(format!("w_{axis}_constraint"), constrained.w_a[k]);
    }
    m.stop_time(10);
    m.step_size(0.002);
}
