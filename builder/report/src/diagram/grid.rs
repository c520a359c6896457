//! Places nodes in columns and rows: a column for each step along the lines from left to right, and
//! a row for each chain.

use std::collections::BTreeSet;

use super::circuit::{self, Circuits};
use super::folding::Scheme;
use super::symbol::{Kind, Side};
use super::{End, Place};

/// The column and row of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub column: i32,
    pub row: i32,
}

/// A condition on columns: `to` is to the right of `from`.
#[derive(Clone, Copy, Debug)]
struct Order {
    from: usize,
    to: usize,
}

/// What a node is for the choice of its row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// It belongs to a chain of mechanical or thermal parts.
    Chained,
    /// It has signals only.
    Signal,
    /// It hangs at a part above it.
    Hanging,
}

/// The cells of all nodes, each with one of its own; columns and rows are counted from 0.
pub fn place(scheme: &Scheme, circuits: &Circuits) -> Vec<Cell> {
    let count = scheme.nodes.len();
    let same = representatives(&circuits.columns, count);
    let mut orders = orders(scheme);
    orders.extend(circuits.orders.iter().map(|(from, to)| Order { from: *from, to: *to }));
    for order in &mut orders {
        *order = Order { from: same[order.from], to: same[order.to] };
    }
    orders.retain(|order| order.from != order.to);
    let orders = acyclic(&orders, count);
    let columns = columns(scheme, &orders, count);
    let mut columns: Vec<i32> = same.iter().map(|node| columns[*node]).collect();
    spread(circuits, &same, &mut columns);
    let mut cells: Vec<Option<Cell>> = vec![None; count];
    let mut below = 0;
    for network in networks(scheme) {
        let mut taken = BTreeSet::new();
        fixed(circuits, &network, &columns, &mut cells, &mut taken);
        let lying = |node: &usize| scheme.nodes[*node].has_pins();
        let parts: Vec<usize> = network.iter().copied().filter(lying).collect();
        rows(scheme, &orders, &parts, &columns, &mut cells, &mut taken);
        enclose(&parts, &mut cells, &mut taken);
        rows(scheme, &orders, &network, &columns, &mut cells, &mut taken);
        let used: BTreeSet<i32> =
            network.iter().filter_map(|node| cells[*node]).map(|cell| cell.row).collect();
        let left = network.iter().filter_map(|i| cells[*i]).map(|cell| cell.column).min();
        for node in network {
            if let Some(cell) = &mut cells[node] {
                cell.row = below + used.range(..cell.row).count() as i32;
                cell.column -= left.unwrap_or(0);
            }
        }
        below += used.len() as i32;
    }
    cells.into_iter().map(Option::unwrap_or_default).collect()
}

/// Removes unused rows of a circuit, and keeps other nodes out of the rest, from the left end of
/// the circuit to its right one.
fn enclose(parts: &[usize], cells: &mut [Option<Cell>], taken: &mut BTreeSet<(i32, i32)>) {
    let placed = |cells: &[Option<Cell>]| -> Vec<Cell> {
        parts.iter().filter_map(|node| cells[*node]).collect()
    };
    let rows: BTreeSet<i32> = placed(cells).iter().map(|cell| cell.row).collect();
    for node in parts {
        if let Some(cell) = &mut cells[*node] {
            cell.row = rows.range(..cell.row).count() as i32;
        }
    }
    taken.clear();
    let columns = || placed(cells).into_iter().map(|cell| cell.column);
    let (Some(left), Some(right)) = (columns().min(), columns().max()) else { return };
    let rows = 0..rows.len() as i32;
    taken.extend(rows.flat_map(|row| (left..=right).map(move |column| (row, column))));
}

/// For each node, the first node of its column.
fn representatives(pairs: &[(usize, usize)], count: usize) -> Vec<usize> {
    let mut same: Vec<usize> = (0..count).collect();
    for (a, b) in pairs {
        let (kept, other) = (same[*a].min(same[*b]), same[*a].max(same[*b]));
        same.iter_mut().filter(|node| **node == other).for_each(|node| *node = kept);
    }
    same
}

/// Makes a new column for each node that would have the place of another one in a circuit.
fn spread(circuits: &Circuits, same: &[usize], columns: &mut [i32]) {
    let mut taken = BTreeSet::new();
    // From left to right: what is to the right of a new column moves on.
    let mut rest: BTreeSet<usize> = circuits.rows.keys().copied().collect();
    while let Some(node) = rest.iter().copied().min_by_key(|node| (columns[*node], *node)) {
        rest.remove(&node);
        let column = columns[node];
        if taken.insert((circuits.rows[&node], column)) {
            continue;
        }
        for (other, place) in columns.iter_mut().enumerate() {
            *place += i32::from(*place > column || same[other] == same[node]);
        }
        rest.insert(node);
    }
}

/// Places the nodes of a network whose rows circuits know.
fn fixed(
    circuits: &Circuits,
    network: &[usize],
    columns: &[i32],
    cells: &mut [Option<Cell>],
    taken: &mut BTreeSet<(i32, i32)>,
) {
    for (node, row) in network.iter().filter_map(|node| Some((*node, *circuits.rows.get(node)?))) {
        let column = columns[node];
        let free = (row..).find(|row| !taken.contains(&(*row, column))).unwrap_or(row);
        taken.insert((free, column));
        cells[node] = Some(Cell { column, row: free });
    }
}

/// Places whose distance is at most this, half of the width of a symbol, are in one column or row.
const NEAR: f64 = 10.0;

/// The cells of nodes with places: those side by side are in one row. A node without a place is
/// below all others.
pub fn at_places(places: &[Option<Place>]) -> Vec<Cell> {
    let number = |of: &dyn Fn(&Place) -> f64| -> Vec<i32> {
        let mut values: Vec<f64> = places.iter().flatten().map(of).collect();
        values.sort_by(f64::total_cmp);
        let mut begins: Vec<f64> = Vec::new();
        for value in values {
            if begins.last().is_none_or(|begin| value - begin > NEAR) {
                begins.push(value);
            }
        }
        let place = |place: &Option<Place>| match place {
            Some(place) => begins.iter().filter(|begin| **begin <= of(place)).count() as i32 - 1,
            None => begins.len() as i32,
        };
        places.iter().map(place).collect()
    };
    let (columns, rows) = (number(&|place| place.x), number(&|place| -place.y));
    let mut taken = BTreeSet::new();
    let cells = columns.into_iter().zip(rows).zip(places).map(|((column, row), place)| {
        let column = if place.is_some() { column } else { 0 };
        let free = (row..).find(|row| !taken.contains(&(*row, column))).unwrap_or(row);
        taken.insert((free, column));
        Cell { column, row: free }
    });
    cells.collect()
}

fn side(scheme: &Scheme, (node, port): End) -> Side {
    scheme.nodes[node].ports[port].side
}

/// The conditions that follow from lines.
fn orders(scheme: &Scheme) -> Vec<Order> {
    let order = |[a, b]: &[End; 2]| {
        let mechanical = |(node, port): End| {
            let kind = scheme.nodes[node].ports[port].kind;
            !kind.is_signal() && kind != Kind::Heat
        };
        if scheme.nodes[a.0].ports[a.1].kind == Kind::Pin {
            return None;
        }
        let (forward, backward) = (Order { from: a.0, to: b.0 }, Order { from: b.0, to: a.0 });
        match (side(scheme, *a), side(scheme, *b)) {
            (Side::Right, Side::Left) => Some(forward),
            (Side::Left, Side::Right) => Some(backward),
            _ if mechanical(*a) => None,
            (Side::Right, Side::Top | Side::Bottom) => Some(forward),
            (Side::Top | Side::Bottom, Side::Right) => Some(backward),
            (Side::Left, Side::Top | Side::Bottom) => Some(backward),
            (Side::Top | Side::Bottom, Side::Left) => Some(forward),
            _ => None,
        }
    };
    scheme.lines.iter().filter_map(order).filter(|order| order.from != order.to).collect()
}

/// The conditions without those that would close a cycle.
fn acyclic(orders: &[Order], count: usize) -> Vec<Order> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut entered = vec![0; count];
    for order in orders {
        after[order.from].push(order.to);
        entered[order.to] += 1;
    }
    // A node is open while the nodes after it are visited.
    let (mut open, mut done) = (vec![false; count], vec![false; count]);
    let mut kept = Vec::new();
    let (first, others): (Vec<usize>, Vec<usize>) = (0..count).partition(|i| entered[*i] == 0);
    for start in first.into_iter().chain(others) {
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                if done[node] {
                    continue;
                }
                open[node] = true;
            }
            let Some(to) = after[node].get(next).copied() else {
                (open[node], done[node]) = (false, true);
                continue;
            };
            stack.push((node, next + 1));
            if !open[to] {
                kept.push(Order { from: node, to });
                if !done[to] {
                    stack.push((to, 0));
                }
            }
        }
    }
    kept
}

/// The columns: as far to the left as the conditions allow, but without long lines where a node
/// could be nearer to those after it.
fn columns(scheme: &Scheme, orders: &[Order], count: usize) -> Vec<i32> {
    let mut columns = vec![0; count];
    for _ in 0..count {
        let mut changed = false;
        for order in orders {
            let least = columns[order.from] + 1;
            if columns[order.to] < least {
                columns[order.to] = least;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for _ in 0..count {
        let mut changed = false;
        for node in 0..count {
            let before = orders.iter().filter(|order| order.to == node).count();
            let after = orders.iter().filter(|order| order.from == node);
            let most = after.clone().map(|order| columns[order.to] - 1).min();
            if let Some(most) = most.filter(|most| *most > columns[node])
                && after.count() > before
            {
                columns[node] = most;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // A node without conditions is in the column of its neighbours.
    for node in 0..count {
        if !orders.iter().any(|order| order.from == node || order.to == node) {
            let mut near: Vec<i32> = neighbours(scheme, node).map(|(n, _)| columns[n.0]).collect();
            near.sort_unstable();
            columns[node] = near.get(near.len() / 2).copied().unwrap_or(0);
        }
    }
    columns
}

/// The ends at the other sides of a node's lines, each with the node's own end.
fn neighbours(scheme: &Scheme, node: usize) -> impl Iterator<Item = (End, End)> {
    let both = scheme.lines.iter().flat_map(|[a, b]| [(*b, *a), (*a, *b)]);
    both.filter(move |(other, own)| own.0 == node && other.0 != node)
}

/// The nodes that are connected with each other, in the order of their first ones.
fn networks(scheme: &Scheme) -> Vec<Vec<usize>> {
    let mut known = vec![false; scheme.nodes.len()];
    let mut networks = Vec::new();
    for start in 0..scheme.nodes.len() {
        if known[start] {
            continue;
        }
        known[start] = true;
        let mut network = vec![start];
        let mut next = 0;
        while let Some(node) = network.get(next).copied() {
            next += 1;
            for (other, _) in neighbours(scheme, node) {
                if !known[other.0] {
                    known[other.0] = true;
                    network.push(other.0);
                }
            }
        }
        network.sort_unstable();
        networks.push(network);
    }
    networks
}

fn role(scheme: &Scheme, orders: &[Order], node: usize) -> Role {
    let kinds = || scheme.nodes[node].ports.iter().map(|port| port.kind);
    if kinds().count() > 0 && kinds().all(Kind::is_signal) {
        return Role::Signal;
    }
    let is_chained = orders.iter().any(|order| order.from == node || order.to == node);
    if is_chained || neighbours(scheme, node).next().is_none() {
        Role::Chained
    } else {
        Role::Hanging
    }
}

/// Distributes the chains of a network over rows; the longest ones come first.
fn rows(
    scheme: &Scheme,
    orders: &[Order],
    network: &[usize],
    columns: &[i32],
    cells: &mut [Option<Cell>],
    taken: &mut BTreeSet<(i32, i32)>,
) {
    for wanted in [Role::Chained, Role::Signal, Role::Hanging] {
        let open = network.iter().copied().filter(|i| cells[*i].is_none());
        let of_role = open.filter(|i| role(scheme, orders, *i) == wanted);
        let mut rest: BTreeSet<usize> = of_role.collect();
        while let Some(path) = longest(orders, columns, &rest) {
            path.iter().for_each(|node| {
                rest.remove(node);
            });
            let span = |node: Option<&usize>| node.map_or(0, |node| columns[*node]);
            let (from, to) = (span(path.first()), span(path.last()));
            let free = |row: &i32| (from..=to).all(|column| !taken.contains(&(*row, column)));
            let (target, search) = match path.iter().any(|node| scheme.nodes[*node].has_pins()) {
                true => (circuit::SERIES, [1, 1]),
                false => target(scheme, &path, cells, wanted),
            };
            let row = (0..).flat_map(|d| search.map(|sign| target + sign * d)).find(free);
            let row = row.unwrap_or(target);
            taken.extend((from..=to).map(|column| (row, column)));
            for node in path {
                cells[node] = Some(Cell { column: columns[node], row });
            }
        }
    }
}

/// The row that suits a chain, and in which directions to search for a free one.
fn target(scheme: &Scheme, path: &[usize], cells: &[Option<Cell>], role: Role) -> (i32, [i32; 2]) {
    let near = path.iter().flat_map(|node| neighbours(scheme, *node)).filter_map(|(other, _)| {
        let row = cells[other.0]?.row;
        Some(match side(scheme, other) {
            Side::Top => (row - 1, -1),
            Side::Bottom => (row + 1, 1),
            Side::Left | Side::Right => (row, 0),
        })
    });
    let near: Vec<(i32, i32)> = near.collect();
    let count = i32::try_from(near.len()).unwrap_or(i32::MAX).max(1);
    let mean = near.iter().map(|(row, _)| row).sum::<i32>().div_euclid(count);
    let search = match (role, near.iter().map(|(_, way)| way).sum::<i32>().signum()) {
        (Role::Hanging, _) => {
            let lowest = near.iter().map(|(row, _)| *row).max();
            return (lowest.unwrap_or(mean), [1, 1]);
        }
        (_, 1) => [1, 1],
        (_, -1) => [-1, -1],
        (Role::Signal, _) => [-1, 1],
        _ => [1, -1],
    };
    (mean, search)
}

/// The longest chain of nodes of a set along the conditions.
fn longest(orders: &[Order], columns: &[i32], rest: &BTreeSet<usize>) -> Option<Vec<usize>> {
    let mut inside: Vec<&Order> =
        orders.iter().filter(|o| rest.contains(&o.from) && rest.contains(&o.to)).collect();
    inside.sort_by_key(|order| columns[order.from]);
    let size = rest.last()? + 1;
    let mut length = vec![1; size];
    let mut previous: Vec<Option<usize>> = vec![None; size];
    for order in inside {
        if length[order.to] < length[order.from] + 1 {
            length[order.to] = length[order.from] + 1;
            previous[order.to] = Some(order.from);
        }
    }
    // The first of several.
    let last = rest.iter().copied().min_by_key(|i| (-length[*i], *i))?;
    let mut path = vec![last];
    while let Some(before) = path.last().and_then(|node| previous[*node]) {
        path.push(before);
    }
    path.reverse();
    Some(path)
}
