//! Adaptors between a flange and signals, which divide a drive train into separate models.

use crate::interfaces::prescribed_motion::motion;
use crate::interfaces::sensor::{publish, publish_acceleration};
use equations::Ex;
use mechanics::component::Contribution;
use mechanics::domain::Domain;
use mechanics::domain::two_domains;
use mechanics::error::Error;
use mechanics::statements::contributions::flanges::MotionLaw;

#[two_domains]
pub mod rotational {
    use super::{flow_to_motion, motion_to_flow};
    use mechanics::declaration::prelude::*;
    use mechanics::domain::ROTATIONAL;

    component! {
        /// Signal adaptor with angle, speed and acceleration as inputs and torque as output.
        ///
        /// It is the border of an FMU whose neighbour states the motion.
        ///
        /// # Equations
        /// `flange.phi = phi`, whose derivatives are `w` and `a`; `tau = -flange.tau`.
        ///
        /// If `a`, or `w` and `a`, are not connected, they are the derivatives of the connected
        /// signals. Derivatives of an input of the FMU are zero.
        pub struct AngleToTorqueAdaptor =
            "Modelica.Mechanics.Rotational.Components.AngleToTorqueAdaptor" {}
        ports {
            /// Driven flange
            flange: Flange,
            /// Angle
            phi: Input["rad"],
            /// Angular velocity
            w: Input["rad/s"],
            /// Angular acceleration
            a: Input["rad/s2"],
        }
        variables {
            /// Torque that drives the flange
            tau: Real["N.m"],
        }
    }

    impl Component for AngleToTorqueAdaptor {
        fn contribute(
            _: AngleToTorqueAdaptorParameters,
            c: &mut Contribution<'_>,
        ) -> Result<(), Error> {
            motion_to_flow(c, &ROTATIONAL, ["phi", "w", "a"], "tau")
        }
    }

    component! {
        /// Signal adaptor with torque as input and angle, speed and acceleration as outputs.
        ///
        /// It is the border of an FMU that states the motion to its neighbour.
        ///
        /// # Equations
        /// `phi = flange.phi`, `w = der(phi)`, `a = der(w)`, `flange.tau = tau`.
        pub struct TorqueToAngleAdaptor =
            "Modelica.Mechanics.Rotational.Components.TorqueToAngleAdaptor" {}
        ports {
            /// Measured and loaded flange
            flange: Flange,
            /// Torque on the flange, positive into the adaptor
            tau: Input["N.m"],
        }
        variables {
            /// Absolute rotation angle
            phi: Real["rad"],
            /// Absolute angular velocity
            w: Real["rad/s"],
            /// Absolute angular acceleration
            a: Real["rad/s2"],
        }
    }

    impl Component for TorqueToAngleAdaptor {
        fn contribute(
            _: TorqueToAngleAdaptorParameters,
            c: &mut Contribution<'_>,
        ) -> Result<(), Error> {
            flow_to_motion(c, &ROTATIONAL, ["phi", "w", "a"], "tau")
        }
    }

    component! {
        /// Signal adaptor with angle and its derivatives as inputs and torque as output; its names
        /// are the same in all domains.
        ///
        /// It is the border of an FMU whose neighbour states the motion, with signals of equal
        /// names for all domains.
        ///
        /// # Equations
        /// `flange.phi = p`, whose derivatives are `pder` and `pder2`; `f = -flange.tau`.
        ///
        /// If `pder2`, or `pder` and `pder2`, are not connected, they are the derivatives of the
        /// connected signals. Derivatives of an input of the FMU are zero.
        pub struct GeneralAngleToTorqueAdaptor =
            "Modelica.Mechanics.Rotational.Components.GeneralAngleToTorqueAdaptor" {}
        ports {
            /// Driven flange
            flange: Flange,
            /// Angle
            p: Input["rad"],
            /// Angular velocity
            pder: Input["rad/s"],
            /// Angular acceleration
            pder2: Input["rad/s2"],
        }
        variables {
            /// Torque that drives the flange
            f: Real["N.m"],
        }
    }

    impl Component for GeneralAngleToTorqueAdaptor {
        fn contribute(
            _: GeneralAngleToTorqueAdaptorParameters,
            c: &mut Contribution<'_>,
        ) -> Result<(), Error> {
            motion_to_flow(c, &ROTATIONAL, ["p", "pder", "pder2"], "f")
        }
    }

    component! {
        /// Signal adaptor with torque as input and angle and its derivatives as outputs; its names
        /// are the same in all domains.
        ///
        /// It is the border of an FMU that states the motion to its neighbour, with signals of
        /// equal names for all domains.
        ///
        /// # Equations
        /// `p = flange.phi`, `pder = der(p)`, `pder2 = der(pder)`, `flange.tau = f`.
        pub struct GeneralTorqueToAngleAdaptor =
            "Modelica.Mechanics.Rotational.Components.GeneralTorqueToAngleAdaptor" {}
        ports {
            /// Measured and loaded flange
            flange: Flange,
            /// Torque on the flange, positive into the adaptor
            f: Input["N.m"],
        }
        variables {
            /// Absolute rotation angle
            p: Real["rad"],
            /// Absolute angular velocity
            pder: Real["rad/s"],
            /// Absolute angular acceleration
            pder2: Real["rad/s2"],
        }
    }

    impl Component for GeneralTorqueToAngleAdaptor {
        fn contribute(
            _: GeneralTorqueToAngleAdaptorParameters,
            c: &mut Contribution<'_>,
        ) -> Result<(), Error> {
            flow_to_motion(c, &ROTATIONAL, ["p", "pder", "pder2"], "f")
        }
    }
}

/// Prescribes the motion of the flange by signals; the required torque (or force) is an output.
///
/// The input of the acceleration, or those of speed and acceleration, may be left open. Their
/// values are then derivatives of the connected signals.
fn motion_to_flow(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    [position, speed, acceleration]: [&'static str; 3],
    flow: &'static str,
) -> Result<(), Error> {
    let q = c.input(position)?;
    let prescribed = match (c.optional_input(speed), c.optional_input(acceleration)) {
        (Some(v), Some(a)) => motion([q, v, a]),
        (Some(v), None) => {
            MotionLaw::PositionAndSpeed(Box::new(move |e| Ok([e.read(q)?, e.read(v)?])))
        }
        (None, None) => MotionLaw::Position(Box::new(move |e| e.read(q))),
        (None, Some(_)) => {
            let why = format!("it is connected, but {} is not", c.full(speed));
            return Err(c.refuse(acceleration, why));
        }
    };
    let flange = c.flange(domain, "flange");
    let constraint = c.prescribe(&[(flange, Ex::one())], prescribed);
    let reaction = c.reaction(constraint);
    c.after(move |e| {
        let driving = -e.reaction(reaction);
        e.variable(flow, driving);
        Ok(())
    });
    Ok(())
}

/// Applies a signal as torque (or force) to the flange; the motion of the flange is the output, and
/// the reaction acts on a housing.
fn flow_to_motion(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    [position, speed, acceleration]: [&'static str; 3],
    flow: &'static str,
) -> Result<(), Error> {
    let input = c.input(flow)?;
    let flange = c.flange(domain, "flange");
    let housing = c.hidden_flange(domain);
    c.linear(&[(housing, Ex::one())], Ex::zero());
    publish(c, position, move |e| e.flange(flange).q);
    publish(c, speed, move |e| e.flange(flange).v);
    publish_acceleration(c, acceleration, move |e| e.flange(flange));
    c.law(move |e| {
        let acting = e.read(input)?;
        e.set_flow_between(housing, flange, acting);
        e.variable(flow, acting);
        Ok(())
    });
    Ok(())
}
