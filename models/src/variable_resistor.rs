//! Resistor that a signal varies, beside a constant one.
//!
//! The system is the example `ShowVariableResistor` of Modelica.Electrical.Analog.

use coupler::electrical::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        source "SineVoltage1": SineVoltage::new().V(1).f(1),
        resistance "Ramp1": Ramp::new().height(5).offset(2).duration(2),
        r1 "R1": Resistor::new().R(1),
        r2 "R2": Resistor::new().R(1),
        r3 "R3": Resistor::new().R(1),
        r4 "R4": Resistor::new().R(1),
        variable "VariableResistor": VariableResistor::new(),
        r5 "R5": Resistor::new().R(1),
        ground1 "Ground1": Ground::new(),
        ground2 "Ground2": Ground::new(),
    }

    m.connect(resistance.y, variable.R);
    m.connect(source.p, ground1.p);
    m.chain((source.n, r1, r2, r3, ground2.p));
    m.chain((source.n, r4, variable, r5, ground2.p));

    m.outputs([r1.i, variable.i, variable.v]);
    m.stop_time(1);
}
