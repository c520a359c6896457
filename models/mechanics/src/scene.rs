//! Simple solids that represent components in pictures of a model.
//!
//! Sizes and colors are the defaults of Modelica.Mechanics.MultiBody. A size that does not follow
//! from the component is a fraction of the world's nominal length.

use crate::port::PortId;
use crate::vector::{Vector, X, Y, constant, norm, scale, zero};
use equations::{Ex, select};

/// A color: red, green and blue, 0 to 255.
pub type Color = [u8; 3];

/// For parts with mass.
pub const BODY_COLOR: Color = [0, 128, 255];
/// For massless parts.
pub const ROD_COLOR: Color = [155, 155, 155];
/// For joints.
pub const JOINT_COLOR: Color = [255, 0, 0];
/// For the axes of frames.
pub const FRAME_COLOR: Color = [0, 0, 0];

/// The ratio of the length of a shape to its width, unless the width is given.
const WIDTH_FRACTION: f64 = 20.0;

/// Kind of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeType {
    /// A box.
    Box,
    /// A cylinder, or a pipe.
    Cylinder,
    /// A sphere, or an ellipsoid if the sizes differ.
    Sphere,
}

/// A length in m.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    /// An expression of parameters.
    Fixed(Ex),
    /// A variable of the component.
    Variable(&'static str),
}

/// A solid at rest in a frame; its position and its directions are resolved in that frame.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its kind.
    pub form: ShapeType,
    /// The beginning of its axis, in m.
    pub r_shape: Vector,
    /// The direction of its axis.
    pub length_direction: Vector,
    /// The direction of its width; only the component perpendicular to the axis is used.
    pub width_direction: Vector,
    /// Its size along the axis.
    pub length: Length,
    /// Its size along the width, in m.
    pub width: Ex,
    /// Its size perpendicular to both, in m.
    pub height: Ex,
    /// Ratio of the inner to the outer diameter of a pipe.
    pub extra: Ex,
    /// Its color.
    pub color: Color,
}

impl Shape {
    /// A body along `along` from the origin, with a width and a height in m.
    pub fn along(form: ShapeType, along: Vector, [width, height]: [Ex; 2]) -> Self {
        Shape {
            form,
            r_shape: zero(),
            length_direction: along,
            width_direction: constant(Y),
            length: Length::Fixed(norm(&along)),
            width,
            height,
            extra: Ex::zero(),
            color: BODY_COLOR,
        }
    }

    /// The cylinder of a body or a rod along a vector in m.
    pub fn rod(along: Vector, color: Color) -> Self {
        let width = norm(&along) / WIDTH_FRACTION;
        Shape { color, ..Shape::along(ShapeType::Cylinder, along, [width; 2]) }
    }

    /// A sphere around a point, with a diameter in m.
    pub fn sphere(centre: &Vector, diameter: Ex, color: Color) -> Self {
        Shape {
            r_shape: centre - scale(&constant(X), diameter * 0.5),
            length: Length::Fixed(diameter),
            color,
            ..Shape::along(ShapeType::Sphere, constant(X), [diameter; 2])
        }
    }

    /// The cylinder between the origin and the centre of mass of a body, if the centre of mass is
    /// outside the sphere around it.
    pub fn body_rod(r_cm: Vector, nominal: Ex) -> Self {
        let diameter = body_diameter(nominal);
        let distance = norm(&r_cm);
        let length = select(distance.gt(diameter * 0.5), distance, 0.0);
        let shape = Shape::along(ShapeType::Cylinder, r_cm, [diameter / 3.0; 2]);
        Shape { length: Length::Fixed(length), ..shape }
    }

    /// The sphere around the centre of mass of a body.
    pub fn body_sphere(r_cm: &Vector, nominal: Ex) -> Self {
        Shape::sphere(r_cm, body_diameter(nominal), BODY_COLOR)
    }

    /// The cylinder of a joint about the unit axis `e`.
    pub fn turn(e: &Vector, nominal: Ex) -> Self {
        let length = joint_length(nominal);
        Shape {
            r_shape: scale(e, length * -0.5),
            length: Length::Fixed(length),
            color: JOINT_COLOR,
            ..Shape::along(ShapeType::Cylinder, *e, [joint_width(nominal); 2])
        }
    }

    /// The solid of a joint along the unit axis `e`, whose length is the variable `s`.
    pub fn slide(form: ShapeType, e: &Vector, s: &'static str, nominal: Ex) -> Self {
        Shape {
            length: Length::Variable(s),
            color: JOINT_COLOR,
            ..Shape::along(form, *e, [joint_width(nominal); 2])
        }
    }

    /// The sphere of a joint at which the origins of both frames coincide.
    pub fn ball(nominal: Ex) -> Self {
        Shape::sphere(&zero(), joint_length(nominal), JOINT_COLOR)
    }
}

/// The diameter in m of the sphere that represents a body whose shape is not given.
fn body_diameter(nominal: Ex) -> Ex {
    nominal / 9.0
}

/// The length of a joint in m.
pub fn joint_length(nominal: Ex) -> Ex {
    nominal / 10.0
}

/// The width of a joint in m.
fn joint_width(nominal: Ex) -> Ex {
    nominal / 20.0
}

/// All shapes of a model, and the frames in which they rest.
#[derive(Debug)]
pub struct Shapes {
    /// Frames and shapes.
    pub all: Vec<(PortId, Shape)>,
    /// Whether the model text asks for them.
    pub asked: bool,
    /// The symbol of the nominal length.
    pub nominal: Ex,
    /// The nominal length in m.
    pub nominal_length: f64,
}

impl Default for Shapes {
    fn default() -> Self {
        Shapes { all: Vec::new(), asked: false, nominal: Ex::symbol(), nominal_length: 1.0 }
    }
}

impl Shapes {
    /// Adds a shape; `shape` receives the nominal length.
    pub fn add(&mut self, frame: PortId, shape: impl FnOnce(Ex) -> Shape) {
        self.all.push((frame, shape(self.nominal)));
    }
}
