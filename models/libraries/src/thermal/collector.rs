//! A collector of heat flows.

use super::{ThermalResistor, ThermalResistorPorts};
use equations::Limits;
use mechanics::assembly::{AnyPort, Assembly, NamedPorts, Part};
use mechanics::declaration::prelude::*;
use mechanics::port::indices;

component! {
    /// Collector of `m` heat flows.
    ///
    /// It consists of a [`ThermalResistor`] without resistance `collected[k]` for each of them,
    /// whose `Q_flow` is the heat flow into `port_a[k]`.
    ///
    /// # Equations
    /// `port_a[k].T = port_b.T`; `port_b.Q_flow` is minus the sum of all `port_a[k].Q_flow`.
    pub part ThermalCollector = "Modelica.Thermal.HeatTransfer.Components.ThermalCollector" {
        /// Number of collected heat flows
        m: Integer["1", >= 1] = 3,
    }
}

/// Ports of a [`ThermalCollector`].
#[derive(Clone, Debug)]
pub struct ThermalCollectorPorts {
    /// Where the heat flows enter.
    pub port_a: Vec<HeatPort>,
    /// Where their sum leaves.
    pub port_b: HeatPort,
    /// The parts through which they flow.
    pub collected: Vec<ThermalResistorPorts>,
}

/// `port_a[1]`, ..., `port_b` and `collected[1].port_a`, ...
impl NamedPorts for ThermalCollectorPorts {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        if let Some(rest) = name.strip_prefix("port_a") {
            return self.port_a.named(rest);
        }
        if let Some(rest) = name.strip_prefix("port_b") {
            return self.port_b.named(rest);
        }
        let Some(([k], rest)) = name.strip_prefix("collected").and_then(indices) else {
            return Vec::new();
        };
        let part = k.checked_sub(1).and_then(|k| self.collected.get(k));
        let part = part.zip(rest.strip_prefix('.'));
        part.map(|(part, name)| part.named(name)).unwrap_or_default()
    }
}

impl Part for ThermalCollector {
    type Ports = ThermalCollectorPorts;

    fn add_to(self, assembly: &mut Assembly, name: String) -> ThermalCollectorPorts {
        let p = self.given(assembly, &name);
        let m = p.m.number();
        if m < 1 {
            let why = Limits::POSITIVE.refuse(&format!("{name}.m"), m as f64, "1");
            assembly.refuse(Error::Parameter(why));
        }
        let collected: Vec<ThermalResistorPorts> = (1..=m.max(1))
            .map(|k| assembly.add(format!("{name}.collected[{k}]"), ThermalResistor::new().R(0)))
            .collect();
        let port_b = collected[0].port_b;
        for other in &collected[1..] {
            assembly.connect(other.port_b, port_b);
        }
        let port_a = collected.iter().map(|part| part.port_a).collect();
        ThermalCollectorPorts { port_a, port_b, collected }
    }
}
