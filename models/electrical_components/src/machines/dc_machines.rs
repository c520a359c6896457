//! DC machines with their ways of excitation.
#![allow(non_camel_case_types, reason = "names of the Modelica Standard Library")]

use super::dc_machine::{DcMachine, Excitation, Flux, dc_machine};
use super::losses::{Losses, losses};
use super::winding::Winding;
use mechanics::component::{BranchId, CircuitStateId};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::HeatEnd;
use std::f64::consts::TAU;

/// The flux of a permanent magnet in Wb, to which the ratio of turns refers.
const MAGNET: f64 = 1.0;

component! {
    /// DC machine with permanent magnets.
    ///
    /// # Equations
    /// `va = Ra ia + vb + vc`, `ia = la.i + Gc vc`, `La der(la.i) = vc - k wMechanical` and
    /// `tauElectrical = k la.i`, with the voltage drop `vb` of the brushes, the conductance `Gc` of
    /// the core and `k = (VaNominal - Ra IaNominal - vb) / wNominal`. The torques of friction and
    /// stray load act between shaft and housing.
    pub struct DC_PermanentMagnet =
        "Modelica.Electrical.Machines.BasicMachines.DCMachines.DC_PermanentMagnet" {
        /// Nominal speed
        w_nominal "wNominal": Real["rad/s", > 0] = 1425.0 * TAU / 60.0,
        ..machine: dc_machine,
        ..losses: losses,
    }
    ports {
        /// Heat port of the magnets, in which no power is lost
        heat_port_magnet "thermalPort.heatPortPermanentMagnet": HeatPort,
    }
}

impl Component for DC_PermanentMagnet {
    fn contribute(p: DC_PermanentMagnetParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let magnet = Ex::from(MAGNET);
        c.heat_port("thermalPort.heatPortPermanentMagnet");
        let excitation = Excitation { nominal: magnet, drop: Ex::zero(), speed: p.w_nominal };
        p.machine.state_laws(p.losses, excitation, c, move |_| {
            Ok(Flux { psi: magnet, loss: Ex::zero() })
        })
    }
}

group! {
    /// The winding of an excitation.
    pub struct Field(field) {
        /// Reference temperature of the excitation
        te_ref "TeRef": Real["K", >= 0] = 293.15,
        /// Temperature coefficient of the excitation at 20 degC
        alpha20e: Real["1/K"] = 0,
        /// Stray fraction of the inductance of the excitation
        sigmae: Real["1", 0..=0.99] = 0,
        /// Temperature of the excitation without heat port
        te_operational "TeOperational": Real["K", >= 0] = 293.15,
        /// Start value of the current of the excitation
        ie: Start["A"] = free(),
    }
    ports {
        /// Positive pin of the excitation
        pin_ep: Pin,
        /// Negative pin of the excitation
        pin_en: Pin,
    }
    variables {
        /// Voltage of the excitation
        ve: Real["V"],
        /// Current of the excitation
        ie: Real["A"],
        /// Lost power in the resistance of the excitation
        excitation_loss "re.LossPower": Real["W"],
    }
}

/// The winding of an excitation in its circuit.
struct FieldBranch {
    winding: Winding,
    inductance: Ex,
    main: Ex,
    branch: BranchId,
    state: Option<CircuitStateId>,
    heat_port: Option<HeatEnd>,
}

impl Field {
    /// The winding with this resistance and inductance.
    fn branch(
        self,
        [resistance, inductance]: [Ex; 2],
        quasi_static: bool,
        heat_port: &'static str,
        c: &mut Contribution<'_>,
    ) -> FieldBranch {
        let Field { te_ref: reference, alpha20e: alpha20, te_operational: temperature, .. } = self;
        let winding = Winding { resistance, reference, alpha20, temperature };
        let ends = (c.pin("pin_ep"), c.pin("pin_en"));
        let branch = c.branch(ends.0, ends.1);
        let state = (!quasi_static).then(|| {
            let current = c.named_start_variable("ie", "A", self.ie);
            c.circuit_state(current)
        });
        let main = inductance * (1.0 - self.sigmae);
        let heat_port = c.heat_port(heat_port);
        FieldBranch { winding, inductance, main, branch, state, heat_port }
    }
}

impl FieldBranch {
    /// States the law of the winding; returns the flux.
    fn state_law(self, e: &mut VelocityView<'_>) -> Result<Flux, Error> {
        let (v, i) = (e.voltage(self.branch), e.current(self.branch));
        let resistance = self.winding.present(e, self.heat_port, "re");
        e.variable("ve", v);
        match self.state {
            Some(state) => {
                let current = e.circuit_state(state);
                e.define("ie", current);
                e.set_branch_law(self.branch, i - current);
                e.set_circuit_rate(state, (v - resistance * i) / self.inductance);
            }
            None => {
                e.variable("ie", i);
                e.set_branch_law(self.branch, v - resistance * i);
            }
        }
        let loss = resistance * i.square();
        e.variable("re.LossPower", loss);
        if let Some(end) = self.heat_port {
            e.set_heat_flow(end, -loss);
        }
        Ok(Flux { psi: self.main * i, loss })
    }
}

component! {
    /// DC machine whose excitation has a circuit of its own.
    ///
    /// # Equations
    /// Those of a [`DC_PermanentMagnet`] with `k = r Le (1 - sigmae) ie`, where `r` is the ratio
    /// for which the machine has its nominal voltage, current and speed at `ie = IeNominal`;
    /// `ve = Re ie + Le der(ie)`.
    pub struct DC_ElectricalExcited =
        "Modelica.Electrical.Machines.BasicMachines.DCMachines.DC_ElectricalExcited" {
        /// Nominal speed
        w_nominal "wNominal": Real["rad/s", > 0] = 1425.0 * TAU / 60.0,
        /// Nominal current of the excitation
        ie_nominal "IeNominal": Real["A", > 0] = 1,
        /// Resistance of the excitation at its reference temperature
        Re: Real["Ohm", >= 0] = 100,
        /// Inductance of the excitation
        Le: Real["H", > 0] = 1,
        ..field: field,
        ..machine: dc_machine,
        ..losses: losses,
    }
    ports {
        /// Heat port of the excitation
        heat_port_excitation "thermalPort.heatPortExcitation": HeatPort,
    }
}

impl Component for DC_ElectricalExcited {
    fn contribute(
        p: DC_ElectricalExcitedParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let heat_port = "thermalPort.heatPortExcitation";
        let field = p.field.branch([p.Re, p.Le], p.machine.quasi_static, heat_port, c);
        let nominal = field.main * p.ie_nominal;
        let excitation = Excitation { nominal, drop: Ex::zero(), speed: p.w_nominal };
        p.machine.state_laws(p.losses, excitation, c, move |e| field.state_law(e))
    }
}

component! {
    /// DC machine whose excitation is in series with the armature.
    ///
    /// The connection of both windings is part of the model: `pin_an` with `pin_ep`, for instance.
    ///
    /// # Equations
    /// Those of a [`DC_PermanentMagnet`] with `k = r Le (1 - sigmae) ie`, where `r` is the ratio
    /// for which the machine has its nominal voltage, current and speed at `ie = |IaNominal|`;
    /// `ve = Re ie + Le der(ie)`.
    pub struct DC_SeriesExcited =
        "Modelica.Electrical.Machines.BasicMachines.DCMachines.DC_SeriesExcited" {
        /// Nominal speed
        w_nominal "wNominal": Real["rad/s", > 0] = 1410.0 * TAU / 60.0,
        /// Resistance of the excitation at its reference temperature
        Re: Real["Ohm", >= 0] = 0.01,
        /// Nominal temperature of the excitation
        te_nominal "TeNominal": Real["K", >= 0] = 293.15,
        /// Inductance of the excitation
        Le: Real["H", > 0] = 0.0005,
        ..field: field,
        ..machine: dc_machine,
        ..losses: losses,
    }
    ports {
        /// Heat port of the excitation
        heat_port_excitation "thermalPort.heatPortSeriesExcitation": HeatPort,
    }
}

impl Component for DC_SeriesExcited {
    fn contribute(p: DC_SeriesExcitedParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let heat_port = "thermalPort.heatPortSeriesExcitation";
        let field = p.field.branch([p.Re, p.Le], p.machine.quasi_static, heat_port, c);
        let current = p.machine.ia_nominal;
        let nominal = field.main * current.abs();
        let drop = field.winding.at(p.te_nominal) * current;
        let excitation = Excitation { nominal, drop, speed: p.w_nominal };
        p.machine.state_laws(p.losses, excitation, c, move |e| field.state_law(e))
    }
}
