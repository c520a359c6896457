//! The number of states of a circuit, from a determinant that is exact modulo a prime.

use super::networks::{Element, Law, Network};
use crate::common::Random;

/// The prime.
const P: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(P)) as u64
}

fn minus(a: u64, b: u64) -> u64 {
    (a + P - b) % P
}

fn inverse(a: u64) -> u64 {
    let (mut result, mut power, mut exponent) = (1, a, P - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        exponent >>= 1;
    }
    result
}

/// What the equations of a circuit say for arbitrary values of its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pencil {
    /// The number of states of the circuit, if it has a solution. Speeds of motors count as known.
    pub states: Option<usize>,
    /// How many derivatives of the speed of a motor a voltage or a current depends on.
    pub derivatives: usize,
}

/// Whether each node is connected with a ground through branches.
pub fn is_grounded(network: &Network) -> bool {
    let mut reached = vec![false; network.nodes];
    network.grounds.iter().for_each(|&node| reached[node] = true);
    for _ in 0..network.nodes {
        for pair in network.elements.iter().flat_map(|element| element.nodes.chunks(2)) {
            let any = reached[pair[0]] || reached[pair[1]];
            (reached[pair[0]], reached[pair[1]]) = (any, any);
        }
    }
    reached.iter().all(|&reached| reached)
}

/// The pencil of a circuit, with the same conductance of both ports of a gyrator, or with two.
pub fn pencil(network: &Network, passive: bool) -> Pencil {
    let values: Vec<[u64; 3]> = {
        let mut random = Random(77);
        let mut value = || random.bits() % P;
        let mut values = || [value(), value(), value()];
        let of = |element: &Element| match (element.law, values()) {
            (Law::Gyrator(_), [g, ..]) if passive => [g; 3],
            (_, values) => values,
        };
        network.elements.iter().map(of).collect()
    };
    let motors: Vec<usize> = (0..network.elements.len())
        .filter(|&k| matches!(network.elements[k].law, Law::Emf(_)))
        .collect();
    let stores = |element: &Element| match element.law {
        Law::Capacitor(..) | Law::Inductor(..) => 1,
        Law::Transformer(..) => 2,
        _ => 0,
    };
    // Numerators have at most one degree more for each element that differentiates.
    let degree: usize = network.elements.iter().map(stores).sum::<usize>() + 2;
    let mut determinants = Vec::new();
    let mut numerators: Vec<Vec<u64>> = Vec::new();
    for s in 1..=(degree as u64 + 1) {
        let (determinant, solutions) = solve(equations(network, &values, &motors, s));
        numerators.push(solutions.iter().map(|&x| times(x, determinant)).collect());
        determinants.push(determinant);
    }
    let states = self::degree(&determinants);
    let rows = numerators.first().map_or(0, Vec::len);
    let column = |k: usize| -> Vec<u64> { numerators.iter().map(|all| all[k]).collect() };
    let largest = (0..rows).filter_map(|k| self::degree(&column(k))).max();
    let derivatives = largest.unwrap_or(0).saturating_sub(states.unwrap_or(0));
    Pencil { states, derivatives }
}

/// The degree of the polynomial with these values at 1, 2, ..; none if it vanishes.
fn degree(values: &[u64]) -> Option<usize> {
    let mut differences = values.to_vec();
    let mut found = None;
    for k in 0..values.len() {
        if differences[0] != 0 {
            found = Some(k);
        }
        differences = differences.windows(2).map(|pair| minus(pair[1], pair[0])).collect();
    }
    found
}

/// The equations for potentials and currents at a frequency `s`, with one right side for the
/// voltage of each motor.
fn equations(network: &Network, values: &[[u64; 3]], motors: &[usize], s: u64) -> Vec<Vec<u64>> {
    let branches: usize = network.elements.iter().map(|element| element.nodes.len() / 2).sum();
    let size = network.nodes + branches;
    let width = size + motors.len();
    let mut rows = vec![vec![0; width]; size];
    for &node in &network.grounds {
        rows[node][node] = 1;
    }
    let add = |rows: &mut Vec<Vec<u64>>, row: usize, column: usize, value: u64| {
        rows[row][column] = (rows[row][column] + value) % P;
    };
    let mut branch = network.nodes;
    for (k, element) in network.elements.iter().enumerate() {
        let first = branch;
        for pair in element.nodes.chunks(2) {
            for (&node, sign) in pair.iter().zip([1, P - 1]) {
                if !network.grounds.contains(&node) {
                    add(&mut rows, node, branch, sign);
                }
            }
            branch += 1;
        }
        for (row, voltages, currents) in laws(element.law, values[k], s) {
            for (port, pair) in element.nodes.chunks(2).enumerate() {
                add(&mut rows, first + row, pair[0], voltages[port]);
                add(&mut rows, first + row, pair[1], minus(0, voltages[port]));
                add(&mut rows, first + row, first + port, currents[port]);
            }
        }
        if let Some(column) = motors.iter().position(|&motor| motor == k) {
            rows[first][size + column] = 1;
        }
    }
    rows
}

/// The laws of an element: the number of its row, and factors of voltages and currents.
fn laws(law: Law, [a, b, c]: [u64; 3], s: u64) -> Vec<(usize, [u64; 2], [u64; 2])> {
    let minus_one = P - 1;
    let one = |v: u64, i: u64| vec![(0, [v, 0], [i, 0])];
    match law {
        Law::Resistor(_) | Law::Diode(_) | Law::Switch(_) => one(a, 1),
        Law::Capacitor(..) => one(times(a, s), minus_one),
        Law::Inductor(..) => one(minus_one, times(a, s)),
        Law::Voltage(_) | Law::Emf(_) => one(1, 0),
        Law::Current(_) => one(0, 1),
        Law::Transformer(..) => vec![
            (0, [minus_one, 0], [times(a, s), times(c, s)]),
            (1, [0, minus_one], [times(c, s), times(b, s)]),
        ],
        Law::IdealTransformer(_) => vec![(0, [1, a], [0, 0]), (1, [0, 0], [a, minus_one])],
        Law::Gyrator(_) => vec![(0, [0, b], [minus_one, 0]), (1, [a, 0], [0, 1])],
        Law::VoltageByVoltage(_) => vec![(0, [0, 0], [1, 0]), (1, [a, 1], [0, 0])],
        Law::CurrentByVoltage(_) => vec![(0, [0, 0], [1, 0]), (1, [a, 0], [0, 1])],
        Law::VoltageByCurrent(_) => vec![(0, [1, 0], [0, 0]), (1, [0, 1], [a, 0])],
        Law::CurrentByCurrent(_) => vec![(0, [1, 0], [0, 0]), (1, [0, 0], [a, 1])],
    }
}

/// Determinant, and solutions for all right sides (zeros if there are none).
fn solve(mut rows: Vec<Vec<u64>>) -> (u64, Vec<u64>) {
    let size = rows.len();
    let mut determinant = 1;
    for k in 0..size {
        let Some(pivot) = (k..size).find(|&row| rows[row][k] != 0) else {
            return (0, rows.iter().flat_map(|row| vec![0; row.len() - size]).collect());
        };
        if pivot != k {
            rows.swap(pivot, k);
            determinant = minus(0, determinant);
        }
        determinant = times(determinant, rows[k][k]);
        let reciprocal = inverse(rows[k][k]);
        let own: Vec<u64> = rows[k].iter().map(|&x| times(x, reciprocal)).collect();
        rows[k].clone_from(&own);
        for (row, other) in rows.iter_mut().enumerate() {
            let factor = other[k];
            if row != k && factor != 0 {
                for (x, &of) in other.iter_mut().zip(&own) {
                    *x = minus(*x, times(factor, of));
                }
            }
        }
    }
    (determinant, rows.iter().flat_map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_of_capacitors_has_one_state_and_two_sources_have_no_solution() {
        let network = |laws: [Law; 2]| {
            let elements = laws.map(|law| Element { name: String::new(), law, nodes: vec![1, 0] });
            pencil(&Network { nodes: 2, elements: elements.to_vec(), grounds: vec![0] }, true)
                .states
        };
        let (c, l) = (Law::Capacitor(1.0, 0.0), Law::Inductor(1.0, 0.0));
        assert_eq!(network([c, c]), Some(1));
        assert_eq!(network([c, l]), Some(2));
        assert_eq!(network([l, l]), Some(1));
        assert_eq!(network([Law::Voltage([0.0; 3]); 2]), None);
    }
}
