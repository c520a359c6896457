//! Four-bar linkage driven by a DC motor with sampled controllers.
//!
//! A current controller sets the voltage of the motor at 20 kHz, and a speed controller gives the
//! current at 1 kHz. The motor drives the crank of the linkage through a gear with backlash. The
//! weight of coupler and rocker pulls the crank from one side of the backlash to the other one in
//! each revolution.

use coupler::electrical::*;
use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational::*;
use coupler::sampled::SampledPID;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        wanted: Ramp::new().height(120).duration(0.2).start_time(0.1),
        speed_controller: SampledPID::new().k(0.6).Ti(0.05).y_max(12).sample_period(1e-3),
        current_controller: SampledPID::new().k(2).Ti(2e-3).y_max(48).sample_period(50e-6),
    }
    add! { m,
        source: SignalVoltage::new(),
        ra: Resistor::new().R(0.5),
        la: Inductor::new().L(1e-3),
        emf: RotationalEMF::new().k(0.1),
        current: CurrentSensor::new(),
        ground: Ground::new(),
        rotor: Inertia::new().J(2e-4).phi(fixed(0)).w(fixed(0)),
        speed: SpeedSensor::new(),
        gear: IdealGear::new().ratio(20),
        shaft: Inertia::new().J(1e-3),
        backlash: ElastoBacklash::new().c(2e3).d(2).b(0.02),
    }
    add! { m,
        world: World::new(),
        crank_joint: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
        coupler_joint: Revolute::new().n(Z),
        rocker_joint: Revolute::new().n(Z),
        cut: RevolutePlanarLoopConstraint::new().n(Z),
        base: FixedTranslation::new().r([0.8, 0.0, 0.0]),
        crank: BodyBox::new().r([0.2, 0.0, 0.0]).width(0.03),
        coupler: BodyBox::new().r([0.533, 0.596, 0.0]).width(0.03),
        rocker: BodyBox::new().r([-0.067, 0.596, 0.0]).width(0.03),
    }

    m.connect(wanted.y, speed_controller.u_s);
    m.connect(speed.w, speed_controller.u_m);
    m.connect(speed_controller.y, current_controller.u_s);
    m.connect(current.i, current_controller.u_m);
    m.connect(current_controller.y, source.v);

    m.chain((source.p, ra, la, emf, current, source.n));
    m.connect(source.n, ground.p);
    m.chain((emf.flange, rotor, gear, shaft, backlash, crank_joint.axis));
    m.connect(rotor.flange_b, speed.flange);

    m.chain((world.frame_b, crank_joint, crank, coupler_joint, coupler, cut.frame_b));
    m.chain((world.frame_b, base, rocker_joint, rocker, cut.frame_a));

    m.outputs([rotor.w, crank_joint.phi, rocker_joint.phi, la.i, current_controller.y]);
    m.output("tau_backlash", backlash.tau);
    m.stop_time(2);
}
