//! What all DC machines have: an armature, a rotor and a housing.

use super::losses::{Losses, Nominal};
use super::shaft::shaft;
use super::winding::Winding;
use equations::Ex;
use mechanics::component::{BranchId, Starts};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::velocity_view::VelocityView;

group! {
    /// Armature, rotor and housing of a DC machine.
    ///
    /// Each kind of losses has a heat port. Where none is connected, the winding has the
    /// temperature of its parameter. In the Modelica Standard Library, `ia` begins at its start
    /// value; here, the current in the inductance of the armature does, which differs by the
    /// current of the core.
    pub struct DcMachine(dc_machine) {
        /// Nominal armature voltage
        va_nominal "VaNominal": Real["V"] = 100,
        /// Nominal armature current; negative for a generator
        ia_nominal "IaNominal": Real["A"] = 100,
        /// Nominal temperature of the armature
        ta_nominal "TaNominal": Real["K", >= 0] = 293.15,
        /// Resistance of the armature at its reference temperature
        Ra: Real["Ohm", >= 0] = 0.05,
        /// Reference temperature of the armature
        ta_ref "TaRef": Real["K", >= 0] = 293.15,
        /// Temperature coefficient of the armature at 20 degC
        alpha20a: Real["1/K"] = 0,
        /// Inductance of the armature
        La: Real["H", >= 0, structural zero] = 0.0015,
        /// Moment of inertia of the rotor
        Jr: Real["kg.m2", >= 0, structural zero] = 0.15,
        /// Moment of inertia of the housing, if it is not fixed
        Js: Real["kg.m2", >= 0] = Jr,
        /// Temperature of the armature without heat port
        ta_operational "TaOperational": Real["K", >= 0] = 293.15,
        /// Whether currents follow voltages at once
        quasi_static "quasiStatic": bool = false,
        /// Start value of the angle of the rotor relative to the housing
        phi_mechanical "phiMechanical": Start["rad"] = free(),
        /// Start value of the speed of the rotor relative to the housing
        w_mechanical "wMechanical": Start["rad/s"] = free(),
        /// Start value of the current in the inductance of the armature
        ia "la.i": Start["A"] = free(),
    }
    ports {
        /// Positive pin of the armature
        pin_ap: Pin,
        /// Negative pin of the armature
        pin_an: Pin,
        /// Shaft
        flange: Flange,
        /// Housing, fixed if it is not connected
        support: Flange,
        /// Heat port of the armature
        heat_port_armature "thermalPort.heatPortArmature": HeatPort,
        /// Heat port of the core
        heat_port_core "thermalPort.heatPortCore": HeatPort,
        /// Heat port of the stray load
        heat_port_stray_load "thermalPort.heatPortStrayLoad": HeatPort,
        /// Heat port of friction
        heat_port_friction "thermalPort.heatPortFriction": HeatPort,
        /// Heat port of the brushes
        heat_port_brush "thermalPort.heatPortBrush": HeatPort,
    }
    variables {
        /// Voltage of the armature
        va: Real["V"],
        /// Current of the armature
        ia: Real["A"],
        /// Current in the inductance of the armature
        la_i "la.i": Real["A"],
        /// Angle of the rotor relative to the housing
        phi_mechanical "phiMechanical": Real["rad"],
        /// Speed of the rotor relative to the housing
        w_mechanical "wMechanical": Real["rad/s"],
        /// Angular acceleration of the rotor relative to the housing
        a_mechanical "aMechanical": Real["rad/s2"],
        /// Electromagnetic torque
        tau_electrical "tauElectrical": Real["N.m"],
        /// Torque of the shaft
        tau_shaft "tauShaft": Real["N.m"],
        /// Induced voltage
        vai "airGapDC.vai": Real["V"],
        /// Flux of the excitation
        psi_e "airGapDC.psi_e": Real["Wb"],
        /// Lost power in the resistance of the armature
        armature_loss "ra.LossPower": Real["W"],
        /// All lost power
        total_loss "powerBalance.lossPowerTotal": Real["W"],
    }
}

/// The heat ports of all machines.
const HEAT_PORTS: [&str; 5] = [
    "thermalPort.heatPortArmature",
    "thermalPort.heatPortCore",
    "thermalPort.heatPortStrayLoad",
    "thermalPort.heatPortFriction",
    "thermalPort.heatPortBrush",
];

/// What excites a machine.
pub(super) struct Excitation {
    /// Flux in Wb at nominal operation.
    pub nominal: Ex,
    /// Voltage in V that other windings take from the nominal voltage.
    pub drop: Ex,
    /// Nominal speed in rad/s.
    pub speed: Ex,
}

/// The flux of the excitation, and the power lost in its winding.
pub(super) struct Flux {
    /// In Wb.
    pub psi: Ex,
    /// In W.
    pub loss: Ex,
}

impl DcMachine {
    /// The winding of the armature.
    fn winding(&self) -> Winding {
        Winding {
            resistance: self.Ra,
            reference: self.ta_ref,
            alpha20: self.alpha20a,
            temperature: self.ta_operational,
        }
    }

    /// States the laws of armature and shaft; `flux` states those of the excitation.
    pub(super) fn state_laws(
        self,
        losses: Losses,
        excitation: Excitation,
        c: &mut Contribution<'_>,
        flux: impl FnOnce(&mut VelocityView<'_>) -> Result<Flux, Error> + 'static,
    ) -> Result<(), Error> {
        let nominal = Nominal { current: self.ia_nominal, speed: excitation.speed };
        let induced = self.nominal_induced_voltage(&losses, &excitation, c)?;
        let turns_ratio = induced / (excitation.speed * excitation.nominal);
        let starts = Starts { position: self.phi_mechanical, speed: self.w_mechanical };
        let ends = shaft(c, [self.Jr, self.Js], starts);
        let armature = self.armature(c);
        let [of_armature, of_core, of_stray_load, of_friction, of_brush] =
            HEAT_PORTS.map(|port| c.heat_port(port));
        c.law(move |e| {
            let Flux { psi, loss: excitation } = flux(e)?;
            let motion = e.relative(ends[0], ends[1]);
            let (v, i) = (e.voltage(armature.branch), e.current(armature.branch));
            let resistance = self.winding().present(e, of_armature, "ra");
            let brushes = losses.brushes(i, nominal);
            let vai = turns_ratio * psi * motion.v;
            let inner = v - resistance * i - brushes;
            let core = losses.core(induced);
            let current = match armature.state {
                Some(state) => {
                    let current = e.circuit_state(state);
                    e.define("la.i", current);
                    e.set_branch_law(armature.branch, i - current - core * inner);
                    e.set_circuit_rate(state, (inner - vai) / self.La);
                    current
                }
                None => {
                    let current = i - core * vai;
                    e.variable("la.i", current);
                    e.set_branch_law(armature.branch, inner - vai);
                    current
                }
            };
            let torque = turns_ratio * psi * current;
            let friction = losses.friction(motion.v, nominal);
            let stray_load = losses.stray_load(motion.v, i, nominal);
            let on_shaft = torque - friction - stray_load;
            e.set_flow_between(ends[0], ends[1], -on_shaft);
            let lost = [
                ("ra.LossPower", of_armature, resistance * i.square()),
                ("core.lossPower", of_core, core * inner.square()),
                ("strayLoad.lossPower", of_stray_load, stray_load * motion.v),
                ("friction.lossPower", of_friction, friction * motion.v),
                ("brush.lossPower", of_brush, brushes * i),
            ];
            let mut total = excitation;
            for (name, heat_port, power) in lost {
                e.variable(name, power);
                total += power;
                if let Some(end) = heat_port {
                    e.set_heat_flow(end, -power);
                }
            }
            e.variable("powerBalance.lossPowerTotal", total);
            e.variable("va", v);
            e.variable("ia", i);
            e.variable("airGapDC.vai", vai);
            e.variable("airGapDC.psi_e", psi);
            e.variable("tauElectrical", torque);
            let rotor = e.flange(ends[1]);
            e.later(move |e| {
                let acceleration = e.second_derivative(&rotor);
                e.variable("tauShaft", on_shaft - self.Jr * acceleration);
                Ok(())
            });
            Ok(())
        });
        Ok(())
    }

    /// The induced voltage at nominal operation.
    fn nominal_induced_voltage(
        &self,
        losses: &Losses,
        excitation: &Excitation,
        c: &mut Contribution<'_>,
    ) -> Result<Ex, Error> {
        let nominal = Nominal { current: self.ia_nominal, speed: excitation.speed };
        c.is_zero("La", self.La)?;
        c.require(&["IaNominal"], !self.ia_nominal.equals(0.0), "must not be zero")?;
        let drop = self.winding().at(self.ta_nominal) * self.ia_nominal + excitation.drop;
        let induced = self.va_nominal - drop - losses.brushes(self.ia_nominal, nominal);
        let of = ["VaNominal", "IaNominal", "Ra"];
        let why = "the nominal induced voltage must be positive";
        c.require(&of, induced.gt(0.0), why)?;
        Ok(induced)
    }

    /// The branch of the armature, and the current in its inductance if this is a state.
    fn armature(&self, c: &mut Contribution<'_>) -> Armature {
        let ends = (c.pin("pin_ap"), c.pin("pin_an"));
        let branch = c.branch(ends.0, ends.1);
        let is_static = self.quasi_static || c.fixed_number(self.La) == Some(0.0);
        let state = (!is_static).then(|| {
            let current = c.named_start_variable("la.i", "A", self.ia);
            c.circuit_state(current)
        });
        Armature { branch, state }
    }
}

/// The branch of the armature.
struct Armature {
    branch: BranchId,
    state: Option<mechanics::component::CircuitStateId>,
}
