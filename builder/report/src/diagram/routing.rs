//! Draws the lines between connectors in the channels between rows and columns, so that no line
//! runs through a symbol.

use std::collections::{BTreeMap, BTreeSet};

use super::End;
use super::folding::Scheme;
use super::grid::Cell;
use super::symbol::Side;

/// The distance of neighbouring lines.
const TRACK: f64 = 7.0;

/// A picture with places: points in pixels, `x` to the right and `y` downwards.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub width: f64,
    pub height: f64,
    /// The centres of the nodes.
    pub centres: Vec<(f64, f64)>,
    /// The lines, in the order of those of the scheme, each with at least two points.
    pub lines: Vec<Vec<(f64, f64)>>,
}

/// A channel: to the left of a column, or above a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Channel {
    Vertical(i32),
    Horizontal(i32),
}

/// The way of a line.
#[derive(Clone, Debug)]
enum Way {
    /// Straight, or with one corner below or above the end that is at the top or bottom of a node.
    Direct,
    /// Through channels.
    Through(Vec<Channel>),
}

/// Sizes of nodes in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The width of the symbol.
    pub width: f64,
    /// The height of the symbol.
    pub height: f64,
    /// How far the name reaches to the left and to the right from the centre.
    pub label: [f64; 2],
}

/// The height that a name needs.
pub const LABEL: f64 = 18.0;

struct Router<'a> {
    scheme: &'a Scheme,
    cells: &'a [Cell],
    /// The offset of each port from the centre of its node.
    ports: &'a [Vec<(f64, f64)>],
    taken: BTreeSet<(i32, i32)>,
    /// The net of which a line runs level through a free cell, by row and column.
    runs: BTreeMap<(i32, i32), usize>,
    /// The net of which a line runs upright through a free cell.
    falls: BTreeMap<(i32, i32), usize>,
}

impl Router<'_> {
    fn cell(&self, end: End) -> Cell {
        self.cells[end.0]
    }

    fn side(&self, (node, port): End) -> Side {
        self.scheme.nodes[node].ports[port].side
    }

    fn offset(&self, (node, port): End) -> (f64, f64) {
        self.ports[node][port]
    }

    /// The channel at which a port is.
    fn exit(&self, end: End) -> Channel {
        let Cell { column, row } = self.cell(end);
        match self.side(end) {
            Side::Left => Channel::Vertical(column),
            Side::Right => Channel::Vertical(column + 1),
            Side::Top => Channel::Horizontal(row),
            Side::Bottom => Channel::Horizontal(row + 1),
        }
    }

    /// Whether a line of a net can run through cells of a row.
    fn is_free(&self, row: i32, columns: impl IntoIterator<Item = i32>, net: usize) -> bool {
        columns.into_iter().all(|column| {
            let place = (row, column);
            !self.taken.contains(&place) && self.runs.get(&place).is_none_or(|other| *other == net)
        })
    }

    /// Whether a line of a net can run upright through cells of a column.
    fn can_fall(&self, column: i32, rows: impl IntoIterator<Item = i32>, net: usize) -> bool {
        rows.into_iter().all(|row| {
            let place = (row, column);
            !self.taken.contains(&place) && self.falls.get(&place).is_none_or(|other| *other == net)
        })
    }

    /// Reserves the cells of a column.
    fn fall(&mut self, column: i32, rows: impl IntoIterator<Item = i32>, net: usize) {
        self.falls.extend(rows.into_iter().map(|row| ((row, column), net)));
    }

    /// The cells through which a port's row leads to a vertical channel; `None` if the port is on
    /// the other side.
    fn run_to(&self, end: End, channel: i32) -> Option<std::ops::Range<i32>> {
        let column = self.cell(end).column;
        match self.side(end) {
            Side::Left if channel <= column => Some(channel..column),
            Side::Right if channel > column => Some(column + 1..channel),
            _ => None,
        }
    }

    /// Reserves the cells of a row.
    fn reserve(&mut self, row: i32, columns: impl IntoIterator<Item = i32>, net: usize) {
        self.runs.extend(columns.into_iter().map(|column| ((row, column), net)));
    }

    /// The way between two ports.
    fn way(&mut self, [a, b]: [End; 2], net: usize) -> Way {
        let level = |side| matches!(side, Side::Left | Side::Right);
        match (level(self.side(a)), level(self.side(b))) {
            (true, true) => self.level_way(a, b, net),
            (true, false) => self.cornered_way(a, b, net),
            (false, true) => match self.cornered_way(b, a, net) {
                Way::Through(mut channels) => {
                    channels.reverse();
                    Way::Through(channels)
                }
                direct => direct,
            },
            (false, false) => self.upright_way(a, b, net),
        }
    }

    /// Between two ports at the left or right.
    fn level_way(&mut self, a: End, b: End, net: usize) -> Way {
        let (Channel::Vertical(from), Channel::Vertical(to)) = (self.exit(a), self.exit(b)) else {
            return Way::Direct;
        };
        let [first, second] = [self.cell(a), self.cell(b)];
        let level = (self.offset(a).1 - self.offset(b).1).abs() < 0.5;
        if first.row == second.row && level && self.side(a) != self.side(b) {
            let (x, y) = (first.column.min(second.column), first.column.max(second.column));
            let faces = self.run_to(a, to).is_some();
            if faces && self.is_free(first.row, x + 1..y, net) {
                self.reserve(first.row, x + 1..y, net);
                return Way::Direct;
            }
        }
        let step = if from <= to { 1 } else { -1 };
        let between = (0..=(to - from).abs()).map(|k| to - step * k);
        for channel in between {
            let (Some(p), Some(q)) = (self.run_to(a, channel), self.run_to(b, channel)) else {
                continue;
            };
            let free =
                self.is_free(first.row, p.clone(), net) && self.is_free(second.row, q.clone(), net);
            if free {
                self.reserve(first.row, p, net);
                self.reserve(second.row, q, net);
                return Way::Through(vec![Channel::Vertical(channel)]);
            }
        }
        let row = if first.row < second.row { first.row + 1 } else { second.row + 1 };
        let row = if first.row == second.row { first.row } else { row };
        let channels = [Channel::Vertical(from), Channel::Horizontal(row), Channel::Vertical(to)];
        Way::Through(channels.to_vec())
    }

    /// From a port at the left or right to one at the top or bottom.
    fn cornered_way(&mut self, a: End, b: End, net: usize) -> Way {
        let (Channel::Vertical(from), Channel::Horizontal(to)) = (self.exit(a), self.exit(b))
        else {
            return Way::Direct;
        };
        let [first, second] = [self.cell(a), self.cell(b)];
        let rows = match self.side(b) {
            Side::Top => first.row..second.row,
            _ => second.row + 1..first.row + 1,
        };
        let cells = match self.side(a) {
            Side::Right if first.column < second.column => first.column + 1..second.column + 1,
            Side::Left if second.column < first.column => second.column..first.column,
            _ => 0..0,
        };
        let free = self.is_free(first.row, cells.clone(), net)
            && self.can_fall(second.column, rows.clone(), net);
        if !rows.is_empty() && !cells.is_empty() && free {
            self.reserve(first.row, cells, net);
            self.fall(second.column, rows, net);
            return Way::Direct;
        }
        Way::Through(vec![Channel::Vertical(from), Channel::Horizontal(to)])
    }

    /// Between two ports at the top or bottom.
    fn upright_way(&mut self, a: End, b: End, net: usize) -> Way {
        let (Channel::Horizontal(from), Channel::Horizontal(to)) = (self.exit(a), self.exit(b))
        else {
            return Way::Direct;
        };
        let [first, second] = [self.cell(a), self.cell(b)];
        let upright = (self.offset(a).0 - self.offset(b).0).abs() < 0.5;
        let faces = match self.side(a) {
            Side::Bottom => first.row < second.row && self.side(b) == Side::Top,
            _ => second.row < first.row && self.side(b) == Side::Bottom,
        };
        if first.column == second.column && upright && faces {
            let (x, y) = (first.row.min(second.row), first.row.max(second.row));
            if self.can_fall(first.column, x + 1..y, net) {
                self.fall(first.column, x + 1..y, net);
                return Way::Direct;
            }
        }
        if from == to {
            return Way::Through(vec![Channel::Horizontal(from)]);
        }
        // Along the line of the outer one, if there is room.
        if self.side(a) == self.side(b) {
            let outer = match self.side(a) {
                Side::Top => first.row.min(second.row),
                _ => first.row.max(second.row),
            };
            let inner = if first.row == outer { second } else { first };
            let rows = match self.side(a) {
                Side::Top => outer..inner.row,
                _ => inner.row + 1..outer + 1,
            };
            if self.can_fall(inner.column, rows.clone(), net) {
                self.fall(inner.column, rows, net);
                let channel = if first.row == outer { from } else { to };
                return Way::Through(vec![Channel::Horizontal(channel)]);
            }
        }
        let column = if first.column < second.column { first.column + 1 } else { first.column };
        Way::Through(vec![
            Channel::Horizontal(from),
            Channel::Vertical(column),
            Channel::Horizontal(to),
        ])
    }
}

/// The nets: connectors that are connected with each other have the same number. A signal belongs
/// to its source, because the elements of a vector of inputs are one connector.
fn nets(scheme: &Scheme) -> Vec<usize> {
    let mut net_of: BTreeMap<End, usize> = BTreeMap::new();
    let mut nets: Vec<usize> = (0..scheme.lines.len()).collect();
    for (i, line) in scheme.lines.iter().enumerate() {
        for end in line {
            if scheme.nodes[end.0].ports[end.1].kind.is_input() {
                continue;
            }
            match net_of.get(end).map(|known| nets[*known]) {
                None => {
                    net_of.insert(*end, i);
                }
                Some(known) => {
                    let own = nets[i];
                    nets.iter_mut().filter(|net| **net == own).for_each(|net| *net = known);
                }
            }
        }
    }
    nets
}

/// Where lines of a net meet, with an end of the net.
pub fn junctions(scheme: &Scheme, plan: &Plan) -> Vec<((f64, f64), End)> {
    let of_line = nets(scheme);
    let mut found = Vec::new();
    for net in of_line.iter().copied().collect::<BTreeSet<usize>>() {
        let lines: Vec<usize> = (0..of_line.len()).filter(|line| of_line[*line] == net).collect();
        let segments = || lines.iter().flat_map(|line| plan.lines[*line].windows(2));
        let mut seen: Vec<(f64, f64)> = Vec::new();
        let ends: Vec<(f64, f64)> = lines
            .iter()
            .flat_map(|line| [plan.lines[*line].first(), plan.lines[*line].last()])
            .flatten()
            .copied()
            .collect();
        for &(x, y) in lines.iter().flat_map(|line| &plan.lines[*line]) {
            let same = |(u, v): &(f64, f64)| (u - x).abs() < 0.1 && (v - y).abs() < 0.1;
            if seen.iter().any(same) {
                continue;
            }
            seen.push((x, y));
            // Whether a line leads from here to the left, to the right, upwards and downwards.
            let mut ways = [false; 4];
            for pair in segments() {
                let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
                let (level, upright) = ((y1 - y).abs() < 0.1, (x1 - x).abs() < 0.1);
                if level && (y2 - y).abs() < 0.1 {
                    ways[0] |= x1.min(x2) < x - 0.1 && x1.max(x2) > x - 0.1;
                    ways[1] |= x1.max(x2) > x + 0.1 && x1.min(x2) < x + 0.1;
                }
                if upright && (x2 - x).abs() < 0.1 {
                    ways[2] |= y1.min(y2) < y - 0.1 && y1.max(y2) > y - 0.1;
                    ways[3] |= y1.max(y2) > y + 0.1 && y1.min(y2) < y + 0.1;
                }
            }
            let count = ways.iter().filter(|way| **way).count();
            if count + usize::from(ends.iter().any(same)) > 2 {
                found.push(((x, y), scheme.lines[lines[0]][0]));
            }
        }
    }
    found
}

/// Where a net is in a channel.
#[derive(Clone, Debug)]
struct Use {
    /// From and to, along the channel, in cells and channels counted from the beginning.
    span: (i32, i32),
    /// Where it enters from the side of lower columns or rows, and from the other one.
    entries: [Vec<(i32, i32)>; 2],
}

/// The numbers of the tracks of nets in each channel, and how many tracks it has.
type Tracks = BTreeMap<Channel, (BTreeMap<usize, usize>, usize)>;

/// The place of a port or of a crossing along a channel.
fn along(channel: Channel, cell: Cell) -> i32 {
    2 * match channel {
        Channel::Vertical(_) => cell.row,
        Channel::Horizontal(_) => cell.column,
    } + 1
}

/// Gives each net a track in each of its channels.
fn tracks(router: &Router<'_>, ways: &[Way], nets: &[usize]) -> Tracks {
    let mut uses: BTreeMap<Channel, BTreeMap<usize, Use>> = BTreeMap::new();
    for ((way, net), line) in ways.iter().zip(nets).zip(&router.scheme.lines) {
        let Way::Through(channels) = way else { continue };
        for (k, channel) in channels.iter().enumerate() {
            let mut span = Vec::new();
            let mut entries = [Vec::new(), Vec::new()];
            for (at, end) in [(0, line[0]), (channels.len() - 1, line[1])] {
                if at == k {
                    let place = along(*channel, router.cell(end));
                    let (x, y) = router.offset(end);
                    let shift = if matches!(channel, Channel::Vertical(_)) { y } else { x };
                    let later = matches!(router.side(end), Side::Left | Side::Top);
                    entries[usize::from(later)].push((place, shift.round() as i32));
                    span.push(place);
                }
            }
            let next = [k.checked_sub(1), Some(k + 1)].into_iter().flatten();
            span.extend(next.filter_map(|k| channels.get(k)).map(|other| match other {
                Channel::Vertical(i) | Channel::Horizontal(i) => 2 * i,
            }));
            let span =
                (span.iter().copied().min().unwrap_or(0), span.iter().copied().max().unwrap_or(0));
            let known = uses.entry(*channel).or_default().entry(*net);
            let known = known.or_insert(Use { span, entries: Default::default() });
            known.span = (known.span.0.min(span.0), known.span.1.max(span.1));
            for (all, new) in known.entries.iter_mut().zip(entries) {
                all.extend(new);
            }
        }
    }
    uses.into_iter().map(|(channel, uses)| (channel, packed(&uses))).collect()
}

/// The tracks in one channel. If two nets enter at the same place, the net from the lower side has
/// the earlier track, so the two lines do not lie on each other.
fn packed(uses: &BTreeMap<usize, Use>) -> (BTreeMap<usize, usize>, usize) {
    let before = |net: &usize, other: &usize| {
        let meets = |entry| uses[net].entries[0].contains(entry);
        net != other && uses[other].entries[1].iter().any(meets)
    };
    let mut tracks: BTreeMap<usize, usize> = BTreeMap::new();
    let mut rest: Vec<usize> = uses.keys().copied().collect();
    rest.sort_by_key(|net| uses[net].span);
    let mut count = 0;
    while !rest.is_empty() {
        let ready = |net: &usize| !rest.iter().any(|other| before(other, net));
        // Nets that would have to be before each other are taken in their order.
        let index = rest.iter().position(ready).unwrap_or(0);
        let net = rest.remove(index);
        let least = tracks.iter().filter(|(other, _)| before(other, &net)).map(|(_, t)| t + 1);
        let least = least.max().unwrap_or(0);
        let apart = |other: &usize| {
            uses[other].span.1 < uses[&net].span.0 || uses[&net].span.1 < uses[other].span.0
        };
        let fits = |track: &usize| tracks.iter().all(|(other, t)| t != track || apart(other));
        let track = (least..).find(fits).unwrap_or(least);
        count = count.max(track + 1);
        tracks.insert(net, track);
    }
    (tracks, count)
}

/// Offsets of rows or columns: where each channel begins and where each row or column has its
/// centre.
struct Axis {
    channels: Vec<f64>,
    centres: Vec<f64>,
    end: f64,
}

impl Axis {
    /// Sizes are those before and after the centre.
    fn new(sizes: &[[f64; 2]], margin: f64, tracks: impl Fn(i32) -> usize) -> Axis {
        let mut axis = Axis { channels: Vec::new(), centres: Vec::new(), end: 0.0 };
        let width = |channel: usize| {
            let count = tracks(i32::try_from(channel).unwrap_or(0));
            2.0 * margin + TRACK * count as f64
        };
        for (i, size) in sizes.iter().enumerate() {
            axis.channels.push(axis.end + margin);
            axis.end += width(i);
            axis.centres.push(axis.end + size[0]);
            axis.end += size[0] + size[1];
        }
        axis.channels.push(axis.end + margin);
        axis.end += width(sizes.len());
        axis
    }

    fn centre(&self, index: i32) -> f64 {
        usize::try_from(index).ok().and_then(|i| self.centres.get(i)).copied().unwrap_or(0.0)
    }

    fn track(&self, channel: i32, track: usize) -> f64 {
        let channel = usize::try_from(channel).ok().and_then(|i| self.channels.get(i));
        channel.copied().unwrap_or(0.0) + TRACK * (track as f64 + 0.5)
    }
}

/// The places of nodes and lines.
pub fn plan(scheme: &Scheme, cells: &[Cell], sizes: &[Size], ports: &[Vec<(f64, f64)>]) -> Plan {
    let taken = cells.iter().map(|cell| (cell.row, cell.column)).collect();
    let mut router =
        Router { scheme, cells, ports, taken, runs: BTreeMap::new(), falls: BTreeMap::new() };
    let nets = nets(scheme);
    let mut ways = vec![Way::Direct; scheme.lines.len()];
    // Chains first: they shall be straight.
    let mut order: Vec<usize> = (0..ways.len()).collect();
    order.sort_by_key(|i| {
        let [a, b] = scheme.lines[*i];
        let signal = scheme.nodes[a.0].ports[a.1].kind.is_signal();
        let [p, q] = [cells[a.0], cells[b.0]];
        (signal, p.row != q.row, (p.column - q.column).abs(), *i)
    });
    for i in order {
        ways[i] = router.way(scheme.lines[i], nets[i]);
    }
    let tracks = tracks(&router, &ways, &nets);
    let count = |channel| tracks.get(&channel).map_or(0, |(_, count)| *count);
    let last = |of: fn(&Cell) -> i32| cells.iter().map(of).max().unwrap_or(-1);
    let largest = |at: i32, of: fn(&Cell) -> i32, size: &dyn Fn(&Size) -> f64| {
        let here = cells.iter().zip(sizes).filter(|(cell, _)| of(cell) == at);
        here.map(|(_, s)| size(s)).fold(0.0, f64::max)
    };
    let half = |side: usize| move |size: &Size| (size.width / 2.0).max(size.label[side]);
    let widths: Vec<[f64; 2]> = (0..=last(|c| c.column))
        .map(|at| [0, 1].map(|side| largest(at, |c| c.column, &half(side))))
        .collect();
    let heights: Vec<[f64; 2]> = (0..=last(|c| c.row))
        .map(|at| [largest(at, |c| c.row, &|s| s.height / 2.0 + LABEL); 2])
        .collect();
    let x = Axis::new(&widths, 9.0, |i| count(Channel::Vertical(i)));
    let y = Axis::new(&heights, 3.0, |i| count(Channel::Horizontal(i)));
    let centres: Vec<(f64, f64)> =
        cells.iter().map(|cell| (x.centre(cell.column), y.centre(cell.row))).collect();
    let lines = ways.iter().zip(&scheme.lines).zip(&nets).map(|((way, line), net)| {
        let at = |end: End| {
            let ((cx, cy), (dx, dy)) = (centres[end.0], router.offset(end));
            (cx + dx, cy + dy)
        };
        let track = |channel: Channel| {
            let found = tracks.get(&channel).and_then(|(tracks, _)| tracks.get(net));
            let track = found.copied().unwrap_or(0);
            match channel {
                Channel::Vertical(i) => x.track(i, track),
                Channel::Horizontal(i) => y.track(i, track),
            }
        };
        let level = matches!(router.side(line[0]), Side::Left | Side::Right);
        points(way, at(line[0]), at(line[1]), level, track)
    });
    Plan { lines: lines.collect(), width: x.end, height: y.end, centres }
}

/// The corners of a line; `level` says whether it begins horizontally.
fn points(
    way: &Way,
    from: (f64, f64),
    to: (f64, f64),
    level: bool,
    track: impl Fn(Channel) -> f64,
) -> Vec<(f64, f64)> {
    let mut points = vec![from];
    let mut at = from;
    match way {
        Way::Direct if level => points.push((to.0, from.1)),
        Way::Direct => points.push((from.0, to.1)),
        Way::Through(channels) => {
            for channel in channels {
                match channel {
                    Channel::Vertical(_) => at.0 = track(*channel),
                    Channel::Horizontal(_) => at.1 = track(*channel),
                }
                points.push(at);
            }
            match channels.last() {
                Some(Channel::Vertical(_)) => points.push((at.0, to.1)),
                _ => points.push((to.0, at.1)),
            }
        }
    }
    points.push(to);
    points.dedup();
    if points.len() < 2 {
        points.push(to);
    }
    points
}
