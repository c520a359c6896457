//! Switches that interrupt the currents of coils, without and with an arc.
//!
//! The voltage of the arc takes the energy of the coil; the ideal switch takes it in an instant.
//!
//! The system is the example `SwitchWithArc` of Modelica.Electrical.Analog.

use coupler::blocks::BooleanPulse;
use coupler::electrical::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        pulse "booleanPulse": BooleanPulse::new().period(1),
        ground1: Ground::new(),
        source1 "constantVoltage1": ConstantVoltage::new().V(50),
        switch1: IdealClosingSwitch::new(),
        inductor1: Inductor::new().L(0.1).i(fixed(0)),
        resistor1: Resistor::new().R(1),
        ground2: Ground::new(),
        source2 "constantVoltage2": ConstantVoltage::new().V(50),
        switch2: CloserWithArc::new().V0(30).dVdt(10_000).Vmax(60),
        inductor2: Inductor::new().L(0.1).i(fixed(0)),
        resistor2: Resistor::new().R(1),
    }

    m.connect(pulse.y, switch1.control);
    m.connect(pulse.y, switch2.control);
    m.chain((source1.p, switch1, inductor1, resistor1, ground1.p));
    m.connect(source1.n, ground1.p);
    m.chain((source2.p, switch2, inductor2, resistor2, ground2.p));
    m.connect(source2.n, ground2.p);

    m.outputs([inductor1.i, inductor2.i, switch1.v, switch2.v]);
    m.stop_time(2);
}
