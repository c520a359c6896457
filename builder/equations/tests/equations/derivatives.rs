//! Tests of symbolic derivatives: comparison with finite differences, and special cases.

use equations::{Ex, Factor, depends_on, differentiate, newton, null_space, select, table_linear};
use random::Random;

use crate::common::{at, difference, state};

/// A smooth random expression of the states 0..3.
fn random_expression(random: &mut Random) -> Ex {
    let mut pool: Vec<Ex> = (0..3).map(state).collect();
    pool.push(Ex::constant(random.between(-2.0, 2.0)));
    for _ in 0..25 {
        let a = pool[random.below(pool.len())];
        let b = pool[random.below(pool.len())];
        pool.push(match random.below(14) {
            0 => a + b,
            1 => a - b,
            2 => 0.5 * (a * b),
            3 => a / (b.square() + 1.0),
            4 => a.sin(),
            5 => a.cos() + b,
            6 => (a.square() + 0.5).sqrt(),
            7 => a.sin().exp(),
            8 => (a.square() + 1.0).ln(),
            9 => a.sin().atan2(b.cos() + 2.0),
            10 => (a.square() + 1.0).pow(b.sin()),
            11 => -a + b.powi(2) * 0.1,
            12 => (a.square() + 0.1).powi(-1),
            _ => a.sin().tan(),
        });
    }
    pool[pool.len() - 1].sin() + pool[pool.len() - 2].cos()
}

fn check(roots: &[Ex], x: &[f64], v: &[f64], tolerance: f64) {
    let seeds: Vec<(Ex, Ex)> =
        v.iter().enumerate().map(|(i, &v)| (state(i as u32), v.into())).collect();
    let exact = at(&differentiate(roots, &seeds), x);
    for (exact, difference) in exact.iter().zip(difference(roots, x, v)) {
        let error = (exact - difference).abs() / (1.0 + exact.abs());
        assert!(error < tolerance, "{exact} against {difference} at {x:?}");
    }
}

#[test]
fn derivatives_of_random_expressions_equal_differences() {
    let mut random = Random(1);
    let mut compared = 0;
    for _ in 0..200 {
        let root = random_expression(&mut random);
        let x: Vec<f64> = (0..3).map(|_| random.between(-1.0, 1.0)).collect();
        let v: Vec<f64> = (0..3).map(|_| random.between(-1.0, 1.0)).collect();
        // Finite differences of steep expressions are not accurate.
        if difference(&[root], &x, &v)[0].abs() < 20.0 {
            check(&[root], &x, &v, 1e-6);
            compared += 1;
        }
    }
    assert!(compared > 150, "only {compared} expressions were compared");
}

#[test]
fn seeds_may_be_expressions() {
    let (x, y) = (state(0), state(1));
    let derivative = differentiate(&[x * x * y], &[(x, y), (y, x.sin())])[0];
    let expected: f64 = 2.0 * 0.7 * 0.3 * 0.3 + 0.7 * 0.7 * f64::sin(0.7);
    assert!((at(&[derivative], &[0.7, 0.3])[0] - expected).abs() < 1e-15);
}

#[test]
fn expressions_that_do_not_depend_on_the_direction_have_the_constant_zero_as_derivative() {
    let (x, y) = (state(0), state(1));
    let factor = Factor::general(&[vec![y, 1.0.into()], vec![0.5.into(), y]]);
    let roots = [y.sin().sqrt(), factor.solve(&[y, y])[1], y.pow(y)];
    for derivative in differentiate(&roots, &[(x, Ex::one())]) {
        assert_eq!(derivative.constant_value(), Some(0.0));
    }
}

#[test]
fn square_roots_at_zero_do_not_leak_nan() {
    let (x, y) = (state(0), state(1));
    let length = (x * x + y * y).sqrt();
    let derivatives = differentiate(&[length, y.atan2(x)], &[(x, Ex::one()), (y, 2.0.into())]);
    assert_eq!(at(&derivatives, &[0.0, 0.0]), [0.0, 0.0]);
    let guarded = select(length.lt(1e-9), 0.0, x / length);
    let derivative = differentiate(&[guarded], &[(x, Ex::one())]);
    assert_eq!(at(&derivative, &[0.0, 0.0]), [0.0]);
}

#[test]
fn only_the_chosen_branch_counts() {
    let x = state(0);
    let roots = [x.abs(), x.max(0.25), x.min(-x), select(x.gt(0.0), x * x, -3.0 * x)];
    let derivative = differentiate(&roots, &[(x, Ex::one())]);
    assert_eq!(at(&derivative, &[0.5]), [1.0, 1.0, -1.0, 1.0]);
    assert_eq!(at(&derivative, &[-0.5]), [-1.0, 0.0, 1.0, -3.0]);
}

fn matrix(n: usize) -> Vec<Vec<Ex>> {
    let (x, y) = (state(0), state(1));
    let entry = |i: usize, j: usize| {
        let coupling = (x * (i.min(j) as f64 + 0.3) + y * i.max(j) as f64).sin() * 0.4;
        if i == j { coupling + 2.0 + x * x + i as f64 } else { coupling }
    };
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

#[test]
fn derivatives_of_linear_systems_equal_differences() {
    for n in [1, 2, 3, 4, 5, 7, 13] {
        let rhs: Vec<Ex> = (0..n).map(|i| (state(1) * (i as f64 + 1.0)).cos()).collect();
        for factor in [Factor::general(&matrix(n)), Factor::symmetric(&matrix(n))] {
            let mut roots = factor.solve(&rhs);
            roots.push(factor.determinant() * 1e-3);
            check(&roots, &[0.4, -0.3], &[0.8, -0.5], 1e-8);
        }
    }
}

/// A matrix with `m` rows and `n` columns that depends on the states 0 and 1.
fn wide(m: usize, n: usize) -> Vec<Vec<Ex>> {
    let entry = |i: usize, j: usize| {
        let place = (i * n + j) as f64;
        (state(0) * (0.3 + place)).sin() + (state(1) - 0.7 * place * place).cos()
    };
    (0..m).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

/// The product of two matrices given by rows.
fn product(a: &[Vec<Ex>], b: &[Vec<Ex>]) -> Vec<Vec<Ex>> {
    let entry = |row: &[Ex], k: usize| row.iter().zip(b).map(|(&x, y)| x * y[k]).sum::<Ex>();
    let columns = b.first().map_or(0, Vec::len);
    a.iter().map(|row| (0..columns).map(|k| entry(row, k)).collect()).collect()
}

#[test]
fn derivatives_of_a_null_space_keep_the_product_zero() {
    let (x, v) = ([0.4, -0.3], [0.8, -0.5]);
    let seeds = [(state(0), v[0].into()), (state(1), v[1].into())];
    for (m, n) in [(1, 2), (1, 4), (2, 3), (3, 5), (6, 8)] {
        let a = wide(m, n);
        let basis = null_space(&a, n);
        let moved = differentiate(&a.concat(), &seeds);
        let moved: Vec<Vec<Ex>> = moved.chunks_exact(n).map(<[Ex]>::to_vec).collect();
        let tangents = differentiate(&basis.concat(), &seeds);
        let tangents: Vec<Vec<Ex>> = tangents.chunks_exact(n - m).map(<[Ex]>::to_vec).collect();
        let [left, right] = [product(&moved, &basis), product(&a, &tangents)];
        let [left, right] = [left, right].map(|rows| at(&rows.concat(), &x));
        assert!(left.iter().any(|x| x.abs() > 0.1), "{m} rows, {n} columns: {left:?}");
        for (left, right) in left.iter().zip(&right) {
            assert!((left + right).abs() < 1e-10, "{m} rows, {n} columns: {left} and {right}");
        }
        let rest = differentiate(&basis.concat(), &[(state(2), Ex::one())]);
        assert!(rest.iter().all(|rest| rest.constant_value() == Some(0.0)));
    }
}

#[test]
fn derivatives_of_a_projection_on_a_null_space_equal_differences() {
    for (m, n) in [(1, 2), (1, 4), (2, 3), (3, 5), (6, 8)] {
        let basis = null_space(&wide(m, n), n);
        let columns: Vec<Vec<Ex>> =
            (0..n - m).map(|k| basis.iter().map(|row| row[k]).collect()).collect();
        let vector: Vec<Vec<Ex>> = (0..n).map(|j| vec![(1.0 + j as f64).into()]).collect();
        let factor = Factor::symmetric(&product(&columns, &basis));
        let weights = factor.solve(&product(&columns, &vector).concat());
        let weights: Vec<Vec<Ex>> = weights.into_iter().map(|weight| vec![weight]).collect();
        let projection = product(&basis, &weights).concat();
        check(&projection, &[0.4, -0.3], &[0.08, -0.05], 1e-7);
    }
}

#[test]
fn derivatives_of_a_root_follow_the_implicit_function_theorem() {
    let (x, q) = (state(0), Ex::symbol());
    // q^3 + q = x has one real root.
    let root = newton("cubic", &[q], &[q.powi(3) + q - x], &[Ex::zero()])[0];
    let first = differentiate(&[root], &[(x, Ex::one())])[0];
    let second = differentiate(&[first], &[(x, Ex::one())])[0];
    for x in [-0.7, 0.2, 2.0] {
        let [root, first, second] = at(&[root, first, second], &[x])[..] else { unreachable!() };
        assert!((root.powi(3) + root - x).abs() < 1e-15 * 10.0);
        let slope = 1.0 / (3.0 * root * root + 1.0);
        assert!((first - slope).abs() < 1e-14);
        assert!((second + 6.0 * root * slope.powi(3)).abs() < 1e-13);
    }
}

#[test]
fn derivatives_of_larger_roots_equal_differences() {
    for n in [2, 3, 5] {
        let q: Vec<Ex> = (0..n).map(|_| Ex::symbol()).collect();
        let residuals: Vec<Ex> = (0..n)
            .map(|i| q[i] + 0.3 * (q[(i + 1) % n] * state(1)).sin() - state(0) * (i as f64 + 0.5))
            .collect();
        let guesses = vec![Ex::zero(); n];
        let roots = newton("ring", &q, &residuals, &guesses);
        check(&roots, &[0.4, 0.9], &[1.0, -0.6], 1e-8);
        assert!(roots.iter().all(|&root| depends_on(&[root], state(1))));
        assert!(!depends_on(&roots, q[0]), "unknowns are bound");
    }
}

#[test]
fn derivatives_of_tables_reach_knots_and_values() {
    let (x, y) = (state(0), state(1));
    let knots = [Ex::constant(0.0), 1.0 + 0.1 * y, Ex::constant(2.0)];
    let values = [Ex::constant(1.0), 2.0 * y, Ex::constant(-1.0)];
    let root = table_linear(&knots, &values, x);
    for argument in [-0.5, 0.4, 1.3, 2.7] {
        check(&[root, root * root], &[argument, 0.2], &[1.0, 0.5], 1e-9);
    }
    let constant = table_linear(&[y], &[x], 5.0.into());
    assert_eq!(constant.key(), x.key(), "one row is a constant");
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    let x = state(0);
    let root = (0..100_000).fold(x, |sum, i| sum * 0.9999 + f64::from(i) * 1e-9);
    let derivative = differentiate(&[root], &[(x, Ex::one())]);
    let slope = at(&derivative, &[1.0])[0];
    assert!((slope - 0.9999_f64.powi(100_000)).abs() < 1e-12);
}
