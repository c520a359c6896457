//! The parts of a model that is cut, as models of their own.

use super::{Cut, CutModel, FlangeDomain};
use crate::content::{Component, File, NamedOutput, Output};
use crate::data::Data;
use std::collections::{BTreeMap, BTreeSet};

/// A part of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The model.
    pub file: File,
    /// Its components, without those that the cuts add.
    pub components: Vec<String>,
}

/// A signal that joins two parts: output and input with the indices of their parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The part and the name of the output.
    pub from: (usize, String),
    /// The part and the name of the input.
    pub to: (usize, String),
    /// The cut to which it belongs; none for signals of the model itself.
    pub cut: Option<usize>,
    /// The order of the derivative of the position, or none for a torque, a force or a signal.
    pub motion: Option<u32>,
}

/// How the parts are made.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// For each cut, whether the side of the flange gives the motion.
    pub first_moves: Vec<bool>,
    /// Start values by part and name: of inputs, and of variables of components.
    pub starts: BTreeMap<(usize, String), f64>,
    /// The names of the parts; numbers where they are missing.
    pub names: Vec<String>,
    /// The parts whose fixed start values are guesses, because the given motion determines them.
    pub guesses: BTreeSet<usize>,
}

/// The words of a domain.
struct Words {
    /// Position, speed and acceleration with their units.
    motion: [(&'static str, &'static str); 3],
    flow: (&'static str, &'static str),
    /// The classes of adaptors: for the side that gives the motion, and for the other side.
    adaptors: [&'static str; 2],
}

const ROTATIONAL: Words = Words {
    motion: [("phi", "rad"), ("w", "rad/s"), ("a", "rad/s2")],
    flow: ("tau", "N.m"),
    adaptors: ["rotational::TorqueToAngleAdaptor", "rotational::AngleToTorqueAdaptor"],
};

const TRANSLATIONAL: Words = Words {
    motion: [("s", "m"), ("v", "m/s"), ("a", "m/s2")],
    flow: ("f", "N"),
    adaptors: ["translational::ForceToPositionAdaptor", "translational::PositionToForceAdaptor"],
};

impl FlangeDomain {
    fn words(self) -> &'static Words {
        match self {
            FlangeDomain::Rotational => &ROTATIONAL,
            FlangeDomain::Translational => &TRANSLATIONAL,
        }
    }
}

impl CutModel {
    /// The parts, and the signals that join them.
    pub fn parts(&self, choices: &Choices) -> (Vec<Part>, Vec<Joint>) {
        let mut parts: Vec<Part> = (0..self.count).map(|index| self.part(index, choices)).collect();
        let mut joints = Vec::new();
        for (index, cut) in self.cuts.iter().enumerate() {
            self.join(index, cut, choices, &mut parts, &mut joints);
        }
        for crossing in &self.crossings {
            let source = &mut parts[crossing.from].file;
            let known = |output: &Output| match output {
                Output::Variable(name) => *name == crossing.variable,
                Output::Named(named) => named.name == crossing.variable,
            };
            if !source.outputs.iter().any(known) {
                source.outputs.push(Output::Variable(crossing.variable.clone()));
            }
            let name = crossing.variable.clone();
            let file = &mut parts[crossing.to].file;
            let start = choices.starts.get(&(crossing.to, name.clone())).copied().unwrap_or(0.0);
            file.components.push(external(crossing.class, &name, &crossing.unit, start));
            let inputs = crossing.inputs.iter();
            file.connections.extend(inputs.map(|input| [format!("{name}.y"), input.clone()]));
            joints.push(Joint {
                from: (crossing.from, name.clone()),
                to: (crossing.to, name),
                cut: None,
                motion: None,
            });
        }
        (parts, joints)
    }

    /// The components of a part and the fixed points that are connected with them. A world acts on
    /// bodies without a connection.
    fn kept(&self, index: usize) -> BTreeSet<String> {
        let of = &self.file;
        let own = |name: &&String| self.part_of.get(*name) == Some(&index);
        let is_ground = |name: &String| self.grounds.contains(name);
        let components = of.components.iter().map(|c| &c.name).filter(|name| !is_ground(name));
        let blocks = of.equations.iter().map(|block| &block.name);
        let names: BTreeSet<String> = components.chain(blocks).filter(own).cloned().collect();
        let mut kept = names.clone();
        for [a, b] in &of.connections {
            let (a, b) = (self.component_of(a), self.component_of(b));
            for (one, other) in [(&a, &b), (&b, &a)] {
                if is_ground(one) && names.contains(other) {
                    kept.insert(one.clone());
                }
            }
        }
        let is_world = |class: &str| class.ends_with("::World");
        let worlds = of.components.iter().filter(|c| is_ground(&c.name) && is_world(&c.class));
        kept.extend(worlds.map(|world| world.name.clone()));
        kept
    }

    /// The connections within a part. Ports that were connected through a cut flange remain so.
    fn connections(&self, inside: impl Fn(&String) -> bool) -> Vec<[String; 2]> {
        let is_cut = |[a, b]: &[String; 2]| {
            self.cuts.iter().any(|cut| {
                let has = |port: &String| cut.ports.iter().flatten().any(|other| other == port);
                has(a) && has(b)
            })
        };
        let kept = self.file.connections.iter();
        let mut connections: Vec<[String; 2]> =
            kept.filter(|pair| pair.iter().all(&inside) && !is_cut(pair)).cloned().collect();
        for cut in &self.cuts {
            let others: Vec<&String> = cut.ports[1].iter().filter(|port| inside(port)).collect();
            connections.extend(others.windows(2).map(|pair| [pair[0].clone(), pair[1].clone()]));
        }
        connections
    }

    /// A part without what joins it to others.
    fn part(&self, index: usize, choices: &Choices) -> Part {
        let (of, kept) = (&self.file, self.kept(index));
        let inside = |port: &String| kept.contains(&self.component_of(port));
        let connections = self.connections(inside);
        let mut file = File {
            name: choices
                .names
                .get(index)
                .cloned()
                .unwrap_or_else(|| format!("{}_{}", of.name, index + 1)),
            documentation: of.documentation.clone(),
            units: of.units.clone(),
            components: of.components.iter().filter(|c| kept.contains(&c.name)).cloned().collect(),
            equations: of.equations.iter().filter(|e| kept.contains(&e.name)).cloned().collect(),
            connections,
            outputs: of
                .outputs
                .iter()
                .filter(|output| match output {
                    Output::Variable(name) => inside(name),
                    Output::Named(named) => inside(&named.variable),
                })
                .cloned()
                .collect(),
            output_frames: of.output_frames.iter().filter(|o| inside(&o.frame)).cloned().collect(),
            scene: of.scene,
            free_loops: of.free_loops,
            keep_names: true,
            mix_units: of.mix_units,
            experiment: of.experiment.clone(),
            test_values: of.test_values.iter().filter(|t| inside(&t.name)).cloned().collect(),
            ..File::new("")
        };
        for component in &mut file.components {
            if choices.guesses.contains(&index) {
                component.settings.iter_mut().for_each(|(_, value)| guess(value));
            }
            for ((part, name), value) in &choices.starts {
                let of = name.strip_prefix(&component.name).and_then(|rest| rest.strip_prefix('.'));
                let Some(parameter) = of.filter(|_| *part == index) else { continue };
                let start = Data::member("fixed", Data::Number(*value));
                component.settings.retain(|(known, _)| known != parameter);
                component.settings.push((parameter.to_owned(), start));
            }
        }
        let used = texts(&file);
        let calculated = of.calculated.iter().filter(|c| used.contains(&c.name));
        let mut wanted = used.clone();
        calculated.clone().for_each(|c| collect(&c.value, &mut wanted));
        file.calculated = calculated.cloned().collect();
        file.parameters =
            of.parameters.iter().filter(|p| wanted.contains(&p.name)).cloned().collect();
        let components = kept.into_iter().filter(|name| !name.is_empty()).collect();
        Part { file, components }
    }

    /// The component of a port or a variable.
    fn component_of(&self, port: &str) -> String {
        let dots = port.rmatch_indices('.').map(|(dot, _)| &port[..dot]);
        let known = |name: &&str| self.part_of.contains_key(*name);
        dots.into_iter().find(known).unwrap_or("").to_owned()
    }

    /// Adds the adaptors of a cut.
    fn join(
        &self,
        index: usize,
        cut: &Cut,
        choices: &Choices,
        parts: &mut [Part],
        joints: &mut Vec<Joint>,
    ) {
        let words = cut.domain.words();
        let first_moves = choices.first_moves.get(index).copied().unwrap_or(true);
        let [moving, driven] = if first_moves { [0, 1] } else { [1, 0] };
        let sides = [moving, driven].map(|side| (cut.parts[side], &cut.ports[side]));
        let numbers = sides.map(|(part, _)| self.number(index, part));
        let names = |side: usize| {
            let file = &parts[sides[side].0].file;
            let number = numbers[side].clone();
            move |word: &str| free_name(file, &format!("{word}{number}"))
        };
        let [of_moving, of_driven] = [names(0), names(1)];
        let motion = &words.motion;
        let adaptors = [of_moving("border"), of_driven("border")];
        let flow = [of_moving(words.flow.0), of_driven(words.flow.0)];
        let motions: Vec<[String; 2]> =
            motion.iter().map(|(word, _)| [of_moving(word), of_driven(word)]).collect();
        let start = |part: usize, name: &String| {
            choices.starts.get(&(part, name.clone())).copied().unwrap_or(0.0)
        };
        let input = "signals::ExternalInput";
        for (side, (part, ports)) in sides.into_iter().enumerate() {
            let adaptor = &adaptors[side];
            let file = &mut parts[part].file;
            file.components.push(Component {
                class: words.adaptors[side].to_owned(),
                name: adaptor.clone(),
                settings: Vec::new(),
            });
            let flange = ports.first().cloned().unwrap_or_default();
            file.connections.push([flange, format!("{adaptor}.flange")]);
            let mut add_input = |name: &String, unit: &str, port: &str| {
                file.components.push(external(input, name, unit, start(part, name)));
                file.connections.push([format!("{name}.y"), format!("{adaptor}.{port}")]);
            };
            if side == 0 {
                add_input(&flow[0], words.flow.1, words.flow.0);
            } else {
                for ((word, unit), names) in motion.iter().zip(&motions) {
                    add_input(&names[1], unit, word);
                }
            }
            let output = |name: &String, port: &str| {
                let (name, variable) = (name.clone(), format!("{adaptor}.{port}"));
                Output::Named(NamedOutput { name, variable, description: None })
            };
            if side == 0 {
                let all = motion.iter().zip(&motions);
                file.outputs.extend(all.map(|((word, _), names)| output(&names[0], word)));
            } else {
                file.outputs.push(output(&flow[1], words.flow.0));
            }
        }
        let [(moving, _), (driven, _)] = sides;
        let cut = Some(index);
        for (order, [from, to]) in motions.into_iter().enumerate() {
            let (from, to) = ((moving, from), (driven, to));
            joints.push(Joint { from, to, cut, motion: Some(order as u32) });
        }
        let [to, from] = flow;
        joints.push(Joint { from: (driven, from), to: (moving, to), cut, motion: None });
    }

    /// The number of a cut in the names of a part: none if it is the only one there.
    fn number(&self, index: usize, part: usize) -> String {
        let here = |cut: &&Cut| cut.parts.contains(&part);
        let before = self.cuts[..index].iter().filter(here).count();
        match self.cuts.iter().filter(here).count() {
            1 => String::new(),
            _ => (before + 1).to_string(),
        }
    }
}

/// Turns a fixed start value into a guess.
fn guess(value: &mut Data) {
    if let Data::Object(members) = value
        && let [(kind, _)] = members.as_mut_slice()
        && kind == "fixed"
    {
        *kind = "guess".to_owned();
    }
}

/// An input of the FMU.
fn external(class: &str, name: &str, unit: &str, start: f64) -> Component {
    let of = |name: &str, value| (name.to_owned(), value);
    let settings = match class {
        "signals::ExternalBoolean" => vec![of("start", Data::Boolean(start != 0.0))],
        "signals::ExternalInteger" => vec![of("start", Data::Number(start))],
        _ => vec![of("unit", Data::Text(unit.to_owned())), of("start", Data::Number(start))],
    };
    Component { class: class.to_owned(), name: name.to_owned(), settings }
}

/// A name that nothing in a file has yet.
fn free_name(file: &File, name: &str) -> String {
    let components = file.components.iter().map(|c| &c.name);
    let outputs = file.outputs.iter().map(|output| match output {
        Output::Variable(name) => name,
        Output::Named(named) => &named.name,
    });
    let parameters = file.parameters.iter().map(|p| &p.name);
    let calculated = file.calculated.iter().map(|p| &p.name);
    let own = file.equations.iter().filter(|e| e.name.is_empty()).flat_map(|e| &e.variables);
    let all: BTreeSet<&String> = components
        .chain(outputs)
        .chain(parameters)
        .chain(calculated)
        .chain(own.map(|variable| &variable.name))
        .collect();
    let mut free = name.to_owned();
    while all.contains(&free) {
        free.push('_');
    }
    free
}

/// All texts in the values of a file, among which are the names of parameters.
fn texts(file: &File) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, value) in file.components.iter().flat_map(|c| &c.settings) {
        collect(value, &mut found);
    }
    // The equations name parameters in many places, so their text is read as a whole.
    for block in &file.equations {
        if let Ok(Ok(data)) = serde_json::to_string(block).map(|text| serde_json::from_str(&text)) {
            collect(&data, &mut found);
        }
    }
    found
}

fn collect(value: &Data, found: &mut BTreeSet<String>) {
    match value {
        Data::Text(text) => {
            found.insert(text.clone());
        }
        Data::List(values) => values.iter().for_each(|value| collect(value, found)),
        Data::Object(members) => members.iter().for_each(|(_, value)| collect(value, found)),
        Data::Boolean(_) | Data::Number(_) => {}
    }
}
