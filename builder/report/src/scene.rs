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
    #[serde(default = "upwards")]
    up: [f64; 3],
    /// The normal of the plane in which all parts move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    normal: Option<[f64; 3]>,
}

/// The direction that is up unless a scene says otherwise.
fn upwards() -> [f64; 3] {
    [0.0, 1.0, 0.0]
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
    #[serde(flatten)]
    extent: Extent,
    width: f64,
    height: f64,
    #[serde(default)]
    extra: f64,
    color: [u8; 3],
}

/// The keys that say where a shape leads; each shape has those of one kind.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Extent {
    #[serde(skip_serializing_if = "Option::is_none")]
    length_direction: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width_direction: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<Length>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vector: Option<[String; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<Axes>,
}

impl Extent {
    /// What is missing, or too much.
    fn fault(&self) -> Option<&'static str> {
        let directions = [&self.length_direction, &self.width_direction];
        let along = directions.into_iter().flatten().count() + usize::from(self.length.is_some());
        match (along, &self.to, &self.vector, self.scale) {
            (3, None, None, _) | (0, Some(_), None, _) | (0, None, Some(_), Some(_)) => None,
            (0, None, Some(_), None) => Some("an arrow needs a scale"),
            (_, None, None, _) => Some(
                "it needs length, lengthDirection and widthDirection, or the frame `to`, or a \
                 vector",
            ),
            _ => Some(
                "only one of length with its directions, `to` and vector can say where it leads",
            ),
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Axes {
    World,
    Frame,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    Box,
    Cylinder,
    Sphere,
    Spring,
    Damper,
    Wheel,
    Plane,
    Arrow,
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
        for Shape { component, frame, extent, .. } in &scene.shapes {
            let ends = [Some(frame), extent.to.as_ref()].into_iter().flatten();
            if let Some(lost) = ends.into_iter().find(|end| !names.contains(end.as_str())) {
                return Err(format!("{component}: there is no frame {lost}"));
            }
            if let Some(fault) = extent.fault() {
                return Err(format!("{component}: {fault}"));
            }
        }
        Ok(scene)
    }

    /// The variables on which positions, sizes and arrows depend.
    pub fn variables(&self) -> BTreeSet<&str> {
        let placed = self.frames.iter().flat_map(|f| f.r_0.iter().chain(f.t.iter().flatten()));
        let sized = self.shapes.iter().filter_map(|shape| match &shape.extent.length {
            Some(Length::Variable(name)) => Some(name),
            _ => None,
        });
        let drawn = self.shapes.iter().flat_map(|shape| shape.extent.vector.iter().flatten());
        placed.chain(sized).chain(drawn).map(String::as_str).collect()
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

    #[test]
    fn a_shape_leads_along_a_direction_or_to_a_frame_or_along_a_vector() {
        let text = |extent: &str| {
            let frames: Vec<String> = ["a", "b"]
                .map(|f| {
                    format!(
                        r#"{{"name":"{f}","r_0":["{f}1","{f}2","{f}3"],"T":[["t","t","t"],
                            ["t","t","t"],["t","t","t"]]}}"#
                    )
                })
                .into();
            format!(
                r#"{{"world":{{"axisLength":1,"axisDiameter":0.1,"color":[0,0,0]}},
                    "frames":[{}],"shapes":[{{"component":"arm","frame":"a","shapeType":"arrow",
                    "r_shape":[0,0,0],{extent}"width":1,"height":1,"color":[0,0,0]}}]}}"#,
                frames.join(",")
            )
        };
        let read = |extent: &str| Scene::read(&text(extent));
        assert!(read(r#""to":"b","#).is_ok());
        assert_eq!(read(r#""to":"c","#).unwrap_err(), "arm: there is no frame c");
        let scene = read(r#""vector":["x","y","z"],"scale":0.1,"#).unwrap();
        assert!(["x", "y", "z"].iter().all(|name| scene.variables().contains(name)));
        let message = read(r#""vector":["x","y","z"],"#).unwrap_err();
        assert_eq!(message, "arm: an arrow needs a scale");
        let message = read(r#""to":"b","vector":["x","y","z"],"scale":1,"#).unwrap_err();
        assert!(message.starts_with("arm: only one of"), "{message}");
        let keys =
            [r#""length":1,"#, r#""lengthDirection":[1,0,0],"#, r#""widthDirection":[0,1,0],"#];
        assert!(read(&keys.concat()).is_ok());
        for key in keys {
            for end in [r#""to":"b","#, r#""vector":["x","y","z"],"scale":1,"#] {
                let message = read(&format!("{key}{end}")).unwrap_err();
                assert!(message.starts_with("arm: only one of"), "{key}{end}: {message}");
            }
        }
        // Each of the three is needed.
        for missing in keys {
            let some = keys.concat().replace(missing, "");
            let message = read(&some).unwrap_err();
            assert!(message.starts_with("arm: it needs length"), "{some}: {message}");
        }
        assert!(read("").unwrap_err().starts_with("arm: it needs length"));
        // What is read is written again, without keys that were not there.
        let again = serde_json::to_string(&read(r#""to":"b","#).unwrap()).unwrap();
        assert!(Scene::read(&again).is_ok() && !again.contains("null"), "{again}");
    }

    #[test]
    fn the_examples_of_the_documentation_are_scenes() {
        let page = include_str!("../../../docs/scene.md");
        let blocks: Vec<&str> =
            page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        let [whole, more] = blocks[..] else { panic!("two examples: {blocks:?}") };
        let scene = Scene::read(whole).unwrap();
        assert_eq!(scene.shapes.len(), 1);
        let shapes: Vec<Shape> = serde_json::from_str(more).unwrap();
        assert!(!shapes.is_empty() && shapes.iter().all(|shape| shape.extent.fault().is_none()));
    }
}
