//! Three masses that the same force accelerates alike.
//!
//! A positive force accelerates a mass in the positive direction, whichever of its flanges it acts
//! on.
//!
//! The system is the example `SignConvention` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let force = m.add("constant1", Constant::new().k(1.0));
    for k in 1..=3 {
        let mass = Mass::new().m(1.0).L(1.0).s(fixed(0.0)).v(fixed(0.0));
        let mass = m.add(format!("mass{k}"), mass);
        let source = m.add(format!("force{k}"), Force::new());
        m.connect(force.y, source.f);
        m.connect(source.flange, if k == 1 { mass.flange_a } else { mass.flange_b });
        m.output(format!("s{k}"), mass.s);
    }
}
