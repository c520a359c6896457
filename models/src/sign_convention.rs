//! Three masses with the same acceleration by the same force.
//!
//! A positive force accelerates a mass in the positive direction, whichever of its flanges it acts
//! on.
//!
//! The system is the example `SignConvention` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m, force "constant1": Constant::new().k(1) }
    for k in 1..=3 {
        add! { m,
            mass [format!("mass{k}")]: Mass::new().m(1).L(1).s(fixed(0)).v(fixed(0)),
            source [format!("force{k}")]: Force::new(),
        }
        m.connect(force.y, source.f);
        m.connect(source.flange, if k == 1 { mass.flange_a } else { mass.flange_b });
        m.output(format!("s{k}"), mass.s);
    }
}
