//! Tests of diagrams: the places of symbols and lines, and what FMUs contain.

use std::collections::BTreeSet;
use std::fs;

use coupler::libraries::LIBRARIES;
use coupler_tests::own;
use fmu_builder::fmu::Fmu;
use mechanics::Assembly;
use models::MODELS;
use quick_xml::events::Event;
use random::Random;
use report::{Diagram, Kind, Layout, Symbol};

/// Distances in pixels below which places are the same.
const SAME: f64 = 0.01;

/// What is wrong in a picture: symbols overlap, or a line does not lead from the frame of one of
/// its symbols to that of the other, is not level or upright, or runs through a symbol.
fn faults(layout: &Layout) -> Vec<String> {
    let mut faults = Vec::new();
    let names = &layout.names;
    for (i, a) in layout.frames.iter().enumerate() {
        let (width, height) = layout.size;
        if a[0] < 0.0 || a[1] < 0.0 || a[2] > width || a[3] > height {
            faults.push(format!("{} is outside", names[i]));
        }
        for (k, b) in layout.frames.iter().enumerate().skip(i + 1) {
            if a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3] {
                faults.push(format!("{} overlaps {}", names[i], names[k]));
            }
        }
    }
    for line in &layout.lines {
        let [from, to] = line.ends.map(|end| &names[end]);
        let (first, last) = (line.points.first(), line.points.last());
        for (point, end) in [first, last].into_iter().zip(line.ends) {
            if !point.is_some_and(|p| is_on_frame(*p, layout.frames[end])) {
                faults.push(format!("{from} - {to} does not touch {}", names[end]));
            }
        }
        for pair in line.points.windows(2) {
            let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
            if (x1 - x2).abs() > SAME && (y1 - y2).abs() > SAME {
                faults.push(format!("{from} - {to} is oblique"));
            }
            for (frame, name) in layout.frames.iter().zip(names) {
                let inside = x1.max(x2) > frame[0] + SAME
                    && x1.min(x2) < frame[2] - SAME
                    && y1.max(y2) > frame[1] + SAME
                    && y1.min(y2) < frame[3] - SAME;
                if inside {
                    faults.push(format!("{from} - {to} runs through {name}"));
                }
            }
        }
    }
    faults
}

/// Whether a point is on the border of a frame.
fn is_on_frame((x, y): (f64, f64), [left, top, right, bottom]: [f64; 4]) -> bool {
    let within = |a: f64, low: f64, high: f64| low - SAME <= a && a <= high + SAME;
    let on = |a: f64, b: f64| (a - b).abs() < SAME;
    (within(y, top, bottom) && (on(x, left) || on(x, right)))
        || (within(x, left, right) && (on(y, top) || on(y, bottom)))
}

/// The names of variables in the attributes `data-*` of a picture, which is well-formed.
fn moved(svg: &str) -> BTreeSet<String> {
    const KINDS: [&str; 5] = ["data-turn", "data-slide", "data-stretch", "data-force", "data-mode"];
    let mut reader = quick_xml::Reader::from_str(svg);
    let (mut names, mut depth) = (BTreeSet::new(), 0);
    loop {
        let event = reader.read_event().unwrap_or_else(|error| panic!("{error}: {svg}"));
        let (Event::Start(start) | Event::Empty(start)) = &event else {
            match event {
                Event::End(_) => depth -= 1,
                Event::Eof => break,
                _ => {}
            }
            continue;
        };
        depth += i32::from(matches!(event, Event::Start(_)));
        for attribute in start.attributes() {
            let attribute = attribute.unwrap_or_else(|error| panic!("{error}: {svg}"));
            if KINDS.contains(&attribute.key.0) {
                let value = attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0);
                names.insert(value.unwrap_or_else(|error| panic!("{error}")).into_owned());
            }
        }
    }
    assert_eq!(depth, 0);
    names
}

#[test]
fn every_model_has_a_readable_diagram_whose_variables_exist() {
    let (mut drawn, mut moving) = (0, 0);
    for model in MODELS.models {
        let traced = MODELS.trace(model).unwrap_or_else(|error| panic!("{error}"));
        let Some(diagram) = traced.code.diagram() else { continue };
        let text = diagram.text().expect("a file");
        assert!(Diagram::read(&text).is_ok(), "{}: {:?}", model.name, Diagram::read(&text).err());
        let layout = diagram.layout();
        let faults = faults(&layout);
        assert!(faults.is_empty(), "{}: {}", model.name, faults.join("; "));
        let known: BTreeSet<&str> =
            traced.code.description().variables.iter().map(|v| &*v.name).collect();
        let moved = moved(&diagram.svg(model.name));
        let lost: Vec<&String> = moved.iter().filter(|name| !known.contains(&***name)).collect();
        assert!(lost.is_empty(), "{}: there is no {lost:?}", model.name);
        assert!(diagram.remark().is_none(), "{}", model.name);
        drawn += 1;
        moving += usize::from(!moved.is_empty());
    }
    // Only models of written equations have no components.
    assert!(drawn > 60 && moving > 40, "{drawn} {moving}");
}

/// A diagram of random components, some of which are connected with themselves.
fn random_diagram(random: &mut Random) -> Diagram {
    const TYPES: [&str; 15] = [
        "Modelica.Electrical.Analog.Basic.Resistor",
        "Modelica.Electrical.Analog.Basic.Ground",
        "Modelica.Electrical.Analog.Basic.Transformer",
        "Modelica.Electrical.Analog.Ideal.IdealDiode",
        "Modelica.Electrical.Analog.Sources.SineVoltage",
        "Modelica.Electrical.Analog.Sensors.CurrentSensor",
        "Modelica.Mechanics.Rotational.Components.Inertia",
        "Modelica.Mechanics.Rotational.Components.Clutch",
        "Modelica.Mechanics.Rotational.Components.Fixed",
        "Modelica.Mechanics.Rotational.Sources.Torque",
        "Modelica.Mechanics.Rotational.Sensors.SpeedSensor",
        "Modelica.Mechanics.MultiBody.Joints.Revolute",
        "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRR",
        "Modelica.Blocks.Math.Gain",
        "Bumper",
    ];
    const PORTS: [(&str, Kind); 15] = [
        ("p", Kind::Pin),
        ("n", Kind::Pin),
        ("p", Kind::Pin),
        ("n", Kind::Pin),
        ("p1", Kind::Pin),
        ("n1", Kind::Pin),
        ("flange_a", Kind::Flange),
        ("flange_b", Kind::Flange),
        ("flange", Kind::TranslationalFlange),
        ("support", Kind::Flange),
        ("frame_a", Kind::Frame),
        ("frame_b", Kind::Frame),
        ("axis", Kind::Flange),
        ("heatPort", Kind::Heat),
        ("f_normalized", Kind::Input),
    ];
    let count = 1 + random.below(30);
    let component = |k: usize| (format!("part{k}"), random.of(&TYPES).to_owned());
    let mut diagram = Diagram::of((0..count).map(component).collect::<Vec<_>>());
    for _ in 0..random.below(2 * count) {
        let [a, b] = [random.below(count), random.below(count)];
        let [p, q] = [random.of(&PORTS), random.of(&PORTS)];
        let p = if q.1 == Kind::Input { ("y", Kind::Output) } else { p };
        diagram.connect([(a, p.0, p.1), (b, q.0, q.1)]);
    }
    diagram
}

#[test]
fn symbols_and_lines_of_any_diagram_keep_apart() {
    let mut random = Random(5);
    let mut lines = 0;
    for case in 0..2000 {
        let diagram = random_diagram(&mut random);
        let layout = diagram.layout();
        let faults = faults(&layout);
        assert!(faults.is_empty(), "{case}: {}: {}", faults.join("; "), diagram.svg("random"));
        lines += layout.lines.len();
    }
    assert!(lines > 20_000, "{lines}");
}

#[test]
fn signals_of_type_boolean_keep_their_kind_in_vectors_too() {
    let model = MODELS.models.iter().find(|model| model.name == "logic_network").expect("a model");
    let traced = MODELS.trace(model).unwrap_or_else(|error| panic!("{error}"));
    let diagram = traced.code.diagram().expect("a diagram");
    let gates = ["And", "Or", "Xor", "Nand"];
    let of_gate = |type_name: &str| gates.iter().any(|gate| type_name.ends_with(gate));
    let mut inputs = 0;
    for component in diagram.components().iter().filter(|c| of_gate(&c.type_name)) {
        for connector in component.connectors.iter().filter(|connector| connector.kind.is_input()) {
            assert_eq!(connector.kind, Kind::BooleanInput, "{}", component.name);
            inputs += 1;
        }
    }
    assert!(inputs > 3, "{inputs}");
}

/// Components that are boxes with their names, by the names of their types.
const BOXES: &[&str] = &[
    "AbsoluteAngles",
    "AbsoluteAngularVelocity",
    "AbsolutePosition",
    "AbsoluteVelocity",
    "AngleToTorqueAdaptor",
    "AssertCondition",
    "AssignClock",
    "BevelGear1D",
    "BooleanExpression",
    "CCCVcharger",
    "CloseLoop",
    "CollisionSphereCylinder",
    "CollisionSpherePlane",
    "CollisionSphereSphere",
    "ConnectContinousFrame",
    "CutForce",
    "CutForceAndTorque",
    "CutTorque",
    "Cylindrical",
    "DQToThreePhase",
    "Damping",
    "Distance",
    "EnergyInjection",
    "Extractor",
    "FixedArrow",
    "FixedFrame",
    "FixedShape",
    "FixedShape2",
    "Force",
    "ForceAndTorque",
    "ForceToPositionAdaptor",
    "FreeBodyMovement",
    "FreeMotion",
    "FreeMotionScalarInit",
    "FreeTranslationalMovement",
    "GasForce2",
    "GearConstraint",
    "GeneralAngleToTorqueAdaptor",
    "GeneralCurrentToVoltageAdaptor",
    "GeneralForceToPositionAdaptor",
    "GeneralPositionToForceAdaptor",
    "GeneralTorqueToAngleAdaptor",
    "GeneralVoltageToCurrentAdaptor",
    "IdealPlanetary",
    "InitializeFlange",
    "InsertImpulse",
    "IntegerExpression",
    "JointRRP",
    "JointRRR",
    "JointSSP",
    "JointSSR",
    "JointUPS",
    "JointUSP",
    "JointUSR",
    "LineForceWithMass",
    "LineForceWithTwoMasses",
    "LinearDependency",
    "MassWithStopAndFriction",
    "Mounting1D",
    "OpaqueController",
    "PeriodicExactClock",
    "PeriodicRealClock",
    "PipeWithScalarField",
    "Planar",
    "PositionToForceAdaptor",
    "PotentialFBM",
    "RealExpression",
    "Rectangle",
    "RelativeAngles",
    "RelativeAngularVelocity",
    "RelativePosition",
    "RelativeStates",
    "RelativeVelocity",
    "Replicator",
    "RevolutePlanarLoopConstraint",
    "RollingResistance",
    "RollingWheel",
    "RollingWheelSet",
    "SM_PermanentMagnet",
    "SignalArrow",
    "SphericalSpherical",
    "SupplyVoltage",
    "TerminateSimulation",
    "ThermalCollector",
    "ToDQ",
    "Torque",
    "TorqueToAngleAdaptor",
    "Torus",
    "TracedController",
    "TransformAbsoluteVector",
    "TransformRelativeVector",
    "TriggeredAdd",
    "Universal",
    "UniversalSpherical",
    "Vehicle",
    "VoluminousWheel",
    "World3D",
    "WorldForce",
    "WorldForceAndTorque",
    "WorldTorque",
];

#[test]
fn every_component_has_a_symbol_or_is_known_as_a_box() {
    let declarations = LIBRARIES.iter().flat_map(|library| library.components);
    let names = declarations.map(|class| class.declaration).map(|declaration| {
        let names = [declaration.class, declaration.name];
        names.into_iter().find(|name| !name.is_empty()).unwrap_or_default()
    });
    let boxes = names.filter(|name| Symbol::of(name) == Symbol::Box);
    let boxes: BTreeSet<&str> =
        boxes.map(|name| name.rsplit('.').next().unwrap_or_default()).collect();
    let known: BTreeSet<&str> = BOXES.iter().copied().collect();
    assert_eq!(boxes, known);
}

#[test]
fn an_fmu_contains_its_diagram_as_a_picture_without_a_script() {
    let folder = tempfile::tempdir().expect("a folder");
    let traced = own::traced("clutches", |m: &mut Assembly| models::coupled_clutches::model(m));
    let built = own::interpreted(&traced, folder.path());
    let fmu = Fmu::open(&built.path).expect("an FMU");
    let read = |file: &str| fs::read_to_string(fmu.folder().join(file)).expect("a file");
    let diagram = Diagram::read(&read("documentation/diagram.json")).expect("a diagram");
    assert_eq!(Some(&diagram), traced.code.diagram().as_ref());
    let page = read("documentation/index.html");
    assert!(page.contains(&diagram.svg("Clutches")) && page.contains("data-turn=\"J1.phi\""));
    assert!(!page.contains("<script"), "{page}");
    // Each connection of the model has its line.
    assert_eq!(diagram.layout().lines.len(), 12);
}
