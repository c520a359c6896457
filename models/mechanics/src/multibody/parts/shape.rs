//! A solid between two frames, from which mass and inertia of a body follow.

use super::body::motion;
use super::fixed_translation::rod;
use super::free::Free;
use crate::component::Contribution;
use crate::error::Error;
use crate::scene::{self, Form, Length};
use crate::vector::{Matrix, Vector, constant, from_nxy, norm, normalize, resolve_dyade1, scale};
use equations::{Ex, Limits};

/// Where a solid begins, where it points, and of what it is.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    r: [f64; 3],
    pub r_shape: [f64; 3],
    pub length_direction: Option<[f64; 3]>,
    pub length: Option<f64>,
    pub density: f64,
}

/// A solid as expressions.
pub(super) struct Solid {
    pub length: Ex,
    pub density: Ex,
    r_shape: Vector,
    direction: Vector,
    r_cm: Vector,
    r: Vector,
}

impl Shape {
    pub fn new(r: [f64; 3]) -> Self {
        Shape { r, r_shape: [0.0; 3], length_direction: None, length: None, density: 7700.0 }
    }

    /// What diameter or width are unless they are given, in m.
    pub fn default_width(&self) -> f64 {
        self.numeric_length() / 20.0
    }

    fn numeric_length(&self) -> f64 {
        let distance = || (0..3).map(|i| (self.r[i] - self.r_shape[i]).powi(2)).sum::<f64>().sqrt();
        self.length.unwrap_or_else(distance)
    }

    pub fn declare(&self, c: &mut Contribution<'_>) -> Result<Solid, Error> {
        let length = self.numeric_length();
        c.check("length", length, "m", Limits::POSITIVE)?;
        let r = rod(c, self.r)?;
        let text = "Vector from frame_a to the beginning of the shape, resolved in frame_a";
        let r_shape = c.vector("r_shape", self.r_shape, "m", text)?;
        let text = "Density of the shape";
        let density = c.inertia_value("density", self.density, "kg/m3", text)?;
        let along = r - r_shape;
        let length = match self.length {
            Some(length) => size(c, "length", length, "Length of the shape")?,
            None => {
                let length = norm(&along);
                let text = "Length of the shape";
                c.law(move |e| {
                    e.variable("length", length).unit("m").describe(text);
                    Ok(())
                });
                length
            }
        };
        let direction = match self.length_direction {
            Some(direction) => constant(c.axis("lengthDirection", direction, "Its direction")?),
            None => {
                let given = (0..3).any(|i| self.r[i] != self.r_shape[i]);
                if !given {
                    let why = "r and r_shape are equal, so that the shape has no direction";
                    return Err(c.refuse("lengthDirection", why));
                }
                normalize(&along)
            }
        };
        let r_cm = r_shape + scale(&direction, length * 0.5);
        Ok(Solid { length, density, r_shape, direction, r_cm, r })
    }
}

impl Solid {
    /// How it looks, with a width and a height in m.
    pub fn picture(&self, form: Form, [width, height]: [Ex; 2]) -> scene::Shape {
        scene::Shape {
            r_shape: self.r_shape,
            length: Length::Fixed(self.length),
            ..scene::Shape::along(form, self.direction, [width, height])
        }
    }
}

/// The methods that set the shape of a component, kept in its field `shape`.
macro_rules! shape_setters {
    ($Component:ident) => {
        impl $Component {
            /// Where the shape begins, from `frame_a`, in m.
            #[must_use]
            pub fn r_shape(mut self, r_shape: [f64; 3]) -> Self {
                self.shape.r_shape = r_shape;
                self
            }

            /// Where its axis points, resolved in `frame_a`; by default along `r - r_shape`.
            #[must_use]
            pub fn length_direction(mut self, length_direction: [f64; 3]) -> Self {
                self.shape.length_direction = Some(length_direction);
                self
            }

            /// Its length in m; by default `|r - r_shape|`.
            #[must_use]
            pub fn length(mut self, length: f64) -> Self {
                self.shape.length = Some(length);
                self
            }

            /// Density in kg/m3.
            #[must_use]
            pub fn density(mut self, density: f64) -> Self {
                self.shape.density = density;
                self
            }
        }
    };
}
pub(super) use shape_setters;

/// A size in m; zero is structure.
pub(super) fn size(
    c: &mut Contribution<'_>,
    local: &str,
    value: f64,
    text: &str,
) -> Result<Ex, Error> {
    c.check(local, value, "m", Limits::NOT_NEGATIVE)?;
    Ok(if value == 0.0 {
        c.constant(local, 0.0, "m", text);
        Ex::zero()
    } else {
        c.limited(local, value, "m", text, Limits::NOT_NEGATIVE)?.into()
    })
}

/// Adds a solid's body with its mass and its inertia along the axes spanned by `r` and `width`.
pub(super) fn solid_body(
    c: &mut Contribution<'_>,
    solid: &Solid,
    free: &Free,
    width: [f64; 3],
    mass: Ex,
    diagonal: [Ex; 3],
) -> Result<(), Error> {
    let t = from_nxy(&solid.r, &constant(width));
    let inertia = resolve_dyade1(&t, &Matrix::from_diagonal(&Vector::from(diagonal)));
    let frame = c.frame("frame_a");
    let r_cm = solid.r_cm;
    c.body(frame, mass, r_cm, inertia);
    free.join(c, frame, "body.")?;
    c.law(move |e| {
        e.variable("m", mass).unit("kg").describe("Mass of the body");
        let text = "Position vector from frame_a to centre of mass, resolved in frame_a";
        e.vector("r_CM", &r_cm, "m", text);
        for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
            let name = e.full(&format!("I[{},{}]", i + 1, j + 1));
            let text = "Inertia tensor about the centre of mass, resolved in frame_a";
            e.model().local(&name, inertia[(i, j)]).unit("kg.m2").describe(text);
        }
        Ok(())
    });
    motion(c, frame, "body.");
    Ok(())
}
