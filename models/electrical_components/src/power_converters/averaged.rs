//! Converters whose switching is averaged: without events and without losses.

use mechanics::component::BranchId;
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::PinEnd;

group! {
    /// Two pins of direct current.
    ///
    /// The duty cycle is limited to the range from 0 to 1, without an event.
    pub struct Supply(supply) {}
    ports {
        /// Positive pin of direct current
        dc_p: Pin,
        /// Negative pin of direct current
        dc_n: Pin,
    }
    variables {
        /// Voltage between dc_p and dc_n
        v_dc "vDC": Real["V"],
        /// Current into dc_p
        i_dc "iDC": Real["A"],
    }
}

/// Two switches in series, of which one conducts: the average of the voltage in the middle and of
/// the currents at the ends.
struct Leg {
    /// From the middle to the negative end.
    middle: BranchId,
    /// From the positive to the negative end.
    supply: BranchId,
}

impl Leg {
    fn new(c: &mut Contribution<'_>, [p, n]: [PinEnd; 2], ac: PinEnd) -> Leg {
        Leg { middle: c.branch(ac, n), supply: c.branch(p, n) }
    }

    /// States the laws for the duty cycle of the upper switch; returns the voltage from the
    /// negative end to the middle, the current into the middle, and the current into the positive
    /// end.
    fn state_laws(&self, e: &mut VelocityView<'_>, d: Ex) -> [Ex; 3] {
        let (v, i) = (e.voltage(self.middle), e.current(self.middle));
        let (v_supply, i_supply) = (e.voltage(self.supply), e.current(self.supply));
        e.set_branch_law(self.middle, v - d * v_supply);
        e.set_branch_law(self.supply, i_supply + d * i);
        [v, i, i_supply]
    }
}

/// Both ends of direct current.
fn ends(c: &mut Contribution<'_>) -> [PinEnd; 2] {
    ["dc_p", "dc_n"].map(|port| c.pin(port))
}

/// Publishes the voltage and the current of the supply.
fn publish_supply(e: &mut VelocityView<'_>, [p, n]: [PinEnd; 2], current: Ex) {
    let voltage = e.potential(p) - e.potential(n);
    e.variable("vDC", voltage);
    e.variable("iDC", current);
}

/// The duty cycle of a signal.
fn duty(signal: Ex) -> Ex {
    signal.max(0.0).min(1.0)
}

component! {
    /// Averaged half-bridge: two switches in series.
    ///
    /// # Equations
    /// `ac.v - dc_n.v = d (dc_p.v - dc_n.v)`, `dc_p.i = -d ac.i`, `dc_n.i = -(1 - d) ac.i`.
    pub struct AverageLeg {
        ..supply,
    }
    ports {
        /// Pin between the switches
        ac: Pin,
        /// Duty cycle of the upper switch
        d: Input["1"],
    }
    variables {
        /// Voltage between ac and dc_n
        v_ac "vAC": Real["V"],
        /// Current into ac
        i_ac "iAC": Real["A"],
    }
}

impl Component for AverageLeg {
    fn contribute(_: AverageLegParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let d = c.input("d")?;
        let (supply, ac) = (ends(c), c.pin("ac"));
        let leg = Leg::new(c, supply, ac);
        c.law(move |e| {
            let d = duty(e.read(d)?);
            let [v, i, supplied] = leg.state_laws(e, d);
            e.variable("vAC", v);
            e.variable("iAC", i);
            publish_supply(e, supply, supplied);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Averaged H-bridge: two half-bridges whose duty cycles add up to one.
    ///
    /// It feeds a motor in both directions.
    ///
    /// # Equations
    /// `ac_p.v - dc_n.v = d (dc_p.v - dc_n.v)`, `ac_n.v - dc_n.v = (1 - d) (dc_p.v - dc_n.v)`, so
    /// that `vAC = (2 d - 1) vDC`; `dc_p.i = -d ac_p.i - (1 - d) ac_n.i`, and the currents of all
    /// pins add up to zero.
    pub struct AverageHBridge {
        ..supply,
    }
    ports {
        /// Pin of the first half-bridge
        ac_p: Pin,
        /// Pin of the second half-bridge
        ac_n: Pin,
        /// Duty cycle of the upper switch of the first half-bridge
        d: Input["1"],
    }
    variables {
        /// Voltage between ac_p and ac_n
        v_ac "vAC": Real["V"],
        /// Current into ac_p
        i_ac "iAC": Real["A"],
    }
}

impl Component for AverageHBridge {
    fn contribute(_: AverageHBridgeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let d = c.input("d")?;
        let (supply, [p, n]) = (ends(c), ["ac_p", "ac_n"].map(|port| c.pin(port)));
        let legs = [Leg::new(c, supply, p), Leg::new(c, supply, n)];
        c.law(move |e| {
            let d = duty(e.read(d)?);
            let [v, i, supplied] = legs[0].state_laws(e, d);
            let [other_v, _, other_supplied] = legs[1].state_laws(e, 1.0 - d);
            e.variable("vAC", v - other_v);
            e.variable("iAC", i);
            publish_supply(e, supply, supplied + other_supplied);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Averaged inverter with three half-bridges.
    ///
    /// # Equations
    /// For each phase `k`, `ac[k].v - dc_n.v = d[k] (dc_p.v - dc_n.v)`; `dc_p.i` is minus the sum
    /// of all `d[k] ac[k].i`, and the currents of all pins add up to zero.
    pub struct AverageInverter {
        ..supply,
    }
    ports {
        /// Pin of the first phase
        ac1 "ac[1]": Pin,
        /// Pin of the second phase
        ac2 "ac[2]": Pin,
        /// Pin of the third phase
        ac3 "ac[3]": Pin,
        /// Duty cycles of the upper switches
        d: [Input; 3]["1"],
    }
}

impl Component for AverageInverter {
    fn contribute(_: AverageInverterParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let d = c.inputs("d")?;
        let (supply, phases) = (ends(c), ["ac[1]", "ac[2]", "ac[3]"].map(|port| c.pin(port)));
        let legs = phases.map(|phase| Leg::new(c, supply, phase));
        c.law(move |e| {
            let d = e.read_vector(d)?;
            let mut supplied = Ex::zero();
            for (leg, &d) in legs.iter().zip(d.iter()) {
                let [_, _, current] = leg.state_laws(e, duty(d));
                supplied += current;
            }
            publish_supply(e, supply, supplied);
            Ok(())
        });
        Ok(())
    }
}
