//! Converters with transistors and diodes that switch.

use super::terminals::{
    ChopperTerminals, ChopperTerminalsPorts, HalfBridgeTerminals, chopper, half_bridge,
};
use crate::electrical::{IdealDiode, IdealGTOThyristor};
use mechanics::assembly::{Assembly, Part, Pin};
use mechanics::declaration::{Real, group, prelude::*};
use signal_blocks::blocks::{And, AndPorts, Not, NotPorts};

group! {
    /// Characteristics of transistors and diodes.
    pub struct Valves(valves) {
        /// Resistance of a closed transistor
        ron_transistor "RonTransistor": Real["Ohm", >= 0, structural zero] = 1e-5,
        /// Conductance of an open transistor
        goff_transistor "GoffTransistor": Real["S", >= 0, structural zero] = 1e-5,
        /// Threshold voltage of a transistor
        vknee_transistor "VkneeTransistor": Real["V", >= 0] = 0,
        /// Resistance of a conducting diode
        ron_diode "RonDiode": Real["Ohm", >= 0, structural zero] = 1e-5,
        /// Conductance of a blocking diode
        goff_diode "GoffDiode": Real["S", >= 0, structural zero] = 1e-5,
        /// Threshold voltage of a diode
        vknee_diode "VkneeDiode": Real["V", >= 0] = 0,
    }
}

/// A transistor with these values of resistance, conductance and threshold.
fn transistor([ron, goff, vknee]: [Real; 3]) -> IdealGTOThyristor {
    IdealGTOThyristor::new().Ron(ron).Goff(goff).Vknee(vknee)
}

/// A diode with these values of resistance, conductance and threshold.
fn diode([ron, goff, vknee]: [Real; 3]) -> IdealDiode {
    IdealDiode::new().Ron(ron).Goff(goff).Vknee(vknee)
}

/// A transistor and a diode of a converter with the parameters of [`valves`].
macro_rules! pair {
    ($p:ident) => {
        (
            transistor([$p.ron_transistor, $p.goff_transistor, $p.vknee_transistor]),
            diode([$p.ron_diode, $p.goff_diode, $p.vknee_diode]),
        )
    };
}

group! {
    /// A transistor between a supply and an output.
    pub struct Switched(switched) {}
    ports {
        /// Whether the transistor conducts
        fire_p: BooleanInput,
    }
}

/// Adds the pins of a chopper, whose parts are connected with them at these points.
fn terminals(m: &mut Assembly, name: String, inside: [Pin; 4]) -> ChopperTerminalsPorts {
    let pins = m.add(name, ChopperTerminals::new());
    m.connect(pins.inside_dc_p1, inside[0]);
    m.connect(pins.inside_dc_n1, inside[1]);
    m.connect(pins.inside_dc_p2, inside[2]);
    m.connect(pins.inside_dc_n2, inside[3]);
    pins
}

component! {
    /// Chopper whose output has a lower voltage than its supply.
    ///
    /// # Equations
    /// Those of its parts: `transistor` leads from `dc_p1` to `dc_p2`, and `diode` from the common
    /// negative pin to `dc_p2`.
    ///
    /// # Events
    /// Those of its parts.
    pub part ChopperStepDown {
        ..valves,
        ..chopper,
        ..switched,
    }
    parts {
        /// Switching transistor
        transistor: IdealGTOThyristor,
        /// Diode of the free current
        diode: IdealDiode,
    }
}

impl Part for ChopperStepDown {
    type Ports = ChopperStepDownPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> ChopperStepDownPorts {
        let p = self.given(m, &name);
        let (transistor, diode) = pair!(p);
        let transistor = m.add(format!("{name}.transistor"), transistor);
        let diode = m.add(format!("{name}.diode"), diode);
        m.connect(diode.n, transistor.n);
        let pins = terminals(m, name, [transistor.p, diode.p, transistor.n, diode.p]);
        ChopperStepDownPorts {
            dc_p1: pins.dc_p1,
            dc_n1: pins.dc_n1,
            dc_p2: pins.dc_p2,
            dc_n2: pins.dc_n2,
            fire_p: transistor.fire,
            transistor,
            diode,
        }
    }
}

component! {
    /// Chopper whose output has a higher voltage than its supply.
    ///
    /// An inductance is necessary between the supply and `dc_p1`.
    ///
    /// # Equations
    /// Those of its parts: `transistor` leads from `dc_p1` to the common negative pin, and `diode`
    /// from `dc_p1` to `dc_p2`.
    ///
    /// # Events
    /// Those of its parts.
    pub part ChopperStepUp {
        ..valves,
        ..chopper,
        ..switched,
    }
    parts {
        /// Switching transistor
        transistor: IdealGTOThyristor,
        /// Diode to the output
        diode: IdealDiode,
    }
}

impl Part for ChopperStepUp {
    type Ports = ChopperStepUpPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> ChopperStepUpPorts {
        let p = self.given(m, &name);
        let (transistor, diode) = pair!(p);
        let transistor = m.add(format!("{name}.transistor"), transistor);
        let diode = m.add(format!("{name}.diode"), diode);
        m.connect(diode.p, transistor.p);
        let pins = terminals(m, name, [transistor.p, transistor.n, diode.n, transistor.n]);
        ChopperStepUpPorts {
            dc_p1: pins.dc_p1,
            dc_n1: pins.dc_n1,
            dc_p2: pins.dc_p2,
            dc_n2: pins.dc_n2,
            fire_p: transistor.fire,
            transistor,
            diode,
        }
    }
}

component! {
    /// Half-bridge of two transistors with diodes in the opposite direction.
    ///
    /// Two of them are an H-bridge, three of them an inverter. At no time may both transistors
    /// conduct.
    ///
    /// # Equations
    /// Those of its parts: `transistor_p` leads from `dc_p` to `ac`, and `transistor_n` from `ac`
    /// to `dc_n`; `diode_p` and `diode_n` are beside them.
    ///
    /// # Events
    /// Those of its parts.
    pub part SinglePhase2Level {
        ..valves,
        ..half_bridge,
    }
    ports {
        /// Whether the upper transistor conducts
        fire_p: BooleanInput,
        /// Whether the lower transistor conducts
        fire_n: BooleanInput,
    }
    parts {
        /// Upper transistor
        transistor_p: IdealGTOThyristor,
        /// Upper diode
        diode_p: IdealDiode,
        /// Lower transistor
        transistor_n: IdealGTOThyristor,
        /// Lower diode
        diode_n: IdealDiode,
    }
}

impl Part for SinglePhase2Level {
    type Ports = SinglePhase2LevelPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> SinglePhase2LevelPorts {
        let p = self.given(m, &name);
        let (transistor, diode) = pair!(p);
        let transistor_p = m.add(format!("{name}.transistor_p"), transistor.clone());
        let diode_p = m.add(format!("{name}.diode_p"), diode.clone());
        let transistor_n = m.add(format!("{name}.transistor_n"), transistor);
        let diode_n = m.add(format!("{name}.diode_n"), diode);
        for (transistor, diode) in [(transistor_p, diode_p), (transistor_n, diode_n)] {
            m.connect(transistor.p, diode.n);
            m.connect(transistor.n, diode.p);
        }
        m.connect(transistor_p.n, transistor_n.p);
        let pins = m.add(name, HalfBridgeTerminals::new());
        m.connect(pins.inside_dc_p, transistor_p.p);
        m.connect(pins.inside_dc_n, transistor_n.n);
        m.connect(pins.inside_ac, transistor_p.n);
        SinglePhase2LevelPorts {
            dc_p: pins.dc_p,
            dc_n: pins.dc_n,
            ac: pins.ac,
            fire_p: transistor_p.fire,
            fire_n: transistor_n.fire,
            transistor_p,
            diode_p,
            transistor_n,
            diode_n,
        }
    }
}

component! {
    /// Half-bridge between a supply and an output, in which current can flow in both directions.
    ///
    /// An inductance is necessary between the supply and `dc_p1`. The output has the higher
    /// voltage. At no time may both transistors conduct.
    ///
    /// # Equations
    /// Those of its parts: `transistorLS` leads from `dc_p1` to the common negative pin, and
    /// `transistorHS` from `dc_p2` to `dc_p1`; `diodeLS` and `diodeHS` are beside them, in the
    /// opposite direction.
    ///
    /// # Events
    /// Those of its parts.
    pub part ChopperBuckBoost {
        ..valves,
        ..chopper,
        ..switched,
    }
    ports {
        /// Whether the transistor of the high side conducts
        fire_n: BooleanInput,
    }
    parts {
        /// Transistor of the low side
        transistor_ls "transistorLS": IdealGTOThyristor,
        /// Diode of the low side
        diode_ls "diodeLS": IdealDiode,
        /// Transistor of the high side
        transistor_hs "transistorHS": IdealGTOThyristor,
        /// Diode of the high side
        diode_hs "diodeHS": IdealDiode,
    }
}

impl Part for ChopperBuckBoost {
    type Ports = ChopperBuckBoostPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> ChopperBuckBoostPorts {
        let p = self.given(m, &name);
        let (transistor, diode) = pair!(p);
        let transistor_ls = m.add(format!("{name}.transistorLS"), transistor.clone());
        let diode_ls = m.add(format!("{name}.diodeLS"), diode.clone());
        let transistor_hs = m.add(format!("{name}.transistorHS"), transistor);
        let diode_hs = m.add(format!("{name}.diodeHS"), diode);
        for (transistor, diode) in [(transistor_ls, diode_ls), (transistor_hs, diode_hs)] {
            m.connect(transistor.p, diode.n);
            m.connect(transistor.n, diode.p);
        }
        m.connect(transistor_hs.n, transistor_ls.p);
        let pins = terminals(
            m,
            name,
            [transistor_ls.p, transistor_ls.n, transistor_hs.p, transistor_ls.n],
        );
        ChopperBuckBoostPorts {
            dc_p1: pins.dc_p1,
            dc_n1: pins.dc_n1,
            dc_p2: pins.dc_p2,
            dc_n2: pins.dc_n2,
            fire_p: transistor_ls.fire,
            fire_n: transistor_hs.fire,
            transistor_ls,
            diode_ls,
            transistor_hs,
            diode_hs,
        }
    }
}

/// The half-bridge of an output, with the signals of both transistors: the lower transistor
/// conducts whenever the upper transistor does not.
fn bridge(
    m: &mut Assembly,
    name: &str,
    output: &str,
    half_bridge: SinglePhase2Level,
) -> (SinglePhase2LevelPorts, AndPorts, NotPorts) {
    let half_bridge = m.add(format!("{name}.inverter_{output}"), half_bridge);
    let upper = m.add(format!("{name}.andCondition_{output}"), And::new());
    let lower = m.add(format!("{name}.not_{output}"), Not::new());
    m.connect(upper.y, half_bridge.fire_p);
    m.connect(upper.y, lower.u);
    m.connect(lower.y, half_bridge.fire_n);
    (half_bridge, upper, lower)
}

component! {
    /// H-bridge: two half-bridges at the same supply, with an output between them.
    ///
    /// # Equations
    /// Those of its parts: the half-bridge `inverter_p` leads to `dc_p2` and `inverter_n` to
    /// `dc_n2`. The signals `fire_p` and `fire_n` are those of their upper transistors; a lower
    /// transistor conducts whenever the upper one does not.
    ///
    /// # Events
    /// Those of its parts.
    pub part HBridge {
        ..valves,
        ..chopper,
        ..switched,
    }
    ports {
        /// Whether the upper transistor of the negative output conducts
        fire_n: BooleanInput,
    }
    parts {
        /// Half-bridge of the positive output
        inverter_p: SinglePhase2Level,
        /// Half-bridge of the negative output
        inverter_n: SinglePhase2Level,
        /// Signal of the upper transistor of the positive output
        and_condition_p "andCondition_p": And,
        /// Signal of the upper transistor of the negative output
        and_condition_n "andCondition_n": And,
        /// Signal of the lower transistor of the positive output
        not_p: Not,
        /// Signal of the lower transistor of the negative output
        not_n: Not,
    }
}

impl Part for HBridge {
    type Ports = HBridgePorts;

    fn add_to(self, m: &mut Assembly, name: String) -> HBridgePorts {
        let p = self.given(m, &name);
        let half_bridge = SinglePhase2Level::new()
            .ron_transistor(p.ron_transistor)
            .goff_transistor(p.goff_transistor)
            .vknee_transistor(p.vknee_transistor)
            .ron_diode(p.ron_diode)
            .goff_diode(p.goff_diode)
            .vknee_diode(p.vknee_diode);
        let (inverter_p, and_condition_p, not_p) = bridge(m, &name, "p", half_bridge.clone());
        let (inverter_n, and_condition_n, not_n) = bridge(m, &name, "n", half_bridge);
        m.connect(inverter_p.dc_p, inverter_n.dc_p);
        m.connect(inverter_p.dc_n, inverter_n.dc_n);
        let pins =
            terminals(m, name, [inverter_p.dc_p, inverter_p.dc_n, inverter_p.ac, inverter_n.ac]);
        HBridgePorts {
            dc_p1: pins.dc_p1,
            dc_n1: pins.dc_n1,
            dc_p2: pins.dc_p2,
            dc_n2: pins.dc_n2,
            fire_p: and_condition_p.u.element(1),
            fire_n: and_condition_n.u.element(1),
            inverter_p,
            inverter_n,
            and_condition_p,
            and_condition_n,
            not_p,
            not_n,
        }
    }
}
