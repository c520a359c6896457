//! The appearance of a model: shapes, the frames in which they rest, frames as outputs.

use crate::assembly::Netlist;
use crate::compile::algebra::numeric::Numeric;
use crate::compile::contributions::Structure;
use crate::compile::laws::signal_view::SignalView;
use crate::compile::motion::ends::FrameEnd;
use crate::compile::spatial::pose::Pose;
use crate::error::Error;
use crate::port::{PortId, place};
use crate::scene::{FRAME_COLOR, Length, Shape, ShapeType, Shapes};
use crate::vector::{Vector, from_nxy};
use equations::Ex;
use serde::Serialize;
use std::collections::BTreeSet;

/// The name of the file in the folder of resources.
const FILE: &str = "scene.json";

/// The file's content: see `docs/scene.md`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Scene {
    world: SceneWorld,
    frames: Vec<SceneFrame>,
    shapes: Vec<SceneShape>,
}

/// How the axes of the world are drawn; m.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SceneWorld {
    axis_length: f64,
    axis_diameter: f64,
    color: [u8; 3],
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
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SceneShape {
    component: String,
    frame: String,
    shape_type: &'static str,
    #[serde(rename = "r_shape")]
    r_shape: [f64; 3],
    length_direction: [f64; 3],
    width_direction: [f64; 3],
    length: Size,
    width: f64,
    height: f64,
    extra: f64,
    color: [u8; 3],
}

/// A length in m, or the variable that has it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Size {
    Fixed(f64),
    Variable(String),
}

/// Publishes the orientations of the frames in which shapes rest.
pub fn publish(structure: &Structure, e: &mut SignalView<'_>) {
    let Some(shapes) = &structure.scene else { return };
    for port in frames(shapes) {
        let Some(pose) = pose(structure, e, port) else { continue };
        e.component = port.component;
        let text = "Transformation matrix from world frame to the frame";
        e.matrix(&format!("{}.R.T", port.port), &pose.t, text);
    }
}

/// The frames in which shapes rest, each once.
fn frames(shapes: &Shapes) -> BTreeSet<PortId> {
    shapes.all.iter().map(|(frame, _)| *frame).collect()
}

fn pose(structure: &Structure, e: &SignalView<'_>, port: PortId) -> Option<Pose> {
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

/// Writes the scene with the numbers of the default parameters, if the model text asks for it, or if
/// it has shapes and somebody else wants it.
pub fn write(
    structure: &Structure,
    numeric: &Numeric,
    e: &mut SignalView<'_>,
) -> Result<(), Error> {
    let Some(shapes) = &structure.scene else { return Ok(()) };
    let mut numeric = numeric.clone();
    numeric.set(shapes.nominal, shapes.nominal_length);
    let frame = |port: PortId| {
        let name = e.full_of(port);
        SceneFrame {
            r_0: [1, 2, 3].map(|i| format!("{name}.r_0[{i}]")),
            t: [1, 2, 3].map(|i| [1, 2, 3].map(|j| format!("{name}.R.T[{i},{j}]"))),
            name,
        }
    };
    let solids = shapes.all.iter().filter_map(|(port, shape)| solid(e, &numeric, *port, shape));
    let solids: Vec<SceneShape> = solids.collect();
    if solids.is_empty() && !shapes.asked {
        return Ok(());
    }
    let axis_length = shapes.nominal_length / 2.0;
    let scene = Scene {
        world: SceneWorld { axis_length, axis_diameter: axis_length / 40.0, color: FRAME_COLOR },
        frames: frames(shapes).into_iter().map(frame).collect(),
        shapes: solids,
    };
    let text = serde_json::to_string_pretty(&scene)
        .map_err(|error| Error::Equations(format!("{FILE}: {error}")))?;
    e.model.resource(FILE, text + "\n");
    Ok(())
}

/// A shape in numbers; `None` if it has no extension.
fn solid(e: &SignalView<'_>, numeric: &Numeric, port: PortId, shape: &Shape) -> Option<SceneShape> {
    let number = |x: Ex| numeric.one(x);
    let vector = |v: Vector| [0, 1, 2].map(|i| number(v[i]));
    let axes = from_nxy(&shape.length_direction, &shape.width_direction);
    let length = match shape.length {
        Length::Fixed(length) => Size::Fixed(number(length)),
        Length::Variable(local) => Size::Variable(format!("{}.{local}", e.name_of(port.component))),
    };
    let (width, height) = (number(shape.width), number(shape.height));
    let fixed = if let Size::Fixed(length) = length { length } else { 1.0 };
    if [fixed, width, height].iter().any(|&size| size.is_nan() || size == 0.0) {
        return None;
    }
    Some(SceneShape {
        component: e.name_of(port.component).to_owned(),
        frame: e.full_of(port),
        shape_type: match shape.form {
            ShapeType::Box => "box",
            ShapeType::Cylinder => "cylinder",
            ShapeType::Sphere => "sphere",
        },
        r_shape: vector(shape.r_shape),
        length_direction: vector(axes.row(0).transpose()),
        width_direction: vector(axes.row(1).transpose()),
        length,
        width,
        height,
        extra: number(shape.extra),
        color: shape.color,
    })
}
