//! Battery of cells that a charger fills, first with a constant current, then with a constant
//! voltage.

use coupler::batteries::*;
use coupler::electrical::*;
use coupler::prelude::*;

/// Voltage of a cell over its state of charge, divided by the largest voltage.
const VOLTAGES: [[f64; 2]; 7] = [
    [0.0, 0.714],
    [0.1, 0.812],
    [0.3, 0.862],
    [0.5, 0.886],
    [0.7, 0.924],
    [0.9, 0.971],
    [1.0, 1.0],
];

/// The model.
pub fn model(m: &mut Assembly) {
    let cells = CellRCStack::new().Ns(10).Np(2).q_nom(18_000).ocv_max(4.2).ri(3.5e-3).idis(1e-3);
    let cells = cells.use_linear(false).ocv_soc(VOLTAGES).soc(fixed(0.1));
    add! { m,
        charger "cccvCharger": CCCVcharger::new().I(50).Vend(42),
        sensor "powerSensor": PowerSensor::new(),
        taken: Integrator::new(),
        battery: cells.rc_resistance([1e-3, 0.5e-3]).rc_capacitance([1e4, 1e5]),
        ground: Ground::new(),
    }

    m.connect(charger.p, sensor.pc);
    m.connect(sensor.pc, sensor.pv);
    m.connect(sensor.nc, battery.p);
    m.connect(sensor.nv, ground.p);
    m.connect(battery.n, ground.p);
    m.connect(charger.n, ground.p);
    m.connect(sensor.power, taken.u);

    m.output("soc", battery.soc);
    m.outputs([battery.v, battery.i, taken.y]);
    m.stop_time(1000);
    m.step_size(1);
}
