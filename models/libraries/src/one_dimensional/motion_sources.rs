//! Sources that prescribe the motion of a flange.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use crate::interfaces::prescribed_motion::{
        motion, prescribe, prescribe_acceleration, prescribe_speed,
    };
    use crate::interfaces::source::rotational::{driving, supported};
    use mechanics::component::Starts;
    use mechanics::declaration::prelude::*;
    use mechanics::domain::ROTATIONAL;
    use mechanics::statements::contributions::flanges::MotionLaw;
    use mechanics::statements::laws::signal_view::Signal;
    use std::f64::consts::TAU;

    component! {
        /// Forced movement of a flange at a constant speed.
        ///
        /// It is a drive that keeps its speed under every load.
        ///
        /// # Equations
        /// `der(phi) = w_fixed` with `phi = flange.phi - support.phi`; the support takes the
        /// reaction. `phi` is a state.
        pub struct ConstantSpeed = "Modelica.Mechanics.Rotational.Sources.ConstantSpeed" {
            /// Fixed speed
            w_fixed: Real["rad/s"],
            /// Start value of the angle
            phi: Start["rad"] = free(),
            ..supported,
            ..driving,
        }
    }

    impl Component for ConstantSpeed {
        fn contribute(p: ConstantSpeedParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            prescribe_speed(c, &ROTATIONAL, p.phi, move |_| Ok(p.w_fixed));
            Ok(())
        }
    }

    component! {
        /// Forced movement of a flange with a speed given by a signal.
        ///
        /// It is a drive that follows a profile of speeds under every load.
        ///
        /// # Equations
        /// `phi = flange.phi - support.phi`. If `exact`, `w = der(phi) = w_ref`, and `phi` is a
        /// state. Otherwise the reference passes through a filter of first order:
        /// `a = der(w) = (w_ref - w) 2 pi f_crit` with `w = w_ref` at the start, and `phi` and `w`
        /// are states.
        ///
        /// If `exact`, the speed jumps when the signal jumps. An input of the FMU is then regarded
        /// as constant between events, so the acceleration is zero.
        pub struct Speed = "Modelica.Mechanics.Rotational.Sources.Speed" {
            /// True if the flange follows the reference exactly, false if it follows the filtered
            /// reference
            exact: bool[constant] = false,
            /// Critical frequency of the filter
            f_crit: Real["Hz", > 0, on demand] = 50,
            /// Start value of the angle
            phi: Start["rad"] = fixed(0),
            ..supported,
            ..driving,
        }
        ports {
            /// Reference angular velocity
            w_ref: Input["rad/s"],
        }
    }

    impl Component for Speed {
        fn contribute(p: SpeedParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let w_ref = c.input("w_ref")?;
            if p.exact {
                p.f_crit.constant(c)?;
                prescribe_speed(c, &ROTATIONAL, p.phi, move |e| e.read(w_ref));
                return Ok(());
            }
            let critical = p.f_crit.declare(c)? * TAU;
            let starts = Starts { position: p.phi, speed: free() };
            let initial: Signal = Box::new(move |e| e.read(w_ref));
            prescribe_acceleration(
                c,
                &ROTATIONAL,
                starts,
                [None, Some(initial)],
                move |e, _, w| Ok((e.read(w_ref)? - w) * critical),
            );
            Ok(())
        }
    }

    component! {
        /// Forced movement of a flange to an angle given by a signal.
        ///
        /// It is an ideal servo that follows a path, or the motion of a cam.
        ///
        /// # Equations
        /// `phi = flange.phi - support.phi`. If `exact`, `phi = phi_ref`. Otherwise the reference
        /// passes through a Bessel filter of second order: `w = der(phi)`,
        /// `a = der(w) = ((phi_ref - phi) wc - 1.3617 w) wc / 0.6180` with `wc = 2 pi f_crit` and
        /// `phi = phi_ref` at the start, and `phi` and `w` are states.
        ///
        /// If `exact`, the flange jumps when the signal jumps. An input of the FMU is then regarded
        /// as constant between events, so the speed is zero.
        pub struct Position = "Modelica.Mechanics.Rotational.Sources.Position" {
            /// True if the flange follows the reference exactly, false if it follows the filtered
            /// reference
            exact: bool[constant] = false,
            /// Critical frequency of the filter
            f_crit: Real["Hz", > 0, on demand] = 50,
            /// Start value of the angular velocity; used only with the filter
            w: Start["rad/s"] = free(),
            ..supported,
            ..driving,
        }
        ports {
            /// Reference angle
            phi_ref: Input["rad"],
        }
    }

    /// Damping of the Bessel filter of second order.
    const BESSEL_DAMPING: f64 = 1.3617;
    /// Frequency of the Bessel filter of second order, relative to its critical frequency.
    const BESSEL_FREQUENCY: f64 = 0.6180;

    impl Component for Position {
        fn contribute(p: PositionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let phi_ref = c.input("phi_ref")?;
            if p.exact {
                p.f_crit.constant(c)?;
                prescribe(c, &ROTATIONAL, MotionLaw::Position(Box::new(move |e| e.read(phi_ref))));
                return Ok(());
            }
            let critical = p.f_crit.declare(c)? * TAU;
            let starts = Starts { position: free(), speed: p.w };
            let initial: Signal = Box::new(move |e| e.read(phi_ref));
            prescribe_acceleration(
                c,
                &ROTATIONAL,
                starts,
                [Some(initial), None],
                move |e, phi, w| {
                    let spring = (e.read(phi_ref)? - phi) * critical;
                    Ok((spring - w * BESSEL_DAMPING) * (critical / BESSEL_FREQUENCY))
                },
            );
            Ok(())
        }
    }

    component! {
        /// Forced movement of a flange with an acceleration given by a signal.
        ///
        /// It is a drive that follows a measured acceleration.
        ///
        /// # Equations
        /// `der(phi) = w` and `der(w) = a_ref` with `phi = flange.phi - support.phi`. `phi` and `w`
        /// are states.
        pub struct Accelerate = "Modelica.Mechanics.Rotational.Sources.Accelerate" {
            /// Start value of the angle
            phi: Start["rad"] = fixed(0),
            /// Start value of the angular velocity
            w: Start["rad/s"] = fixed(0),
            ..supported,
            ..driving,
        }
        ports {
            /// Angular acceleration
            a_ref: Input["rad/s2"],
        }
    }

    impl Component for Accelerate {
        fn contribute(p: AccelerateParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let a_ref = c.input("a_ref")?;
            let starts = Starts { position: p.phi, speed: p.w };
            let initial = [None, None];
            prescribe_acceleration(c, &ROTATIONAL, starts, initial, move |e, _, _| e.read(a_ref));
            Ok(())
        }
    }

    component! {
        /// Forced movement of a flange with angle, speed and acceleration given by signals.
        ///
        /// It is a drive that follows a path whose derivatives are known too.
        ///
        /// # Equations
        /// `phi = u[1]`, `w = u[2]` and `a = u[3]` with `phi = flange.phi - support.phi`,
        /// `w = der(phi)` and `a = der(w)`. The signals must be consistent.
        pub struct Move = "Modelica.Mechanics.Rotational.Sources.Move" {
            ..supported,
            ..driving,
        }
        ports {
            /// Angle
            u1 "u[1]": Input["rad"],
            /// Angular velocity
            u2 "u[2]": Input["rad/s"],
            /// Angular acceleration
            u3 "u[3]": Input["rad/s2"],
        }
    }

    impl Component for Move {
        fn contribute(_: MoveParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let phi = c.input("u[1]")?;
            let w = c.input("u[2]")?;
            let a = c.input("u[3]")?;
            prescribe(c, &ROTATIONAL, motion([phi, w, a]));
            Ok(())
        }
    }
}
