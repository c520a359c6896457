//! Sources of torque and force.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use crate::interfaces::regularization::Regularization;
    use crate::interfaces::relative_coordinate::rotational::flange_pair;
    use crate::interfaces::source::rotational::{accelerating, supported};
    use crate::interfaces::source::{Source, act_between};
    use crate::interfaces::{flange_and_support, two_flanges};
    use equations::select;
    use mechanics::declaration::prelude::*;
    use mechanics::domain::ROTATIONAL;

    component! {
        /// Input signal acting as external torque on a flange.
        ///
        /// # Equations
        /// `flange.tau = -tau`, `support.tau = tau`.
        pub struct Torque = "Modelica.Mechanics.Rotational.Sources.Torque" {}
        ports {
            /// Driven flange
            flange: Flange,
            /// Housing; fixed if it is not connected
            support: Flange,
            /// Torque that drives the flange
            tau: Input["N.m"],
        }
    }

    impl Component for Torque {
        fn contribute(_: TorqueParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let (flange, support) = flange_and_support(c, &ROTATIONAL);
            act_between(c, &ROTATIONAL, (support, flange))
        }
    }

    component! {
        /// Input signal acting as torque between two flanges.
        ///
        /// # Equations
        /// `flange_a.tau = tau`, `flange_b.tau = -tau`.
        pub struct Torque2 = "Modelica.Mechanics.Rotational.Sources.Torque2" {
            ..flange_pair,
        }
        ports {
            /// Torque that drives flange_b and brakes flange_a
            tau: Input["N.m"],
        }
    }

    impl Component for Torque2 {
        fn contribute(_: Torque2Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let ends = two_flanges(c, &ROTATIONAL);
            act_between(c, &ROTATIONAL, ends)
        }
    }

    component! {
        /// Constant torque, not dependent on speed.
        ///
        /// # Equations
        /// `-flange.tau = support.tau = tau_constant`.
        pub struct ConstantTorque = "Modelica.Mechanics.Rotational.Sources.ConstantTorque" {
            /// Constant torque; if negative, it brakes forward motion
            tau_constant: Real["N.m"],
            ..supported,
            ..accelerating,
        }
    }

    impl Component for ConstantTorque {
        fn contribute(p: ConstantTorqueParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            Source::new(c, &ROTATIONAL).law(c, move |_, _| Ok(p.tau_constant));
            Ok(())
        }
    }

    component! {
        /// Torque that jumps from one constant value to another.
        ///
        /// # Equations
        /// `-flange.tau = support.tau = offsetTorque`, plus `stepTorque` from `startTime` on.
        ///
        /// # Events
        /// A time event at `startTime`.
        pub struct TorqueStep = "Modelica.Mechanics.Rotational.Sources.TorqueStep" {
            /// Height of the step
            step_torque "stepTorque": Real["N.m"],
            /// Torque before the step
            offset_torque "offsetTorque": Real["N.m"] = 0,
            /// Time of the step
            start_time "startTime": Real["s"] = 0,
            ..supported,
            ..accelerating,
        }
    }

    impl Component for TorqueStep {
        fn contribute(p: TorqueStepParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            Source::new(c, &ROTATIONAL).law(c, move |e, _| {
                let on = e.from(p.start_time);
                Ok(p.offset_torque + select(on, p.step_torque, 0.0))
            });
            Ok(())
        }
    }

    component! {
        /// Torque proportional to the speed.
        ///
        /// # Equations
        /// `-flange.tau = support.tau = tau_nominal |w / w_nominal|`, or
        /// `tau_nominal w / w_nominal` if `TorqueDirection` is false.
        pub struct LinearSpeedDependentTorque
            = "Modelica.Mechanics.Rotational.Sources.LinearSpeedDependentTorque"
        {
            /// Nominal torque; if negative, it acts as a load
            tau_nominal: Real["N.m"],
            /// Nominal speed
            w_nominal: Real["rad/s", != 0],
            /// True if the sign of the torque does not depend on the sign of the speed
            torque_direction "TorqueDirection": bool[constant] = true,
            ..supported,
            ..accelerating,
        }
    }

    impl Component for LinearSpeedDependentTorque {
        fn contribute(
            p: LinearSpeedDependentTorqueParameters,
            c: &mut Contribution<'_>,
        ) -> Result<(), Error> {
            let source = Source::new(c, &ROTATIONAL);
            if !p.torque_direction {
                c.damped(source.position);
            }
            source.law(c, move |_, w| {
                let fraction = w / p.w_nominal;
                Ok(p.tau_nominal * if p.torque_direction { fraction.abs() } else { fraction })
            });
            Ok(())
        }
    }

    component! {
        /// Torque proportional to the square of the speed.
        ///
        /// # Equations
        /// `-flange.tau = support.tau = tau_nominal (w / w_nominal)^2`, multiplied by the sign of
        /// `w` if `TorqueDirection` is false.
        pub struct QuadraticSpeedDependentTorque
            = "Modelica.Mechanics.Rotational.Sources.QuadraticSpeedDependentTorque"
        {
            /// Nominal torque; if negative, it acts as a load
            tau_nominal: Real["N.m"],
            /// Nominal speed
            w_nominal: Real["rad/s", != 0],
            /// True if the sign of the torque does not depend on the sign of the speed
            torque_direction "TorqueDirection": bool[constant] = true,
            ..supported,
            ..accelerating,
        }
    }

    impl Component for QuadraticSpeedDependentTorque {
        fn contribute(
            p: QuadraticSpeedDependentTorqueParameters,
            c: &mut Contribution<'_>,
        ) -> Result<(), Error> {
            Source::new(c, &ROTATIONAL).law(c, move |_, w| {
                let tau = p.tau_nominal * (w / p.w_nominal).square();
                Ok(if p.torque_direction { tau } else { select(w.ge(0.0), tau, -tau) })
            });
            Ok(())
        }
    }

    component! {
        /// Torque inversely proportional to the speed.
        ///
        /// # Equations
        /// If `TorqueDirection` is true,
        /// `-flange.tau = support.tau = tau_nominal w_nominal / max(|w|, w0)`. If it is false, this
        /// torque is `tau_nominal w_nominal / w`, but `tau_nominal w / w0` while `|w| < w0`. As in
        /// the Modelica Standard Library, these two differ at `|w| = w0` by the factor
        /// `w_nominal / w0`, unless `w0` is `w_nominal`.
        ///
        /// # Events
        /// `|w|` reaches `w0`, if `TorqueDirection` is false.
        pub struct InverseSpeedDependentTorque
            = "Modelica.Mechanics.Rotational.Sources.InverseSpeedDependentTorque"
        {
            /// Nominal torque; if negative, it acts as a load
            tau_nominal: Real["N.m"],
            /// Nominal speed
            w_nominal: Real["rad/s", != 0],
            /// True if the sign of the torque does not depend on the sign of the speed
            torque_direction "TorqueDirection": bool[constant] = true,
            /// Speed below which the torque is regularized
            w0: Real["rad/s", > 0] = 0.1,
            ..supported,
            ..accelerating,
        }
    }

    impl Component for InverseSpeedDependentTorque {
        fn contribute(
            p: InverseSpeedDependentTorqueParameters,
            c: &mut Contribution<'_>,
        ) -> Result<(), Error> {
            let (slow, nominal) = (c.full("slow"), c.magnitude(p.w0));
            Source::new(c, &ROTATIONAL).law(c, move |e, w| {
                let tau = p.tau_nominal * p.w_nominal / w.abs().max(p.w0);
                if p.torque_direction {
                    return Ok(tau);
                }
                // The two branches differ at `w0` unless it is the nominal speed.
                let slow = e.model().relation(&slow, p.w0 - w.abs()).nominal(nominal).done();
                let fast = select(w.ge(0.0), tau, -tau);
                Ok(select(slow, p.tau_nominal * w / p.w0, fast))
            });
            Ok(())
        }
    }

    component! {
        /// Torque that changes its sign with the direction of motion.
        ///
        /// # Equations
        /// `-flange.tau = support.tau = tau_nominal sign(w)`, where `reg` selects how the sign is
        /// made continuous around zero.
        pub struct SignTorque = "Modelica.Mechanics.Rotational.Sources.SignTorque" {
            /// Nominal torque; if negative, it acts as a load
            tau_nominal: Real["N.m"],
            /// Speed below which the torque is regularized
            w0: Real["rad/s", > 0] = 0.1,
            /// Type of regularization
            reg: Regularization[constant] = Regularization::Exp,
            ..supported,
            ..accelerating,
        }
    }

    impl Component for SignTorque {
        fn contribute(p: SignTorqueParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            Source::new(c, &ROTATIONAL).law(c, move |_, w| Ok(p.tau_nominal * p.reg.sign(w, p.w0)));
            Ok(())
        }
    }
}
