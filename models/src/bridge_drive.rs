//! DC machine fed by an averaged bridge, with current and speed controlled.
//!
//! The bridge takes from the battery what it gives to the machine, also when the machine brakes.

use coupler::batteries::CellStack;
use coupler::blocks::{LimPID, SimpleController};
use coupler::electrical::*;
use coupler::machines::DC_PermanentMagnet;
use coupler::power_converters::AverageHBridge;
use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let controller = || LimPID::new().controller_type(SimpleController::PI).strict(true);
    let speed_of = Trapezoid::new().amplitude(200).offset(-100).rising(0.2).width(0.8).falling(0.2);
    add! { m,
        wanted: speed_of.period(2).start_time(0.2),
        speed_controller: controller().k(10).Ti(0.3).y_max(150),
        current_controller: controller().k(0.01).Ti(0.03).y_max(1),
        half: Constant::new().k(0.5),
        duty: Add::new().k1(0.5),
        battery: CellStack::new().Ns(35).q_nom(36_000).ocv_max(4.2).ocv_min(3).ri(1e-3).soc(fixed(0.8)),
        bridge: AverageHBridge::new(),
        current: CurrentSensor::new(),
        machine: DC_PermanentMagnet::new(),
        ground: Ground::new(),
        load: Inertia::new().J(0.15).phi(fixed(0)).w(fixed(0)),
        speed: SpeedSensor::new(),
    }

    m.connect(wanted.y, speed_controller.u_s);
    m.connect(speed.w, speed_controller.u_m);
    m.connect(speed_controller.y, current_controller.u_s);
    m.connect(current.i, current_controller.u_m);
    m.connect(current_controller.y, duty.u1);
    m.connect(half.y, duty.u2);
    m.connect(duty.y, bridge.d);
    m.connect(battery.p, bridge.dc_p);
    m.connect(battery.n, bridge.dc_n);
    m.connect(battery.n, ground.p);
    m.chain((bridge.ac_p, current, machine.pin_ap));
    m.connect(machine.pin_an, bridge.ac_n);
    m.chain((machine.flange, load));
    m.connect(load.flange_b, speed.flange);

    m.outputs([load.w, current.i, battery.i, duty.y]);
    m.stop_time(2);
}
