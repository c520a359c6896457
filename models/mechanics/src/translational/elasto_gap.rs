//! A spring and damper that can lift off.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{Compliance, Compliant, RelativeStates, relative_states};
use crate::{ports, setters};
use equations::{Ex, Limits, select};

/// 1-D translational spring and damper combination with gap.
///
/// # Equations
/// `contact = s_rel < s_rel0`, `r = (s_rel - s_rel0)/s_ref`. In contact `f_c = -c s_ref |r|^n` and
/// `f_d = d v_rel`, limited to the magnitude of `f_c`; else both are zero. `f = f_c + f_d`,
/// `flange_b.f = f`, `flange_a.f = -f`, `lossPower = f_d v_rel`.
///
/// The limit keeps the force continuous at contact and never lets it pull.
///
/// # Variables
/// `c` in N/m, `d` in N.s/m (if zero, constants), `s_rel0` in m; `n`, without unit, at least 1, and
/// `s_ref` in m, positive, are fixed. `contact` is true without a gap, `f_c` and `f_d` in N.
///
/// # Events
/// Contact begins or ends.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.ElastoGap.
#[derive(Clone, Debug)]
pub struct ElastoGap {
    c: f64,
    d: f64,
    s_rel0: f64,
    n: f64,
    s_ref: f64,
    relative: RelativeStates,
}

ports! {
    /// Ports and variables of an [`ElastoGap`].
    pub struct ElastoGapPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Relative distance in m.
        s_rel: quantity,
        /// Relative velocity in m/s.
        v_rel: quantity,
        /// Relative acceleration in m/s2.
        a_rel: quantity,
        /// Force between the flanges in N.
        f: quantity,
        /// Whether there is contact.
        contact: quantity,
        /// Power lost in W.
        loss_power: quantity = "lossPower",
    }
}

impl ElastoGap {
    /// With stiffness `c` in N/m and damping `d` in N.s/m, linear, in contact below distance zero.
    pub fn c_d(c: f64, d: f64) -> Self {
        let relative = RelativeStates::default();
        ElastoGap { c, d, s_rel0: 0.0, n: 1.0, s_ref: 1.0, relative }
    }
}

setters! {
    impl ElastoGap {
        /// Distance in m below which there is contact.
        s_rel0: f64,
        /// Exponent of the spring force.
        n: f64,
        /// Compression in m at which the spring force is `c s_ref` for every `n`.
        s_ref: f64,
    }
}
relative_states!(translational ElastoGap);

impl OldComponent for ElastoGap {
    type Ports = ElastoGapPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let stiffness = c.amount("c", self.c, "N/m", "Spring constant")?;
        let damping = c.amount("d", self.d, "N.s/m", "Damping constant")?;
        let s_rel0 =
            c.value("s_rel0", self.s_rel0, "m", "Distance below which there is contact")?;
        let text = "Exponent of the spring force";
        let n: Ex = c.limited("n", self.n, "1", text, Limits::at_least(1.0))?.into();
        let text = "Compression at which the spring force does not depend on the exponent";
        let s_ref: Ex = c.limited("s_ref", self.s_ref, "m", text, Limits::POSITIVE)?.into();
        // The gap is a difference of distances as large as this one.
        let nominal = self.relative.nominal.max(self.s_rel0.abs());
        Compliant::new(c, &TRANSLATIONAL, self.relative).law(c, move |e, relative| {
            let name = e.full("contact");
            let compression = s_rel0 - relative.q;
            let contact = e.model().relation(&name, compression).nominal(nominal).done();
            let strength = stiffness * s_ref * (compression / s_ref).abs().pow(n);
            let f_c = select(contact, -strength, 0.0);
            let f_d = select(contact, damping * relative.v, 0.0).max(f_c).min(-f_c);
            e.variable("contact", contact).describe("True if there is no gap");
            e.variable("f_c", f_c).unit("N").describe("Spring force");
            e.variable("f_d", f_d).unit("N").describe("Damping force");
            Compliance {
                flow: f_c + f_d,
                energy: select(contact, strength * compression.abs() / (n + 1.0), 0.0),
                loss_power: Some(f_d * relative.v),
            }
        });
        Ok(())
    }
}
