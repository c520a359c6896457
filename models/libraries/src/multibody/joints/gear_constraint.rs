//! A gear between two shafts in any directions.

use super::Revolute;
use crate::multibody::parts::FixedTranslation;
use crate::rotational::IdealGear;
use mechanics::assembly::{Assembly, Part};
use mechanics::declaration::{group, prelude::*};

group! {
    /// Motion of the second shaft.
    pub struct SecondShaft(second_shaft) {}
    variables {
        /// Angle of the second shaft relative to the housing
        phi_b: Real["rad"],
        /// Angular velocity of the second shaft relative to the housing
        w_b: Real["rad/s"],
        /// Angular acceleration of the second shaft relative to the housing
        a_b: Real["rad/s2"],
    }
}

component! {
    /// Ideal massless gear in a housing, between two shafts in any directions.
    ///
    /// It is a bevel, worm or spur gear whose housing moves in space.
    ///
    /// # Equations
    /// The housing `bearing` carries a shaft at `r_a`, which `actuatedRevolute_a` rotates about
    /// `n_a`, and a shaft at `r_b`, which `actuatedRevolute_b` rotates about `n_b`.
    /// `actuatedRevolute_a.phi = ratio actuatedRevolute_b.phi`. The torques of the gear act on both
    /// shafts, and the housing balances them; no power is lost.
    pub part GearConstraint = "Modelica.Mechanics.MultiBody.Joints.GearConstraint" {
        /// Ratio of the angles of frame_a and frame_b
        ratio: Real["1", != 0, fixed],
        /// Axis of the first shaft, resolved in bearing
        n_a: Axis["1"] = X,
        /// Axis of the second shaft, resolved in bearing
        n_b: Axis["1"] = X,
        /// Position of the first shaft, resolved in bearing
        r_a: [Real; 3]["m", fixed] = [0; 3],
        /// Position of the second shaft, resolved in bearing
        r_b: [Real; 3]["m", fixed] = [0; 3],
        /// Start value of the angle of the first shaft
        phi_a "actuatedRevolute_a.phi": Start["rad"] = free(),
        /// Start value of the angular velocity of the first shaft
        w_a "actuatedRevolute_a.w": Start["rad/s"] = free(),
        /// Start value of the angle of the second shaft
        phi_b: Start["rad"] = free(),
        /// Start value of the angular velocity of the second shaft
        w_b: Start["rad/s"] = free(),
        /// Preference of the angle of the second shaft as a state
        states: StateSelect = StateSelect::Default,
        ..second_shaft,
    }
    ports {
        /// Shaft whose angle is `ratio` times that of the other one
        frame_a: Frame,
        /// Second shaft
        frame_b: Frame,
        /// Housing
        bearing: Frame,
    }
    parts {
        /// Joint of `frame_a`
        actuated_revolute_a "actuatedRevolute_a": Revolute,
        /// Joint of `frame_b`
        actuated_revolute_b "actuatedRevolute_b": Revolute,
    }
}

impl Part for GearConstraint {
    type Ports = GearConstraintPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> GearConstraintPorts {
        let p = self.given(m, &name);
        let to = |r: mechanics::declaration::Vector3| FixedTranslation::new().r(r);
        let near_b = m.add(format!("{name}.fixedTranslation1"), to(p.r_b));
        let near_a = m.add(format!("{name}.fixedTranslation2"), to(p.r_a));
        let a = Revolute::new().n(p.n_a).phi(p.phi_a).w(p.w_a).states(StateSelect::Default);
        let a = m.add(format!("{name}.actuatedRevolute_a"), a);
        let b = Revolute::new().n(p.n_b).phi(p.phi_b).w(p.w_b).states(p.states);
        let b = m.add(format!("{name}.actuatedRevolute_b"), b);
        let gear = m.add(format!("{name}.idealGear"), IdealGear::new().ratio(p.ratio));
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
    /// The variables of the second shaft that the whole gear publishes.
    pub struct Shown {
        ..second_shaft,
    }
    ports {
        /// Angle
        phi "actuatedRevolute_b.phi": Input["rad"],
        /// Angular velocity
        w "actuatedRevolute_b.w": Input["rad/s"],
        /// Angular acceleration
        a "actuatedRevolute_b.a": Input["rad/s2"],
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
