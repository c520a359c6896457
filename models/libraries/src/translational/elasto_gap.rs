//! A spring and damper in parallel that can lift off.

use crate::interfaces::compliant::{Compliance, Compliant};
use crate::interfaces::losses::losses;
use crate::interfaces::relative_coordinate::translational::{
    RelativeStarts, flange_pair, relative_motion, relative_starts,
};
use equations::select;
use mechanics::declaration::prelude::*;
use mechanics::domain::TRANSLATIONAL;

component! {
    /// 1-D translational spring and damper combination with gap.
    ///
    /// It is a buffer, or an elastic stop that a mass hits.
    ///
    /// # Equations
    /// With `r = (s_rel - s_rel0)/s_ref`, there is contact while `s_rel < s_rel0`. In contact,
    /// `f_c = -c s_ref |r|^n`, and `f_d = d v_rel`, limited to the magnitude of `f_c`. Without
    /// contact, both are zero. `f = f_c + f_d`, `flange_b.f = f`, `flange_a.f = -f`,
    /// `lossPower = f_d v_rel`.
    ///
    /// The limit makes the force continuous when contact begins or ends, and prevents it from
    /// pulling.
    ///
    /// # Events
    /// Contact begins or ends.
    pub struct ElastoGap = "Modelica.Mechanics.Translational.Components.ElastoGap" {
        /// Spring constant
        c: Real["N/m", >= 0, structural zero],
        /// Damping constant
        d: Real["N.s/m", >= 0, structural zero],
        /// Distance below which there is contact
        s_rel0: Real["m"] = 0,
        /// Exponent of the spring force
        n: Real["1", >= 1, fixed] = 1,
        /// Compression at which the spring force does not depend on the exponent
        s_ref: Real["m", > 0, fixed] = 1,
        ..flange_pair,
        ..relative_motion,
        ..relative: relative_starts,
        ..losses,
    }
    variables {
        /// True while there is contact
        contact: Boolean,
        /// Spring force
        f_c: Real["N"],
        /// Damping force
        f_d: Real["N"],
    }
}

impl Component for ElastoGap {
    fn contribute(p: ElastoGapParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        // The gap is a difference of distances of this magnitude.
        let nominal = p.relative.s_nominal.max(c.magnitude(p.s_rel0).abs());
        Compliant::new(c, &TRANSLATIONAL, p.relative).law(c, move |e, relative| {
            let name = e.full("contact");
            let compression = p.s_rel0 - relative.q;
            let contact = e.model().relation(&name, compression).nominal(nominal).done();
            let strength = p.c * p.s_ref * (compression / p.s_ref).abs().pow(p.n);
            let f_c = select(contact, -strength, 0.0);
            let f_d = select(contact, p.d * relative.v, 0.0).max(f_c).min(-f_c);
            e.variable("contact", contact);
            e.variable("f_c", f_c);
            e.variable("f_d", f_d);
            Compliance {
                flow: f_c + f_d,
                energy: select(contact, strength * compression.abs() / (p.n + 1.0), 0.0),
                loss_power: Some(f_d * relative.v),
            }
        });
        Ok(())
    }
}
