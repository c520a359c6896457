//! Shared parts of friction elements: faces that a signal presses together, a shaft (or rod) with
//! friction against a support, and two flanges with friction between them.

use crate::interfaces::friction::FrictionPorts;
use crate::interfaces::relative_coordinate::RelativeCoordinate;
use mechanics::component::Contribution;
use mechanics::domain::Domain;
use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use crate::interfaces::characteristic::Characteristic;
    use crate::interfaces::friction::{self, FrictionPorts, Law};
    use crate::interfaces::two_flanges_and_support;
    use equations::{Bool, select};
    use mechanics::component::Starts;
    use mechanics::declaration::{group, prelude::*};
    use mechanics::domain::ROTATIONAL;
    use mechanics::port::PortId;
    use mechanics::statements::laws::signal_view::SignalView;

    group! {
        /// Friction faces that a signal presses together.
        ///
        /// `mu_pos` contains rows of a speed and the coefficient. It is linear between the rows,
        /// and beyond the last row on the line through the last two, but never negative.
        pub struct Faces(pub faces) {
            /// Friction coefficient depending on speed
            mu_pos: [[Real]]["rad/s, 1", >= 0] = 0.5,
            /// Ratio of the largest friction at rest to mu_pos[1,2]
            peak: Real["1", >= 1] = 1,
            /// Geometry constant that contains the friction distribution
            cgeo: Real[either!("m", "1"), >= 0, structural zero] = 1,
            /// Maximum normal force
            fn_max: Real["N", >= 0, structural zero],
            /// Relative speed that a jump through zero must exceed to reverse the direction of
            /// sliding
            w_small: Real["rad/s", >= 0, structural zero] = either!(1e10, 1e-3),
        }
        ports {
            /// Normalized force signal
            f_normalized: Input["1"],
        }
        variables {
            /// Normalized force signal
            normalized "f_normalized": Real["1"],
            /// Normal force
            normal "fn": Real["N"],
            /// True while there is no normal force
            free: Boolean,
        }
    }

    /// Friction faces with the present normal force.
    #[derive(Debug)]
    pub struct Pressed {
        /// The faces.
        pub faces: Faces,
        /// Friction coefficient.
        mu: Characteristic,
        /// True while there is no normal force.
        pub free: Bool,
        normal: Ex,
    }

    impl Faces {
        /// Adds the friction of the faces at a place; `law` determines it from the relative speed
        /// and the faces.
        pub fn contribute(
            self,
            c: &mut Contribution<'_>,
            place: FrictionPorts,
            law: impl FnOnce(&mut SignalView<'_>, Ex, &Pressed) -> Law + 'static,
        ) -> Result<(), Error> {
            let f_normalized = c.input("f_normalized")?;
            let mu = Characteristic::new(c, self.mu_pos.clone())?;
            friction::contribute(c, place, move |e, relative| {
                let pressed = self.press(e, mu, f_normalized)?;
                let law = law(e, relative.v, &pressed);
                Ok(Law { nominal: pressed.nominal(), ..law })
            });
            Ok(())
        }

        /// Reads the signal, and publishes the normal force and whether there is one.
        fn press(
            self,
            e: &mut SignalView<'_>,
            mu: Characteristic,
            f_normalized: PortId,
        ) -> Result<Pressed, Error> {
            let f_normalized = e.read(f_normalized)?;
            let normal = self.fn_max * f_normalized;
            let name = e.full("fn > 0");
            // The sign of the normal force is that of the signal, which is of order one.
            let pressed = e.model().relation(&name, f_normalized).done() & self.fn_max.gt(0.0);
            e.variable("f_normalized", f_normalized);
            e.variable("fn", normal);
            e.variable("free", !pressed);
            Ok(Pressed { faces: self, mu, free: !pressed, normal })
        }
    }

    impl Pressed {
        /// The torque at rest with the largest normal force.
        pub fn largest(&self) -> Ex {
            self.mu.at(Ex::zero()) * self.faces.cgeo * self.faces.fn_max
        }

        /// Magnitude of the torques, for scaling.
        fn nominal(&self) -> Ex {
            select(self.largest().gt(0.0), self.largest(), 1.0)
        }

        /// The sliding torque at a speed in forward direction.
        pub fn tau(&self, w: Ex) -> Ex {
            self.mu.at(w) * (self.faces.cgeo * self.normal)
        }

        /// The same friction in both directions, and none while there is no normal force.
        pub fn coulomb(&self, w: Ex) -> Law {
            let law = Law::coulomb(|w| self.tau(w), w, self.faces.peak, self.faces.w_small);
            Law { free: self.free, ..law }
        }
    }

    group! {
        /// A shaft in a support: `flange_a` and `flange_b` move together, and friction acts between
        /// them and the support.
        pub struct Shaft(pub shaft) {
            /// Start value of the angle relative to the housing
            phi: Start["rad"] = free(),
            /// Start value of the angular velocity relative to the housing
            w: Start["rad/s"] = free(),
        }
        ports {
            /// Left flange of the shaft
            flange_a: Flange,
            /// Right flange of the shaft
            flange_b: Flange,
            /// Housing
            support: Flange,
        }
        variables {
            /// Angle relative to the housing
            phi: Real["rad"],
            /// Angular velocity relative to the housing
            w: Real["rad/s"],
            /// Angular acceleration relative to the housing
            a: Real["rad/s2"],
            /// Friction against the relative motion
            tau: Real["N.m"],
        }
    }

    impl Shaft {
        /// The place where its friction acts.
        pub fn place(&self, c: &mut Contribution<'_>) -> FrictionPorts {
            let domain = &ROTATIONAL;
            let [a, b, support] = two_flanges_and_support(c, domain);
            c.rigid_flanges(a, b);
            // The motion of the inertia on the shaft is preferred as a state, because the support
            // may move.
            let starts = Starts { position: self.phi, speed: self.w };
            c.supported_position(domain, (support, a), starts, Avoid);
            FrictionPorts::between(c, domain, Some(support), a)
        }
    }
}

/// Friction between two flanges, whose relative position may be a state.
pub fn between_flanges(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    relative: impl Into<RelativeCoordinate>,
) -> FrictionPorts {
    let (a, b) = super::two_flanges(c, domain);
    relative.into().declare(c, domain, (a, b));
    FrictionPorts { speed: &domain.relative_speed, ..FrictionPorts::between(c, domain, Some(a), b) }
}
