//! Small models with each component of heat transfer.

use super::list::{List, external};
use coupler::Assembly;
use coupler::prelude::*;
use coupler::thermal::*;

fn capacity(m: &mut Assembly) -> HeatPort {
    m.add("capacity", HeatCapacitor::new().C(3).T(fixed(350))).port
}

/// Heat flows between a capacity and its surroundings.
pub(super) fn components(list: &mut List) {
    list.add("thermal::HeatCapacitor", |m| _ = capacity(m));
    list.add("thermal::PrescribedHeatFlow", |m| {
        let port = capacity(m);
        let part = m.add("part", PrescribedHeatFlow::new());
        let flow = external(m, "flow", "W");
        m.connect(part.port, port);
        m.connect(flow, part.Q_flow);
    });
    macro_rules! at_capacity {
        ($($Part:ident $(.$set:ident($value:expr))*),* $(,)?) => {
            $(list.add(concat!("thermal::", stringify!($Part)), |m| {
                let port = capacity(m);
                let part = m.add("part", $Part::new()$(.$set($value))*);
                m.connect(part.port, port);
            });)*
        };
    }
    at_capacity! {
        TemperatureSensor, CelsiusTemperatureSensor, FixedHeatFlow.Q_flow(20).alpha(1e-3),
    }
    macro_rules! to_surroundings {
        ($($Part:ident $(.$set:ident($value:expr))*),* $(,)?) => {
            $(list.add(concat!("thermal::", stringify!($Part)), |m| {
                let port = capacity(m);
                let part = m.add("part", $Part::new()$(.$set($value))*);
                let wall = m.add("wall", ThermalConductor::new().G(2));
                let around = m.add("around", FixedTemperature::new().T(293));
                m.connect(part.port_a, port);
                m.connect(part.port_b, wall.port_a);
                m.connect(wall.port_b, around.port);
            });)*
        };
    }
    to_surroundings! { ThermalResistor.R(0.3), BodyRadiation.Gr(2e-3), HeatFlowSensor }
    list.add("thermal::RelTemperatureSensor", |m| {
        let port = capacity(m);
        let part = m.add("part", RelTemperatureSensor::new());
        let around = m.add("around", FixedTemperature::new().T(293));
        m.connect(part.port_a, port);
        m.connect(part.port_b, around.port);
    });
    list.add("thermal::ThermalCollector", |m| {
        let port = capacity(m);
        let part = m.add("part", ThermalCollector::new().m(2));
        let other = m.add("other", HeatCapacitor::new().C(2));
        let heater = m.add("heater", FixedHeatFlow::new().Q_flow(5));
        m.connect(part.port_a[0], port);
        m.connect(part.port_a[1], heater.port);
        m.connect(part.port_b, other.port);
    });
    list.add("thermal::ConvectiveResistor", |m| {
        let port = capacity(m);
        let part = m.add("part", ConvectiveResistor::new());
        let around = m.add("around", FixedTemperature::new().T(293));
        let rc = external(m, "rc", "K/W");
        m.connect(part.solid, port);
        m.connect(part.fluid, around.port);
        m.connect(rc, part.rc);
    });
    for name in ["thermal::ThermalConductor", "thermal::FixedTemperature"] {
        list.add(name, |m| {
            let port = capacity(m);
            let part = m.add("part", ThermalConductor::new().G(2));
            let around = m.add("around", FixedTemperature::new().T(293));
            m.connect(part.port_a, port);
            m.connect(part.port_b, around.port);
        });
    }
    list.add("thermal::Convection", |m| {
        let port = capacity(m);
        let part = m.add("part", Convection::new());
        let around = m.add("around", FixedTemperature::new().T(293));
        let gc = external(m, "gc", "W/K");
        m.connect(part.solid, port);
        m.connect(part.fluid, around.port);
        m.connect(gc, part.gc);
    });
}

/// Temperatures that signals give, and signals of temperatures.
pub(super) fn temperatures(list: &mut List) {
    list.add("thermal::PrescribedTemperature", |m| {
        let port = capacity(m);
        let part = m.add("part", PrescribedTemperature::new());
        let wall = m.add("wall", ThermalConductor::new().G(2));
        let t = external(m, "T", "K");
        m.connect(t, part.T);
        m.connect(part.port, wall.port_a);
        m.connect(wall.port_b, port);
    });
    list.add("thermal::CelsiusPrescribedTemperature", |m| {
        let port = capacity(m);
        let part = m.add("part", CelsiusPrescribedTemperature::new());
        let wall = m.add("wall", ThermalConductor::new().G(2));
        let t = external(m, "T", "degC");
        m.connect(t, part.T);
        m.connect(part.port, wall.port_a);
        m.connect(wall.port_b, port);
    });
    for name in ["thermal::FromKelvin", "thermal::ToKelvin"] {
        list.add(name, |m| {
            let port = capacity(m);
            let sensor = m.add("sensor", TemperatureSensor::new());
            let part = m.add("part", FromKelvin::new());
            let back = m.add("back", ToKelvin::new());
            m.connect(sensor.port, port);
            m.connect(sensor.T, part.kelvin);
            m.connect(part.celsius, back.celsius);
            m.output("T", back.kelvin);
        });
    }
    list.add("thermal::CelsiusTemperature", |m| {
        let part = m.add("part", CelsiusTemperature::new().T(20));
        let wall = m.add("wall", ThermalConductor::new().G(2));
        let mass = m.add("mass", HeatCapacitor::new().C(10));
        m.connect(part.port, wall.port_a);
        m.connect(wall.port_b, mass.port);
    });
}
