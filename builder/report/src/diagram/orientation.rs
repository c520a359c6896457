//! Turns symbols such that lines lead from left to right: which ones are mirrored.

use std::collections::VecDeque;

use super::folding::{Node, Scheme};
use super::grid::Cell;
use super::symbol::{Side, Symbol};
use super::{End, Place};

/// Mirrors nodes where their connections require it, by changing the sides of their ports. Those of
/// circuits are turned already.
pub fn orient(scheme: &mut Scheme) {
    let count = scheme.nodes.len();
    let mut mirrored = vec![false; count];
    let mut known: Vec<bool> = scheme.nodes.iter().map(Node::has_pins).collect();
    // Mechanical parts first: signals follow them.
    let is_signal =
        |[(node, port), _]: &[End; 2]| scheme.nodes[*node].ports[*port].kind.is_signal();
    let (signals, mechanical): (Vec<[End; 2]>, Vec<[End; 2]>) =
        scheme.lines.iter().copied().partition(is_signal);
    let mut networks = vec![mechanical.clone()];
    networks.push(mechanical.into_iter().chain(signals).collect());
    for lines in networks {
        let mut at: Vec<Vec<[End; 2]>> = vec![Vec::new(); count];
        for line in lines {
            at[line[0].0].push(line);
            at[line[1].0].push([line[1], line[0]]);
        }
        let starts: Vec<usize> = (0..count).filter(|i| known[*i]).collect();
        let others = (0..count).map(|i| vec![i]);
        for start in [starts].into_iter().chain(others) {
            let mut waiting: VecDeque<usize> = start.into();
            let begins: Vec<usize> =
                waiting.iter().copied().filter(|i| known[*i] || !at[*i].is_empty()).collect();
            waiting.retain(|i| begins.contains(i));
            let mut reached = Vec::new();
            while let Some(node) = waiting.pop_front() {
                if !known[node] {
                    known[node] = true;
                    reached.push(node);
                }
                for [(_, port), (other, entry)] in &at[node] {
                    let [from, to] = [(node, *port), (*other, *entry)]
                        .map(|(n, p)| sided(scheme.nodes[n].ports[p].side, mirrored[n]));
                    let level = |side| matches!(side, Side::Left | Side::Right);
                    if known[*other] || !level(from) || !level(to) {
                        continue;
                    }
                    mirrored[*other] = from == to;
                    known[*other] = true;
                    reached.push(*other);
                    waiting.push_back(*other);
                }
            }
            let turned = reached.iter().filter(|i| mirrored[**i]).count();
            if 2 * turned > reached.len() && !reached.is_empty() && only(&reached, &known, count) {
                reached.iter().for_each(|i| mirrored[*i] = !mirrored[*i]);
            }
        }
    }
    let turns = mirrored.into_iter().map(|mirrored| (mirrored, false)).collect();
    turn(scheme, turns, |node| !node.has_pins());
}

/// Mirrors nodes as their places want it. A node that is turned by a right angle looks towards its
/// neighbours.
pub fn at_places(scheme: &mut Scheme, places: &[Option<Place>], cells: &[Cell]) {
    let towards = |node: usize, upright: bool| {
        let ends = scheme.lines.iter().flat_map(|[a, b]| [(*a, *b), (*b, *a)]);
        let own = ends.filter(|((own, _), _)| *own == node);
        let away = own.map(|((_, port), (other, _))| {
            let (own, other) = (cells[node], cells[other]);
            let way = if upright { other.row - own.row } else { other.column - own.column };
            let way = way.signum();
            match scheme.nodes[node].ports[port].side {
                Side::Left => way,
                Side::Right => -way,
                Side::Top | Side::Bottom => 0,
            }
        });
        away.sum::<i32>() > 0
    };
    let turns = places.iter().enumerate().map(|(node, place)| {
        let stands = place.is_some_and(|place| place.mirrored.is_none());
        let upright = stands && scheme.nodes[node].icon.is_some_and(|icon| icon.axis.is_line());
        let mirrored = place.and_then(|place| place.mirrored);
        (mirrored.unwrap_or_else(|| towards(node, upright)), upright)
    });
    let turns = turns.collect();
    turn(scheme, turns, |_| true);
}

/// Turns nodes: mirrored, upright.
fn turn(scheme: &mut Scheme, turns: Vec<(bool, bool)>, wanted: impl Fn(&Node) -> bool) {
    for (node, (mirrored, upright)) in scheme.nodes.iter_mut().zip(turns) {
        if wanted(node) {
            node.turn(mirrored, upright);
        }
    }
    hang(scheme);
}

/// Whether a group may be turned as a whole: it is the first of its picture.
fn only(reached: &[usize], known: &[bool], count: usize) -> bool {
    reached.len() == (0..count).filter(|i| known[*i]).count()
}

fn sided(side: Side, mirrored: bool) -> Side {
    if mirrored { side.mirrored() } else { side }
}

/// Points at rest that only hold supports stand below them.
fn hang(scheme: &mut Scheme) {
    for node in 0..scheme.nodes.len() {
        let lines = scheme.lines.iter().flat_map(|[a, b]| [(a, b), (b, a)]);
        let mut others = lines.filter(|(own, _)| own.0 == node).map(|(_, other)| *other).peekable();
        let below = |(other, port): End| scheme.nodes[other].ports[port].side == Side::Bottom;
        if scheme.nodes[node].symbol == Symbol::Ground
            && others.peek().is_some()
            && others.all(below)
        {
            scheme.nodes[node].ports.iter_mut().for_each(|port| port.side = Side::Top);
        }
    }
}
