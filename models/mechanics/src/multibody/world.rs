//! The world: the inertial frame and gravity.

use crate::compile::gravity::{Acceleration, Gravity, Potential};
use crate::compile::structure::Pose;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::vector::{Vector, constant, dot, norm, scale, zero};
use crate::{ports, setters};
use equations::{Ex, Limits};
use std::fmt;
use std::rc::Rc;

/// The kind of a gravity field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GravityType {
    /// No gravity.
    None,
    /// The same everywhere.
    #[default]
    Uniform,
    /// That of a point mass at the origin of the world.
    Point,
}

/// Inertial frame with a gravity field.
///
/// # Equations
/// `frame_b.r_0 = 0`, `frame_b.R` is the identity. Gravity acts on the centre of mass of each body,
/// with the acceleration `g n / |n|` (uniform), `-mu r / |r|^3` (point) or a function of the
/// position `r`.
///
/// # Variables
/// `g` in m/s2, default 9.80665; `n` direction of gravity, default `{0, -1, 0}`; `mu` in m3/s2,
/// default 3.986004418e14 (the Earth); `driveTrainMechanics3D`, default true: whether `Mounting1D`,
/// `Rotor1D` and `BevelGear1D` act on their frames; `nominal_length`, 1 m unless given, is for
/// pictures only.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.World.
#[derive(Clone)]
pub struct World {
    gravity_type: GravityType,
    g: f64,
    n: [f64; 3],
    mu: f64,
    drive_train_mechanics_3d: bool,
    nominal_length: f64,
    acceleration: Option<Acceleration>,
    potential: Option<Potential>,
}

impl Default for World {
    fn default() -> Self {
        World {
            gravity_type: GravityType::Uniform,
            g: 9.80665,
            n: [0.0, -1.0, 0.0],
            mu: 3.986_004_418e14,
            drive_train_mechanics_3d: true,
            nominal_length: 1.0,
            acceleration: None,
            potential: None,
        }
    }
}

ports! {
    /// Ports of the [`World`].
    pub struct WorldPorts {
        /// The inertial frame.
        frame_b: frame,
    }
}

setters! {
    impl World {
        /// Kind of the gravity field.
        gravity_type: GravityType,
        /// Gravity acceleration in m/s2; zero for none.
        g: f64,
        /// Direction of gravity.
        n: [f64; 3],
        /// Gravity constant times mass of a point field in m3/s2.
        mu: f64,
        /// Whether 1-D drive trains act on the frames that carry them.
        drive_train_mechanics_3d: bool,
        /// Length in m that sizes in pictures follow.
        nominal_length: f64,
    }
}

impl World {
    /// A gravity field of one's own, in place of those of [`GravityType`]: the acceleration in m/s2
    /// at a position in m, both in world axes.
    #[must_use]
    pub fn gravity_acceleration(self, field: impl Fn(&Vector) -> Vector + 'static) -> Self {
        World { acceleration: Some(Rc::new(field)), ..self }
    }

    /// The potential in J/kg of which [`World::gravity_acceleration`] is the negative gradient.
    ///
    /// It counts in `energy.potential` and nowhere else; without it such a field has no energy.
    #[must_use]
    pub fn gravity_potential(self, potential: impl Fn(&Vector) -> Ex + 'static) -> Self {
        World { potential: Some(Rc::new(potential)), ..self }
    }

    fn uniform(&self, c: &mut Contribution<'_>) -> Result<Gravity, Error> {
        c.finite("g", self.g, "m/s2")?;
        let direction = c.axis("n", self.n, "Direction of gravity resolved in world frame")?;
        let text = "Constant gravity acceleration";
        let g: Ex = if self.g == 0.0 {
            c.constant("g", 0.0, "m/s2", text);
            Ex::zero()
        } else {
            c.parameter("g", self.g).unit("m/s2").describe(text).tunable().into()
        };
        Ok(Gravity::Uniform(scale(&constant(direction), g)))
    }

    fn point(&self, c: &mut Contribution<'_>) -> Result<Gravity, Error> {
        let mu = c.amount("mu", self.mu, "m3/s2", "Gravity constant times mass of the field")?;
        Ok(Gravity::Field {
            acceleration: Rc::new(move |r| scale(r, -mu / (dot(r, r) * norm(r)))),
            potential: Some(Rc::new(move |r| -mu / norm(r))),
        })
    }
}

impl OldComponent for World {
    type Ports = WorldPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let gravity = match (&self.acceleration, self.gravity_type) {
            (Some(acceleration), _) => Gravity::Field {
                acceleration: Rc::clone(acceleration),
                potential: self.potential.clone(),
            },
            (None, _) if self.potential.is_some() => {
                let why = "a potential belongs to a gravity acceleration, which is not given";
                return Err(c.refuse("gravity_potential", why));
            }
            (None, GravityType::None) => Gravity::Uniform(zero()),
            (None, GravityType::Uniform) => self.uniform(c)?,
            (None, GravityType::Point) => self.point(c)?,
        };
        c.check("nominalLength", self.nominal_length, "m", Limits::POSITIVE)?;
        c.nominal_length(self.nominal_length);
        c.gravity(gravity);
        if !self.drive_train_mechanics_3d {
            c.drive_trains_1d();
        }
        let frame_b = c.frame("frame_b");
        c.ground_frame(frame_b, Pose::identity());
        Ok(())
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("gravity_type", &self.gravity_type)
            .field("g", &self.g)
            .field("n", &self.n)
            .field("mu", &self.mu)
            .field("drive_train_mechanics_3d", &self.drive_train_mechanics_3d)
            .field("nominal_length", &self.nominal_length)
            .field("has_acceleration", &self.acceleration.is_some())
            .field("has_potential", &self.potential.is_some())
            .finish()
    }
}
