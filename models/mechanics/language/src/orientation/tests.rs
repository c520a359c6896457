//! Rotations compared with each other, with their derivatives and with their inverse functions.

use super::*;
use crate::vector::norm;
use equations::{Leaf, differentiate, evaluate};
use random::Random;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// All sequences.
fn sequences() -> Vec<Sequence> {
    let all = (0..27).map(|k| [k / 9 + 1, k / 3 % 3 + 1, k % 3 + 1]);
    all.filter_map(Sequence::new).collect()
}

/// Numbers up to a magnitude.
fn numbers<const N: usize>(random: &mut Random, scale: f64) -> [f64; N] {
    random.array().map(|number| scale * number)
}

/// Values of constant expressions.
fn values(roots: &[Ex]) -> Vec<f64> {
    evaluate(roots, &mut |leaf| panic!("{leaf:?} has no value")).unwrap()
}

/// Values of expressions of symbols.
fn values_at(roots: &[Ex], symbols: &[Ex], at: &[f64]) -> Vec<f64> {
    let by: BTreeMap<Leaf, f64> =
        symbols.iter().zip(at).map(|(s, &v)| (s.as_leaf().unwrap(), v)).collect();
    evaluate(roots, &mut |leaf| by[&leaf]).unwrap()
}

fn ex<const N: usize>(x: [f64; N]) -> [Ex; N] {
    x.map(Ex::from)
}

fn assert_close(a: &[Ex], b: &[Ex], tolerance: f64) {
    for (a, b) in values(a).iter().zip(values(b)) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }
}

/// A quarter of a rotation about an axis.
fn quarter(axis: usize) -> Matrix {
    axis_rotation(axis, Ex::from(PI / 2.0))
}

#[test]
fn a_vector_at_rest_turns_backwards_in_a_frame_that_turns() {
    // The frame is rotated by 90 degrees about z, so its x axis is the old y axis.
    let y = quarter(3) * constant([0.0, 1.0, 0.0]);
    assert_close(y.as_slice(), &ex([1.0, 0.0, 0.0]), 1e-15);
    let z = quarter(1) * constant([0.0, 0.0, 1.0]);
    assert_close(z.as_slice(), &ex([0.0, 1.0, 0.0]), 1e-15);
    let x = quarter(2) * constant([1.0, 0.0, 0.0]);
    assert_close(x.as_slice(), &ex([0.0, 0.0, 1.0]), 1e-15);
}

#[test]
fn there_are_twelve_sequences_with_different_neighbours() {
    assert_eq!(sequences().len(), 12);
    for wrong in [[1, 1, 2], [2, 3, 3], [0, 1, 2], [1, 4, 2]] {
        assert_eq!(Sequence::new(wrong), None);
    }
    for known in [Sequence::XYZ, Sequence::ZYX, Sequence::ZXZ] {
        assert_eq!(Sequence::new(known.axes()), Some(known));
    }
}

#[test]
fn the_derivative_of_a_rotation_is_its_angular_velocity() {
    let mut random = Random(1);
    for sequence in sequences() {
        let phi: [Ex; 3] = std::array::from_fn(|_| Ex::symbol());
        let dphi: [Ex; 3] = std::array::from_fn(|_| Ex::symbol());
        let t = axes_rotations(sequence, &phi);
        let w = axes_angular_velocity(sequence, &phi, &dphi);
        let seeds: Vec<(Ex, Ex)> = phi.into_iter().zip(dphi).collect();
        derivative_belongs_to(&t, &w, &seeds, &mut random, 2.0 * PI);
    }
}

#[test]
fn the_derivative_of_a_quaternion_of_any_length_is_its_angular_velocity() {
    let mut random = Random(2);
    let (q, rate): (Quaternion, Quaternion) =
        (std::array::from_fn(|_| Ex::symbol()), std::array::from_fn(|_| Ex::symbol()));
    let w = quaternion_angular_velocity(&q, &rate);
    let seeds: Vec<(Ex, Ex)> = q.into_iter().zip(rate).collect();
    derivative_belongs_to(&quaternion_rotation(&q), &w, &seeds, &mut random, 1.0);
}

/// `der(T) = -skew(w) T` at random values and rates of the arguments of `T`.
fn derivative_belongs_to(
    t: &Matrix,
    w: &Vector,
    seeds: &[(Ex, Ex)],
    random: &mut Random,
    scale: f64,
) {
    let derivative = differentiate(t.as_slice(), seeds);
    let turned = -(skew(w) * t);
    let symbols: Vec<Ex> = seeds.iter().flat_map(|&(x, dx)| [x, dx]).collect();
    for _ in 0..5 {
        let at: Vec<f64> = symbols.iter().map(|_| scale * random.number()).collect();
        let have = values_at(&derivative, &symbols, &at);
        let want = values_at(turned.as_slice(), &symbols, &at);
        let size = want.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
        for (have, want) in have.iter().zip(&want) {
            assert!((have - want).abs() <= 1e-13 * size, "{have} is not {want}");
        }
    }
}

#[test]
fn a_quaternion_of_any_length_is_a_rotation() {
    let mut random = Random(3);
    for length in [1e-3, 0.5, 1.0, 7.0] {
        let q = ex(numbers(&mut random, length));
        let t = quaternion_rotation(&q);
        assert_close((t * t.transpose()).as_slice(), identity().as_slice(), 1e-15);
        let twice = quaternion_rotation(&q.map(|x| 2.0 * x));
        assert_close(t.as_slice(), twice.as_slice(), 1e-15);
        let right_handed = cross(&t.row(0).transpose(), &t.row(1).transpose());
        assert_close(right_handed.as_slice(), t.row(2).transpose().as_slice(), 1e-15);
    }
}

#[test]
fn half_the_angle_makes_the_quaternion_of_a_planar_rotation() {
    let mut random = Random(4);
    for _ in 0..5 {
        let n = constant(numbers(&mut random, 1.0));
        let e = values((n / norm(&n)).as_slice());
        let phi = PI * random.number();
        let (s, c) = (0.5 * phi).sin_cos();
        let q = ex([e[0] * s, e[1] * s, e[2] * s, c]);
        let t = planar_rotation([e[0], e[1], e[2]], phi.into());
        assert_close(quaternion_rotation(&q).as_slice(), t.as_slice(), 1e-15);
        // About a fixed axis the angular velocity is the rate of the angle.
        let rate = ex([e[0] * c, e[1] * c, e[2] * c, -s]).map(|x| 0.5 * x);
        let w = quaternion_angular_velocity(&q, &rate);
        assert_close(w.as_slice(), &ex([e[0], e[1], e[2]]), 1e-15);
    }
}

#[test]
fn the_rate_of_a_quaternion_gives_the_angular_velocity_and_keeps_the_length() {
    let mut random = Random(5);
    for _ in 0..5 {
        let (q, w) = (ex(numbers(&mut random, 3.0)), constant(numbers(&mut random, 10.0)));
        let rate = quaternion_rate(&q, &w);
        assert_close(quaternion_angular_velocity(&q, &rate).as_slice(), w.as_slice(), 1e-13);
        let along: Ex = (0..4).map(|i| q[i] * rate[i]).sum();
        assert_close(&[along], &[Ex::zero()], 1e-13);
    }
}

#[test]
fn a_quaternion_comes_back_from_its_rotation_from_every_branch() {
    let mut random = Random(6);
    for branch in 0..4 {
        for _ in 0..5 {
            let mut q: [f64; 4] = numbers(&mut random, 0.3);
            q[branch] = if q[branch] < 0.0 { -1.0 } else { 1.0 };
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            let q = ex(q.map(|x| x / length));
            let t = quaternion_rotation(&q);
            assert_close(&quaternion_from_rotation(&t, &q), &q, 1e-15);
            let other = q.map(|x| -x);
            assert_close(&quaternion_from_rotation(&t, &other), &other, 1e-15);
        }
    }
    let null = quaternion_from_rotation(&identity(), &ex(NULL_QUATERNION));
    assert_close(&null, &ex(NULL_QUATERNION), 0.0);
}

#[test]
fn three_angles_come_back_from_their_rotation() {
    let mut random = Random(7);
    for sequence in sequences() {
        let [first, _, third] = sequence.axes();
        for _ in 0..10 {
            let [a, b, c]: [f64; 3] = numbers(&mut random, 1.0);
            // The second angle of one of two solutions: around 0, or positive.
            let second = if first == third { 1.5 + 1.4 * b } else { 1.5 * b };
            let phi = ex([PI * a, second, PI * c]);
            let t = axes_rotations(sequence, &phi);
            assert_close(&axes_rotations_angles(&t, sequence, phi[0]), &phi, 1e-12);
            let guess = Ex::from(PI * (a - a.signum()));
            let [other, ..] = axes_rotations_angles(&t, sequence, guess);
            let again = axes_rotations(sequence, &axes_rotations_angles(&t, sequence, guess));
            assert_close(again.as_slice(), t.as_slice(), 1e-14);
            let turned = values(&[other - phi[0]])[0].abs();
            assert!((turned - PI).abs() < 1e-12, "the other solution is {turned} away");
        }
    }
}

#[test]
fn the_first_angle_is_the_guess_where_first_and_last_axis_are_parallel() {
    let guess = Ex::from(0.3);
    for sequence in [Sequence::XYZ, Sequence::ZXZ] {
        let [first, _, third] = sequence.axes();
        let second = if first == third { 0.0 } else { PI / 2.0 };
        let t = axes_rotations(sequence, &ex([0.8, second, 0.1]));
        let phi = axes_rotations_angles(&t, sequence, guess);
        assert_close(&phi[..2], &[guess, Ex::from(second)], 1e-15);
        assert_close(axes_rotations(sequence, &phi).as_slice(), t.as_slice(), 1e-15);
    }
}

#[test]
fn the_equality_constraint_is_the_angle_of_a_small_rotation() {
    let mut random = Random(8);
    for _ in 0..5 {
        let t_1 = axes_rotations(Sequence::XYZ, &ex(numbers(&mut random, 3.0)));
        assert_close(&equality_constraint(&t_1, &t_1), &ex([0.0; 3]), 1e-15);
        let small: [f64; 3] = numbers(&mut random, 1e-5);
        let t_2 = axes_rotations(Sequence::XYZ, &ex(small)) * t_1;
        let residual = values(&equality_constraint(&t_1, &t_2));
        for (residual, small) in residual.iter().zip(small) {
            assert!((residual - small).abs() <= 1e-9, "{residual} for {small}");
        }
    }
}

#[test]
fn a_constant_sequence_of_angles_makes_a_constant_rotation() {
    let t = axes_rotations(Sequence::ZYX, &ex([0.1, 0.2, 0.3]));
    assert!(t.iter().all(|x| x.constant_value().is_some()));
    let t = axis_rotation(2, Ex::symbol());
    assert!(t[(1, 1)].constant_value() == Some(1.0) && t[(0, 1)].is_constant_zero());
}

#[test]
fn a_turned_quaternion_is_that_of_a_frame_which_turns_with_the_rate_of_the_turn() {
    let mut random = Random(17);
    let turn: [Ex; 3] = [(); 3].map(|()| Ex::symbol());
    for scale in [1e-3, 1.0, 2.0, 3.2] {
        let quaternion = ex(numbers::<4>(&mut random, 1.0));
        let (at, w) = (numbers::<3>(&mut random, scale), ex(numbers::<3>(&mut random, 1.0)));
        let turned = turned_quaternion(&quaternion, &turn);
        let rates = turn_rate(&turn, &Vector::from(w));
        let seeds: Vec<(Ex, Ex)> = turn.into_iter().zip(rates).collect();
        let derivatives: Quaternion = differentiate(&turned, &seeds).try_into().unwrap();
        let found = quaternion_angular_velocity(&turned, &derivatives);
        let found = values_at(found.as_slice(), &turn, &at);
        for (found, w) in found.iter().zip(values(&w)) {
            assert!((found - w).abs() < 1e-13, "{scale}: {found} {w}");
        }
        // A turn about one axis is by four times the arc tangent of its quarter.
        let about = turned_quaternion(&quaternion, &ex([0.0, scale, 0.0]));
        let angle = 4.0 * (scale / 4.0).atan();
        let rotation = axis_rotation(2, Ex::from(angle)) * quaternion_rotation(&quaternion);
        assert_close(quaternion_rotation(&about).as_slice(), rotation.as_slice(), 1e-14);
    }
}
