//! Tests of folding, substitution, solving, dependencies, and matrices of expressions.

use std::collections::BTreeSet;

use equations::{
    Bool, Ex, Factor, Leaf, evaluate, leaves_of, newton, null_space, select, select_bool,
    solve_linear, substitute,
};
use expressions::evaluate_bool;
use nalgebra::{Matrix3, Vector3};
use random::Random;

use crate::common::{at, state};

#[test]
fn folding_does_not_change_a_bit() {
    use kernels::Scalar;
    let mut random = Random(7);
    for _ in 0..100 {
        let x: Vec<f64> = (0..3).map(|_| random.between(-2.0, 2.0)).collect();
        let mut pool: Vec<(Ex, f64)> = (0..3).map(|i| (state(i as u32), x[i])).collect();
        for constant in [0.0, 1.0, -1.0, 2.5, -0.125] {
            pool.push((constant.into(), constant));
        }
        for _ in 0..60 {
            let (a, av) = pool[random.below(pool.len())];
            let (b, bv) = pool[random.below(pool.len())];
            let (ex, value) = match random.below(13) {
                0 => (a + b, av + bv),
                1 => (a - b, av - bv),
                2 => (a * b, av * bv),
                3 => (a / b, av / bv),
                4 => (-a, -av),
                5 => (a.sin(), Scalar::sin_cos(av).0),
                6 => (a.cos(), Scalar::sin_cos(av).1),
                7 => (a.abs().sqrt(), Scalar::sqrt(Scalar::abs(av))),
                8 => (a.atan2(b), Scalar::atan2(av, bv)),
                9 => (a.min(b), Scalar::min(av, bv)),
                10 => (a.max(b), Scalar::max(av, bv)),
                11 => (a.floor() + b.sign(), Scalar::floor(av) + Scalar::sign(bv)),
                _ => (select(a.gt(b), a, -b), if av > bv { av } else { -bv }),
            };
            // The documented folds lose NaN, infinity and the sign of a zero.
            if value.is_finite() && value != 0.0 && value.abs() < 1e6 {
                pool.push((ex, value));
            }
        }
        let roots: Vec<Ex> = pool.iter().map(|(ex, _)| *ex).collect();
        for ((_, expected), value) in pool.iter().zip(at(&roots, &x)) {
            assert_eq!(value.to_bits(), expected.to_bits());
        }
    }
}

#[test]
fn neutral_elements_vanish() {
    let x = state(0);
    for folded in [x + 0.0, 0.0 + x, x - 0.0, 1.0 * x, x * 1.0, x / 1.0, -(-x), x.min(x)] {
        assert_eq!(folded.key(), x.key());
    }
    for folded in [x * 0.0, 0.0 / x, x - x] {
        assert_eq!(folded.constant_value(), Some(0.0));
    }
    assert_eq!((x + (-state(1))).key(), (x - state(1)).key());
    assert_eq!((x * state(1)).key(), (state(1) * x).key());
    assert_eq!(select(Bool::constant(true), x, 2.0).key(), x.key());
    assert_eq!(select(x.gt(0.0), 3.0, 3.0).constant_value(), Some(3.0));
    assert_eq!(Ex::constant(2.0).sin().constant_value(), Some(libm_sin(2.0)));
}

#[test]
fn expressions_that_differ_only_in_sign_are_computed_once() {
    let (x, y) = (state(0), state(1));
    assert!((x * -0.5).key() == (-(x * 0.5)).key());
    assert!((y + -0.5 * x).key() == (y - x * 0.5).key());
    assert!((x / -4.0).key() == (-(x / 4.0)).key());
    assert!((-3.0 / x).key() == (-(3.0 / x)).key());
    assert!(((-x) * y).key() == (-(x * y)).key());
}

fn libm_sin(x: f64) -> f64 {
    kernels::Scalar::sin_cos(x).0
}

#[test]
fn truth_values_fold_by_the_laws_of_logic() {
    let (a, b) = (state(0).gt(0.0), state(1).gt(0.0));
    let (yes, no) = (Bool::constant(true), Bool::constant(false));
    let same = |x: Bool, y: Bool| assert_eq!(x.key(), y.key());
    same(a & yes, a);
    same(a & no, no);
    same(a | yes, yes);
    same(a | no, a);
    same(a & !a, no);
    same(a | !a, yes);
    same(!!a, a);
    same(a & b, b & a);
    same(a.as_ex().is_true(), a);
    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        let mut leaf = |leaf| if leaf == Leaf::State(0) { x } else { y };
        let chosen = evaluate_bool(select_bool(a, b, !b), &mut leaf).unwrap();
        assert_eq!(chosen, if x > 0.0 { y > 0.0 } else { y <= 0.0 });
    }
}

#[test]
fn comparisons_treat_equality_as_written() {
    let x = state(0);
    for (value, expected) in [(1.0, [false, false, true, true]), (0.5, [false, true, false, true])]
    {
        let truths = [x.gt(1.0), x.lt(1.0), x.ge(1.0), x.le(1.0)];
        for (truth, expected) in truths.into_iter().zip(expected) {
            assert_eq!(evaluate_bool(truth, &mut |_| value).unwrap(), expected);
        }
    }
}

#[test]
fn substitution_reaches_into_blocks_and_leaves_the_rest() {
    let (x, y, q) = (state(0), state(1), Ex::symbol());
    let root = newton("root", &[q], &[q * q - x], &[Ex::constant(2.0)])[0];
    let before = [root + y.sin(), y.cos()];
    let after = substitute(&before, &[(x, y * 4.0)]);
    assert_eq!(after[1].key(), before[1].key());
    assert!((at(&after, &[f64::NAN, 2.25])[0] - (3.0 + f64::sin(2.25))).abs() < 1e-15);
    let constant = substitute(&[x.sin() * y], &[(x, 0.0.into())]);
    assert_eq!(constant[0].constant_value(), Some(0.0), "folding applies again");
}

#[test]
fn solutions_of_linear_systems_satisfy_them() {
    let mut random = Random(3);
    for n in 1..=14 {
        let lower: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                (0..=i).map(|j| if i == j { 1.0 } else { random.between(-0.4, 0.4) }).collect()
            })
            .collect();
        // L L' is positive definite.
        let value =
            |i: usize, j: usize| -> f64 { (0..=i.min(j)).map(|k| lower[i][k] * lower[j][k]).sum() };
        let rows = |shift: f64| -> Vec<Vec<Ex>> {
            (0..n).map(|i| (0..n).map(|j| state(0) * value(i, j) + shift * 0.0).collect()).collect()
        };
        let rhs: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        let b: Vec<Ex> = rhs.iter().map(|&b| b.into()).collect();
        for x in [Factor::symmetric(&rows(0.0)).solve(&b), solve_linear(&rows(0.0), &b)] {
            let x = at(&x, &[2.0]);
            for (i, rhs) in rhs.iter().enumerate() {
                let left: f64 = (0..n).map(|j| 2.0 * value(i, j) * x[j]).sum();
                assert!((left - rhs).abs() < 1e-12, "n = {n}");
            }
        }
        let symmetric = Factor::symmetric(&rows(0.0)).determinant();
        let general = Factor::general(&rows(0.0)).determinant();
        let [a, b] = at(&[symmetric, general], &[1.0])[..] else { unreachable!() };
        assert!((a - 1.0).abs() < 1e-12 && (b - 1.0).abs() < 1e-12, "det L = 1, n = {n}");
    }
}

#[test]
fn symmetric_factors_read_only_the_upper_triangle() {
    for n in [2, 3, 4, 6, 13] {
        let entry = |i: usize, j: usize| -> Ex {
            match i.cmp(&j) {
                std::cmp::Ordering::Greater => f64::NAN.into(),
                std::cmp::Ordering::Equal => state(0) + 2.0,
                std::cmp::Ordering::Less => 0.1.into(),
            }
        };
        let rows: Vec<Vec<Ex>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let x = Factor::symmetric(&rows).solve(&vec![Ex::one(); n]);
        assert!(at(&x, &[1.0]).iter().all(|x| x.is_finite()));
    }
}

#[test]
fn a_general_factor_pivots() {
    let zero_first = |n: usize| -> Vec<Vec<Ex>> {
        let entry = |i: usize, j: usize| if j == (i + 1) % n { 2.0 * state(0) } else { Ex::zero() };
        (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
    };
    for n in [2, 3, 4, 5] {
        let rhs: Vec<Ex> = (0..n).map(|i| Ex::constant(i as f64)).collect();
        let x = at(&solve_linear(&zero_first(n), &rhs), &[1.0]);
        let expected: Vec<f64> = (0..n).map(|j| ((j + n - 1) % n) as f64 / 2.0).collect();
        assert_eq!(x, expected);
    }
}

#[test]
fn a_matrix_times_the_basis_of_its_null_space_is_zero() {
    let mut random = Random(9);
    for (m, n) in [(1, 2), (1, 5), (2, 3), (3, 7), (6, 8)] {
        let values: Vec<Vec<f64>> =
            (0..m).map(|_| (0..n).map(|_| random.between(-1.0, 1.0)).collect()).collect();
        let rows = |factor: Ex| -> Vec<Vec<Ex>> {
            values.iter().map(|row| row.iter().map(|&x| factor + x).collect()).collect()
        };
        let basis = null_space(&rows(state(0)), n).concat();
        let residual = |basis: &[f64], shift: f64| {
            let entry = |row: &[f64], k: usize| -> f64 {
                let column = basis.iter().skip(k).step_by(n - m);
                row.iter().zip(column).map(|(a, x)| (a + shift) * x).sum()
            };
            let all = values.iter().flat_map(|row| (0..n - m).map(move |k| entry(row, k).abs()));
            all.fold(0.0, f64::max)
        };
        assert!(residual(&at(&basis, &[0.5]), 0.5) < 1e-12, "{m} rows, {n} columns");
        // Also with another matrix, and the same node results from the same matrix.
        let other = substitute(&basis, &[(state(0), state(1) * 2.0)]);
        let same = null_space(&rows(state(1) * 2.0), n).concat();
        assert!(other.iter().zip(&same).all(|(other, same)| other.key() == same.key()));
        assert!(residual(&at(&other, &[0.0, -0.3]), -0.6) < 1e-12, "{m} rows, {n} columns");
    }
}

#[test]
fn null_spaces_without_rows_and_of_square_matrices_need_no_operation() {
    let unit = null_space(&[], 3);
    for (i, row) in unit.iter().enumerate() {
        let values: Vec<f64> = row.iter().filter_map(|ex| ex.constant_value()).collect();
        assert_eq!(values, [0, 1, 2].map(|j| f64::from(u8::from(i == j))));
    }
    assert_eq!(unit.len(), 3);
    let square = vec![vec![state(0), Ex::one()], vec![Ex::zero(), state(0)]];
    let lengths: Vec<usize> = null_space(&square, 2).iter().map(Vec::len).collect();
    assert_eq!(lengths, [0, 0]);
}

#[test]
#[should_panic(expected = "a matrix with a null space has at most as many rows as columns")]
fn a_matrix_with_more_rows_than_columns_has_no_null_space() {
    null_space(&[vec![state(0)], vec![state(1)]], 1);
}

#[test]
fn dependencies_are_those_that_remain_after_folding() {
    let (x, y, z, q) = (state(0), state(1), state(2), Ex::symbol());
    let leaves = |root: Ex| leaves_of(&[root]);
    assert_eq!(leaves(x + y * 0.0 + (z - z)), BTreeSet::from([Leaf::State(0)]));
    let root = newton("root", &[q], &[q - (x * q).sin() - y], &[Ex::zero()])[0];
    assert_eq!(leaves(root), BTreeSet::from([Leaf::State(0), Leaf::State(1)]));
}

#[test]
fn a_block_without_a_root_is_a_failure_that_names_it() {
    let q = Ex::symbol();
    let root = newton("nowhere", &[q], &[q * q + 1.0 + state(0)], &[Ex::one()]);
    let failure = evaluate(&root, &mut |_| 0.0).unwrap_err();
    assert_eq!(failure.block, "nowhere");
    assert!(failure.to_string().starts_with("nowhere: "));
}

#[test]
#[should_panic(expected = "make them one block")]
fn a_block_that_depends_on_the_unknowns_of_another_is_refused() {
    let (p, q) = (Ex::symbol(), Ex::symbol());
    let inner = newton("inner", &[q], &[q - p.sin()], &[Ex::zero()])[0];
    newton("outer", &[p], &[p + inner - state(0)], &[Ex::zero()]);
}

#[test]
fn matrices_of_expressions_multiply() {
    let (sine, cosine) = state(0).sin_cos();
    let zero = Ex::zero();
    let one = Ex::one();
    let turn = Matrix3::new(cosine, -sine, zero, sine, cosine, zero, zero, zero, one);
    let r = Vector3::new(state(1), 2.0.into(), zero);
    let turned = turn * r;
    let back: Vector3<Ex> = turn.transpose() * turned;
    let values = at(&[back[0], back[1], turned.dot(&turned), r.cross(&turned)[2]], &[0.3, 0.7]);
    let square = 0.7 * 0.7 + 4.0;
    for (value, expected) in values.iter().zip([0.7, 2.0, square, square * f64::sin(0.3)]) {
        assert!((value - expected).abs() < 1e-14);
    }
    let same = Matrix3::<Ex>::identity() * r;
    assert_eq!(same.map(|ex| ex.key()), r.map(|ex| ex.key()));
}
#[test]
fn an_angle_has_the_sine_and_the_cosine_of_which_it_was_made() {
    let (sine, cosine) = (state(0), state(1));
    let angle = sine.atan2(cosine).with_sin_cos(sine, cosine);
    for (angle, sine) in [(angle, sine), (-angle, -sine)] {
        assert_eq!((angle.sin().key(), angle.cos().key()), (sine.key(), cosine.key()));
    }
    assert_ne!((angle * 2.0).cos().key(), cosine.key());
}
