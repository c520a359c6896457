//! The shapes of a mechanism: the content of the file `resources/scene.json` of an FMU.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A scene; lengths in m. The page of Coupler's documentation about scenes explains each key.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scene {
    world: World,
    frames: Vec<Frame>,
    shapes: Vec<Shape>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct World {
    axis_length: f64,
    axis_diameter: f64,
    color: [u8; 3],
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct Frame {
    name: String,
    r_0: [String; 3],
    #[serde(rename = "T")]
    t: [[String; 3]; 3],
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shape {
    component: String,
    frame: String,
    shape_type: Form,
    #[serde(rename = "r_shape")]
    r_shape: [f64; 3],
    length_direction: [f64; 3],
    width_direction: [f64; 3],
    length: Length,
    width: f64,
    height: f64,
    extra: f64,
    color: [u8; 3],
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    Box,
    Cylinder,
    Sphere,
}

/// A length in m, or the name of the variable that has it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
enum Length {
    Fixed(f64),
    Variable(String),
}

impl Scene {
    /// Reads the text of the file.
    ///
    /// # Errors
    /// A sentence without a full stop, which says what is wrong.
    pub fn read(text: &str) -> Result<Scene, String> {
        let scene: Scene = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let names: BTreeSet<&str> = scene.frames.iter().map(|frame| &*frame.name).collect();
        match scene.shapes.iter().find(|shape| !names.contains(&*shape.frame)) {
            Some(lost) => Err(format!("{}: there is no frame {}", lost.component, lost.frame)),
            None => Ok(scene),
        }
    }

    /// The variables on which positions and sizes depend.
    pub fn variables(&self) -> BTreeSet<&str> {
        let placed = self.frames.iter().flat_map(|f| f.r_0.iter().chain(f.t.iter().flatten()));
        let sized = self.shapes.iter().filter_map(|shape| match &shape.length {
            Length::Variable(name) => Some(name),
            Length::Fixed(_) => None,
        });
        placed.chain(sized).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_needs_the_frames_of_its_shapes() {
        let world = r#"{"axisLength":1.0,"axisDiameter":0.1,"color":[0,0,0]}"#;
        let shape = r#"{"component":"arm","frame":"arm.a","shapeType":"box","r_shape":[0,0,0],
            "lengthDirection":[1,0,0],"widthDirection":[0,1,0],"length":"arm.s","width":1,
            "height":1,"extra":0,"color":[0,0,0]}"#;
        let text = |frames: &str, shape: &str| {
            format!(r#"{{"world":{world},"frames":[{frames}],"shapes":[{shape}]}}"#)
        };
        let lost = Scene::read(&text("", shape)).unwrap_err();
        assert_eq!(lost, "arm: there is no frame arm.a");
        let frame = r#"{"name":"arm.a","r_0":["x","y","z"],
            "T":[["a","b","c"],["d","e","f"],["g","h","i"]]}"#;
        let scene = Scene::read(&text(frame, shape)).unwrap();
        assert_eq!(scene.variables().len(), 13);
        assert!(scene.variables().contains("arm.s"));
        let cone = shape.replace("box", "cone");
        assert!(Scene::read(&text(frame, &cone)).unwrap_err().contains("unknown variant `cone`"));
    }
}
