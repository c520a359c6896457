//! A linear spring.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{Compliant, RelativeStates, SpringDamper};
use crate::start::{Start, StateSelect};
use crate::{ports, setters};

/// Linear 1-D translational spring.
///
/// # Equations
/// `s_rel = flange_b.s - flange_a.s`, `f = c (s_rel - s_rel0)`, `flange_b.f = f`,
/// `flange_a.f = -f`.
///
/// # Variables
/// `c` in N/m (if zero, a constant), `s_rel0` in m; `s_rel` is a state only if nothing else can
/// be one.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.Spring.
#[derive(Clone, Debug)]
pub struct Spring {
    c: f64,
    s_rel0: f64,
    s_rel: Start,
}

ports! {
    /// Ports and variables of a [`Spring`].
    pub struct SpringPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Relative distance in m.
        s_rel: quantity,
        /// Force between the flanges in N.
        f: quantity,
    }
}

impl Spring {
    /// With stiffness `c` in N/m.
    pub fn c(c: f64) -> Self {
        Spring { c, s_rel0: 0.0, s_rel: Start::default() }
    }
}

setters! {
    impl Spring {
        /// Relative distance of the unstretched spring in m.
        s_rel0: f64,
        /// Start value of the relative distance in m.
        s_rel: Start,
    }
}

impl OldComponent for Spring {
    type Ports = SpringPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let stiffness = c.amount("c", self.c, "N/m", "Spring constant")?;
        let unstretched = c.value("s_rel0", self.s_rel0, "m", "Unstretched spring length")?;
        let starts = Starts { position: self.s_rel, ..Starts::default() };
        let select = StateSelect::Avoid;
        let relative = RelativeStates { starts, select, ..RelativeStates::default() };
        let element = Compliant::new(c, &TRANSLATIONAL, relative);
        c.hide_speed(element.position);
        SpringDamper { c: stiffness, d: None, unstretched }.act(c, element);
        Ok(())
    }
}
