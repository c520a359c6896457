//! Two bodies in the gravity field of a point.
//!
//! Two bodies move freely about the origin, which attracts them like a point mass; they do not
//! attract each other. One of them moves on an ellipse, the other one almost escapes.
//!
//! The system is the example `PointGravity` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;

/// A body with its position in m and its velocity in m/s.
fn body(r_0: [f64; 3], v_0: [f64; 3]) -> Body {
    Body::new()
        .m(1)
        .r_cm([0; 3])
        .inertia([0.1; 3])
        .r_0(fixed_vector(r_0))
        .v_0(fixed_vector(v_0))
        .angles_start(fixed_vector([0; 3]))
        .w_0_start(fixed_vector([0; 3]))
}

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("world", World::new().gravity_type(GravityType::Point).mu(1));
    add! { m,
        body1: body([0.0, 0.6, 0.0], [1.0, 0.0, 0.0]),
        body2: body([0.6, 0.6, 0.0], [0.6, 0.0, 0.0]),
    }

    m.output("x1", body1.r_0[0]);
    m.output("y1", body1.r_0[1]);
    m.output("x2", body2.r_0[0]);
    m.output("y2", body2.r_0[1]);
    m.stop_time(5);
}
