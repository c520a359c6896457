//! The engine of the model `engine_v6` with closed-form loops: an assembly of two revolute joints
//! and a slider, `JointRRP`, takes the place of the joints of each cylinder.
//!
//! The motion is that of `EngineV6`. The system is the example `EngineV6_analytic` of
//! Modelica.Mechanics.MultiBody.

use mechanics::multibody::*;
use mechanics::prelude::*;
use mechanics::rotational::{Inertia, QuadraticSpeedDependentTorque, TorqueSensor};
use mechanics::translational::GasForce2;

/// Crank angle and inclination of each cylinder in deg.
const CYLINDERS: [[f64; 2]; 6] =
    [[-30.0, -30.0], [90.0, 30.0], [210.0, -30.0], [210.0, 30.0], [90.0, -30.0], [-30.0, 30.0]];

/// Distance of a cylinder's top from the shaft in m.
const TOP: f64 = 0.42;
/// Length of a piston in m.
const PISTON: f64 = 0.1;
/// Length of a connecting rod in m.
const ROD: f64 = 0.2;
/// Length of a cylinder's part of the crankshaft in m.
const CRANK: f64 = 0.2;
/// Length of a crank pin in m.
const PIN: f64 = 0.1;
/// Distance of a crank pin from the shaft in m.
const OFFSET: f64 = 0.1;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        bearing: Revolute::new().n(X),
    }
    m.connect(world.frame_b, bearing.frame_a);
    let (mut crank, mut block) = (bearing.frame_b, world.frame_b);
    for (k, [offset, inclination]) in CYLINDERS.into_iter().enumerate() {
        (crank, block) =
            cylinder(m, &format!("cylinder{}", k + 1), [offset, inclination], (crank, block));
    }
    add! { m,
        load: Inertia::new().J(1).phi(fixed(0)).w(fixed(10)).states(Always),
        load2: QuadraticSpeedDependentTorque::new().tau_nominal(-100).w_nominal(200),
        sensor "torqueSensor": TorqueSensor::new(),
        filter: CriticalDamping::new().n(2).f(5).steady_state(true),
    }
    m.chain((bearing.axis, sensor, load, load2.flange));
    m.connect(sensor.tau, filter.u);

    m.output("phi", load.phi);
    m.output("w", load.w);
    m.output("engineTorque", filter.y);
    m.stop_time(1.01);
    m.step_size(2e-4);
}

/// A rotation about the x axis by an angle in deg, after a translation by `r` in m.
fn turned(r: [f64; 3], angle: f64) -> FixedRotation {
    let (sin, cos) = angle.to_radians().sin_cos();
    FixedRotation::new().n_x(X).n_y([0.0, cos, sin]).r(r)
}

/// A bar along the y axis whose width is along the x axis.
fn bar(y: f64, height: f64) -> BodyBox {
    BodyBox::new().r([0.0, y, 0.0]).width_direction(X).width(0.02).height(height)
}

/// A part of the shaft, slightly longer than the distance of its frames.
fn journal(length: f64, diameter: f64) -> BodyCylinder {
    BodyCylinder::new()
        .r([length, 0.0, 0.0])
        .diameter(diameter)
        .r_shape([-0.01, 0.0, 0.0])
        .length(length + 0.02)
}

/// One cylinder between its neighbours: angles in deg, then the frames of shaft and block on the
/// one side; returns those on the other side.
fn cylinder(
    m: &mut Assembly,
    name: &str,
    [offset, inclination]: [f64; 2],
    (crank, block): (Frame, Frame),
) -> (Frame, Frame) {
    add! { m, name;
        crank_angle1 "crankAngle1": turned([0.0; 3], offset),
        crank_angle2 "crankAngle2": turned([0.0; 3], -offset),
        crank1: journal(CRANK - PIN, 0.05),
        crank2: bar(OFFSET, 0.05),
        crank3: journal(PIN, 0.03),
        crank4: bar(-OFFSET, 0.05),
        mid: FixedTranslation::new().r([PIN / 2.0, 0.0, 0.0]),
        joint "jointRRP": JointRRP::new()
            .n_a(X).n_b([0, -1, 0]).r_rod1_ia([0.0, ROD, 0.0]).r_rod2_ib([0.0, -PISTON, 0.0])
            .s_guess(0.1),
        rod "connectingRod": bar(ROD, 0.06).r_shape([0.0, -0.02, 0.0]),
        piston: BodyCylinder::new().r([0.0, PISTON, 0.0]).diameter(0.1),
        top "cylinderTop": FixedTranslation::new().r([0.0, TOP, 0.0]),
        inclination "cylinderInclination": turned([CRANK - PIN / 2.0, 0.0, 0.0], inclination),
        mounting: FixedTranslation::new().r([CRANK, 0.0, 0.0]),
        gas "gasForce": GasForce2::new().L(TOP - PISTON - (ROD - OFFSET)).d(0.1),
    }
    m.connect(crank, crank_angle1.frame_a);
    m.connect(block, mounting.frame_a);
    m.chain((crank_angle1.frame_b, crank1, crank2, crank3, crank4, crank_angle2.frame_a));
    m.chain((crank2.frame_b, mid, joint.frame_a));
    m.chain((mounting.frame_a, inclination, top, joint.frame_b));
    m.connect(joint.frame_ia, rod.frame_a);
    m.connect(joint.frame_ib, piston.frame_b);
    m.connect(gas.flange_a, joint.bearing);
    m.connect(gas.flange_b, joint.axis);
    (crank_angle2.frame_b, mounting.frame_b)
}
