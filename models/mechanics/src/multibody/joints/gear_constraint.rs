//! A gear between two shafts in any directions.

use super::{Revolute, RevolutePorts};
use crate::assembly::{Assembly, Part, Quantity};
use crate::declaration::prelude::*;
use crate::multibody::parts::FixedTranslation;
use crate::rotational::IdealGear;

component! {
    /// Ideal gear without mass between two shafts in a housing, in any directions.
    ///
    /// # Equations
    /// The housing `bearing` carries a shaft at `r_a`, which `actuatedRevolute_a` turns about
    /// `n_a`, and a shaft at `r_b`, which `actuatedRevolute_b` turns about `n_b`; their angles are
    /// tied: `actuatedRevolute_a.phi = ratio actuatedRevolute_b.phi`. The torques of the gear act
    /// on both shafts, the housing takes the difference: no power is lost.
    pub part GearConstraint = "Modelica.Mechanics.MultiBody.Joints.GearConstraint" {
        /// Ratio of the angles of frame_a and frame_b
        ratio: Real["1", != 0, fixed],
        /// Axis of the first shaft, resolved in bearing
        n_a: Axis["1"] = X,
        /// Axis of the second shaft, resolved in bearing
        n_b: Axis["1"] = X,
        /// Position of the first shaft, resolved in bearing
        r_a: Vector3["m", fixed] = [0; 3],
        /// Position of the second shaft, resolved in bearing
        r_b: Vector3["m", fixed] = [0; 3],
        /// Start value of the angle of the second shaft
        phi_b: Start["rad"] = free(),
        /// Start value of its angular velocity
        w_b: Start["rad/s"] = free(),
        /// Preference of the angle of the second shaft as a state
        states: StateSelect = StateSelect::Default,
    }
    ports {
        /// The shaft that turns `ratio` times as fast
        frame_a: Frame,
        /// The other shaft
        frame_b: Frame,
        /// The housing
        bearing: Frame,
    }
    variables {
        /// Angle of the second shaft against the housing
        phi_b: Real["rad"],
        /// Angular velocity of the second shaft against the housing
        w_b: Real["rad/s"],
        /// Angular acceleration of the second shaft against the housing
        a_b: Real["rad/s2"],
    }
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

crate::in_line!(GearConstraintPorts: frame_a: Frame, frame_b: Frame);

impl Part for GearConstraint {
    type Ports = GearConstraintPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> GearConstraintPorts {
        let GearConstraint { ratio, phi_b, w_b, .. } = self;
        let at = |r: Option<Vector3>| FixedTranslation::new().r(r.unwrap_or([0; 3].into()));
        let near_b = m.add(format!("{name}.fixedTranslation1"), at(self.r_b));
        let near_a = m.add(format!("{name}.fixedTranslation2"), at(self.r_a));
        let about = |n: Option<Axis>| Revolute::new().n(n.unwrap_or(X.into()));
        let a = about(self.n_a).states(StateSelect::Default);
        let a = m.add(format!("{name}.actuatedRevolute_a"), a);
        let b = about(self.n_b).states(self.states.unwrap_or_default());
        let b = m.add(format!("{name}.actuatedRevolute_b"), Revolute { phi: phi_b, w: w_b, ..b });
        let gear = m.add(format!("{name}.idealGear"), IdealGear { ratio });
        let shown = m.add(name, Shown::new());
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

component! {
    /// What the whole shows of its second shaft.
    pub struct Shown {}
    ports {
        /// Angle
        phi "actuatedRevolute_b.phi": Input["rad"],
        /// Angular velocity
        w "actuatedRevolute_b.w": Input["rad/s"],
        /// Angular acceleration
        a "actuatedRevolute_b.a": Input["rad/s2"],
    }
    variables {
        /// Angle of the second shaft against the housing
        phi_b: Real["rad"],
        /// Angular velocity of the second shaft against the housing
        w_b: Real["rad/s"],
        /// Angular acceleration of the second shaft against the housing
        a_b: Real["rad/s2"],
    }
}

impl Component for Shown {
    fn contribute(_: ShownParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let inputs = [
            ("phi_b", c.input("actuatedRevolute_b.phi")?),
            ("w_b", c.input("actuatedRevolute_b.w")?),
            ("a_b", c.input("actuatedRevolute_b.a")?),
        ];
        c.law(move |e| {
            for (local, input) in inputs {
                let value = e.read(input)?;
                e.variable(local, value);
            }
            Ok(())
        });
        Ok(())
    }
}
