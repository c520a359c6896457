//! Rigid bodies.

use super::free_movement::{Movement, Translation, translation_setters};
use super::free_orientation::{Orientation, orientation_setters};
use super::init::{States, states_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::MassProperties;
use crate::ports;
use crate::scene::Shape;
use crate::vector::zero;

/// Rigid body with its centre of mass at its frame; a joint has to hold it.
///
/// # Equations
/// `frame_a.f = m R (a - g)`, `frame_a.t = I z + w x (I w)` with the motion of `frame_a`. An
/// impulse changes `v` by `F / m` and `w` by `inverse(I) T`.
///
/// # Variables
/// `m` in kg, default 1; `I_ij` in kg.m2 in the axes of `frame_a`, default 0.001 on the diagonal.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Parts.SimpleBody.
#[derive(Clone, Debug)]
pub struct SimpleBody {
    mass: MassProperties,
}

ports! {
    /// Ports of a [`SimpleBody`].
    pub struct SimpleBodyPorts {
        /// The frame at the centre of mass.
        frame_a: frame,
    }
}

/// Rigid body with its centre of mass at its frame; it is free if nothing holds it.
///
/// # Equations
/// Those of [`SimpleBody`], and those of [`PotentialFBM`](super::PotentialFBM) for `frame_a`.
///
/// # Variables
/// `m` in kg, default 1; `I_ij` in kg.m2 in the axes of `frame_a`, default 0.001 on the diagonal;
/// the motion of `frame_a`: `x` in m, `v` in m/s, `a` in m/s2, resolved in the world, `w` in rad/s,
/// `z` in rad/s2 in its own axes. If nothing else holds the body, `x`, `v`, the quaternion `Q` of
/// `frame_a` and `w` are states (or, instead of the latter two, angles `phi` in rad and their
/// derivatives `phi_d`). `x_start` in m, `v_start` in m/s, `a_start` in m/s2; given in degrees:
/// `phi_start` in deg, `w_start` in deg/s and `z_start` in deg/s2; default 0.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Parts.Body.
#[derive(Clone, Debug)]
pub struct Body {
    mass: MassProperties,
    translation: Translation,
    orientation: Orientation,
    states: States,
}

ports! {
    /// Ports and variables of a [`Body`].
    pub struct BodyPorts {
        /// The frame at the centre of mass.
        frame_a: frame,
        /// Position in m, in world axes.
        x: vector,
        /// Velocity in m/s, in world axes.
        v: vector,
        /// Acceleration in m/s2, in world axes.
        a: vector,
        /// Angular velocity in rad/s, in the axes of `frame_a`.
        w: vector,
        /// Angular acceleration in rad/s2, in the axes of `frame_a`.
        z: vector,
    }
}

/// Constructor, and the methods that set the mass properties, kept in the field `mass`.
macro_rules! mass_setters {
    ($Component:ident) => {
        impl Default for $Component {
            fn default() -> Self {
                $Component::m(1.0)
            }
        }

        impl $Component {
            /// Moments of inertia `I_11, I_22, I_33` in kg.m2.
            #[must_use]
            pub fn inertia(mut self, diagonal: [f64; 3]) -> Self {
                self.mass.diagonal = diagonal;
                self
            }

            /// Products of inertia `I_21, I_31, I_32` in kg.m2.
            #[must_use]
            pub fn products(mut self, products: [f64; 3]) -> Self {
                self.mass.products = products;
                self
            }
        }
    };
}

mass_setters!(SimpleBody);
mass_setters!(Body);

impl SimpleBody {
    /// Of mass `m` in kg.
    pub fn m(m: f64) -> Self {
        SimpleBody { mass: MassProperties::new(m, [0.0; 3]) }
    }
}

impl Body {
    /// Of mass `m` in kg.
    pub fn m(m: f64) -> Self {
        Body {
            mass: MassProperties::new(m, [0.0; 3]),
            translation: Translation::default(),
            orientation: Orientation::default(),
            states: States::default(),
        }
    }
}

translation_setters!(Body);
orientation_setters!(Body);
states_setters!(Body);

impl OldComponent for SimpleBody {
    type Ports = SimpleBodyPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        self.mass.declare_centred(c, frame)?;
        c.shape("frame_a", |nominal| Shape::body_sphere(&zero(), nominal));
        Ok(())
    }
}

impl OldComponent for Body {
    type Ports = BodyPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        self.mass.declare_centred(c, frame)?;
        c.shape("frame_a", |nominal| Shape::body_sphere(&zero(), nominal));
        let movement = Movement { translation: self.translation, orientation: self.orientation };
        movement.join(c, frame, self.states, self.states.enforce)
    }
}
