//! A gear between two shafts in any directions.

use super::{Revolute, RevolutePorts};
use crate::assembly::{Assembly, Frame, Part, Quantity};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::parts::FixedTranslation;
use crate::ports;
use crate::rotational::IdealGear;
use crate::start::{Start, StateSelect};
use crate::vector::X;

/// Ideal gear without mass between two shafts in a housing, in any directions.
///
/// # Equations
/// The housing `bearing` carries a shaft at `r_a`, which `actuatedRevolute_a` turns about `n_a`,
/// and a shaft at `r_b`, which `actuatedRevolute_b` turns about `n_b`; their angles are tied:
/// `actuatedRevolute_a.phi = ratio actuatedRevolute_b.phi`. The torques of the gear act on both
/// shafts, the housing takes the difference: no power is lost.
///
/// # Variables
/// `ratio`, `n_a`, `n_b` without unit; `r_a`, `r_b` in m; `phi_b = actuatedRevolute_b.phi` in rad,
/// `w_b` in rad/s, `a_b` in rad/s2. Axes and positions are resolved in `bearing`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.GearConstraint.
#[derive(Clone, Debug)]
pub struct GearConstraint {
    ratio: f64,
    n_a: [f64; 3],
    n_b: [f64; 3],
    r_a: [f64; 3],
    r_b: [f64; 3],
    phi_b: Start,
    w_b: Start,
    states: StateSelect,
}

/// Ports and variables of a [`GearConstraint`], and its joints.
#[derive(Clone, Copy, Debug)]
pub struct GearConstraintPorts {
    /// The shaft that turns `ratio` times as fast.
    pub frame_a: Frame,
    /// The other shaft.
    pub frame_b: Frame,
    /// The housing.
    pub bearing: Frame,
    /// Angle of the other shaft in rad.
    pub phi_b: Quantity,
    /// Its angular velocity in rad/s.
    pub w_b: Quantity,
    /// Its angular acceleration in rad/s2.
    pub a_b: Quantity,
    /// The joint of `frame_a`.
    pub actuated_revolute_a: RevolutePorts,
    /// The joint of `frame_b`.
    pub actuated_revolute_b: RevolutePorts,
}

impl GearConstraint {
    /// With the ratio of the angles of `frame_a` and `frame_b`, both shafts about x.
    pub fn ratio(ratio: f64) -> Self {
        let (origin, start) = ([0.0; 3], Start::default());
        GearConstraint {
            ratio,
            n_a: X,
            n_b: X,
            r_a: origin,
            r_b: origin,
            phi_b: start,
            w_b: start,
            states: StateSelect::Default,
        }
    }
}

crate::setters! {
    impl GearConstraint {
        /// Axis of the first shaft, resolved in `bearing`.
        n_a: [f64; 3],
        /// Axis of the second shaft, resolved in `bearing`.
        n_b: [f64; 3],
        /// Position of the first shaft in m, resolved in `bearing`.
        r_a: [f64; 3],
        /// Position of the second shaft in m, resolved in `bearing`.
        r_b: [f64; 3],
        /// Start value of the angle of the second shaft in rad.
        phi_b: Start,
        /// Start value of its angular velocity in rad/s.
        w_b: Start,
        /// Preference of the angle of the second shaft as a state.
        states: StateSelect,
    }
}

impl Part for GearConstraint {
    type Ports = GearConstraintPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> GearConstraintPorts {
        let near_b =
            m.add(format!("{name}.fixedTranslation1"), FixedTranslation::new().r(self.r_b));
        let near_a =
            m.add(format!("{name}.fixedTranslation2"), FixedTranslation::new().r(self.r_a));
        let a = Revolute::new().n(self.n_a).states(StateSelect::Default);
        let a = m.add(format!("{name}.actuatedRevolute_a"), a);
        let b = Revolute::new().n(self.n_b).phi(self.phi_b).w(self.w_b).states(self.states);
        let b = m.add(format!("{name}.actuatedRevolute_b"), b);
        let gear = m.add(format!("{name}.idealGear"), IdealGear::new().ratio(self.ratio));
        let shown = m.add(name, Shown);
        m.connect(near_a.frame_a, near_b.frame_a);
        m.connect(near_a.frame_b, a.frame_a);
        m.connect(near_b.frame_b, b.frame_a);
        m.connect(a.axis, gear.flange_a);
        m.connect(gear.flange_b, b.axis);
        m.connect(b.phi, shown.phi);
        m.connect(b.w, shown.w);
        m.connect(b.a, shown.a);
        GearConstraintPorts {
            frame_a: a.frame_b,
            frame_b: b.frame_b,
            bearing: near_a.frame_a,
            phi_b: shown.phi_b,
            w_b: shown.w_b,
            a_b: shown.a_b,
            actuated_revolute_a: a,
            actuated_revolute_b: b,
        }
    }
}

/// What the whole shows of its second shaft.
#[derive(Clone, Debug)]
struct Shown;

ports! {
    /// Variables of the whole.
    pub struct ShownPorts {
        /// Angle in rad.
        phi: input = "actuatedRevolute_b.phi",
        /// Angular velocity in rad/s.
        w: input = "actuatedRevolute_b.w",
        /// Angular acceleration in rad/s2.
        a: input = "actuatedRevolute_b.a",
        /// Angle in rad.
        phi_b: quantity,
        /// Angular velocity in rad/s.
        w_b: quantity,
        /// Angular acceleration in rad/s2.
        a_b: quantity,
    }
}

impl OldComponent for Shown {
    type Ports = ShownPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Motion of the second shaft against the housing";
        let inputs = [
            ("phi_b", "rad", c.input("actuatedRevolute_b.phi")?),
            ("w_b", "rad/s", c.input("actuatedRevolute_b.w")?),
            ("a_b", "rad/s2", c.input("actuatedRevolute_b.a")?),
        ];
        c.law(move |e| {
            for (local, unit, input) in inputs {
                let value = e.read(input)?;
                e.variable(local, value).unit(unit).describe(text);
            }
            Ok(())
        });
        Ok(())
    }
}
