//! Ideal sensors, which exert no torque or force.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use crate::interfaces::relative_coordinate::rotational::flange_pair;
    use crate::interfaces::sensor::{publish, publish_acceleration, rigid};
    use crate::interfaces::two_flanges;
    use mechanics::declaration::prelude::*;
    use mechanics::domain::ROTATIONAL;

    component! {
        /// Ideal sensor of the absolute angle of a flange.
        ///
        /// # Equations
        /// `phi = flange.phi`, `flange.tau = 0`.
        pub struct AngleSensor = "Modelica.Mechanics.Rotational.Sensors.AngleSensor" {}
        ports {
            /// Measured flange
            flange: Flange,
        }
        variables {
            /// Absolute rotation angle
            phi: Real["rad"],
        }
    }

    impl Component for AngleSensor {
        fn contribute(_: AngleSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let flange = c.flange(&ROTATIONAL, "flange");
            publish(c, "phi", move |e| e.flange(flange).q);
            Ok(())
        }
    }

    component! {
        /// Ideal sensor of the absolute angular velocity of a flange.
        ///
        /// # Equations
        /// `w = der(flange.phi)`, `flange.tau = 0`.
        pub struct SpeedSensor = "Modelica.Mechanics.Rotational.Sensors.SpeedSensor" {}
        ports {
            /// Measured flange
            flange: Flange,
        }
        variables {
            /// Absolute angular velocity
            w: Real["rad/s"],
        }
    }

    impl Component for SpeedSensor {
        fn contribute(_: SpeedSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let flange = c.flange(&ROTATIONAL, "flange");
            publish(c, "w", move |e| e.flange(flange).v);
            Ok(())
        }
    }

    component! {
        /// Ideal sensor of the absolute angular acceleration of a flange.
        ///
        /// # Equations
        /// `w = der(flange.phi)`, `a = der(w)`, `flange.tau = 0`.
        pub struct AccSensor = "Modelica.Mechanics.Rotational.Sensors.AccSensor" {}
        ports {
            /// Measured flange
            flange: Flange,
        }
        variables {
            /// Absolute angular velocity
            w: Real["rad/s"],
            /// Absolute angular acceleration
            a: Real["rad/s2"],
        }
    }

    impl Component for AccSensor {
        fn contribute(_: AccSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let flange = c.flange(&ROTATIONAL, "flange");
            publish(c, "w", move |e| e.flange(flange).v);
            publish_acceleration(c, "a", move |e| e.flange(flange));
            Ok(())
        }
    }

    component! {
        /// Ideal sensor of the relative angle between two flanges.
        ///
        /// # Equations
        /// `phi_rel = flange_b.phi - flange_a.phi`, `flange_a.tau = flange_b.tau = 0`.
        pub struct RelAngleSensor = "Modelica.Mechanics.Rotational.Sensors.RelAngleSensor" {
            ..flange_pair,
        }
        variables {
            /// Relative rotation angle
            phi_rel: Real["rad"],
        }
    }

    impl Component for RelAngleSensor {
        fn contribute(_: RelAngleSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let (a, b) = two_flanges(c, &ROTATIONAL);
            publish(c, "phi_rel", move |e| e.relative(a, b).q);
            Ok(())
        }
    }

    component! {
        /// Ideal sensor of the relative angular velocity between two flanges.
        ///
        /// # Equations
        /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`,
        /// `flange_a.tau = flange_b.tau = 0`.
        pub struct RelSpeedSensor = "Modelica.Mechanics.Rotational.Sensors.RelSpeedSensor" {
            ..flange_pair,
        }
        variables {
            /// Relative rotation angle
            phi_rel: Real["rad"],
            /// Relative angular velocity
            w_rel: Real["rad/s"],
        }
    }

    impl Component for RelSpeedSensor {
        fn contribute(_: RelSpeedSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let (a, b) = two_flanges(c, &ROTATIONAL);
            publish(c, "phi_rel", move |e| e.relative(a, b).q);
            publish(c, "w_rel", move |e| e.relative(a, b).v);
            Ok(())
        }
    }

    component! {
        /// Ideal sensor of the relative angular acceleration between two flanges.
        ///
        /// # Equations
        /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `a_rel = der(w_rel)`,
        /// `flange_a.tau = flange_b.tau = 0`.
        pub struct RelAccSensor = "Modelica.Mechanics.Rotational.Sensors.RelAccSensor" {
            ..flange_pair,
        }
        variables {
            /// Relative rotation angle
            phi_rel: Real["rad"],
            /// Relative angular velocity
            w_rel: Real["rad/s"],
            /// Relative angular acceleration
            a_rel: Real["rad/s2"],
        }
    }

    impl Component for RelAccSensor {
        fn contribute(_: RelAccSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let (a, b) = two_flanges(c, &ROTATIONAL);
            publish(c, "phi_rel", move |e| e.relative(a, b).q);
            publish(c, "w_rel", move |e| e.relative(a, b).v);
            publish_acceleration(c, "a_rel", move |e| e.relative(a, b));
            Ok(())
        }
    }

    component! {
        /// Ideal sensor of the torque between two flanges.
        ///
        /// # Equations
        /// `flange_a.phi = flange_b.phi`, `tau = flange_a.tau = -flange_b.tau`.
        pub struct TorqueSensor = "Modelica.Mechanics.Rotational.Sensors.TorqueSensor" {
            ..flange_pair,
        }
        variables {
            /// Torque transmitted from flange_a to flange_b
            tau: Real["N.m"],
        }
    }

    impl Component for TorqueSensor {
        fn contribute(_: TorqueSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            rigid(c, &ROTATIONAL, |e, _, tau| e.variable("tau", tau).done());
            Ok(())
        }
    }

    component! {
        /// Ideal sensor of the power between two flanges.
        ///
        /// # Equations
        /// `flange_a.phi = flange_b.phi`, `flange_a.tau = -flange_b.tau`,
        /// `power = flange_a.tau der(flange_a.phi)`.
        pub struct PowerSensor = "Modelica.Mechanics.Rotational.Sensors.PowerSensor" {
            ..flange_pair,
        }
        variables {
            /// Power from flange_a to flange_b
            power: Real["W"],
        }
    }

    impl Component for PowerSensor {
        fn contribute(_: PowerSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            rigid(c, &ROTATIONAL, |e, flange_a, tau| {
                let w = e.flange(flange_a).v;
                e.variable("power", tau * w);
            });
            Ok(())
        }
    }

    component! {
        /// Ideal sensor of torque, speed and power between two flanges.
        ///
        /// # Equations
        /// `flange_a.phi = flange_b.phi`, `tau = flange_a.tau = -flange_b.tau`,
        /// `w = der(flange_a.phi)`, `power = tau w`.
        pub struct MultiSensor = "Modelica.Mechanics.Rotational.Sensors.MultiSensor" {
            ..flange_pair,
        }
        variables {
            /// Power from flange_a to flange_b
            power: Real["W"],
            /// Absolute angular velocity
            w: Real["rad/s"],
            /// Torque transmitted from flange_a to flange_b
            tau: Real["N.m"],
        }
    }

    impl Component for MultiSensor {
        fn contribute(_: MultiSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let flange_a = c.flange(&ROTATIONAL, "flange_a");
            publish(c, "w", move |e| e.flange(flange_a).v);
            rigid(c, &ROTATIONAL, |e, flange_a, tau| {
                let w = e.flange(flange_a).v;
                e.variable("tau", tau);
                e.variable("power", tau * w);
            });
            Ok(())
        }
    }
}
