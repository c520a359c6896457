//! Synchronous machines.
#![allow(non_camel_case_types, reason = "names of the Modelica Standard Library")]

use super::losses::{braking, friction};
use super::shaft::shaft;
use super::space_phasor::{mean, phases, phasor, turned};
use super::winding::Winding;
use equations::Ex;
use mechanics::assembly::element;
use mechanics::component::{BranchId, CircuitStateId, Starts};
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::{FlangeEnd, HeatEnd};
use std::f64::consts::{SQRT_2, TAU};

component! {
    /// Synchronous machine with permanent magnets and three phases, without a damper cage.
    ///
    /// It is
    /// `Modelica.Electrical.Machines.BasicMachines.SynchronousMachines.SM_PermanentMagnet` with
    /// `useDamperCage = false`. The pins of `plug_sn` are connected with each other for a star, and
    /// with the next ones of `plug_sp` for a delta.
    ///
    /// # Equations
    /// In the axes of the rotor, with the electrical speed `w = p wMechanical`, the inductances
    /// `Ld = Lssigma + Lmd` and `Lq = Lssigma + Lmq`, and the flux
    /// `psi = sqrt(2) VsOpenCircuit / (2 pi fsNominal)`, the voltages behind the resistances are
    /// `vd = Ld der(id) - w Lq iq` and `vq = Lq der(iq) + w (Ld id + psi)`; that of the mean of the
    /// phases is `Lszero der(i_0_s)`. `tauElectrical = 3/2 p (psi iq + (Lmd - Lmq) id iq)`. The
    /// core is a conductance beside the inductances. The torques of friction, stray load and
    /// magnets act between shaft and housing.
    pub struct SM_PermanentMagnet {
        /// Number of pairs of poles
        p: Integer["1", >= 1] = 2,
        /// Nominal frequency
        fs_nominal "fsNominal": Real["Hz", > 0] = 50,
        /// Root mean square of the voltage of a phase at no load and at the nominal frequency
        vs_open_circuit "VsOpenCircuit": Real["V", >= 0] = 112.3,
        /// Resistance of a phase of the stator at its reference temperature
        Rs: Real["Ohm", >= 0] = 0.03,
        /// Reference temperature of the stator
        ts_ref "TsRef": Real["K", >= 0] = 293.15,
        /// Temperature coefficient of the stator at 20 degC
        alpha20s: Real["1/K"] = 0,
        /// Stray inductance of a phase of the stator
        Lssigma: Real["H", >= 0] = 0.1 / (50.0 * TAU),
        /// Inductance of the mean of the phases
        Lszero: Real["H", > 0] = Lssigma,
        /// Main inductance along the axis of the rotor
        Lmd: Real["H", > 0] = 0.3 / (50.0 * TAU),
        /// Main inductance across the axis of the rotor
        Lmq: Real["H", > 0] = 0.3 / (50.0 * TAU),
        /// Moment of inertia of the rotor
        Jr: Real["kg.m2", >= 0, structural zero] = 0.29,
        /// Moment of inertia of the housing, if it is not fixed
        Js: Real["kg.m2", >= 0] = Jr,
        /// Temperature of the stator without heat port
        ts_operational "TsOperational": Real["K", >= 0] = 293.15,
        /// Friction losses at their reference speed
        friction_p_ref "frictionParameters.PRef": Real["W", >= 0, structural zero] = 0,
        /// Speed to which the friction losses refer
        friction_w_ref "frictionParameters.wRef"?: Real["rad/s", > 0],
        /// Exponent of the friction torque over the speed
        friction_power_w "frictionParameters.power_w": Real["1", > 0] = 2,
        /// Core losses at their reference voltage
        core_p_ref "statorCoreParameters.PRef": Real["W", >= 0, constant] = 0,
        /// Root mean square of the voltage to which the core losses refer
        core_v_ref "statorCoreParameters.VRef": Real["V", > 0] = 100,
        /// Stray load losses at their reference current and speed
        stray_p_ref "strayLoadParameters.PRef": Real["W", >= 0, structural zero] = 0,
        /// Root mean square of the current to which the stray load losses refer
        stray_i_ref "strayLoadParameters.IRef": Real["A", > 0] = 100,
        /// Speed to which the stray load losses refer
        stray_w_ref "strayLoadParameters.wRef"?: Real["rad/s", > 0],
        /// Exponent of the stray load torque over the speed
        stray_power_w "strayLoadParameters.power_w": Real["1", > 0] = 1,
        /// Magnet losses at their reference current and speed
        magnet_p_ref "permanentMagnetLossParameters.PRef": Real["W", >= 0, structural zero] = 0,
        /// Part of the magnet losses that does not depend on the current
        magnet_c "permanentMagnetLossParameters.c": Real["1", 0..=1] = 0,
        /// Root mean square of the current to which the magnet losses refer
        magnet_i_ref "permanentMagnetLossParameters.IRef": Real["A", > 0] = 100,
        /// Exponent of the magnet losses over the current
        magnet_power_i "permanentMagnetLossParameters.power_I": Real["1", > 0] = 2,
        /// Speed to which the magnet losses refer
        magnet_w_ref "permanentMagnetLossParameters.wRef"?: Real["rad/s", > 0],
        /// Exponent of the torque of the magnet losses over the speed
        magnet_power_w "permanentMagnetLossParameters.power_w": Real["1", > 0] = 1,
        /// Start value of the angle of the rotor relative to the housing
        phi_mechanical "phiMechanical": Start["rad"] = free(),
        /// Start value of the speed of the rotor relative to the housing
        w_mechanical "wMechanical": Start["rad/s"] = free(),
        /// Start value of the current along the axis of the rotor
        i_d "idq_sr[1]": Start["A"] = free(),
        /// Start value of the current across the axis of the rotor
        i_q "idq_sr[2]": Start["A"] = free(),
        /// Start value of the mean of the currents
        i_zero "i_0_s": Start["A"] = free(),
    }
    ports {
        /// Positive pins of the stator
        plug_sp "plug_sp.pin": [Pin; 3],
        /// Negative pins of the stator
        plug_sn "plug_sn.pin": [Pin; 3],
        /// Shaft
        flange: Flange,
        /// Housing, fixed if it is not connected
        support: Flange,
        /// Heat ports of the phases of the stator
        heat_port_stator_winding "thermalPort.heatPortStatorWinding": [HeatPort; 3],
        /// Heat port of the core
        heat_port_stator_core "thermalPort.heatPortStatorCore": HeatPort,
        /// Heat port of the stray load
        heat_port_stray_load "thermalPort.heatPortStrayLoad": HeatPort,
        /// Heat port of friction
        heat_port_friction "thermalPort.heatPortFriction": HeatPort,
        /// Heat port of the magnets
        heat_port_permanent_magnet "thermalPort.heatPortPermanentMagnet": HeatPort,
    }
    variables {
        /// Voltages of the phases
        vs: Vector["V"],
        /// Currents of the phases
        is: Vector["A"],
        /// Mean of the currents of the phases
        i_0_s: Real["A"],
        /// Current along the axis of the rotor
        idq_sr_1 "idq_sr[1]": Real["A"],
        /// Current across the axis of the rotor
        idq_sr_2 "idq_sr[2]": Real["A"],
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
        /// Lost power in the resistances of the stator
        stator_winding_loss "powerBalance.lossPowerStatorWinding": Real["W"],
        /// Lost power in the core
        stator_core_loss "powerBalance.lossPowerStatorCore": Real["W"],
        /// Lost power of the stray load
        stray_loss "powerBalance.lossPowerStrayLoad": Real["W"],
        /// Lost power of friction
        friction_loss "powerBalance.lossPowerFriction": Real["W"],
        /// Lost power in the magnets
        magnet_loss "powerBalance.lossPowerPermanentMagnet": Real["W"],
        /// All lost power
        total_loss "powerBalance.lossPowerTotal": Real["W"],
    }
}

/// What the laws of a machine refer to.
struct Parts {
    branches: [BranchId; 3],
    /// Along the axis of the rotor, across it, and the mean of the phases.
    currents: [CircuitStateId; 3],
    /// The housing and the shaft.
    ends: [FlangeEnd; 2],
    windings: [Option<HeatEnd>; 3],
    /// Of core, stray load, friction and magnets.
    others: [Option<HeatEnd>; 4],
}

impl Component for SM_PermanentMagnet {
    fn contribute(p: SM_PermanentMagnetParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let starts = Starts { position: p.phi_mechanical, speed: p.w_mechanical };
        let ends = shaft(c, [p.Jr, p.Js], starts);
        let branches = [1, 2, 3].map(|k| {
            let [positive, negative] =
                ["plug_sp.pin", "plug_sn.pin"].map(|plug| c.pin(element(plug, k)));
            c.branch(positive, negative)
        });
        let starts = [("idq_sr[1]", p.i_d), ("idq_sr[2]", p.i_q), ("i_0_s", p.i_zero)];
        let currents = starts.map(|(name, start)| {
            let current = c.named_start_variable(name, "A", start);
            c.circuit_state(current)
        });
        let windings =
            [1, 2, 3].map(|k| c.heat_port(element("thermalPort.heatPortStatorWinding", k)));
        let others = [
            "thermalPort.heatPortStatorCore",
            "thermalPort.heatPortStrayLoad",
            "thermalPort.heatPortFriction",
            "thermalPort.heatPortPermanentMagnet",
        ]
        .map(|port| c.heat_port(port));
        let parts = Parts { branches, currents, ends, windings, others };
        c.law(move |e| p.state_laws(&parts, e));
        Ok(())
    }
}

impl SM_PermanentMagnetParameters {
    fn state_laws(self, parts: &Parts, e: &mut VelocityView<'_>) -> Result<(), Error> {
        let pairs = Ex::from(self.p as f64);
        let motion = e.relative(parts.ends[0], parts.ends[1]);
        let (angle, speed) = (pairs * motion.q, pairs * motion.v);
        let vs = parts.branches.map(|branch| e.voltage(branch));
        let is = parts.branches.map(|branch| e.current(branch));
        let resistances = parts.windings.map(|heat_port| {
            let temperature = self.ts_operational;
            let (resistance, reference, alpha20) = (self.Rs, self.ts_ref, self.alpha20s);
            Winding { resistance, reference, alpha20, temperature }.present(e, heat_port, "rs")
        });
        let inner = [0, 1, 2].map(|k| vs[k] - resistances[k] * is[k]);

        let [i_d, i_q, i_zero] = parts.currents.map(|state| e.circuit_state(state));
        let inner_zero = mean(inner);
        let inner_phasor = phasor(inner);
        let core = match self.core_p_ref {
            0.0 => Ex::zero(),
            power => power / (3.0 * self.core_v_ref.square()),
        };
        let in_inductances = phases(turned([i_d, i_q], -angle));
        for k in 0..3 {
            let in_core = core * (inner[k] - inner_zero);
            let current = in_inductances[k] + i_zero + in_core;
            e.set_branch_law(parts.branches[k], is[k] - current);
        }
        let [v_d, v_q] = turned(inner_phasor, angle);
        let [along, across] = [self.Lssigma + self.Lmd, self.Lssigma + self.Lmq];
        let psi = SQRT_2 * self.vs_open_circuit / (TAU * self.fs_nominal);
        let rates = [
            (v_d + speed * across * i_q) / along,
            (v_q - speed * (along * i_d + psi)) / across,
            inner_zero / self.Lszero,
        ];
        for (state, rate) in parts.currents.into_iter().zip(rates) {
            e.set_circuit_rate(state, rate);
        }

        let torque = 1.5 * pairs * (psi * i_q + (self.Lmd - self.Lmq) * i_d * i_q);
        let rms = ((is[0].square() + is[1].square() + is[2].square()) / 3.0).sqrt();
        let [stray_load, friction, magnets] = self.braking_torques(motion.v, rms);
        let on_shaft = torque - stray_load - friction - magnets;
        e.set_flow_between(parts.ends[0], parts.ends[1], -on_shaft);

        let lost_in_windings = [0, 1, 2].map(|k| resistances[k] * is[k].square());
        let lost_in_core = 1.5 * core * (inner_phasor[0].square() + inner_phasor[1].square());
        let others = [lost_in_core, stray_load * motion.v, friction * motion.v, magnets * motion.v];
        let ends = parts.windings.iter().chain(&parts.others);
        for (end, power) in ends.zip(lost_in_windings.into_iter().chain(others)) {
            if let Some(end) = *end {
                e.set_heat_flow(end, -power);
            }
        }
        let in_windings = lost_in_windings.into_iter().fold(Ex::zero(), |sum, power| sum + power);
        let of_others = [
            "powerBalance.lossPowerStatorCore",
            "powerBalance.lossPowerStrayLoad",
            "powerBalance.lossPowerFriction",
            "powerBalance.lossPowerPermanentMagnet",
        ];
        e.variable("powerBalance.lossPowerStatorWinding", in_windings);
        let mut total = in_windings;
        for (name, power) in of_others.into_iter().zip(others) {
            e.variable(name, power);
            total += power;
        }
        e.variable("powerBalance.lossPowerTotal", total);
        for k in 0..3 {
            e.variable(element("vs", k + 1), vs[k]);
            e.variable(element("is", k + 1), is[k]);
        }
        for (name, current) in [("idq_sr[1]", i_d), ("idq_sr[2]", i_q), ("i_0_s", i_zero)] {
            e.define(name, current);
        }
        e.variable("tauElectrical", torque);
        let (rotor, inertia) = (e.flange(parts.ends[1]), self.Jr);
        e.later(move |e| {
            let acceleration = e.second_derivative(&rotor);
            e.variable("tauShaft", on_shaft - inertia * acceleration);
            Ok(())
        });
        Ok(())
    }

    /// The torques of stray load, friction and magnets against the speed of the rotor, at a root
    /// mean square of the currents.
    fn braking_torques(&self, w: Ex, rms: Ex) -> [Ex; 3] {
        let synchronous = TAU * self.fs_nominal / self.p as f64;
        let of = |reference: Option<Ex>| reference.unwrap_or(synchronous);
        let stray_load = [self.stray_p_ref, of(self.stray_w_ref), self.stray_power_w];
        let friction_losses = [self.friction_p_ref, of(self.friction_w_ref), self.friction_power_w];
        let magnets = [self.magnet_p_ref, of(self.magnet_w_ref), self.magnet_power_w];
        let of_magnets = self.magnet_c
            + (1.0 - self.magnet_c) * (rms / self.magnet_i_ref).pow(self.magnet_power_i);
        [
            braking(w, (rms / self.stray_i_ref).square(), stray_load),
            friction(w, friction_losses),
            braking(w, of_magnets, magnets),
        ]
    }
}
