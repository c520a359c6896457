//! Converters with transistors and diodes that switch.

use crate::electrical::{IdealDiode, IdealGTOThyristor};
use mechanics::assembly::{Assembly, Part};
use mechanics::declaration::{Real, group, prelude::*};

group! {
    /// Characteristics of transistors and diodes.
    pub struct Valves(valves) {
        /// Resistance of a closed transistor
        ron_transistor "RonTransistor": Real["Ohm", > 0] = 1e-5,
        /// Conductance of an open transistor
        goff_transistor "GoffTransistor": Real["S", > 0] = 1e-5,
        /// Threshold voltage of a transistor
        vknee_transistor "VkneeTransistor": Real["V", >= 0] = 0,
        /// Resistance of a conducting diode
        ron_diode "RonDiode": Real["Ohm", > 0] = 1e-5,
        /// Conductance of a blocking diode
        goff_diode "GoffDiode": Real["S", > 0] = 1e-5,
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
    /// A supply, an output, and a transistor between them.
    pub struct Chopper(chopper) {}
    ports {
        /// Positive pin of the supply
        dc_p1: Pin,
        /// Negative pin of the supply
        dc_n1: Pin,
        /// Positive pin of the output
        dc_p2: Pin,
        /// Negative pin of the output
        dc_n2: Pin,
        /// Whether the transistor conducts
        fire_p: BooleanInput,
    }
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
        ChopperStepDownPorts {
            dc_p1: transistor.p,
            dc_n1: diode.p,
            dc_p2: transistor.n,
            dc_n2: diode.p,
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
        ChopperStepUpPorts {
            dc_p1: transistor.p,
            dc_n1: transistor.n,
            dc_p2: diode.n,
            dc_n2: transistor.n,
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
    }
    ports {
        /// Positive pin of direct current
        dc_p: Pin,
        /// Negative pin of direct current
        dc_n: Pin,
        /// Pin between the transistors
        ac: Pin,
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
        SinglePhase2LevelPorts {
            dc_p: transistor_p.p,
            dc_n: transistor_n.n,
            ac: transistor_p.n,
            fire_p: transistor_p.fire,
            fire_n: transistor_n.fire,
            transistor_p,
            diode_p,
            transistor_n,
            diode_n,
        }
    }
}
