//! Tests of the file of a diagram, and of its picture.

use super::*;

/// An inertia, a clutch that a signal presses, and an inertia.
fn diagram() -> Diagram {
    let named = |(name, class): (&str, &str)| (name.to_owned(), class.to_owned());
    let components = [
        ("a", "Modelica.Mechanics.Rotational.Components.Inertia"),
        ("b", "Modelica.Mechanics.Rotational.Components.Clutch"),
        ("c", "Modelica.Mechanics.Rotational.Components.Inertia"),
        ("u", "Modelica.Blocks.Sources.Step"),
    ];
    let mut diagram = Diagram::of(components.map(named));
    diagram.connect([(0, "flange_b", Kind::Flange), (1, "flange_a", Kind::Flange)]);
    diagram.connect([(1, "flange_b", Kind::Flange), (2, "flange_a", Kind::Flange)]);
    diagram.connect([(3, "y", Kind::Output), (1, "f_normalized", Kind::Input)]);
    diagram.animate(|name| !name.starts_with("c."), |_| None);
    diagram
}

#[test]
fn a_diagram_is_read_as_it_was_written() {
    let diagram = diagram();
    assert_eq!(Diagram::read(&diagram.text().unwrap()), Ok(diagram));
}

/// The places of the diagram: the second inertia is mirrored and stands below the first one.
fn places() -> Vec<(String, Place)> {
    let place = |(name, x, y, mirrored): (&str, f64, f64, Option<bool>)| {
        (name.to_owned(), Place { x, y, mirrored })
    };
    let places = [
        ("a", -40.0, 20.0, Some(false)),
        ("b", 0.0, 21.0, None),
        ("c", -38.0, -50.0, Some(true)),
        ("u", 0.0, 60.0, Some(false)),
    ];
    places.map(place).into()
}

#[test]
fn a_picture_keeps_to_places_if_all_components_have_one() {
    let mut some = diagram();
    some.place(places().into_iter().take(3));
    assert_eq!(some, diagram());
    let mut placed = diagram();
    placed.place(places());
    assert_eq!(Diagram::read(&placed.text().unwrap()), Ok(placed.clone()));
    let frames = placed.layout().frames;
    let [a, b, c, u]: [[f64; 4]; 4] = frames.try_into().unwrap();
    let centre = |frame: [f64; 4]| [(frame[0] + frame[2]) / 2.0, (frame[1] + frame[3]) / 2.0];
    let [a, b, c, u] = [a, b, c, u].map(centre);
    assert!(a[1] == b[1] && a[0] == c[0] && b[0] == u[0]);
    assert!(a[0] < b[0] && u[1] < a[1] && a[1] < c[1]);
    let svg = |place: Place| {
        let mut other = placed.clone();
        other.places.insert("c".to_owned(), place);
        other.svg("")
    };
    let [mirrored, upright] =
        [true, false].map(|mirrored| Place { x: -38.0, y: -50.0, mirrored: Some(mirrored) });
    assert!(svg(mirrored) != svg(upright));
    let text = placed.text().unwrap().replace("60.0", "1e999");
    assert!(Diagram::read(&text).is_err());
}

#[test]
fn what_is_inside_of_a_component_with_a_place_is_one_symbol() {
    let named = |name: &str| (name.to_owned(), "Inertia".to_owned());
    let mut diagram = Diagram::of(["part.a", "part.b", "wheel[1]", "wheel[2]", "c"].map(named));
    diagram.connect([(1, "flange_b", Kind::Flange), (2, "flange_a", Kind::Flange)]);
    let place = |(k, name): (usize, &str)| {
        (name.to_owned(), Place { x: 30.0 * k as f64, y: 0.0, mirrored: Some(false) })
    };
    diagram.place(["part", "wheel", "c"].into_iter().enumerate().map(place));
    assert_eq!(diagram.layout().names, ["part", "wheel", "c"]);
}

#[test]
fn only_known_variables_move_a_symbol() {
    let diagram = diagram();
    let names: Vec<&str> = diagram.variables().into_iter().collect();
    assert_eq!(names, ["a.phi", "b.flange_a.phi", "b.flange_b.phi", "b.mode"]);
    let svg = diagram.svg("");
    assert!(svg.contains("data-turn=\"a.phi\"") && svg.contains("data-mode=\"b.mode\""));
    assert!(!svg.contains("c.phi"));
}

#[test]
fn a_damaged_file_is_refused_in_one_sentence() {
    let text = diagram().text().unwrap();
    for (from, to, reason) in [
        ("\"disc\"", "\"disk\"", "unknown variant `disk`"),
        ("\"name\": \"c\"", "\"name\": \"a\"", "there are two components a"),
        ("\"c.flange_a\"", "\"c.flange_b\"", "there is no connector c.flange_b"),
        ("\"name\": \"flange_b\"", "\"name\": \"flange_a\"", "two connectors have the same name"),
        ("\"connections\": [", "\"connections\": 7, \"x\": [", "invalid type: integer `7`"),
        ("\"symbol\": \"clutch\",", "\"symbol\": \"clutch\", \"ratio\": 0,", "b: its ratio is 0"),
    ] {
        assert!(text.contains(from), "{from}");
        let found = Diagram::read(&text.replace(from, to));
        let found = found.unwrap_err();
        assert!(found.contains(reason) && !found.contains('\n'), "{found}");
    }
    assert!(Diagram::read(&text[..text.len() / 2]).is_err());
}

#[test]
fn nothing_from_a_file_is_obeyed() {
    let text = diagram().text().unwrap();
    let evil = "</title></svg><script>alert('&')</script>\\\" onload=\\\"x";
    let diagram = Diagram::read(&text.replace("\"name\": \"a\"", &format!("\"name\": \"{evil}\"")));
    // The connections still name the component as before.
    assert!(diagram.unwrap_err().contains("there is no connector a.flange_b"));
    let text = text.replace("\"name\": \"a\"", &format!("\"name\": \"{evil}\""));
    let text = text.replace("a.flange_b\",\n", &format!("{evil}.flange_b\",\n"));
    let text = text.replace("\"a.phi\"", &format!("\"{evil}\""));
    let svg = Diagram::read(&text).unwrap().svg(evil);
    assert!(!svg.contains("<script") && !svg.contains("\" onload"), "{svg}");
    assert_eq!(svg.matches("</svg>").count(), 1);
    assert!(svg.contains("data-turn=\"&lt;/title&gt;"));
}

#[test]
fn a_long_chain_is_folded() {
    let types = ["Modelica.Mechanics.Rotational.Components.Inertia", "X.Spring"];
    let component = |k: usize| (format!("part{k}"), types[k % 2].to_owned());
    let mut diagram = Diagram::of((0..2001).map(component));
    for k in 0..2000 {
        diagram.connect([(k, "flange_b", Kind::Flange), (k + 1, "flange_a", Kind::Flange)]);
    }
    let layout = diagram.layout();
    assert_eq!(layout.frames.len(), 11);
    assert!(layout.names.contains(&"part5 … part1995".to_owned()), "{:?}", layout.names);
    assert!(layout.size.0 < 1500.0 && layout.size.1 < 100.0, "{:?}", layout.size);
    assert!(diagram.svg("Chain").contains(">1991 parts<") && diagram.remark().is_none());
}

#[test]
fn of_a_large_diagram_a_part_is_drawn() {
    let component = |k: usize| (format!("part{k}"), "Inertia".to_owned());
    let mut diagram = Diagram::of((0..1000).map(component));
    // A star cannot be folded.
    for k in 1..1000 {
        diagram.connect([(0, "flange_b", Kind::Flange), (k, "flange_a", Kind::Flange)]);
    }
    assert_eq!(diagram.layout().frames.len(), 120);
    let sentence = "The diagram shows 120 of 1000 components: those near to the first one.";
    assert_eq!(diagram.remark().as_deref(), Some(sentence));
}

#[test]
fn gear_wheels_have_the_radii_of_the_ratio() {
    // The radius of the wheel at the left end, and of that at the right.
    for (ratio, radii) in
        [(2.0, [10.0, 20.0]), (0.5, [20.0, 10.0]), (-2.0, [10.0, 20.0]), (-0.5, [20.0, 10.0])]
    {
        let name =
            ("g".to_owned(), "Modelica.Mechanics.Rotational.Components.IdealGear".to_owned());
        let mut diagram = Diagram::of([name]);
        diagram.animate(|_| true, |_| Some(ratio));
        let Moves { a, b, .. } = diagram.components()[0].moves.clone();
        let svg = diagram.svg("");
        for (name, radius) in [a, b].into_iter().zip(radii) {
            let turn = format!("<g data-turn=\"{}\">", name.unwrap());
            let wheel = format!("{turn}<circle class=\"body\" r=\"{radius}\"/>");
            assert!(svg.contains(&wheel), "{ratio}: {svg}");
        }
    }
}

/// A diagram in which every component is connected with every other, each time by connectors of
/// their own.
fn mesh(count: usize) -> Diagram {
    let mut diagram = Diagram::of((0..count).map(|k| (format!("p{k}"), "Box".to_owned())));
    for a in 0..count {
        for b in 0..a {
            let names = [format!("to{b}"), format!("to{a}")];
            diagram.connect([(a, &names[0], Kind::Flange), (b, &names[1], Kind::Flange)]);
        }
    }
    diagram
}

#[test]
fn a_file_that_takes_too_long_to_draw_is_refused() {
    let read = |diagram: &Diagram| Diagram::read(&diagram.text().unwrap());
    let refused = |diagram: &Diagram| read(diagram).unwrap_err();
    let sentence = "its picture has 1225 lines, more than 1000";
    assert_eq!(refused(&mesh(50)), sentence);
    assert!(read(&mesh(40)).is_ok_and(|diagram| !diagram.svg("").is_empty()));
    // The same line many times.
    let mut many = mesh(2);
    many.connections = vec![many.connections[0].clone(); 200_001];
    assert_eq!(refused(&many), "it has 200001 connections, more than 200000");
    many.connections.pop();
    assert_eq!(refused(&many), "its picture has 200000 lines, more than 1000");
    let mut wide = mesh(2);
    let connector = |k| Connector { name: format!("c{k}"), kind: Kind::Heat };
    wide.components[0].connectors.extend((0..200).map(connector));
    assert_eq!(refused(&wide), "p0 has 201 connectors, more than 200");
}
