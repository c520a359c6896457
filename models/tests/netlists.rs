//! Netlists: every model of the repository can be written to a file and read again, and files with
//! mistakes are refused in one sentence for each.

use std::fs;
use std::path::{Path, PathBuf};

use coupler::equations::Language;
use coupler::netlist::{Data, File};
use coupler::prelude::*;
use coupler::{ModelicaTexts, Netlists};
use fmu_builder::models::front_end::{FrontEnd, ModelFile, written};
use fmu_builder::models::{ModelText, Variant, documentation};
use models::MODELS;
use random::Random;

fn netlists() -> Netlists {
    Netlists { registry: coupler::libraries::registry() }
}

/// Writes a model to a file with its resources, and returns the path; the reasons if that is
/// impossible.
fn exported(model: &ModelText, folder: &Path) -> Result<PathBuf, Vec<String>> {
    let text = written(&MODELS, model, &netlists())?;
    let path = folder.join(format!("{}.json", model.name));
    fs::write(&path, text).expect("it can be written");
    copy(&MODELS.resources_of(model).expect("it is here"), &folder.join("resources"));
    Ok(path)
}

/// Copies a folder of files, if it exists, into another folder.
fn copy(folder: &Path, into: &Path) {
    let Ok(files) = fs::read_dir(folder) else { return };
    let into = into.join(folder.file_name().expect("it has a name"));
    fs::create_dir_all(&into).expect("a folder");
    for file in files {
        let file = file.expect("an entry");
        fs::copy(file.path(), into.join(file.file_name())).expect("it can be copied");
    }
}

#[test]
fn a_model_that_is_written_and_read_again_has_the_same_guid() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut other_models, mut differ) = (Vec::new(), Vec::new());
    for model in MODELS.models {
        let name = model.name;
        let path = match exported(model, folder.path()) {
            Ok(path) => path,
            Err(lines) => {
                assert!(lines[0].contains("consists of equations"), "{}", lines.join("\n"));
                other_models.push(name);
                continue;
            }
        };
        let read = netlists().read(&ModelFile::new(&path, None));
        let read = read.unwrap_or_else(|lines| panic!("{name}: {}", lines.join("\n")));
        let again = read
            .trace_as(Variant::default())
            .unwrap_or_else(|lines| panic!("{}", lines.join("\n")));
        let first = MODELS.trace(model).unwrap_or_else(|e| panic!("{e}"));
        if again.code.description().guid != first.code.description().guid {
            differ.push(name);
        }
    }
    assert_eq!(other_models, ["bouncing_ball", "torque_source"]);
    assert!(differ.is_empty(), "{differ:?}");
}

/// The netlists in the guide: one of components, and one of equations.
fn examples() -> [String; 2] {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/netlist.md"));
    let page = page.expect("the guide is there");
    let examples = page
        .split("```json\n")
        .skip(1)
        .map(|after| after.split_once("```").expect("the example has an end").0.to_owned());
    examples.collect::<Vec<_>>().try_into().expect("there are two examples")
}

fn example() -> String {
    let [example, _] = examples();
    example
}

/// The mistakes of a file, one in a line.
fn mistakes(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("drum.json");
    fs::write(&path, text).expect("it can be written");
    let place = format!("{}:", path.display());
    let refused = match netlists().read(&ModelFile::new(&path, None)) {
        Err(lines) => lines,
        Ok(model) => match model.trace_as(Variant::default()) {
            Ok(_) => Vec::new(),
            Err(lines) => lines,
        },
    };
    let without = |line: &String| {
        let line = line.strip_prefix(&place).unwrap_or(line);
        line.trim_start().to_owned()
    };
    refused.iter().map(without).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_of_the_guide_is_written_as_it_is_read() {
    let text = example();
    assert_eq!(mistakes(&text), "");
    let file = File::read(&text).expect("it is a netlist");
    assert_eq!(file.text().expect("its numbers are finite"), text);
    let registry = coupler::libraries::registry();
    let model = move |m: &mut Model| Assembly::trace(|m: &mut Assembly| file.fill(&registry, m), m);
    let mut drum = coupler::simulation(model).expect("the model is sound");
    drum.set("m", 40.0).expect("it can be set");
    drum.start(None).expect("initial values");
    assert!((drum.read("drum.J").expect("a number") - 40.0 * 0.09 / 2.0).abs() < 1e-12);
}

#[test]
fn the_ball_of_the_guide_bounces() {
    let [_, text] = examples();
    assert_eq!(mistakes(&text), "");
    assert_eq!(File::read(&text).expect("it is a netlist").text().expect("finite"), text);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ball.json");
    fs::write(&path, &text).expect("it can be written");
    let model = netlists().read(&ModelFile::new(&path, None)).expect("it is a model");
    let traced =
        model.trace_as(Variant::default()).unwrap_or_else(|lines| panic!("{}", lines.join("\n")));
    let mut ball = traced.simulation().expect("it has no tables");
    ball.start(None).expect("initial values");
    let fall = (2.0 / 9.81_f64).sqrt();
    let impacts = [fall, fall * (1.0 + 2.0 * 0.7), fall * (1.0 + 2.0 * (0.7 + 0.49))];
    for (count, [from, to]) in [(1.0, [impacts[0], impacts[1]]), (2.0, [impacts[1], impacts[2]])] {
        let middle = (from + to) / 2.0;
        ball.run_to(middle).unwrap_or_else(|error| panic!("{error}"));
        let speed = 9.81 * (to - from) / 2.0;
        let highest = speed * speed / (2.0 * 9.81);
        assert!((ball.read("h").expect("a number") - highest).abs() < 1e-6);
        assert_eq!(ball.read("bounces").expect("a number"), count);
    }
}

/// Changes of the ball, and what is said about each.
const MISTAKES_IN_EQUATIONS: &[(&str, &str, &str)] = &[
    ("\"derivative\": \"v\"", "\"derivative\": \"speed\"", "h: no variable `speed`"),
    ("\"below\", [", "\"belov\", [", "impact: no variable `belov`; is it `below`?"),
    (
        "\"pre(bounces)\", 1",
        "\"pre(bounce)\", 1",
        "bounces: no variable `pre(bounce)`; is it \
        `pre(bounces)`?",
    ),
    ("\"derivative\": \"v\"", "\"value\": \"v\"", "h: only a state has `initial` or `reinits`"),
    (
        "\"derivative\": \"v\", ",
        "",
        "h: a variable has a `value`, a value `at_events`, or a \
        `derivative`",
    ),
    ("\"start\": 1,", "\"start\": \"v\",", "h: this value may depend on parameters only"),
    (
        "\"positive\"",
        "\"negative\"",
        "below: no event `negative`; it is `positive` or `sample` or \
        `when` or `whole`",
    ),
    (
        "\"name\": \"bounces\"",
        "\"name\": \"v\"",
        "v: two variables have this name\n\
        v: no variable `pre(bounces)`",
    ),
    (
        "\"h\", \"bounces\"]",
        "\"height\"]",
        "height: no equation determines a variable of this name",
    ),
    (
        "\"fixed\"",
        "\"held\"",
        "14:84: unknown variant `held`, expected one of `fixed`, `free`, `steady`, \
        `at`",
    ),
];

#[test]
fn each_mistake_in_equations_is_told() {
    let [_, ball] = examples();
    for (before, after, sentence) in MISTAKES_IN_EQUATIONS {
        assert!(ball.contains(before), "{before}");
        let told = mistakes(&ball.replacen(before, after, 1));
        assert_eq!(told, *sentence, "{after}");
    }
}

#[test]
fn html_of_a_text_in_modelica_is_on_the_page_of_the_fmu_also_from_its_netlist() {
    let text = "model Wheel \"A wheel\"
        parameter Real load = 2 \"Its load\";
        Modelica.Mechanics.Rotational.Components.Inertia wheel(J = load);
        Real speed(unit = \"rad/s\") = wheel.w \"Its speed\";
        annotation (Documentation(info = \"<html><p>See <b>the</b>
          <a href=\\\"modelica://Modelica.X\\\">guide</a>.</p>
          <img src=\\\"modelica://x.png\\\" alt=\\\"A rim\\\"><script>1</script></html>\"));
      end Wheel;";
    let folder = tempfile::tempdir().expect("a folder");
    let [of_text, of_netlist] = ["wheel.mo", "wheel.json"].map(|name| folder.path().join(name));
    fs::write(&of_text, text).expect("it can be written");
    let read = |front_end: &dyn FrontEnd, path: &Path| {
        front_end.read(&ModelFile::new(path, None)).expect("it is a model")
    };
    let written = read(&ModelicaTexts, &of_text).written(&netlists()).expect("a netlist");
    fs::write(&of_netlist, written).expect("it can be written");
    for model in [read(&ModelicaTexts, &of_text), read(&netlists(), &of_netlist)] {
        let traced = model
            .trace_as(Variant::default())
            .unwrap_or_else(|lines| panic!("{}", lines.join("\n")));
        let description = traced.code.description();
        let of = |name: &str| {
            let variable = description.variables.iter().find(|v| v.name == name);
            variable.expect("it is a variable").description.clone()
        };
        assert_eq!([of("load"), of("speed")], ["Its load", "Its speed"]);
        let page = documentation::page(description, &traced.metadata, None);
        assert!(page.contains("<p class=\"lead\">A wheel</p>"), "{page}");
        assert!(page.contains("<p>See <strong>the</strong> guide.</p>"), "{page}");
        assert!(page.contains("<p>A rim</p>"), "{page}");
        assert!(!page.contains("modelica:"), "{page}");
    }
}

#[test]
fn kept_names_and_notes_are_written_and_read() {
    let mut m = Assembly::new();
    m.keep_names();
    m.note("the wheel is light");
    m.add("wheel", coupler::rotational::Inertia::new().J(2));
    let registry = coupler::libraries::registry();
    let file = File::of("wheel", &m.into_netlist(), &registry).expect("it can be written");
    let text = file.text().expect("its numbers are finite");
    let mut again = Assembly::new();
    File::read(&text).expect("it is a netlist").fill(&registry, &mut again);
    let netlist = again.into_netlist();
    assert!(netlist.keeps_names);
    assert_eq!(netlist.notes, ["the wheel is light"]);
}

/// Changes of the example, and what is said about each.
const MISTAKES: &[(&str, &str, &str)] = &[
    (
        "\"format\": \"coupler-netlist\"",
        "\"format\": \"spice\"",
        "1:1: its format is `spice`, \
            not `coupler-netlist`",
    ),
    (
        "\"version\": 1",
        "\"version\": 2",
        "1:1: version 2 of the format is not known; this \
            program reads version 1",
    ),
    ("\"name\": \"drum\",\n  \"doc", "\"doc", "29:1: missing field `name`"),
    (
        "\"stop_time\"",
        "\"end_time\"",
        "29:28: unknown field `end_time`, expected one of \
            `stop_time`, `tolerance`, `step_size`",
    ),
    ("{ \"fixed\": 0 },", "{ \"fixed\": 0 }, \"w\": \"free\",", "24:7: `w` is given twice"),
    ("\"tau_constant\": 2 }", "\"tau_constant\": 2 }]", "11:96: expected `,` or `}`"),
    (
        "rotational::Inertia",
        "rotational::Inertial",
        "drum: no library has a component \
            `rotational::Inertial`; is it `rotational::Inertia`?",
    ),
    (
        "tau_constant",
        "tau",
        "motor: ConstantTorque has no parameter `tau`; its parameters are \
            tau_constant",
    ),
    (
        "\"d\": 3",
        "\"d\": \"3\"",
        "shaft.d: the text `3` is not a value of the kind `Real`: a \
            number or an expression of parameters is needed",
    ),
    (
        "\"fixed\": 0",
        "\"held\": 0",
        "drum.phi: no value `held`; it is `expression` or \
            `unknown` or `fixed` or `guess` or `function`",
    ),
    (
        "\"Prefer\"",
        "\"prefer\"",
        "shaft.states: the text `prefer` is not a value of the kind \
            `StateSelect`: is it `Prefer`?",
    ),
    ("[\"*\", \"m\"", "[\"*\", \"mass\"", "drum.J: the model has no parameter `mass`"),
    (
        "[\"/\"",
        "[\"div\"",
        "drum.J: no operation `div`; the operations are + - * / ^ sqrt exp \
            log abs sign floor sin cos atan2 min max < <= > >= == != not and or if",
    ),
    (
        "drum.flange_a\"]",
        "drum.flange_c\"]",
        "drum.flange_c: Inertia has no port or variable \
            `flange_c`; is it `flange_a`?",
    ),
    ("motor.flange", "moter.flange", "moter.flange: no component `moter`; is it `motor`?"),
    (
        "\"motor.flange\"",
        "\"motor\"",
        "`motor` is not the name of a port, such as \
            `wheel.flange_a`",
    ),
    (
        "drum.flange_a\"]",
        "drum.w\"]",
        "shaft.flange_b and drum.w: a port of the kind `Flange` \
            cannot be connected with one of the kind `Quantity`; a signal leads from a `Quantity` \
            to an `Input`, a `BooleanInput` or an `IntegerInput`",
    ),
    (
        "[\"drum.w\"",
        "[\"drum.flange_b\"",
        "drum.flange_b: its kind is `Flange`, but an output \
            is a variable",
    ),
    (
        "\"J\": { \"expression\": [\"/\", [\"*\", \"m\", [\"*\", \"r\", \"r\"]], 2] }",
        "\"J\": { \"expression\": \"m\" }",
        "drum: drum.J: it is in kg.m2, but m is in kg",
    ),
    ("\"value\": 80", "\"value\": 0", "drum: m = 0 kg: must be at least 1 kg"),
];

#[test]
fn each_mistake_is_told_in_one_sentence() {
    for (before, after, sentence) in MISTAKES {
        let text = example();
        assert!(text.contains(before), "{before}");
        let told = mistakes(&text.replacen(before, after, 1));
        assert_eq!(told, *sentence, "{after}");
    }
}

#[test]
fn all_mistakes_in_names_are_told_at_once() {
    let text = example().replace("motor.flange", "motor.axis").replace("\"c\"", "\"k\"");
    let told = mistakes(&text);
    assert_eq!(told.lines().count(), 2, "{told}");
    let unknown = example().replace("rotational::SpringDamper", "rotational::Shaft");
    let told = mistakes(&unknown);
    // Nothing is said about connections of a component whose class is unknown.
    assert_eq!(told.lines().count(), 1, "{told}");
}

/// Damages a value, or something inside it.
fn damage(data: &mut Data, random: &mut Random) {
    let inner = match data {
        Data::List(values) if !values.is_empty() && random.chance(0.9) => {
            let index = random.below(values.len());
            if random.chance(0.05) {
                values.remove(index);
                return;
            }
            Some(&mut values[index])
        }
        Data::Object(members) if !members.is_empty() && random.chance(0.9) => {
            let index = random.below(members.len());
            if random.chance(0.05) {
                members.remove(index);
                return;
            }
            Some(&mut members[index].1)
        }
        _ => None,
    };
    let Some(inner) = inner else {
        let texts = ["", "free", "x", "drum.w", "a.b[1]", "[", "\u{e4}.\u{e4}[1,1]", "if"];
        let numbers = [0.0, -1.0, 1e300, 1.5, 3.0, -0.0, 1e-300];
        *data = match random.below(6) {
            0 => Data::Boolean(random.chance(0.5)),
            1 | 2 => Data::Number(random.of(&numbers)),
            3 => Data::Text(random.of(&texts).to_owned()),
            4 => Data::List(vec![Data::Number(random.of(&numbers)); random.below(4)]),
            _ => Data::member(random.of(&["fixed", "expression", "function"]), Data::List(vec![])),
        };
        return;
    };
    damage(inner, random);
}

#[test]
fn a_damaged_file_is_refused_without_a_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["user_defined_gravity_field", "first", "rotor1d", "vehicle", "newtons_cradle"];
    let texts = names.map(|name| {
        let model = MODELS.model(name).expect("it is in the list");
        let path = exported(model, folder.path()).unwrap_or_else(|e| panic!("{}", e.join("\n")));
        fs::read_to_string(path).expect("it was written")
    });
    let [_, ball] = examples();
    let texts: Vec<String> = texts.into_iter().chain([ball.clone(), ball]).collect();
    let (mut random, mut refused) = (Random(5), 0);
    for round in 0..560 {
        let text = &texts[round % texts.len()];
        let text = if round % 4 == 0 {
            let mut bytes = text.clone().into_bytes();
            let at = random.below(bytes.len());
            bytes[at] = b"{}[],:\"0e\n"[random.below(10)];
            String::from_utf8_lossy(&bytes).into_owned()
        } else {
            let mut data: Data = serde_json::from_str(text).expect("it is JSON");
            damage(&mut data, &mut random);
            serde_json::to_string(&data).expect("its numbers are finite")
        };
        let told = mistakes(&text);
        assert!(!told.contains("panicked"), "{told}\n{text}");
        refused += usize::from(!told.is_empty());
    }
    assert!(refused > 210, "{refused} are refused");
}
