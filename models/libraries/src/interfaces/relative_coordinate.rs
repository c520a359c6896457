//! The relative motion of two flanges: its variables and its states.

use super::rigid::initial_acceleration;
use equations::Ex;
use mechanics::component::{Contribution, PositionId, Starts};
use mechanics::domain::Domain;
use mechanics::domain::two_domains;
use mechanics::start::{Start, StateSelect, free};
use mechanics::statements::motion::ends::FlangeEnd;

/// The relative position of two flanges and its speed, which may be states.
#[derive(Clone, Copy, Debug)]
pub struct RelativeCoordinate {
    /// Start values.
    pub starts: Starts,
    /// Initial acceleration; used only if it is fixed.
    pub acceleration: Start,
    /// Nominal value of the relative position, for error control, in rad or m.
    pub nominal: f64,
    /// Preference as states.
    pub select: StateSelect,
}

impl Default for RelativeCoordinate {
    /// The default for elements between two flanges: see
    /// [`rotational::RelativeStarts`].
    fn default() -> Self {
        let (starts, select) = (Starts::default(), StateSelect::Prefer);
        RelativeCoordinate { starts, acceleration: free(), nominal: 1e-4, select }
    }
}

impl RelativeCoordinate {
    /// Declares both, under the names of their domain.
    pub fn declare(
        self,
        c: &mut Contribution<'_>,
        domain: &'static Domain,
        flanges: (FlangeEnd, FlangeEnd),
    ) -> PositionId {
        if self.acceleration.fixed {
            let difference = c.hidden_flange(domain);
            let one = Ex::one();
            c.linear(&[(difference, one), (flanges.0, one), (flanges.1, -one)], Ex::zero());
            initial_acceleration(c, difference, self.acceleration);
        }
        c.relative_position(domain, flanges, self.starts, self.nominal, self.select)
    }
}

/// Variables of elements between two flanges.
#[two_domains]
pub mod rotational {
    use super::RelativeCoordinate;
    use mechanics::component::Starts;
    use mechanics::declaration::{group, prelude::*};

    group! {
        /// Two flanges.
        pub struct FlangePair(pub flange_pair) {}
        ports {
            /// Left flange
            flange_a: Flange,
            /// Right flange
            flange_b: Flange,
        }
    }

    group! {
        /// The relative motion of two flanges.
        pub struct RelativeMotion(pub relative_motion) {}
        variables {
            /// Relative rotation angle
            phi_rel: Real["rad"],
            /// Relative angular velocity
            w_rel?: Real["rad/s"],
            /// Relative angular acceleration
            a_rel?: Real["rad/s2"],
        }
    }

    group! {
        /// Start values of the relative motion. It is preferred as states, so that the torque of a
        /// stiff element is not computed from the difference of two large numbers.
        pub struct RelativeStarts(pub relative_starts) {
            /// Start value of the relative angle
            phi_rel: Start["rad"] = free(),
            /// Start value of the relative angular velocity
            w_rel: Start["rad/s"] = free(),
            /// Initial relative angular acceleration; used only if it is fixed
            a_rel: Start["rad/s2"] = free(),
            /// Nominal value of the relative angle, which scales its error tolerance
            phi_nominal: Real["rad", > 0, structural] = 1e-4,
            /// Preference of `phi_rel` and `w_rel` as states
            states: StateSelect = Prefer,
        }
        variables {
            /// Torque between the flanges
            tau: Real["N.m"],
        }
    }

    impl From<RelativeStarts> for RelativeCoordinate {
        fn from(p: RelativeStarts) -> Self {
            let starts = Starts { position: p.phi_rel, speed: p.w_rel };
            let (acceleration, nominal) = (p.a_rel, p.phi_nominal);
            RelativeCoordinate { starts, acceleration, nominal, select: p.states }
        }
    }
}
