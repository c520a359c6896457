//! Simple solids that represent components in pictures of a model.
//!
//! Sizes and colors are the defaults of Modelica.Mechanics.MultiBody. A size that does not follow
//! from the component is a fraction of the world's nominal length.

use crate::ids::{ComponentId, CoordinateId};
use crate::port::PortId;
use crate::statements::motion::ends::FlangeEnd;
use crate::vector::{Vector, X, Y, constant, dot, norm, scale, zero};
use equations::{Ex, select};

/// A color: red, green and blue, 0 to 255.
pub type Color = [u8; 3];

/// For parts with mass.
pub const BODY_COLOR: Color = [0, 128, 255];
/// For massless parts.
pub const ROD_COLOR: Color = [155, 155, 155];
/// For joints.
pub const JOINT_COLOR: Color = [255, 0, 0];
/// For springs.
pub const SPRING_COLOR: Color = [0, 0, 255];
/// For dampers.
pub const DAMPER_COLOR: Color = [100, 100, 100];
/// For forces and torques.
pub const FORCE_COLOR: Color = [0, 128, 0];
/// For tyres.
pub const WHEEL_COLOR: Color = [30, 30, 30];
/// For the ground.
pub const GROUND_COLOR: Color = [200, 200, 200];
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
    /// A coil; its height is the diameter of the wire, and `extra` the number of windings.
    Spring,
    /// A cylinder with a piston rod.
    Damper,
    /// A disc with spokes, whose axle is along its length.
    Wheel,
    /// A rectangle around `r_shape`, without height.
    Plane,
    /// An arrow.
    Arrow,
}

impl ShapeType {
    /// Its name in a scene.
    pub fn name(self) -> &'static str {
        match self {
            ShapeType::Box => "box",
            ShapeType::Cylinder => "cylinder",
            ShapeType::Sphere => "sphere",
            ShapeType::Spring => "spring",
            ShapeType::Damper => "damper",
            ShapeType::Wheel => "wheel",
            ShapeType::Plane => "plane",
            ShapeType::Arrow => "arrow",
        }
    }
}

/// What the length of an arrow is proportional to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// A force in N.
    Force,
    /// A torque in N.m.
    Torque,
}

/// A length in m.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    /// An expression of parameters.
    Fixed(Ex),
    /// A variable of the component.
    Variable(&'static str),
    /// The distance from the shape's beginning to the origin of another frame of the component.
    To(&'static str),
    /// The length of a vector variable of the component in m, which is resolved in the frame; the
    /// shape has its direction.
    Vector(&'static str),
    /// The length of a load, a vector variable of the component, times the scale of the world; the
    /// shape has its direction.
    Load {
        /// The local name of the vector.
        name: &'static str,
        /// What it is.
        load: Load,
        /// Whether the vector is resolved in the frame, and not in the world.
        in_frame: bool,
        /// Whether the arrow points against the vector, as for the load on the other side of a cut.
        reversed: bool,
    },
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
    /// The ratio of the inner to the outer diameter of a pipe, or the number of windings of a
    /// spring.
    pub extra: Ex,
    /// Its color.
    pub color: Color,
    /// Whether it stands for a body of unknown shape, so that a shape of known size replaces it.
    pub stand_in: bool,
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
            stand_in: false,
        }
    }

    /// A shape from the origin of the frame to that of the frame `to`.
    fn between(form: ShapeType, to: &'static str, [width, height]: [Ex; 2]) -> Self {
        let shape = Shape::along(form, constant(X), [width, height]);
        Shape { length: Length::To(to), ..shape }
    }

    /// The rod to another frame, with a diameter in m.
    pub fn rod_to(to: &'static str, diameter: Ex) -> Self {
        Shape { color: ROD_COLOR, ..Shape::between(ShapeType::Cylinder, to, [diameter; 2]) }
    }

    /// The coil of a spring to another frame.
    pub fn spring(to: &'static str, nominal: Ex) -> Self {
        let width = force_width(nominal);
        let shape = Shape::between(ShapeType::Spring, to, [width, width / 10.0]);
        Shape { extra: Ex::from(WINDINGS), color: SPRING_COLOR, ..shape }
    }

    /// The cylinder and the piston rod of a damper, or of another line force, to another frame.
    pub fn damper(to: &'static str, nominal: Ex) -> Self {
        let shape = Shape::between(ShapeType::Damper, to, [force_width(nominal); 2]);
        Shape { color: DAMPER_COLOR, ..shape }
    }

    /// The drum of a rotor about a unit axis through the origin.
    pub fn rotor(axis: Vector, nominal: Ex) -> Self {
        let (radius, breadth) = (joint_width(nominal), joint_length(nominal) * 2.0);
        Shape { color: ROD_COLOR, ..Shape::wheel(axis, radius, breadth) }
    }

    /// A wheel around the origin with a unit axle, a radius and a breadth in m.
    pub fn wheel(axle: Vector, radius: Ex, breadth: Ex) -> Self {
        Shape {
            r_shape: scale(&axle, breadth * -0.5),
            length: Length::Fixed(breadth),
            color: WHEEL_COLOR,
            ..Shape::along(ShapeType::Wheel, axle, [radius * 2.0; 2])
        }
    }

    /// A rectangle around a point, with sides of the given lengths in m along two unit vectors.
    pub fn plane(centre: Vector, along: [Vector; 2], [length, width]: [Ex; 2]) -> Self {
        Shape {
            r_shape: centre,
            width_direction: along[1],
            length: Length::Fixed(length),
            color: GROUND_COLOR,
            ..Shape::along(ShapeType::Plane, along[0], [width, Ex::zero()])
        }
    }

    /// The ground of vehicles: the plane z = 0 of the world.
    pub fn road(nominal: Ex) -> Self {
        Shape::plane(zero(), [constant(X), constant(Y)], [nominal * ROAD; 2])
    }

    /// The arrow of a force in N, a variable that is resolved in the world.
    pub fn force(name: &'static str, nominal: Ex) -> Self {
        let length = Length::Load { name, load: Load::Force, in_frame: false, reversed: false };
        let width = nominal / 40.0;
        let shape = Shape::along(ShapeType::Arrow, constant(X), [width; 2]);
        Shape { length, color: FORCE_COLOR, ..shape }
    }

    /// The arrow of the load on the parts that are connected to a frame; the variable is the load
    /// into the component, resolved in the frame.
    pub fn cut(name: &'static str, load: Load, nominal: Ex) -> Self {
        let length = Length::Load { name, load, in_frame: true, reversed: true };
        Shape { length, ..Shape::force(name, nominal) }
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
        Shape::arm(zero(), r_cm, body_diameter(nominal))
    }

    /// The cylinder between a body along `r` and its centre of mass, if this is outside the body
    /// and the sphere around it.
    pub fn arm(r: Vector, r_cm: Vector, diameter: Ex) -> Self {
        let square = dot(&r, &r);
        let part = (dot(&r, &r_cm) / select(square.gt(0.0), square, 1.0)).max(0.0).min(1.0);
        let foot = scale(&r, part);
        let arm = r_cm - foot;
        let distance = norm(&arm);
        let length = select(distance.gt(diameter * 0.5), distance, 0.0);
        let shape = Shape::along(ShapeType::Cylinder, arm, [diameter / 3.0; 2]);
        Shape { r_shape: foot, length: Length::Fixed(length), ..shape }
    }

    /// The sphere around the centre of mass of a body.
    pub fn body_sphere(r_cm: &Vector, nominal: Ex) -> Self {
        let sphere = Shape::sphere(r_cm, body_diameter(nominal), BODY_COLOR);
        Shape { stand_in: true, ..sphere }
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

/// The number of windings of a spring.
const WINDINGS: f64 = 5.0;

/// The length and the width of a road in nominal lengths.
const ROAD: f64 = 10.0;

/// The width in m of a spring or a damper.
fn force_width(nominal: Ex) -> Ex {
    nominal / 20.0
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
pub fn joint_width(nominal: Ex) -> Ex {
    nominal / 20.0
}

/// A shape and its frame.
#[derive(Clone, Copy, Debug)]
pub struct PlacedShape {
    /// The component that it represents.
    pub component: ComponentId,
    /// The frame in which it rests; `None`: the world.
    pub frame: Option<PortId>,
    /// The shape.
    pub shape: Shape,
}

/// A frame that turns in another one with a flange of 1-D mechanics.
#[derive(Clone, Copy, Debug)]
pub struct TurningFrame {
    /// Its name.
    pub name: PortId,
    /// The other frame, which has the same origin.
    pub base: PortId,
    /// The axis.
    pub axis: [f64; 3],
    /// The flange whose position is the angle.
    pub flange: FlangeEnd,
}

/// All shapes of a model, and the frames in which they rest.
#[derive(Debug)]
pub struct Shapes {
    /// The shapes.
    pub all: Vec<PlacedShape>,
    /// Frames that exist only for shapes.
    pub turning: Vec<TurningFrame>,
    /// Symbols of the axes of coordinates, which may be known only when the model is complete.
    pub axes: Vec<(Vector, CoordinateId)>,
    /// The frame of the world.
    pub world: Option<PortId>,
    /// The direction that is up.
    pub up: [f64; 3],
    /// Forces in N, and torques in N.m, whose arrows have a length of 1 m.
    pub per_metre: [f64; 2],
    /// Whether the model text asks for them.
    pub asked: bool,
    /// The symbol of the nominal length.
    pub nominal: Ex,
    /// The nominal length in m, if the model text states it.
    pub nominal_length: Option<f64>,
}

impl Default for Shapes {
    fn default() -> Self {
        Shapes {
            all: Vec::new(),
            turning: Vec::new(),
            axes: Vec::new(),
            world: None,
            up: Y,
            per_metre: [1000.0; 2],
            asked: false,
            nominal: Ex::symbol(),
            nominal_length: None,
        }
    }
}

impl Shapes {
    /// Adds a shape of a component in a frame, or in the world; `shape` gets the nominal length.
    pub fn add(
        &mut self,
        component: ComponentId,
        frame: Option<PortId>,
        shape: impl FnOnce(Ex) -> Shape,
    ) {
        self.all.push(PlacedShape { component, frame, shape: shape(self.nominal) });
    }

    /// The frame in which a shape rests; `None` without a world.
    pub fn frame(&self, placed: &PlacedShape) -> Option<PortId> {
        placed.frame.or(self.world)
    }
}
