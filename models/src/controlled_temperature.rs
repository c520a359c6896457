//! Resistor whose temperature a switch controls.
//!
//! The resistance depends on the temperature, and the reference rises.
//!
//! The system is the example `ControlledTemperature` of Modelica.Thermal.HeatTransfer.

use coupler::blocks::{Not, OnOffController};
use coupler::electrical::*;
use coupler::prelude::*;
use coupler::thermal::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        source "constantVoltage": ConstantVoltage::new().V(10),
        switch "idealSwitch": IdealOpeningSwitch::new(),
        resistor: Resistor::new().R(10).T_ref(293.15).alpha(1.0 / 255.0),
        ground: Ground::new(),
        capacitor "heatCapacitor": HeatCapacitor::new().C(1).T(fixed(293.15)),
        conductor "thermalConductor": ThermalConductor::new().G(0.1),
        ambient "fixedTemperature": FixedTemperature::new().T(293.15),
        sensor "temperatureSensor": CelsiusTemperatureSensor::new(),
        wanted "ramp": Ramp::new().height(25).offset(25).duration(6).start_time(2),
        controller "onOffController": OnOffController::new().bandwidth(2),
        inverted "logicalNot": Not::new(),
    }

    m.connect(wanted.y, controller.reference);
    m.connect(sensor.T, controller.u);
    m.connect(controller.y, inverted.u);
    m.connect(inverted.y, switch.control);
    m.chain((source.p, switch, resistor, source.n));
    m.connect(source.n, ground.p);
    m.chain((resistor.heat_port, conductor, ambient.port));
    m.connect(resistor.heat_port, capacitor.port);
    m.connect(resistor.heat_port, sensor.port);

    m.outputs([capacitor.T, resistor.i, controller.y]);
    m.stop_time(10);
    m.step_size(0.01);
}
