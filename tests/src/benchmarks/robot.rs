//! A robot with six axes that moves from one configuration to another.
//!
//! Each axis has a controller (P for the angle, PI for the speed, with the speed of the path fed
//! forward), a motor whose current follows the controller with a lag of second order, and a gear.
//! The gears of the first three axes are elastic, with friction on the side of the motor; those of
//! the others are rigid, with friction on the side of the arm. The arm carries a load of 15 kg.
//!
//! Structure and data follow the example `RobotR3.fullRobot` of Modelica.Mechanics.MultiBody.
//! There the motor's current loop consists of electrical components; here it is the equivalent lag,
//! critically damped.

use std::f64::consts::TAU;

use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::{
    AngleSensor, BearingFriction, IdealGear, Inertia, SpeedSensor, SpringDamper, Torque,
};

/// An axis: its motor, gear, controller and path.
struct Axis {
    /// Torque per current in N.m/A.
    k: f64,
    /// Natural frequency of the current's lag in rad/s.
    w: f64,
    /// Moment of inertia of the rotor in kg.m2.
    rotor: f64,
    ratio: f64,
    /// Stiffness in N.m/rad and damping in N.m.s/rad of the gear; rigid if there are none.
    elastic: Option<[f64; 2]>,
    /// Friction at rest in N.m, its growth in N.m.s/rad, and the ratio of the largest friction to
    /// that at rest.
    friction: [f64; 3],
    /// Gains of the controllers of angle and speed; the time constant of the latter is 0.05 s.
    gains: [f64; 2],
    /// Angles at the start and at the end in deg.
    path: [f64; 2],
    /// Largest speed in rad/s and acceleration in rad/s2.
    limits: [f64; 2],
}

#[rustfmt::skip]
const AXES: [Axis; 6] = [
    Axis { k: 1.1616, w: 4590.0, rotor: 0.0013, ratio: -105.0, elastic: Some([43.0, 0.005]),
        friction: [0.4, 0.13 / 160.0, 1.0], gains: [5.0, 0.5], path: [-60.0, 60.0],
        limits: [3.0, 15.0] },
    Axis { k: 1.1616, w: 5500.0, rotor: 0.0013, ratio: 210.0, elastic: Some([8.0, 0.01]),
        friction: [0.5, 0.1 / 130.0, 1.0], gains: [5.0, 0.5], path: [20.0, -70.0],
        limits: [1.5, 15.0] },
    Axis { k: 1.1616, w: 5500.0, rotor: 0.0013, ratio: 60.0, elastic: Some([58.0, 0.04]),
        friction: [0.7, 0.2 / 130.0, 1.0], gains: [5.0, 0.5], path: [90.0, -35.0],
        limits: [5.0, 15.0] },
    Axis { k: 0.2365, w: 6250.0, rotor: 1.6e-4, ratio: -99.0, elastic: None,
        friction: [21.8, 9.8, 26.7 / 21.8], gains: [15.0, 0.05], path: [0.0, 45.0],
        limits: [3.1, 60.0] },
    Axis { k: 0.2608, w: 6250.0, rotor: 1.8e-4, ratio: 79.2, elastic: None,
        friction: [30.1, 0.03, 39.6 / 30.1], gains: [15.0, 0.05], path: [-110.0, 110.0],
        limits: [3.1, 60.0] },
    Axis { k: 0.0842, w: 7400.0, rotor: 4.3e-5, ratio: -99.0, elastic: None,
        friction: [10.9, 3.92, 16.8 / 10.9], gains: [15.0, 0.05], path: [0.0, 45.0],
        limits: [4.1, 60.0] },
];

/// The axes' directions, and the bodies behind them.
fn arm() -> [([f64; 3], BodyShape); 6] {
    let body = |r: [f64; 3], r_cm: [f64; 3], mass: f64, inertia: [f64; 3]| {
        BodyShape::new().r(r).r_cm(r_cm).m(mass).inertia(inertia)
    };
    [
        (Y, body([0.0, 0.324, 0.3], [0.0; 3], 1.0, [1.16; 3])),
        (X, body([0.0, 0.65, 0.0], [0.172, 0.205, 0.0], 56.5, [2.58, 0.64, 2.73])),
        (X, body([0.0, 0.414, -0.155], [0.064, -0.034, 0.0], 26.4, [0.279, 0.245, 0.413])),
        (Y, body([0.0, 0.186, 0.0], [0.0; 3], 28.7, [1.67, 0.081, 1.67])),
        (X, body([0.0, 0.125, 0.0], [0.0; 3], 5.2, [1.25, 0.81, 1.53])),
        (Y, body([0.0, 0.0, 0.0], [0.05, 0.05, 0.0], 15.5, [0.3, 0.3, 0.3])),
    ]
}

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        base: FixedTranslation::new().r([0.0, 0.351, 0.0]),
    }
    m.connect(world.frame_b, base.frame_a);
    let mut last = base.frame_b;
    for (k, (axis, (n, body))) in AXES.into_iter().zip(arm()).enumerate() {
        let start = axis.path[0].to_radians();
        let joint = Revolute::new().n(n).phi(fixed(start)).w(fixed(0)).states(Always);
        let joint = m.add(format!("r{}", k + 1), joint);
        let body = m.add(format!("b{}", k + 1), body);
        m.connect(last, joint.frame_a);
        m.connect(joint.frame_b, body.frame_a);
        drive(m, &format!("axis{}", k + 1), &axis, joint.axis);
        m.output(format!("q{}", k + 1), joint.phi);
        last = body.frame_b;
    }
    m.stop_time(2);
}

/// Path, controller, motor and gear of an axis.
fn drive(m: &mut Assembly, name: &str, axis: &Axis, arm: libraries::prelude::Flange) {
    let [from, to] = axis.path.map(f64::to_radians);
    let [gain, speed_gain] = axis.gains;
    add! { m, name;
        qdd: KinematicPTP::new().deltaq([to - from]).qd_max([axis.limits[0]]).qdd_max([axis.limits[1]]),
        qd: Integrator::new().k(1),
        q: Integrator::new().k(1).y_start(fixed(from)),
        angle "angleOfMotor": Gain::new().k(axis.ratio).unit("rad"),
        speed "speedOfMotor": Gain::new().k(axis.ratio).unit("rad/s"),
        angle_error "angleError": Feedback::new(),
        p "P": Gain::new().k(gain).unit("rad/s"),
        wanted: Add::new(),
        speed_error "speedError": Feedback::new(),
        pi "PI": PI::new().k(speed_gain).T(0.05),
        current: CriticalDamping::new().n(2).f(axis.w / TAU).normalized(false),
        motor: Gain::new().k(axis.k).unit("N.m"),
        torque: Torque::new(),
        rotor: Inertia::new().J(axis.rotor),
        phi: AngleSensor::new(),
        w: SpeedSensor::new(),
    }
    m.chain((qdd.y(1), qd, q, angle, angle_error.u1));
    m.connect(qd.y, speed.u);
    m.connect(phi.phi, angle_error.u2);
    m.chain((angle_error.y, p, wanted.u1));
    m.connect(speed.y, wanted.u2);
    m.connect(wanted.y, speed_error.u1);
    m.connect(w.w, speed_error.u2);
    m.chain((speed_error.y, pi, current, motor, torque.tau));
    m.connect(torque.flange, rotor.flange_a);
    m.connect(rotor.flange_b, phi.flange);
    m.connect(rotor.flange_b, w.flange);
    gear(m, name, axis, rotor.flange_b, arm);
}

/// The gear between motor and arm.
fn gear(m: &mut Assembly, name: &str, axis: &Axis, motor: Flange, arm: Flange) {
    let [rest, growth, peak] = axis.friction;
    add! { m, name;
        friction: BearingFriction::new()
            .tau_pos([[0.0, rest], [1.0, rest + growth]]).peak(peak),
        gear: IdealGear::new().ratio(axis.ratio),
    }
    match axis.elastic {
        Some([c, d]) => {
            let spring = SpringDamper::new().c(c).d(d).phi_rel(fixed(0)).w_rel(fixed(0));
            let spring = m.add(format!("{name}.spring"), spring);
            m.chain((motor, friction, spring, gear, arm));
        }
        None => m.chain((motor, gear, friction, arm)),
    }
}
