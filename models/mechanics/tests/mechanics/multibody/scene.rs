//! The shapes that an FMU describes, which change nothing else.

use crate::common::{
    derivatives, initialize, program, simulation, simulation_of, start, step, value,
};
use equations::compile_named;
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use mechanics::{Assembly, assemble};
use serde_json::Value;

/// A pendulum with one part of each kind, in motion.
fn parts(m: &mut Assembly) -> Frame {
    let world = m.add("world", World::new().nominal_length(2.0));
    let turn = m.add("turn", Revolute::new().n([0.0, 3.0, 4.0]).phi(fixed(0.4)).w(fixed(2.0)));
    let slide = m.add("slide", Prismatic::new().n(Y).s(fixed(0.2)).v(fixed(-0.5)));
    let rod = m.add("rod", FixedTranslation::new().r([0.0, 0.0, 0.4]));
    let body_box =
        BodyBox::new().r([0.6, 0.0, 0.0]).width(0.1).height(0.2).r_shape([0.1, 0.0, 0.0]);
    let body_box = m.add("box", body_box.width_direction([1.0, 0.0, 1.0]));
    let cylinder = BodyCylinder::new().r([0.0, 0.5, 0.0]).diameter(0.1).inner_diameter(0.05);
    let cylinder = m.add("cylinder", cylinder);
    let body = m.add("body", Body::new().m(2.0).r_cm([0.3, 0.0, 0.4]));
    let point = m.add("point", PointMass::new().m(0.5));
    m.connect(world.frame_b, turn.frame_a);
    m.connect(turn.frame_b, slide.frame_a);
    m.connect(slide.frame_b, rod.frame_a);
    m.connect(rod.frame_b, body_box.frame_a);
    m.connect(body_box.frame_b, cylinder.frame_a);
    m.connect(cylinder.frame_b, body.frame_a);
    m.connect(cylinder.frame_b, point.frame_a);
    cylinder.frame_b
}

fn chain(m: &mut Assembly) {
    parts(m);
}

/// A crank, a rod with two joints and a slider: a loop.
fn loops(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let crank = m.add("crank", Revolute::new().n(X).phi(fixed(0.0)).w(fixed(5.0)));
    let arm = m.add("arm", BodyCylinder::new().r([0.0, 0.5, 0.1]));
    let base = m.add("base", FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let slider = m.add("slider", Prismatic::new().n(X).s(guess(-0.2)));
    let block = m.add("block", BodyShape::new().r([0.0, 0.2, 0.0]).r_cm([0.0, 0.1, 0.0]).m(1.0));
    let rod = UniversalSpherical::new().n1_a(Y).r_rod_ia([-1.0, 0.3, 0.1]).compute_rod_length(true);
    let rod = m.add("rod", rod);
    m.connect(world.frame_b, crank.frame_a);
    m.connect(crank.frame_b, arm.frame_a);
    m.connect(world.frame_b, base.frame_a);
    m.connect(base.frame_b, slider.frame_a);
    m.connect(slider.frame_b, block.frame_a);
    m.connect(block.frame_b, rod.frame_a);
    m.connect(rod.frame_b, arm.frame_b);
}

/// A chain of joints with several degrees of freedom, in motion.
fn several_freedoms(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let planar = m.add("planar", Planar::new().states(Always));
    let universal = m.add("universal", Universal::new());
    let cylindrical = m.add("cylindrical", Cylindrical::new());
    let spherical = m.add("spherical", Spherical::new());
    let links = ["one", "two", "three"].map(|name| {
        let body = BodyShape::new().r([0.3, 0.2, 0.1]).r_cm([0.1, 0.1, 0.0]).m(1.0);
        m.add(name, body.inertia([0.1, 0.2, 0.15]))
    });
    let end = m.add("end", BodyCylinder::new().r([0.0, 0.4, 0.0]));
    m.connect(world.frame_b, planar.frame_a);
    m.connect(planar.frame_b, links[0].frame_a);
    m.connect(links[0].frame_b, universal.frame_a);
    m.connect(universal.frame_b, links[1].frame_a);
    m.connect(links[1].frame_b, cylindrical.frame_a);
    m.connect(cylindrical.frame_b, links[2].frame_a);
    m.connect(links[2].frame_b, spherical.frame_a);
    m.connect(spherical.frame_b, end.frame_a);
}

/// A body between forces along lines, and a force and a torque on it.
fn line_forces(m: &mut Assembly) {
    let world = m.add("world", World::new().nominal_length(2.0).default_n_to_m(50.0));
    let body = BodyCylinder::new().r([0.4, 0.0, 0.0]).diameter(0.1);
    let body = m.add("body", body);
    let fixed = m.add("fixed", Fixed::new().r([0.0, 0.6, 0.0]));
    let spring = m.add("spring", Spring::new().c(50.0).s_unstretched(0.2));
    let damper = m.add("damper", Damper::new().d(5.0));
    let both = m.add("both", SpringDamperParallel::new().c(20.0).d(1.0));
    let series = m.add("series", SpringDamperSeries::new().c(20.0).d(1.0).s_damper_start(0.1));
    for (a, b) in [
        (fixed.frame_b, spring.frame_a),
        (spring.frame_b, body.frame_a),
        (world.frame_b, damper.frame_a),
        (damper.frame_b, body.frame_b),
        (fixed.frame_b, both.frame_a),
        (both.frame_b, body.frame_b),
        (fixed.frame_b, series.frame_a),
        (series.frame_b, body.frame_b),
    ] {
        m.connect(a, b);
    }
    let axes = ResolveInFrameB::World;
    let load = m.add("load", WorldForceAndTorque::new().resolve_in_frame(axes));
    m.connect(load.frame_b, body.frame_b);
    for k in 0..3 {
        let value = Constant::new().k([3.0, -1.0, 2.0][k]);
        let value = m.add(format!("value[{}]", k + 1), value);
        m.connect(value.y, load.force[k]);
        m.connect(value.y, load.torque[k]);
    }
}

/// A wheel and a rotor whose housing moves.
fn wheels(m: &mut Assembly) {
    m.add("world", World::new().nominal_length(1.0).n([0, 0, -1]));
    let wheel = RollingWheel::new().radius(0.3).m(2.0).I_axis(0.06).I_long(0.12);
    m.add("wheel", wheel.der_angles(fixed_vector([0.0, 5.0, 1.0])));
    let set = RollingWheelSet::new().r_wheel(0.2).track(1.0).m_wheel(2.0).I_wheel_axis(0.06);
    m.add("set", set.I_wheel_long(0.12).der_theta1(fixed(3.0)).der_theta2(fixed(2.0)));
    let swing = m.add("swing", Revolute::new().n(Y).phi(fixed(0.3)).w(fixed(0.0)));
    let arm = m.add("arm", BodyCylinder::new().r([0.5, 0.0, 0.0]));
    let rotor = m.add("rotor", Rotor1D::new().J(0.1).n(X).phi(fixed(0.4)).w(fixed(7.0)));
    let fixed_part = m.add("fixed", Fixed::new());
    m.connect(fixed_part.frame_b, swing.frame_a);
    m.connect(swing.frame_b, arm.frame_a);
    m.connect(arm.frame_b, rotor.frame_a);
}

/// The files that a model makes.
fn resources(text: impl FnOnce(&mut Assembly)) -> Vec<(String, String)> {
    let program = compile_named("Test", "A test.", |model| {
        if let Err(error) = assemble(text, model) {
            model.refuse(equations::Error::Definition(error.to_string()));
        }
    });
    program.expect("the model is sound").resources().to_vec()
}

pub fn scene(text: fn(&mut Assembly)) -> Value {
    let files = resources(|m| {
        text(m);
        m.scene();
    });
    let [(name, content)] = &files[..] else { panic!("one file: {files:?}") };
    assert_eq!(name, "scene.json");
    serde_json::from_str(content).unwrap()
}

/// The shapes of a component.
pub fn shapes<'a>(scene: &'a Value, component: &str) -> Vec<&'a Value> {
    let all = scene["shapes"].as_array().unwrap();
    all.iter().filter(|shape| shape["component"] == component).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[track_caller]
pub fn assert_numbers(value: &Value, want: &[f64]) {
    let have = numbers(value);
    assert_eq!(have.len(), want.len());
    for (have, want) in have.iter().zip(want) {
        assert!((have - want).abs() < 1e-15, "{value} is not {want:?}");
    }
}

#[track_caller]
pub fn assert_size(shape: &Value, want: [f64; 3]) {
    for (key, want) in ["length", "width", "height"].into_iter().zip(want) {
        let have = shape[key].as_f64().unwrap();
        assert!((have - want).abs() < 1e-15, "{key}: {have} is not {want}");
    }
}

#[test]
fn shapes_have_the_sizes_of_their_parts() {
    let scene = scene(chain);
    let [turn] = shapes(&scene, "turn")[..] else { panic!("one shape") };
    assert_eq!(
        (turn["shapeType"].as_str(), turn["frame"].as_str()),
        (Some("cylinder"), Some("turn.frame_a"))
    );
    assert_size(turn, [0.2, 0.1, 0.1]);
    assert_numbers(&turn["r_shape"], &[0.0, -0.06, -0.08]);
    assert_numbers(&turn["lengthDirection"], &[0.0, 0.6, 0.8]);
    assert_eq!(turn["color"], serde_json::json!([255, 0, 0]));
    let [slide] = shapes(&scene, "slide")[..] else { panic!("one shape") };
    assert_eq!(
        (slide["shapeType"].as_str(), slide["length"].as_str()),
        (Some("box"), Some("slide.s"))
    );
    let [rod] = shapes(&scene, "rod")[..] else { panic!("one shape") };
    assert_size(rod, [0.4, 0.02, 0.02]);
    assert_eq!(rod["color"], serde_json::json!([155, 155, 155]));
    let [brick] = shapes(&scene, "box")[..] else { panic!("one shape") };
    assert_size(brick, [0.5, 0.1, 0.2]);
    assert_numbers(&brick["r_shape"], &[0.1, 0.0, 0.0]);
    // Only the component of the width's direction perpendicular to the length is used.
    assert_numbers(&brick["widthDirection"], &[0.0, 0.0, 1.0]);
    assert_eq!(brick["color"], serde_json::json!([0, 128, 255]));
    let [pipe] = shapes(&scene, "cylinder")[..] else { panic!("one shape") };
    assert_size(pipe, [0.5, 0.1, 0.1]);
    assert_eq!(pipe["extra"].as_f64(), Some(0.5));
    let [stick, ball] = shapes(&scene, "body")[..] else { panic!("two shapes") };
    let diameter = 2.0 / 9.0;
    assert_size(stick, [0.5, diameter / 3.0, diameter / 3.0]);
    assert_numbers(&stick["lengthDirection"], &[0.6, 0.0, 0.8]);
    assert_size(ball, [diameter; 3]);
    assert_numbers(&ball["r_shape"], &[0.3 - diameter / 2.0, 0.0, 0.4]);
    assert_eq!(shapes(&scene, "point").len(), 1);
    assert_eq!(scene["world"]["axisLength"].as_f64(), Some(1.0));
}

#[test]
fn parts_without_extension_have_no_shape() {
    let scene = scene(|m| {
        let world = m.add("world", World::new().nominal_length(1.0));
        let none = m.add("none", FixedTranslation::new().r([0.0; 3]));
        let turn = m.add("turn", Revolute::new());
        let body = m.add("body", Body::new().m(1.0).r_cm([0.0, 0.05, 0.0]));
        m.connect(world.frame_b, none.frame_a);
        m.connect(none.frame_b, turn.frame_a);
        m.connect(turn.frame_b, body.frame_a);
    });
    assert!(shapes(&scene, "none").is_empty());
    // The centre of mass is inside of the sphere around it.
    let [ball] = shapes(&scene, "body")[..] else { panic!("one shape") };
    assert_eq!(ball["shapeType"], "sphere");
}

/// Asserts that every name in the scene is a variable, and that the axes of every frame are
/// perpendicular to each other.
pub fn names_are_variables(text: fn(&mut Assembly)) {
    let description = scene(text);
    let mut model = start(|m| {
        text(m);
        m.scene();
    });
    step(&mut model, 0.02);
    let known: Vec<&str> = description["frames"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["name"].as_str().unwrap())
        .collect();
    for shape in description["shapes"].as_array().unwrap() {
        assert!(known.contains(&shape["frame"].as_str().unwrap()), "{shape}");
        if let Some(name) = shape["length"].as_str() {
            value(&mut model, name);
        }
        if let Some(to) = shape["to"].as_str() {
            assert!(known.contains(&to), "{shape}");
        }
        for name in shape["vector"].as_array().into_iter().flatten() {
            value(&mut model, name.as_str().unwrap());
        }
    }
    for frame in description["frames"].as_array().unwrap() {
        for name in frame["r_0"].as_array().unwrap() {
            value(&mut model, name.as_str().unwrap());
        }
        let t: Vec<Vec<f64>> = frame["T"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                let row = row.as_array().unwrap();
                row.iter().map(|name| value(&mut model, name.as_str().unwrap())).collect()
            })
            .collect();
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| t[i][k] * t[j][k]).sum();
                let want = if i == j { 1.0 } else { 0.0 };
                assert!((product - want).abs() < 1e-14, "{}: {product}", frame["name"]);
            }
        }
    }
}

#[test]
fn all_names_in_a_scene_exist() {
    names_are_variables(chain);
    names_are_variables(loops);
    names_are_variables(several_freedoms);
    names_are_variables(line_forces);
    names_are_variables(wheels);
}

#[test]
fn springs_and_dampers_lead_from_frame_to_frame() {
    let scene = scene(line_forces);
    for (name, form, color) in [
        ("spring", "spring", [0, 0, 255]),
        ("both", "spring", [0, 0, 255]),
        ("series", "spring", [0, 0, 255]),
        ("damper", "damper", [100, 100, 100]),
    ] {
        let [shape] = shapes(&scene, name)[..] else { panic!("one shape") };
        assert_eq!(shape["shapeType"], form);
        let [frame, to] = ["frame", "to"].map(|key| shape[key].as_str().unwrap());
        assert_eq!([frame, to], ["a", "b"].map(|end| format!("{name}.frame_{end}")));
        assert_eq!(shape["color"], serde_json::json!(color));
        // A twentieth of the nominal length; the wire has a tenth of that.
        let height = if form == "spring" { 0.01 } else { 0.1 };
        let sizes = ["width", "height"].map(|key| shape[key].as_f64().unwrap());
        assert!((sizes[0] - 0.1).abs() < 1e-15 && (sizes[1] - height).abs() < 1e-15, "{shape}");
        assert!(shape.get("length").is_none() && shape.get("lengthDirection").is_none());
    }
    assert_eq!(shapes(&scene, "spring")[0]["extra"].as_f64(), Some(5.0));
}

#[test]
fn arrows_show_the_loads_on_the_other_parts() {
    let scene = scene(line_forces);
    let [force, torque] = shapes(&scene, "load")[..] else { panic!("two shapes") };
    assert_eq!(force["scale"].as_f64(), Some(-0.02));
    assert_eq!(torque["scale"].as_f64(), Some(-0.001));
    let mut model = start(|m| {
        line_forces(m);
        m.scene();
    });
    step(&mut model, 0.05);
    for arrow in [force, torque] {
        assert_eq!(
            (arrow["shapeType"].as_str(), arrow["resolved"].as_str()),
            (Some("arrow"), Some("frame"))
        );
        let local: Vec<f64> = arrow["vector"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| value(&mut model, name.as_str().unwrap()))
            .collect();
        for (j, want) in [3.0, -1.0, 2.0].into_iter().enumerate() {
            let along =
                |i: usize| value(&mut model, &format!("load.frame_b.R.T[{},{}]", i + 1, j + 1));
            let world: f64 = (0..3).map(along).zip(&local).map(|(t, x)| t * x).sum();
            assert!((-world - want).abs() < 1e-12, "{world} is not {want}");
        }
    }
    // Without a scene, nobody needs these variables.
    assert!(start(line_forces).names().all(|name| !name.starts_with("load.frame_b.f")));
}

#[test]
fn wheels_turn_and_stand_on_the_ground() {
    let scene = scene(wheels);
    assert_numbers(&scene["world"]["up"], &[0.0, 0.0, 1.0]);
    let [wheel, arrow, road] = shapes(&scene, "wheel")[..] else { panic!("three shapes") };
    assert_eq!(wheel["shapeType"], "wheel");
    assert_size(wheel, [0.06, 0.6, 0.6]);
    assert_numbers(&wheel["r_shape"], &[0.0, -0.03, 0.0]);
    assert_numbers(&wheel["lengthDirection"], &[0.0, 1.0, 0.0]);
    assert_eq!((arrow["resolved"].as_str(), arrow["scale"].as_f64()), (Some("world"), Some(0.001)));
    assert_eq!(
        (road["shapeType"].as_str(), road["frame"].as_str()),
        (Some("plane"), Some("world.frame_b"))
    );
    assert_size(road, [10.0, 10.0, 0.0]);
    // The road of the second vehicle is the same.
    let forms: Vec<&str> =
        shapes(&scene, "set").iter().map(|s| s["shapeType"].as_str().unwrap()).collect();
    assert_eq!(forms, ["cylinder", "wheel", "wheel"]);
    let [rotor] = shapes(&scene, "rotor")[..] else { panic!("one shape") };
    assert_eq!(rotor["frame"], "rotor.cylinder");
    let mut model = start(|m| {
        wheels(m);
        m.scene();
    });
    step(&mut model, 0.05);
    let angle = value(&mut model, "rotor.phi");
    for j in 1..=3 {
        let mut of = |frame: &str, i: usize| value(&mut model, &format!("{frame}.R.T[{i},{j}]"));
        let want = angle.cos() * of("arm.frame_a", 2) + angle.sin() * of("arm.frame_a", 3);
        assert!((of("rotor.cylinder", 2) - want).abs() < 1e-12);
    }
}

/// A crank, and a rod and a rocker of a joint assembly; the base is turned about the axes.
fn four_bar(m: &mut Assembly) {
    let world = m.add("world", World::new().nominal_length(1.0));
    let crank = m.add("crank", Revolute::new().n(Z).phi(fixed(0.2)).w(fixed(3.0)));
    let arm = m.add("arm", BodyCylinder::new().r([0.3, 0.0, 0.0]));
    let base = m.add("base", FixedRotation::new().r([1.0, 0.0, 0.0]).n(X).angle(90.0));
    let rods = JointRRR::new().n_a(Z).r_rod1_ia([1.0, 0.0, 0.0]).r_rod2_ib([0.0, 0.0, -0.6]);
    let rods = m.add("rods", rods.phi_guess(0.0));
    m.connect(world.frame_b, crank.frame_a);
    m.connect(crank.frame_b, arm.frame_a);
    m.connect(arm.frame_b, rods.frame_a);
    m.connect(world.frame_b, base.frame_a);
    m.connect(base.frame_b, rods.frame_b);
}

#[test]
fn a_joint_assembly_shows_both_rods_and_its_joints() {
    let scene = scene(four_bar);
    let all = shapes(&scene, "rods");
    let places: Vec<&str> = all.iter().map(|shape| shape["frame"].as_str().unwrap()).collect();
    let places: Vec<&str> = places.iter().map(|place| place.trim_start_matches("rods.")).collect();
    assert_eq!(places, ["frame_a", "frame_ia", "frame_ia", "frame_ib", "frame_b"]);
    assert!(all.iter().all(|shape| shape["shapeType"] == "cylinder"));
    assert_size(all[1], [1.0, 0.05, 0.05]);
    assert_size(all[3], [0.6, 0.05, 0.05]);
    assert_numbers(&all[3]["lengthDirection"], &[0.0, 0.0, -1.0]);
    // The axis of frame_a is this one in frame_b.
    assert_numbers(&all[4]["lengthDirection"], &[0.0, 1.0, 0.0]);
    names_are_variables(four_bar);
}

#[test]
fn contacts_show_spheres_faces_and_forces() {
    use libraries::impulses::CollisionSpherePlane;
    let scene = scene(|m| {
        let world = m.add("world", World::new().nominal_length(1.0));
        let ball = m.add("ball", libraries::impulses::Body::new().x_start([0.0, 0.5, 0.0]));
        let floor = m.add("floor", CollisionSpherePlane::new().ra(0.2));
        let table = CollisionSpherePlane::new().ra(0.2).along(X).length(0.5).width(0.3);
        let table = m.add("table", table.rests(false));
        for contact in [floor, table] {
            m.connect(contact.frame_a, ball.frame_a);
            m.connect(contact.frame_b, world.frame_b);
        }
    });
    // The sphere with the radius of the contact replaces the one of the body.
    assert!(shapes(&scene, "ball").is_empty());
    let [ball, arrow, floor] = shapes(&scene, "floor")[..] else { panic!("three shapes") };
    assert_size(ball, [0.4; 3]);
    assert_eq!(arrow["vector"][0], "floor.f[1]");
    assert_size(floor, [2.0, 2.0, 0.0]);
    let [table] = shapes(&scene, "table")[..] else { panic!("one shape") };
    assert_size(table, [0.5, 0.3, 0.0]);
    assert_numbers(&table["lengthDirection"], &[1.0, 0.0, 0.0]);
}

#[test]
fn a_slide_is_drawn_from_one_frame_to_the_other() {
    let mut model = start(|m| {
        parts(m);
        m.scene();
    });
    step(&mut model, 0.02);
    let s = value(&mut model, "slide.s");
    for i in 1..=3 {
        let along = value(&mut model, &format!("slide.frame_a.R.T[2,{i}]"));
        let end = value(&mut model, &format!("slide.frame_a.r_0[{i}]")) + s * along;
        let want = value(&mut model, &format!("slide.frame_b.r_0[{i}]"));
        assert!((end - want).abs() < 1e-15, "{end} is not {want}");
    }
}

#[test]
fn the_rod_of_a_loop_has_the_length_that_follows_from_the_start() {
    let scene = scene(loops);
    let [_, _, ball, rod] = shapes(&scene, "rod")[..] else { panic!("four shapes") };
    assert!((rod["length"].as_f64().unwrap() - 1.1_f64.sqrt()).abs() < 1e-12, "{rod}");
    assert_eq!(
        (rod["frame"].as_str(), ball["frame"].as_str()),
        (Some("rod.frame_ia"), Some("rod.frame_b"))
    );
}

#[test]
fn a_scene_changes_no_bit_of_the_motion() {
    assert!(resources(loops).is_empty());
    for text in [loops as fn(&mut Assembly), chain, several_freedoms, line_forces, wheels] {
        let run = |scene: bool| -> Simulation {
            let mut model = start(|m| {
                text(m);
                if scene {
                    m.scene();
                }
            });
            step(&mut model, 0.05);
            model
        };
        let (mut plain, mut drawn) = (run(false), run(true));
        assert_eq!(plain.continuous_states(), drawn.continuous_states());
        assert_eq!(derivatives(&mut plain), derivatives(&mut drawn));
        let names: Vec<String> = plain.names().map(str::to_owned).collect();
        for name in names {
            let (one, other) = (plain.read(&name), drawn.read(&name));
            assert_eq!(one.unwrap().to_bits(), other.unwrap().to_bits(), "{name}");
        }
    }
}

#[test]
fn a_frame_can_be_an_output() {
    let program = program(|m| {
        let end = parts(m);
        m.output_frame("tip", end);
        m.scene();
    });
    let program = program.unwrap();
    let mut model = simulation_of(&program);
    initialize(&mut model);
    step(&mut model, 0.01);
    let outputs: Vec<String> = program
        .description()
        .variables
        .iter()
        .filter(|v| v.causality == "output")
        .map(|v| v.name.clone())
        .collect();
    assert_eq!(outputs.len(), 12, "{outputs:?}");
    for name in outputs {
        let inner = name.replace(
            "tip.",
            if name.contains(".R.") { "body.frame_a." } else { "cylinder.frame_b." },
        );
        let (have, want) = (value(&mut model, &name), value(&mut model, &inner));
        assert_eq!(have.to_bits(), want.to_bits(), "{name}");
    }
}

#[test]
fn an_output_that_is_no_frame_is_named() {
    let message = simulation(|m| {
        let end = parts(m);
        let point = m.add("other", AbsolutePosition::new());
        m.connect(end, point.frame_a);
        m.output_frame("o", point.frame_resolve);
    });
    let message = message.expect_err("the frame is not in use");
    assert!(message.contains("other.frame_resolve: it is an output"), "{message}");
    let message = simulation(|m| {
        m.add("world", World::new().nominal_length(0.0));
    });
    let message = message.expect_err("the length is wrong");
    assert!(message.contains("world.nominalLength = 0 m"), "{message}");
}

/// A crank-slider whose lengths are multiples of one, with a centre of mass beside the rod.
fn crank_slider(m: &mut Assembly, length: f64, n: [f64; 3]) {
    add! { m,
        world: World::new(),
        crank_pin: Revolute::new().n(n).phi(fixed(0.4)).w(fixed(2)).states(Always),
        crank: FixedTranslation::new().r([0.3 * length, 0.0, 0.0]),
        rod_pin: Revolute::new().n(n).phi(guess(-0.6)),
        rod: BodyShape::new().r([length, 0.0, 0.0]).r_cm([0.6 * length, 0.2 * length, 0.0]).m(1.0),
        piston_pin: Revolute::new().n(n),
        guide: Prismatic::new().n(X).s(guess(1.1 * length)),
        piston: Body::new().m(1.0).r_cm([0.0; 3]),
    }
    m.chain((world.frame_b, crank_pin, crank, rod_pin, rod.frame_a));
    m.chain((world.frame_b, guide, piston_pin.frame_a));
    m.connect(rod.frame_b, piston_pin.frame_b);
    m.connect(guide.frame_b, piston.frame_a);
}

#[test]
fn sizes_follow_the_largest_part() {
    let [large, small] = [
        scene(|m: &mut Assembly| crank_slider(m, 1.0, Z)),
        scene(|m: &mut Assembly| crank_slider(m, 0.007, Z)),
    ];
    let [of_large, of_small] = [&large, &small].map(|scene| scene["shapes"].as_array().unwrap());
    assert_eq!(of_large.len(), of_small.len());
    for (large, small) in of_large.iter().zip(of_small) {
        for key in ["length", "width", "height"] {
            let Some((large, small)) = large[key].as_f64().zip(small[key].as_f64()) else {
                continue;
            };
            assert!((0.007 * large - small).abs() < 1e-15, "{key}: {large} {small}");
        }
    }
    // The nominal length is twice that of the rod.
    assert_size(shapes(&large, "crank_pin")[0], [0.2, 0.1, 0.1]);
    assert_eq!(large["world"]["axisLength"].as_f64(), Some(1.0));
}

#[test]
fn a_centre_of_mass_beside_a_rod_is_joined_to_it() {
    let scene = scene(|m| crank_slider(m, 1.0, Z));
    let [_, arm, _] = shapes(&scene, "rod")[..] else { panic!("a rod, an arm and a sphere") };
    assert_numbers(&arm["r_shape"], &[0.6, 0.0, 0.0]);
    assert_numbers(&arm["lengthDirection"], &[0.0, 1.0, 0.0]);
    assert_eq!(arm["length"].as_f64(), Some(0.2));
}

#[test]
fn a_scene_names_the_plane_in_which_all_parts_move() {
    let planar = scene(|m| crank_slider(m, 1.0, Z));
    assert_numbers(&planar["world"]["normal"], &[0.0, 0.0, 1.0]);
    let upside_down = scene(|m| crank_slider(m, 1.0, [0.0, 0.0, -1.0]));
    assert_numbers(&upside_down["world"]["normal"], &[0.0, 0.0, -1.0]);
    assert!(scene(several_freedoms)["world"].get("normal").is_none(), "a spherical joint");
    assert!(scene(chain)["world"].get("normal").is_none(), "a slide along y, a turn about y and z");
}
