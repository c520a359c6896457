//! Tables are the polygon through their points, continued at both ends.

use kernels::Dual;
use kernels::table::{linear, slope};

const XS: [f64; 4] = [0.0, 1.0, 3.0, 4.0];
const YS: [f64; 4] = [2.0, 4.0, 0.0, 1.0];

#[test]
fn the_polygon_passes_through_its_points_and_is_continued_linearly() {
    for (x, y) in XS.into_iter().zip(YS) {
        assert_eq!(linear(&XS, &YS, x), y);
    }
    for (x, y) in [(0.5, 3.0), (2.0, 2.0), (3.5, 0.5), (-1.0, 0.0), (6.0, 3.0)] {
        assert_eq!(linear(&XS, &YS, x), y);
    }
}

#[test]
fn tangents_are_slopes() {
    for (x, s) in [(-1.0, 2.0), (0.5, 2.0), (1.0, -2.0), (2.0, -2.0), (3.5, 1.0), (9.0, 1.0)] {
        assert_eq!(slope(&XS, &YS, x), s);
        assert_eq!(linear(&XS, &YS, Dual::new(x, 0.5)).tangent, 0.5 * s);
    }
}

#[test]
fn one_point_is_a_constant_and_none_is_undefined() {
    assert_eq!(linear(&[1.0], &[7.0], -5.0), 7.0);
    assert_eq!(slope(&[1.0], &[7.0], 5.0), 0.0);
    let empty: [f64; 0] = [];
    assert!(linear(&empty, &empty, 1.0).is_nan());
}

#[test]
fn equal_abscissae_are_a_jump_that_belongs_to_the_right() {
    let (xs, ys) = ([0.0, 1.0, 1.0, 2.0], [0.0, 1.0, 5.0, 6.0]);
    assert_eq!(linear(&xs, &ys, 1.0 - 1e-12), 1.0 - 1e-12);
    assert_eq!(linear(&xs, &ys, 1.0), 5.0);
    assert_eq!(linear(&xs, &ys, 1.5), 5.5);
    let (xs, ys) = ([1.0, 1.0], [3.0, 4.0]);
    assert_eq!([0.9, 1.0, 1.1].map(|x| linear(&xs, &ys, x)), [3.0, 4.0, 4.0]);
}

#[test]
fn knots_may_carry_tangents_themselves() {
    let ys = [Dual::new(0.0, 1.0), Dual::new(2.0, 3.0)];
    let y = linear(&[0.0, 1.0], &ys, Dual::from(0.25));
    assert_eq!((y.value, y.tangent), (0.5, 1.5));
}
