//! Tables of one signal and of two: curves and surfaces through their points, beyond their ends,
//! and refusals.

use crate::common::{refusal, settle, start, value};
use fmu_runtime::Simulation;
use libraries::prelude::*;

/// The square of the abscissa.
const SQUARES: [[f64; 2]; 5] = [[0.0, 0.0], [1.0, 1.0], [2.0, 4.0], [3.0, 9.0], [4.0, 16.0]];

fn of_signal(table: CombiTable1D) -> Simulation {
    start(|m| {
        let u = m.add("u", ExternalInput::new().unit("1").start(0.0));
        let s = m.add("s", table);
        m.connect(u.y, s.u);
    })
}

/// The value at an abscissa.
fn read(model: &mut Simulation, u: f64) -> f64 {
    model.set("u", u).expect("it is an input");
    settle(model);
    value(model, "s.y[1]")
}

#[test]
fn curves_through_a_parabola_have_the_slopes_of_their_methods() {
    let hermite = |y: [f64; 2], d: [f64; 2]| 0.5 * (y[0] + y[1]) + 0.125 * (d[0] - d[1]);
    let mean = |a: f64, b: f64| 2.0 / (1.0 / a + 1.0 / b);
    // Akima's weights are equal, the modified ones are not.
    let modified = |d: [f64; 4]| {
        let weight = |a: f64, b: f64| (b - a).abs() + 0.5 * (b + a).abs();
        let (left, right) = (weight(d[2], d[3]), weight(d[0], d[1]));
        (left * d[1] + right * d[2]) / (left + right)
    };
    for (smoothness, at_1_5) in [
        (Smoothness::LinearSegments, 2.5),
        (Smoothness::ConstantSegments, 1.0),
        (Smoothness::ContinuousDerivative, 2.25),
        (
            Smoothness::ModifiedContinuousDerivative,
            hermite([1.0, 4.0], [modified([-1.0, 1.0, 3.0, 5.0]), modified([1.0, 3.0, 5.0, 7.0])]),
        ),
        (
            Smoothness::MonotoneContinuousDerivative1,
            hermite([1.0, 4.0], [mean(1.0, 3.0), mean(3.0, 5.0)]),
        ),
        (Smoothness::MonotoneContinuousDerivative2, 2.25),
    ] {
        let mut model = of_signal(CombiTable1D::new().rows(SQUARES).smoothness(smoothness));
        let found = read(&mut model, 1.5);
        assert!((found - at_1_5).abs() < 1e-12, "{smoothness:?}: {found}, not {at_1_5}");
        for [x, y] in SQUARES {
            let found = read(&mut model, x);
            assert!((found - y).abs() < 1e-12, "{smoothness:?} at {x}: {found}");
        }
    }
}

#[test]
fn monotone_curves_do_not_overshoot_where_akima_does() {
    let step = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.1], [3.0, 5.0], [4.0, 5.0]];
    let extremes = |smoothness| {
        let mut model = of_signal(CombiTable1D::new().rows(step).smoothness(smoothness));
        let values: Vec<f64> = (0..=80).map(|k| read(&mut model, 0.05 * f64::from(k))).collect();
        values.iter().fold([f64::MAX, f64::MIN], |[a, b], y| [a.min(*y), b.max(*y)])
    };
    for smoothness in
        [Smoothness::MonotoneContinuousDerivative1, Smoothness::MonotoneContinuousDerivative2]
    {
        let [low, high] = extremes(smoothness);
        assert!(low > -1e-12 && high < 5.0 + 1e-12, "{smoothness:?}: {low} to {high}");
    }
    assert!(extremes(Smoothness::ContinuousDerivative)[1] > 5.01);
}

#[test]
fn curves_continue_beyond_their_ends() {
    use Extrapolation::{HoldLastPoint, LastTwoPoints, Periodic};
    use Smoothness::{ConstantSegments, ContinuousDerivative, LinearSegments};
    for (smoothness, extrapolation, below, above) in [
        (LinearSegments, HoldLastPoint, 0.0, 16.0),
        (LinearSegments, LastTwoPoints, -1.0, 23.0),
        (LinearSegments, Periodic, 9.0, 1.0),
        (ConstantSegments, HoldLastPoint, 0.0, 16.0),
        (ConstantSegments, LastTwoPoints, -1.0, 23.0),
        (ConstantSegments, Periodic, 9.0, 1.0),
        (ContinuousDerivative, HoldLastPoint, 0.0, 16.0),
        (ContinuousDerivative, LastTwoPoints, 0.0, 24.0),
        (ContinuousDerivative, Periodic, 9.0, 1.0),
    ] {
        let table = CombiTable1D::new().rows(SQUARES).smoothness(smoothness);
        let mut model = of_signal(table.extrapolation(extrapolation));
        let found = [-1.0, 5.0].map(|u| read(&mut model, u));
        let close = (found[0] - below).abs() < 1e-12 && (found[1] - above).abs() < 1e-12;
        assert!(close, "{smoothness:?}, {extrapolation:?}: {found:?}");
    }
}

#[test]
fn each_column_is_read_at_its_own_signal() {
    let mut model = start(|m| {
        let rows = [[0.0, 1.0, 10.0], [1.0, 2.0, 30.0]];
        let s = m.add("s", CombiTable1Dv::new().rows(rows));
        for (k, u) in [0.25, 0.5].into_iter().enumerate() {
            let u = m.add(format!("u{k}"), Constant::new().k(u));
            m.connect(u.y, s.u.element(k + 1));
        }
    });
    assert_eq!([value(&mut model, "s.y[1]"), value(&mut model, "s.y[2]")], [1.25, 20.0]);
}

/// A table of two signals with the constant values `u`.
fn surface(table: CombiTable2Ds, u: [f64; 2]) -> f64 {
    let mut model = start(|m| {
        let u = [("u1", u[0]), ("u2", u[1])].map(|(name, u)| m.add(name, Constant::new().k(u)).y);
        let s = m.add("s", table);
        m.connect(u[0], s.u1);
        m.connect(u[1], s.u2);
    });
    value(&mut model, "s.y")
}

/// The rows of a table whose value is a function of both abscissae; `W` is the length of `ys`,
/// plus 1.
fn grid<const W: usize>(xs: &[f64], ys: &[f64], of: impl Fn(f64, f64) -> f64) -> Vec<[f64; W]> {
    let first = std::array::from_fn(|k| if k == 0 { 0.0 } else { ys[k - 1] });
    let row = |x: &f64| std::array::from_fn(|k| if k == 0 { *x } else { of(*x, ys[k - 1]) });
    std::iter::once(first).chain(xs.iter().map(row)).collect()
}

#[test]
fn surfaces_reproduce_what_their_methods_can() {
    let (xs, ys) = ([-1.0, 0.0, 2.0, 3.0], [0.0, 0.5, 1.0, 2.0, 4.0]);
    let bilinear = |x: f64, y: f64| 1.0 + 2.0 * x - y + 3.0 * x * y;
    for point in [[0.3, 0.7], [2.9, 3.5], [-2.0, 1.5], [5.0, -1.0]] {
        for smoothness in [Smoothness::LinearSegments, Smoothness::ContinuousDerivative] {
            let table = CombiTable2Ds::new().table(grid::<6>(&xs, &ys, bilinear));
            let (found, wanted) =
                (surface(table.smoothness(smoothness), point), bilinear(point[0], point[1]));
            assert!((found - wanted).abs() < 1e-10, "{smoothness:?}, {point:?}: {found}, {wanted}");
        }
    }
    // On an even grid, Akima's surface has the slopes of a paraboloid.
    let (even, square) = ([0.0, 1.0, 2.0, 3.0, 4.0], |x: f64, y: f64| x * x + x * y - y * y);
    let table = CombiTable2Ds::new().table(grid::<6>(&even, &even, square));
    let found = surface(table.smoothness(Smoothness::ContinuousDerivative), [1.3, 2.6]);
    assert!((found - square(1.3, 2.6)).abs() < 1e-10, "{found}");
    let table = CombiTable2Ds::new().table(grid::<6>(&xs, &ys, bilinear));
    let table = table.smoothness(Smoothness::ConstantSegments);
    assert_eq!(surface(table, [1.9, 1.9]), bilinear(0.0, 1.0));
}

#[test]
fn a_surface_over_one_line_is_a_curve() {
    let table = CombiTable2Ds::new().table([[0.0, 7.0], [0.0, 0.0], [1.0, 1.0], [2.0, 4.0]]);
    assert_eq!(surface(table, [1.5, 99.0]), 2.5);
    let table = CombiTable2Ds::new().table([[0.0, 0.0, 1.0, 2.0], [7.0, 0.0, 1.0, 4.0]]);
    assert_eq!(surface(table, [99.0, 1.5]), 2.5);
}

#[test]
fn a_surface_is_read_at_several_points() {
    let mut model = start(|m| {
        let rows = grid::<3>(&[0.0, 1.0], &[0.0, 1.0], |x, y| x + 10.0 * y);
        let s = m.add("s", CombiTable2Dv::new().table(rows));
        for (k, [u1, u2]) in [[0.5, 0.5], [0.25, 1.0]].into_iter().enumerate() {
            let u1 = m.add(format!("u1{k}"), Constant::new().k(u1));
            let u2 = m.add(format!("u2{k}"), Constant::new().k(u2));
            m.connect(u1.y, s.u1.element(k + 1));
            m.connect(u2.y, s.u2.element(k + 1));
        }
    });
    assert_eq!([value(&mut model, "s.y[1]"), value(&mut model, "s.y[2]")], [5.5, 10.25]);
}

#[test]
fn impossible_tables_of_signals_are_refused() {
    let of_two = |table: CombiTable2Ds| {
        refusal(|m| {
            let u = m.add("u", Constant::new().k(1.0));
            let s = m.add("s", table);
            m.connect(u.y, s.u1);
            m.connect(u.y, s.u2);
        })
    };
    let rows = [[0.0, 1.0, 2.0], [3.0, 1.0, 2.0], [2.0, 1.0, 2.0]];
    assert_eq!(
        of_two(CombiTable2Ds::new().table(rows)),
        "s: row 2: 2 must be larger than 3 in the row above"
    );
    assert_eq!(
        of_two(CombiTable2Ds::new().table([[0.0, 1.0]])),
        "s: a table of two variables needs two rows and two columns"
    );
    let monotone = Smoothness::MonotoneContinuousDerivative1;
    let rows = [[0.0, 1.0, 2.0], [1.0, 1.0, 2.0], [2.0, 1.0, 2.0]];
    assert_eq!(
        of_two(CombiTable2Ds::new().table(rows).smoothness(monotone)),
        "s: a table of two variables has no such smoothness"
    );
    let columns = refusal(|m| {
        let u = m.add("u", Constant::new().k(1.0));
        let s = m.add("s", CombiTable1Dv::new().rows([[0.0, 1.0, 2.0], [1.0, 1.0, 2.0]]));
        m.connect(u.y, s.u.element(1));
    });
    assert_eq!(columns, "s.table: it has 2 columns of values, but 1 signals are connected");
}
