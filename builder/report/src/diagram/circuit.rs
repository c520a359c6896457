//! Places the elements of circuits: those to the ground or between two rails stand upright, those
//! in series lie between the rails, and current flows from left to right.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::End;
use super::folding::Scheme;
use super::icons::Axis;
use super::symbol::{Kind, Side};

/// The level of a net: those above are drawn higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// A rail that is common to the lower ends of half-bridges, and is not the ground.
    LowerRail,
    /// The ground, or the way back of a part with pairs of pins.
    Ground,
    /// Anything between.
    Series,
    /// A rail that is common to the upper ends of half-bridges.
    UpperRail,
}

/// Rows in a circuit, from above: elements below an upper rail, elements in series with room for
/// many rows, elements below that series, elements in the way back, and symbols of the ground.
const UPPER: i32 = -1;
pub const SERIES: i32 = 0;
const LOWER: i32 = 10_000;
const BACK: i32 = 10_001;
const GROUND: i32 = 10_002;

/// What is known of the circuits of a scheme.
#[derive(Debug, Default)]
pub struct Circuits {
    /// Pairs of nodes: the first one is to the left of the second one.
    pub orders: Vec<(usize, usize)>,
    /// Pairs of nodes in one column.
    pub columns: Vec<(usize, usize)>,
    /// The rows of nodes.
    pub rows: BTreeMap<usize, i32>,
}

/// A node with a pin at either end.
#[derive(Clone, Copy, Debug)]
struct Branch {
    node: usize,
    axis: Axis,
    /// The nets at the left and the right pin; at the upper and the lower pin of an upright
    /// element.
    nets: [usize; 2],
    upright: bool,
    mirrored: bool,
}

impl Branch {
    fn mirror(&mut self) {
        self.mirrored = !self.mirrored;
        self.nets.reverse();
    }

    /// The net at the other end.
    fn beyond(&self, net: usize) -> Option<usize> {
        match self.nets {
            [a, b] if a == net => Some(b),
            [a, b] if b == net => Some(a),
            _ => None,
        }
    }
}

/// Elements in series without anything between them: the nets at the ends, and the branches, each
/// with a sign that says whether it has the direction of the chain.
struct Chain {
    ends: [usize; 2],
    branches: Vec<(usize, bool)>,
}

/// The nets of all pins.
struct Nets {
    of: BTreeMap<End, usize>,
    ends: Vec<Vec<End>>,
}

impl Nets {
    fn new(scheme: &Scheme) -> Nets {
        let mut nets = Nets { of: BTreeMap::new(), ends: Vec::new() };
        for (node, ports) in scheme.nodes.iter().map(|node| &node.ports).enumerate() {
            for (port, _) in ports.iter().enumerate().filter(|(_, p)| p.kind == Kind::Pin) {
                nets.of.insert((node, port), nets.ends.len());
                nets.ends.push(vec![(node, port)]);
            }
        }
        for [a, b] in &scheme.lines {
            let (Some(&kept), Some(&other)) = (nets.of.get(a), nets.of.get(b)) else { continue };
            if kept != other {
                for end in std::mem::take(&mut nets.ends[other]) {
                    nets.of.insert(end, kept);
                    nets.ends[kept].push(end);
                }
            }
        }
        nets
    }

    /// The nets at a side of a node, from above.
    fn at(&self, scheme: &Scheme, node: usize, side: Side) -> Vec<usize> {
        let ports = scheme.nodes[node].ports.iter().enumerate();
        let mut here: Vec<_> = ports.filter(|(_, port)| port.side == side).collect();
        here.sort_by_key(|(index, port)| (port.rank, *index));
        here.into_iter().filter_map(|(port, _)| self.of.get(&(node, port)).copied()).collect()
    }
}

struct Analysis {
    nets: Nets,
    branches: Vec<Branch>,
    /// Nodes with pins that are no branches, with the nets at their left and right.
    others: Vec<(usize, [Vec<usize>; 2])>,
    /// Symbols of the ground, with their nets.
    grounds: Vec<(usize, usize)>,
    levels: Vec<Level>,
    /// Nets of the way back that meters separate from the ground.
    back: Vec<usize>,
    /// The upper and the lower branch of half-bridges.
    legs: Vec<[usize; 2]>,
}

/// Turns the nodes of circuits, and says where they belong.
pub fn arrange(scheme: &mut Scheme) -> Circuits {
    let mut analysis = Analysis::new(scheme);
    analysis.extend_ground();
    analysis.find_legs();
    analysis.stand_up();
    let reached = analysis.direct();
    for branch in &analysis.branches {
        scheme.nodes[branch.node].turn(branch.mirrored, branch.upright);
    }
    analysis.circuits(&reached)
}

impl Analysis {
    fn new(scheme: &Scheme) -> Analysis {
        let nets = Nets::new(scheme);
        let levels = vec![Level::Series; nets.ends.len()];
        let (branches, others, grounds, back, legs) = Default::default();
        let mut analysis = Analysis { nets, branches, others, grounds, levels, back, legs };
        for (node, drawn) in scheme.nodes.iter().enumerate() {
            if !drawn.ports.iter().any(|port| port.kind == Kind::Pin) {
                continue;
            }
            let axis = drawn.icon.map_or(Axis::Pairs, |icon| icon.axis);
            let ends = [Side::Left, Side::Right].map(|side| analysis.nets.at(scheme, node, side));
            let along = axis.is_line();
            match [&ends[0][..], &ends[1][..]] {
                [&[left], &[right]] if along => {
                    let (nets, upright, mirrored) = ([left, right], false, false);
                    analysis.branches.push(Branch { node, axis, nets, upright, mirrored });
                    continue;
                }
                _ if axis == Axis::Ground => {
                    let net = analysis.nets.at(scheme, node, Side::Top).first().copied();
                    analysis.grounds.extend(net.map(|net| (node, net)));
                    net.into_iter().for_each(|net| analysis.levels[net] = Level::Ground);
                    continue;
                }
                pairs if axis == Axis::Pairs => {
                    for pair in pairs {
                        if let [_, back] = *pair {
                            analysis.levels[back] = Level::Ground;
                        }
                    }
                }
                _ => {}
            }
            analysis.others.push((node, ends));
        }
        analysis
    }

    /// Meters of current between the ground and one other element lie in the way back, which then
    /// begins at this element.
    fn extend_ground(&mut self) {
        loop {
            let meter = |branch: &&Branch| branch.axis == Axis::Meter;
            let next = self.branches.iter().filter(meter).find_map(|branch| {
                let [a, b] = branch.nets;
                let beside = |net: usize| self.is_open(net) && self.nets.ends[net].len() == 2;
                match (self.is_open(a), self.is_open(b)) {
                    (false, true) => Some(b).filter(|b| beside(*b)),
                    (true, false) => Some(a).filter(|a| beside(*a)),
                    _ => None,
                }
            });
            let Some(net) = next else { return };
            self.levels[net] = Level::Ground;
            self.back.push(net);
        }
    }

    fn is_open(&self, net: usize) -> bool {
        self.levels[net] > Level::Ground
    }

    /// Half-bridges: two valves in series between rails, with something connected between them.
    fn find_legs(&mut self) {
        let is_rail = |net: usize| self.nets.ends[net].len() > 2 || !self.is_open(net);
        let (mut used, mut legs) = (BTreeSet::new(), Vec::new());
        for (first, a) in self.branches.iter().enumerate() {
            for (second, b) in self.branches.iter().enumerate() {
                let (middle, ends) = (a.nets[1], [a.nets[0], b.nets[1]]);
                let is_leg = matches!(a.axis, Axis::Valve | Axis::Diode)
                    && a.axis == b.axis
                    && middle == b.nets[0]
                    && ends[0] != ends[1]
                    && !ends.contains(&middle)
                    && self.is_open(middle)
                    && self.nets.ends[middle].len() > 2
                    && ends.into_iter().all(is_rail);
                if is_leg && !used.contains(&first) && !used.contains(&second) {
                    used.extend([first, second]);
                    let up = a.axis == Axis::Diode;
                    legs.push(if up { [second, first] } else { [first, second] });
                }
            }
        }
        for [upper, lower] in legs.iter().copied() {
            let up = self.branches[upper].axis == Axis::Diode;
            for branch in [upper, lower].into_iter().filter(|_| up) {
                self.branches[branch].mirror();
            }
            let (top, bottom) = (self.branches[upper].nets[0], self.branches[lower].nets[1]);
            self.levels[top] = Level::UpperRail;
            if self.is_open(bottom) {
                self.levels[bottom] = Level::LowerRail;
            }
        }
        self.legs = legs;
    }

    /// Decides which branches stand upright.
    fn stand_up(&mut self) {
        let legs: BTreeSet<usize> = self.legs.iter().flatten().copied().collect();
        for (index, branch) in self.branches.iter_mut().enumerate() {
            let [a, b] = branch.nets.map(|net| self.levels[net]);
            branch.upright = legs.contains(&index) || a != b && a.min(b) <= Level::Ground;
            if branch.upright && a < b {
                branch.mirror();
            }
        }
    }

    /// Chains of branches that lie.
    fn chains(&self) -> Vec<Chain> {
        let lying: Vec<usize> =
            (0..self.branches.len()).filter(|i| !self.branches[*i].upright).collect();
        let mut used = BTreeSet::new();
        let mut chains = Vec::new();
        for &start in &lying {
            if !used.insert(start) {
                continue;
            }
            let mut chain = VecDeque::from([(start, true)]);
            let mut ends = self.branches[start].nets;
            for side in [0, 1] {
                while self.nets.ends[ends[side]].len() == 2
                    && let Some((&next, beyond)) = lying.iter().find_map(|next| {
                        let beyond = self.branches[*next].beyond(ends[side])?;
                        (!used.contains(next)).then_some((next, beyond))
                    })
                {
                    used.insert(next);
                    let along = self.branches[next].nets[side] == beyond;
                    match side {
                        0 => chain.push_front((next, along)),
                        _ => chain.push_back((next, along)),
                    }
                    ends[side] = beyond;
                }
            }
            chains.push(Chain { ends, branches: chain.into() });
        }
        chains
    }

    /// Gives chains the direction in which current reaches them from the sources. Returns the order
    /// in which nets are reached.
    fn direct(&mut self) -> Vec<usize> {
        let chains = self.chains();
        let mut beside: Vec<Vec<usize>> = vec![Vec::new(); self.levels.len()];
        let mut link = |a: usize, b: usize| {
            beside[a].push(b);
            beside[b].push(a);
        };
        chains.iter().for_each(|chain| link(chain.ends[0], chain.ends[1]));
        for branch in self.branches.iter().filter(|branch| branch.upright) {
            link(branch.nets[0], branch.nets[1]);
        }
        for (_, [left, right]) in &self.others {
            left.iter().for_each(|a| right.iter().for_each(|b| link(*a, *b)));
        }
        let sources = self.branches.iter().filter(|branch| branch.axis == Axis::Source);
        let starts = sources.map(|s| if s.upright { s.nets[0] } else { s.nets[1] });
        let mut order = vec![usize::MAX; self.levels.len()];
        let mut count = 0;
        for start in starts.chain(0..self.levels.len()) {
            let mut waiting = VecDeque::from([start]);
            while let Some(net) = waiting.pop_front() {
                if order[net] == usize::MAX && self.is_open(net) {
                    order[net] = count;
                    count += 1;
                    waiting.extend(&beside[net]);
                }
            }
        }
        for (k, net) in self.back.iter().enumerate() {
            order[*net] = count + k;
        }
        let grounds = || self.grounds.iter().map(|(_, net)| *net);
        for net in grounds() {
            order[net] = 0;
        }
        for chain in chains {
            let [from, to] = chain.ends.map(|net| order[net]);
            for (branch, along) in chain.branches {
                if along != (from <= to) {
                    self.branches[branch].mirror();
                }
            }
        }
        order
    }

    /// The row of an upright branch.
    fn row(&self, branch: &Branch) -> i32 {
        let has_lower = self.levels.contains(&Level::LowerRail);
        match branch.nets.map(|net| self.levels[net]) {
            [Level::UpperRail, Level::Series] => UPPER,
            [Level::UpperRail, Level::Ground] if has_lower => UPPER,
            [Level::UpperRail, _] => SERIES,
            _ => LOWER,
        }
    }

    /// The upright branches at a net, from left to right; the lower ones of half-bridges follow the
    /// upper ones.
    fn upright_at(&self, net: usize, order: &[usize]) -> Vec<usize> {
        let leg = |i: usize| self.legs.iter().position(|leg| leg.contains(&i));
        let here = |i: &usize| self.branches[*i].upright && self.branches[*i].nets.contains(&net);
        let mut found: Vec<usize> = (0..self.branches.len()).filter(here).collect();
        found.retain(|i| self.legs.iter().all(|[a, b]| b != i || !found_both(self, *a, net)));
        found.sort_by_key(|i| {
            let branch = &self.branches[*i];
            let rank =
                if branch.axis == Axis::Source { 0 } else { 2 - usize::from(leg(*i).is_some()) };
            (rank, leg(*i).and_then(|_| branch.beyond(net)).map(|n| order[n]), *i)
        });
        found
    }

    fn circuits(&self, order: &[usize]) -> Circuits {
        let mut circuits = Circuits::default();
        // Nodes whose right and left ends are at a net.
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.levels.len()];
        let mut after = before.clone();
        for branch in &self.branches {
            let [a, b] = branch.nets;
            if branch.upright {
                circuits.rows.insert(branch.node, self.row(branch));
            } else {
                after[a].push(branch.node);
                before[b].push(branch.node);
            }
        }
        for (node, [left, right]) in &self.others {
            left.iter().for_each(|net| after[*net].push(*node));
            right.iter().for_each(|net| before[*net].push(*node));
            let nets = left.iter().chain(right);
            let low = nets.into_iter().any(|net| !self.is_open(*net));
            circuits.rows.insert(*node, if low { LOWER } else { SERIES });
        }
        for net in (0..self.levels.len()).filter(|net| self.is_open(*net)) {
            let upright = self.upright_at(net, order);
            let nodes: Vec<usize> = upright.iter().map(|i| self.branches[*i].node).collect();
            let groups = [&before[net], &nodes, &after[net]];
            for (k, group) in groups.into_iter().enumerate() {
                let later = groups[k + 1..].iter().flat_map(|later| later.iter());
                let pairs = later.flat_map(|b| group.iter().map(move |a| (*a, *b)));
                circuits.orders.extend(pairs.filter(|(a, b)| a != b));
            }
            circuits.orders.extend(nodes.windows(2).map(|pair| (pair[0], pair[1])));
        }
        circuits.columns.extend(self.legs.iter().map(|leg| {
            let [a, b] = leg.map(|i| self.branches[i].node);
            (a, b)
        }));
        self.stack(&mut circuits);
        self.lie_below(&mut circuits);
        circuits
    }

    /// Puts branches of the way back between the elements that they connect.
    fn lie_below(&self, circuits: &mut Circuits) {
        for branch in &self.branches {
            if branch.upright || branch.nets.iter().any(|net| self.is_open(*net)) {
                continue;
            }
            circuits.rows.insert(branch.node, BACK);
            let upright = self.branches.iter().filter(|other| other.upright);
            for other in upright {
                if other.nets.contains(&branch.nets[0]) && other.axis == Axis::Source {
                    circuits.orders.push((other.node, branch.node));
                } else if other.nets.contains(&branch.nets[1]) {
                    circuits.orders.push((branch.node, other.node));
                }
            }
        }
    }

    /// Puts branches between closed nets, and symbols of the ground, below others.
    fn stack(&self, circuits: &mut Circuits) {
        let upright = || self.branches.iter().filter(|branch| branch.upright);
        let mut used = BTreeSet::new();
        for below in upright().filter(|b| b.nets.iter().all(|net| !self.is_open(*net))) {
            let above = upright().find(|a| {
                a.nets[1] == below.nets[0]
                    && self.row(a) != self.row(below)
                    && !used.contains(&a.node)
            });
            if let Some(above) = above {
                used.insert(above.node);
                circuits.columns.push((above.node, below.node));
            }
        }
        for (ground, net) in &self.grounds {
            circuits.rows.insert(*ground, GROUND);
            let low = |branch: &&Branch| branch.nets[1] == *net;
            match upright().find(|b| low(b) && !used.contains(&b.node)) {
                Some(above) => {
                    used.insert(above.node);
                    circuits.columns.push((above.node, *ground));
                }
                // Beside an element whose place below is taken.
                None => {
                    circuits.rows.insert(*ground, LOWER);
                    circuits.orders.extend(upright().find(low).map(|b| (b.node, *ground)));
                }
            }
        }
    }
}

/// Whether the upper branch of a half-bridge is at a net, too.
fn found_both(analysis: &Analysis, upper: usize, net: usize) -> bool {
    analysis.branches[upper].nets.contains(&net)
}

/// Replaces the lines of each net by lines between neighbouring pins: a line through all elements
/// in series, and a line from each other element to the series.
pub fn rewire(scheme: &mut Scheme, cell: impl Fn(usize) -> (i32, i32)) {
    let nets = Nets::new(scheme);
    scheme.lines.retain(|[a, _]| !nets.of.contains_key(a));
    for mut ends in nets.ends.into_iter().filter(|ends| ends.len() > 1) {
        ends.sort_by_key(|end| (cell(end.0), end.1));
        let level =
            |end: &End| matches!(scheme.nodes[end.0].ports[end.1].side, Side::Left | Side::Right);
        let (through, rest): (Vec<End>, Vec<End>) = ends.into_iter().partition(level);
        scheme.lines.extend(through.windows(2).map(|pair| [pair[0], pair[1]]));
        if through.is_empty() {
            scheme.lines.extend(rest.windows(2).map(|pair| [pair[0], pair[1]]));
            continue;
        }
        for end in rest {
            let column = cell(end.0).0;
            let nearest = through.iter().min_by_key(|hub| {
                let hub_column = cell(hub.0).0;
                let faces = match scheme.nodes[hub.0].ports[hub.1].side {
                    Side::Right => hub_column < column,
                    _ => column < hub_column,
                };
                (!faces, (hub_column - column).abs())
            });
            scheme.lines.extend(nearest.map(|hub| [*hub, end]));
        }
    }
}
