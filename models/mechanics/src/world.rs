//! The world: the inertial frame and gravity.

use crate::declaration::{Function, Value, choice, plain_settings, prelude::*};
use crate::statements::spatial::gravity_field::{AccelerationField, Gravity, Potential};
use crate::statements::spatial::pose::Pose;
use crate::vector::{Vector, constant, dot, norm, scale, zero};
use equations::substitute;
use std::fmt;
use std::rc::Rc;

choice! {
    /// Kind of a gravity field.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum GravityType {
        /// No gravity.
        None,
        /// The same acceleration everywhere.
        Uniform,
        /// The field of a point mass at the origin of the world.
        Point,
    }
}

/// A user-defined gravity field.
#[derive(Clone, Default)]
pub struct GravityField {
    acceleration: Option<AccelerationField>,
    potential: Option<Potential>,
}

// For front ends, it is a function of the three coordinates of the position, with the three results
// of the acceleration and, if it is given, the potential as a fourth one.
plain_settings! {
    GravityField {
        fn from_value(value: Value) -> Result<Self, String> {
            let function = match value {
                Value::Function(function) if function.arguments == 3 => function,
                Value::Function(_) => return Err("a function of three coordinates is needed".into()),
                _ => return Err("a function of the position is needed".into()),
            };
            let has_potential = match function.results {
                3 => false,
                4 => true,
                _ => return Err("three results are needed, or four with the potential".into()),
            };
            let of_potential = function.clone();
            Ok(GravityField {
                acceleration: Some(Rc::new(move |r| {
                    Vector::from_iterator(function.at(r.as_slice()).into_iter().take(3))
                })),
                potential: has_potential
                    .then(|| -> Potential { Rc::new(move |r| of_potential.at(r.as_slice())[3]) }),
            })
        }

        fn to_value(&self) -> Option<Value> {
            let (acceleration, potential) = (self.acceleration.clone()?, self.potential.clone());
            let results = if potential.is_some() { 4 } else { 3 };
            Some(Value::Function(Function::new(3, results, move |r| {
                let r = Vector::from_column_slice(r);
                let mut results: Vec<Ex> = acceleration(&r).iter().copied().collect();
                results.extend(potential.as_ref().map(|potential| potential(&r)));
                results
            })))
        }
    },
}

component! {
    /// Inertial frame with a gravity field.
    ///
    /// It fixes mechanisms to the ground, and sets gravity.
    ///
    /// # Equations
    /// `frame_b.r_0 = 0`, and `frame_b.R` is the identity. Gravity acts on the centre of mass of
    /// each body. Its acceleration is `g n / |n|` (uniform), `-mu r / |r|^3` (point), or a function
    /// of the position `r`.
    pub struct World = "Modelica.Mechanics.MultiBody.World" {
        /// Kind of the gravity field
        gravity_type "gravityType": GravityType = GravityType::Uniform,
        /// Constant gravity acceleration
        g: Real["m/s2", structural zero, on demand] = 9.80665,
        /// Direction of gravity resolved in world frame
        n: Axis["1", on demand] = [0, -1, 0],
        /// Gravity constant times mass of the field; the default is that of the Earth
        mu: Real["m3/s2", >= 0, structural zero, on demand] = 3.986_004_418e14,
        /// User-defined gravity field, instead of those of `gravity_type`
        gravity_field "gravityField"?: GravityField,
        /// True if Mounting1D, Rotor1D and BevelGear1D act on their frames
        drive_train_mechanics_3d "driveTrainMechanics3D": bool = true,
        /// Length to which the sizes of shapes are related; by default twice that of the largest
        /// part
        nominal_length "nominalLength"?: Real["m", > 0, structural],
        /// Force of an arrow with a length of 1 m
        default_n_to_m "defaultN_to_m": Real["N/m", > 0, structural] = 1000,
        /// Torque of an arrow with a length of 1 m
        default_nm_to_m "defaultNm_to_m": Real["N.m/m", > 0, structural] = 1000,
    }
    ports {
        /// Inertial frame
        frame_b: Frame,
    }
}

impl World {
    /// A user-defined gravity field, instead of those of [`GravityType`]: the acceleration in m/s2
    /// at a position in m, both in world axes.
    #[must_use]
    pub fn gravity_acceleration(self, field: impl Fn(&Vector) -> Vector + 'static) -> Self {
        let given = self.gravity_field.clone().unwrap_or_default();
        self.gravity_field(GravityField { acceleration: Some(Rc::new(field)), ..given })
    }

    /// The potential in J/kg whose negative gradient is [`World::gravity_acceleration`].
    ///
    /// It is used in `energy.potential` only. Without it, such a field has no potential energy.
    #[must_use]
    pub fn gravity_potential(self, potential: impl Fn(&Vector) -> Ex + 'static) -> Self {
        let given = self.gravity_field.clone().unwrap_or_default();
        self.gravity_field(GravityField { potential: Some(Rc::new(potential)), ..given })
    }
}

impl Component for World {
    fn contribute(p: WorldParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let mut up = Y;
        let gravity = match (p.gravity_field, p.gravity_type) {
            (Some(GravityField { acceleration: Some(acceleration), potential }), _) => {
                field_of_model(acceleration, potential, c)
            }
            (Some(_), _) => {
                let why = "a potential requires gravity_acceleration, which is not given";
                return Err(c.refuse("gravity_potential", why));
            }
            (None, GravityType::None) => Gravity::Uniform(zero()),
            (None, GravityType::Uniform) => {
                let n = p.n.declare(c)?;
                up = n.map(|x| if x == 0.0 { 0.0 } else { -x });
                Gravity::Uniform(scale(&constant(n), p.g.declare(c)?))
            }
            (None, GravityType::Point) => {
                let mu = p.mu.declare(c)?;
                Gravity::Field {
                    acceleration: Rc::new(move |r| scale(r, -mu / (dot(r, r) * norm(r)))),
                    potential: Some(Rc::new(move |r| -mu / norm(r))),
                }
            }
        };
        c.world_of_shapes("frame_b", up, p.nominal_length, [p.default_n_to_m, p.default_nm_to_m]);
        c.gravity(gravity);
        if !p.drive_train_mechanics_3d {
            c.drive_trains_1d();
        }
        let frame_b = c.frame("frame_b");
        c.ground_frame(frame_b, Pose::identity());
        Ok(())
    }
}

/// A field that may depend on parameters of the model.
fn field_of_model(
    acceleration: AccelerationField,
    potential: Option<Potential>,
    c: &Contribution<'_>,
) -> Gravity {
    let parameters = Rc::new(c.model_parameters().to_vec());
    let of_potential = Rc::clone(&parameters);
    Gravity::Field {
        acceleration: Rc::new(move |r| {
            Vector::from_vec(substitute(acceleration(r).as_slice(), &parameters))
        }),
        potential: potential.map(|potential| -> Potential {
            Rc::new(move |r| substitute(&[potential(r)], &of_potential)[0])
        }),
    }
}

impl fmt::Debug for GravityField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GravityField")
            .field("has_acceleration", &self.acceleration.is_some())
            .field("has_potential", &self.potential.is_some())
            .finish()
    }
}
