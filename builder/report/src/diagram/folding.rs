//! Shortens a diagram to what a reader can take in: groups and long chains of equal components
//! become one node, and of a diagram that is still too large, only a part is drawn.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::icons::{self, Axis, Icon};
use super::symbol::{Kind, Side, Symbol};
use super::{Component, Connector, Diagram, End, first_word};

/// The number of components up to which all are drawn.
const FOLDED_ABOVE: usize = 40;

/// Maximum number of nodes in a picture.
const MOST_NODES: usize = 120;

/// The number of components from which a group is one node of a large diagram.
const SMALLEST_GROUP: usize = 3;

/// Maximum number of components after which the types in a chain repeat.
const LONGEST_PERIOD: usize = 4;

/// What is drawn: nodes and the lines between them.
#[derive(Clone, Debug, Default)]
pub struct Scheme {
    pub nodes: Vec<Node>,
    pub lines: Vec<[End; 2]>,
    /// The number of components that are not drawn and not folded either.
    pub omitted: usize,
}

/// A component, or several that are folded.
#[derive(Clone, Debug)]
pub struct Node {
    /// The place of the component in the diagram; `None` if several are folded.
    pub component: Option<usize>,
    /// The number of its components.
    pub parts: usize,
    /// The name below it.
    pub name: String,
    pub symbol: Symbol,
    /// What is drawn, if its symbol has a drawing of its own.
    pub icon: Option<&'static Icon>,
    pub ports: Vec<Port>,
    /// Whether left and right are exchanged.
    pub mirrored: bool,
    /// Whether it is turned afterwards, its left side up.
    pub upright: bool,
}

impl Node {
    /// Turns it with its ports. Where a node stands upright, signals enter at its left.
    pub fn turn(&mut self, mirrored: bool, upright: bool) {
        (self.mirrored, self.upright) = (mirrored, upright);
        for port in &mut self.ports {
            let side = if mirrored { port.side.mirrored() } else { port.side };
            port.side = match side {
                _ if !upright => side,
                Side::Left => Side::Top,
                Side::Right => Side::Bottom,
                Side::Top if port.kind.is_input() => Side::Left,
                Side::Top => Side::Right,
                Side::Bottom => Side::Left,
            };
        }
    }

    /// Whether it belongs to a circuit.
    pub fn has_pins(&self) -> bool {
        self.ports.iter().any(|port| port.kind == Kind::Pin)
    }
}

/// A connector of a node.
#[derive(Clone, Debug)]
pub struct Port {
    pub kind: Kind,
    pub side: Side,
    /// Ports with smaller numbers stand above those with greater ones at the same side.
    pub rank: u32,
}

/// Components that are drawn as one node.
struct Fold {
    name: String,
    components: Vec<usize>,
}

/// The picture of a diagram.
pub fn scheme(diagram: &Diagram) -> Scheme {
    let ends = diagram.ends();
    let folds = folds(diagram, &ends);
    let fold_of: BTreeMap<usize, usize> = folds
        .iter()
        .enumerate()
        .flat_map(|(k, fold)| fold.components.iter().map(move |c| (*c, k)))
        .collect();
    let mut scheme = Scheme::default();
    // The node of each component.
    let mut node_of = vec![0; diagram.components.len()];
    let mut node_of_fold: BTreeMap<usize, usize> = BTreeMap::new();
    for (i, component) in diagram.components.iter().enumerate() {
        let next = scheme.nodes.len();
        let fold = fold_of.get(&i).copied();
        node_of[i] = fold.map_or(next, |fold| *node_of_fold.entry(fold).or_insert(next));
        if node_of[i] < next {
            continue;
        }
        scheme.nodes.push(match fold.map(|fold| &folds[fold]) {
            Some(fold) => Node {
                component: None,
                parts: fold.components.len(),
                name: fold.name.clone(),
                symbol: Symbol::Box,
                icon: None,
                ports: Vec::new(),
                mirrored: false,
                upright: false,
            },
            None => Node {
                component: Some(i),
                parts: 1,
                name: component.name.clone(),
                symbol: component.symbol,
                icon: icon(component),
                ports: (0..component.connectors.len()).map(|k| port(diagram, (i, k))).collect(),
                mirrored: false,
                upright: false,
            },
        });
    }
    let mut ports: BTreeMap<End, usize> = BTreeMap::new();
    for line in ends {
        let nodes = line.map(|(component, _)| node_of[component]);
        if nodes[0] == nodes[1] && fold_of.contains_key(&line[0].0) {
            continue;
        }
        scheme.lines.push(line.map(|end| {
            let node = node_of[end.0];
            if !fold_of.contains_key(&end.0) {
                return (node, end.1);
            }
            // A folded node has a port for each connector that leads out of it.
            let known = &mut scheme.nodes[node].ports;
            let index = *ports.entry(end).or_insert_with(|| {
                let mut port = port(diagram, end);
                if known.len() == 1 && known[0].side == port.side {
                    port.side = port.side.mirrored();
                }
                known.push(port);
                known.len() - 1
            });
            (node, index)
        }));
    }
    limited(scheme)
}

/// The number by which the connectors at a side are ordered.
fn rank(connector: &Connector) -> u32 {
    let name = &*connector.name;
    let number = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    match connector.kind {
        Kind::Pin if matches!(name, "in_n" | "in_p") => u32::from(name == "in_p"),
        Kind::Pin => u32::from(name.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with('n')),
        _ => number.parse().unwrap_or(0),
    }
}

/// The drawing of a component.
pub fn icon(component: &Component) -> Option<&'static Icon> {
    icons::of(&component.type_name).filter(|_| component.symbol == Symbol::Icon)
}

/// The port for a connector.
fn port(diagram: &Diagram, (component, connector): End) -> Port {
    let component = &diagram.components[component];
    let kinds: Vec<Kind> = component.connectors.iter().map(|c| c.kind).collect();
    let connector = &component.connectors[connector];
    let side = match icon(component).map(|icon| icon.axis) {
        Some(Axis::Ground) => Side::Top,
        Some(Axis::Difference) if connector.name == "u2" => Side::Bottom,
        _ => component.symbol.side(&connector.name, connector.kind, &kinds),
    };
    Port { kind: connector.kind, side, rank: rank(connector) }
}

/// What is folded in a large diagram: groups, whose names have a common beginning, and chains.
fn folds(diagram: &Diagram, ends: &[[End; 2]]) -> Vec<Fold> {
    if !diagram.places.is_empty() {
        return placed(diagram);
    }
    if diagram.components.len() <= FOLDED_ABOVE {
        return Vec::new();
    }
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, component) in diagram.components.iter().enumerate() {
        if let Some((group, _)) = component.name.split_once('.') {
            groups.entry(group).or_default().push(i);
        }
    }
    groups.retain(|_, components| components.len() >= SMALLEST_GROUP);
    let grouped: BTreeSet<usize> = groups.values().flatten().copied().collect();
    let name = |index: Option<&usize>| index.map_or("", |i| &*diagram.components[*i].name);
    let groups =
        groups.into_iter().map(|(name, components)| Fold { name: name.to_owned(), components });
    let runs = runs(diagram, ends).into_iter();
    let runs = runs.filter(|run| !run.iter().any(|i| grouped.contains(i)));
    let runs = runs.map(|run| Fold {
        name: format!("{} … {}", name(run.first()), name(run.last())),
        components: run,
    });
    groups.chain(runs).collect()
}

/// What is inside of a component that has a place.
fn placed(diagram: &Diagram) -> Vec<Fold> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, component) in diagram.components.iter().enumerate() {
        let word = first_word(&component.name);
        if word.len() < component.name.len() {
            groups.entry(word).or_default().push(i);
        }
    }
    let fold = |(name, components): (&str, Vec<usize>)| Fold { name: name.to_owned(), components };
    groups.into_iter().map(fold).collect()
}

/// The inner parts of long chains in which types repeat.
fn runs(diagram: &Diagram, ends: &[[End; 2]]) -> Vec<Vec<usize>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); diagram.components.len()];
    for [(a, _), (b, _)] in ends {
        neighbours[*a].push(*b);
        neighbours[*b].push(*a);
    }
    let inner = |i: usize| neighbours[i].len() == 2 && neighbours[i][0] != neighbours[i][1];
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for start in 0..neighbours.len() {
        if !inner(start) || seen.contains(&start) {
            continue;
        }
        // Both ways from the start.
        let mut run = VecDeque::from([start]);
        seen.insert(start);
        for forward in [true, false] {
            let (mut previous, mut at) = (start, neighbours[start][usize::from(!forward)]);
            while inner(at) && seen.insert(at) {
                if forward {
                    run.push_back(at);
                } else {
                    run.push_front(at);
                }
                let [first, second] = [neighbours[at][0], neighbours[at][1]];
                (previous, at) = (at, if first == previous { second } else { first });
            }
        }
        let mut run: Vec<usize> = run.into();
        if run.first() > run.last() {
            run.reverse();
        }
        found.extend(middle(diagram, run));
    }
    found
}

/// A chain without its first and last components, if their types repeat several times.
fn middle(diagram: &Diagram, run: Vec<usize>) -> Option<Vec<usize>> {
    let type_of = |i: &usize| &*diagram.components[*i].type_name;
    let repeats =
        |p: &usize| run.iter().zip(run.iter().skip(*p)).all(|(a, b)| type_of(a) == type_of(b));
    let period = (1..=LONGEST_PERIOD).find(repeats)?;
    (run.len() >= 6 * period).then(|| run[2 * period..run.len() - 2 * period].to_vec())
}

/// A picture with at most [`MOST_NODES`] nodes: the first node and its nearest neighbours.
fn limited(scheme: Scheme) -> Scheme {
    let count = scheme.nodes.len();
    if count <= MOST_NODES {
        return scheme;
    }
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); count];
    for [(a, _), (b, _)] in &scheme.lines {
        neighbours[*a].push(*b);
        neighbours[*b].push(*a);
    }
    let mut place: BTreeMap<usize, usize> = BTreeMap::new();
    let mut order = Vec::new();
    for start in 0..count {
        let mut waiting = VecDeque::from([start]);
        while let Some(at) = waiting.pop_front() {
            if order.len() < MOST_NODES && !place.contains_key(&at) {
                place.insert(at, order.len());
                order.push(at);
                waiting.extend(&neighbours[at]);
            }
        }
    }
    let line = |line: &[End; 2]| {
        let [a, b] = line.map(|(node, port)| place.get(&node).map(|node| (*node, port)));
        Some([a?, b?])
    };
    Scheme {
        nodes: order.iter().map(|at| scheme.nodes[*at].clone()).collect(),
        lines: scheme.lines.iter().filter_map(line).collect(),
        omitted: scheme
            .nodes
            .iter()
            .enumerate()
            .filter(|(i, _)| !place.contains_key(i))
            .map(|(_, node)| node.parts)
            .sum(),
    }
}
