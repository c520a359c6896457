//! The appearance of a model: shapes, the frames in which they rest, frames as outputs.

use super::proportions::{largest_part, normal};
use crate::assembly::Netlist;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::error::Error;
use crate::ids::FrameNode;
use crate::port::{PortId, place};
use crate::scene::{BODY_COLOR, FRAME_COLOR, Length, Load, PlacedShape, ShapeType, Shapes};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::statements::laws::signal_view::SignalView;
use crate::statements::motion::ends::FrameEnd;
use crate::statements::spatial::pose::Pose;
use crate::vector::{Vector, from_nxy, planar_rotation};
use equations::Ex;
use serde::Serialize;
use std::collections::BTreeSet;

/// The name of the file in the folder of resources.
const FILE: &str = "scene.json";

/// How many times the nominal length is as long as the largest part, unless it is given: joints are
/// then as large, compared with parts, as in the examples of Modelica.
const LENGTHS_OF_LARGEST_PART: f64 = 2.0;

/// The file's content: see `docs/scene.md`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Scene {
    world: SceneWorld,
    frames: Vec<SceneFrame>,
    shapes: Vec<SceneShape>,
}

/// How the axes of the world are drawn, and the direction that is up; m.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SceneWorld {
    axis_length: f64,
    axis_diameter: f64,
    color: [u8; 3],
    up: [f64; 3],
    /// That of the plane in which all parts move, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<[f64; 3]>,
}

/// A frame, and the names of the variables that give its position and orientation.
#[derive(Debug, Serialize)]
struct SceneFrame {
    name: String,
    r_0: [String; 3],
    #[serde(rename = "T")]
    t: [[String; 3]; 3],
}

/// A shape; lengths in m.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct SceneShape {
    component: String,
    frame: String,
    shape_type: &'static str,
    #[serde(rename = "r_shape")]
    r_shape: [f64; 3],
    #[serde(flatten)]
    extent: Extent,
    width: f64,
    height: f64,
    extra: f64,
    color: [u8; 3],
}

/// Where a shape leads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", untagged)]
enum Extent {
    #[serde(rename_all = "camelCase")]
    Along {
        length_direction: [f64; 3],
        width_direction: [f64; 3],
        length: Size,
    },
    To {
        to: String,
    },
    Vector {
        vector: [String; 3],
        scale: f64,
        resolved: &'static str,
    },
}

/// A length in m, or the variable that has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Size {
    Fixed(f64),
    Variable(String),
}

/// Publishes the orientations of the frames in which shapes rest.
pub fn publish(structure: &Structure, e: &mut SignalView<'_>) {
    let Some(shapes) = &structure.scene else { return };
    for port in frames(shapes) {
        let Some(mut pose) = pose(structure, e, base(shapes, port)) else { continue };
        if let Some(turning) = shapes.turning.iter().find(|turning| turning.name == port) {
            pose.t = planar_rotation(turning.axis, e.flange(turning.flange).q) * pose.t;
        }
        e.component = port.component;
        let text = "Transformation matrix from world frame to the frame";
        let local = format!("{}.R.T", port.port);
        let name = e.full(&local);
        e.model().announce(&name, "1", text);
        e.matrix(&local, &pose.t, text);
    }
}

/// The frame with the position of a frame: itself, unless it turns in another one.
pub fn base(shapes: &Shapes, port: PortId) -> PortId {
    shapes.turning.iter().find(|turning| turning.name == port).map_or(port, |turning| turning.base)
}

/// The frames in which shapes rest and to which they lead, each once.
fn frames(shapes: &Shapes) -> BTreeSet<PortId> {
    let ends = |placed: &PlacedShape| {
        let far = match placed.shape.length {
            Length::To(port) => Some(PortId { component: placed.component, port }),
            _ => None,
        };
        [shapes.frame(placed), far]
    };
    shapes.all.iter().flat_map(ends).flatten().collect()
}

pub fn pose(structure: &Structure, e: &SignalView<'_>, port: PortId) -> Option<Pose> {
    let node = structure.multibody.frames.iter().find(|frame| frame.port == port)?.node;
    Some(e.pose(FrameEnd { node }))
}

/// Frames that are outputs of the FMU.
pub fn output_frames(
    netlist: &Netlist,
    structure: &Structure,
    e: &mut SignalView<'_>,
) -> Result<(), Error> {
    for (name, port) in &netlist.output_frames {
        let frame = e.full_of(*port);
        let Some(pose) = pose(structure, e, *port) else {
            let why = "it is an output, but the component does not use this frame";
            return Err(Error::Connection(format!("{frame}: {why}")));
        };
        for i in 0..3 {
            let text = format!("Position of {frame}, resolved in world frame");
            let name = format!("{name}.r_0[{}]", i + 1);
            e.model.output(&name, pose.r[i]).unit("m").describe(&text);
        }
        for k in 0..9 {
            let text = format!("Transformation matrix from world frame to {frame}");
            let name = format!("{name}.R.T[{}]", place(k));
            e.model.output(&name, pose.t[(k / 3, k % 3)]).unit("1").describe(&text);
        }
    }
    Ok(())
}

/// Writes the scene with the numbers of the default parameters, if the model text asks for it, or
/// if it has shapes and somebody else wants it.
pub fn write(
    tree: KinematicTree<'_>,
    numeric: &Numeric,
    e: &mut SignalView<'_>,
) -> Result<(), Error> {
    let structure = tree.structure;
    let Some(shapes) = &structure.scene else { return Ok(()) };
    let mut numeric = numeric.clone();
    for (symbols, coordinate) in &shapes.axes {
        let axis = structure.multibody.coordinates[*coordinate].axis;
        symbols.iter().zip(axis).for_each(|(symbol, value)| numeric.set(*symbol, value));
    }
    let nominal_length = shapes
        .nominal_length
        .unwrap_or_else(|| LENGTHS_OF_LARGEST_PART * largest_part(structure, shapes, &numeric, e));
    numeric.set(shapes.nominal, nominal_length);
    let frame = |port: PortId| {
        let (name, origin) = (e.full_of(port), e.full_of(base(shapes, port)));
        SceneFrame {
            r_0: [1, 2, 3].map(|i| format!("{origin}.r_0[{i}]")),
            t: [1, 2, 3].map(|i| [1, 2, 3].map(|j| format!("{name}.R.T[{i},{j}]"))),
            name,
        }
    };
    let solids = solids(structure, shapes, &numeric, e);
    if solids.is_empty() && !shapes.asked {
        return Ok(());
    }
    let (axis_length, color, up) = (nominal_length / 2.0, FRAME_COLOR, shapes.up);
    let axis_diameter = axis_length / 40.0;
    let normal = normal(tree, &numeric, e);
    let scene = Scene {
        world: SceneWorld { axis_length, axis_diameter, color, up, normal },
        frames: frames(shapes).into_iter().map(frame).collect(),
        shapes: solids,
    };
    let text = serde_json::to_string_pretty(&scene)
        .map_err(|error| Error::Equations(format!("{FILE}: {error}")))?;
    e.model.resource(FILE, text + "\n");
    Ok(())
}

/// The shapes in numbers. Of equal shapes in frames that are connected, only one is left, and
/// stand-ins only where nothing else is known about the body.
fn solids(
    structure: &Structure,
    shapes: &Shapes,
    numeric: &Numeric,
    e: &SignalView<'_>,
) -> Vec<SceneShape> {
    let node = |port: PortId| {
        let port = base(shapes, port);
        structure.multibody.frames.iter().find(|frame| frame.port == port).map(|frame| frame.node)
    };
    let known: BTreeSet<FrameNode> = shapes
        .all
        .iter()
        .filter(|placed| placed.shape.form == ShapeType::Sphere && !placed.shape.stand_in)
        .filter(|placed| placed.shape.color == BODY_COLOR)
        .filter_map(|placed| node(shapes.frame(placed)?))
        .collect();
    let mut done: Vec<(FrameNode, SceneShape)> = Vec::new();
    for placed in &shapes.all {
        let Some(frame) = shapes.frame(placed) else { continue };
        let Some(at) = node(frame) else { continue };
        let replaced = placed.shape.stand_in && known.contains(&at);
        let Some(solid) = solid(e, numeric, shapes, (placed, frame)).filter(|_| !replaced) else {
            continue;
        };
        let turns = base(shapes, frame) != frame;
        let same = |(other_at, other): &(FrameNode, SceneShape)| {
            let component = solid.component.clone();
            let frame = if turns { other.frame.clone() } else { solid.frame.clone() };
            *other_at == at && SceneShape { component, frame, ..other.clone() } == solid
        };
        if !done.iter().any(same) {
            done.push((at, solid));
        }
    }
    done.into_iter().map(|(_, solid)| solid).collect()
}

/// A shape in numbers; `None` if it has no extension.
fn solid(
    e: &SignalView<'_>,
    numeric: &Numeric,
    shapes: &Shapes,
    (placed, frame): (&PlacedShape, PortId),
) -> Option<SceneShape> {
    let PlacedShape { component, shape, .. } = placed;
    let number = |x: Ex| numeric.one(x);
    let vector = |v: Vector| [0, 1, 2].map(|i| number(v[i]));
    let local = |name: &str| format!("{}.{name}", e.name_of(*component));
    let elements = |name: &str| [1, 2, 3].map(|i| local(&format!("{name}[{i}]")));
    let along = |length: Size| {
        let axes = from_nxy(&shape.length_direction, &shape.width_direction);
        Extent::Along {
            length_direction: vector(axes.row(0).transpose()),
            width_direction: vector(axes.row(1).transpose()),
            length,
        }
    };
    let mut fixed = 1.0;
    let extent = match shape.length {
        Length::Fixed(length) => {
            fixed = number(length);
            along(Size::Fixed(fixed))
        }
        Length::Variable(name) => along(Size::Variable(local(name))),
        Length::To(port) => Extent::To { to: local(port) },
        Length::Vector(name) => {
            Extent::Vector { vector: elements(name), scale: 1.0, resolved: "frame" }
        }
        Length::Load { name, load, in_frame, reversed } => {
            let per_metre = shapes.per_metre[usize::from(load == Load::Torque)];
            Extent::Vector {
                vector: elements(name),
                scale: if reversed { -1.0 } else { 1.0 } / per_metre,
                resolved: if in_frame { "frame" } else { "world" },
            }
        }
    };
    let (width, height) = (number(shape.width), number(shape.height));
    let flat = shape.form == ShapeType::Plane;
    let sizes = [fixed, width, if flat { 1.0 } else { height }];
    if sizes.iter().any(|&size| size.is_nan() || size == 0.0) {
        return None;
    }
    Some(SceneShape {
        component: e.name_of(*component).to_owned(),
        frame: e.full_of(frame),
        shape_type: shape.form.name(),
        r_shape: vector(shape.r_shape),
        extent,
        width,
        height,
        extra: number(shape.extra),
        color: shape.color,
    })
}
