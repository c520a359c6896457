//! Piecewise linear tables, generic over the scalar.
//!
//! Abscissae ascend; two equal ones are a jump (the value there is that of the right side). Outside
//! the table, the line through its last two points at that end is continued; a table of one point
//! is constant. Knots may be constants (`f64`) or scalars (tables whose entries are parameters).

use crate::Scalar;

/// The value of the table at `x`.
#[inline]
pub fn linear<S: Scalar>(xs: &[impl Copy + Into<S>], ys: &[impl Copy + Into<S>], x: S) -> S {
    match segment(xs, ys, x) {
        Segment::Constant(y) => y,
        Segment::Line { x0, y0, slope } => y0 + (x - x0) * slope,
    }
}

/// The slope of the table at `x`: that of the segment in which [`linear`] finds its value.
#[inline]
pub fn slope<S: Scalar>(xs: &[impl Copy + Into<S>], ys: &[impl Copy + Into<S>], x: S) -> S {
    match segment(xs, ys, x) {
        Segment::Constant(_) => S::from(0.0),
        Segment::Line { slope, .. } => slope,
    }
}

enum Segment<S> {
    Constant(S),
    Line { x0: S, y0: S, slope: S },
}

#[inline]
fn segment<S: Scalar>(xs: &[impl Copy + Into<S>], ys: &[impl Copy + Into<S>], x: S) -> Segment<S> {
    let n = xs.len().min(ys.len());
    let (xs, ys) = (&xs[..n], &ys[..n]);
    if n == 0 {
        return Segment::Constant(S::from(f64::NAN));
    }
    let right = xs.partition_point(|&knot| knot.into().value() <= x.value());
    if n == 1 {
        return Segment::Constant(ys[0].into());
    }
    let right = right.clamp(1, n - 1);
    let (x0, x1): (S, S) = (xs[right - 1].into(), xs[right].into());
    let (y0, y1): (S, S) = (ys[right - 1].into(), ys[right].into());
    // Here two abscissae can be equal only at an end of the table.
    if x0.value() == x1.value() {
        return Segment::Constant(if x.value() < x0.value() { y0 } else { y1 });
    }
    Segment::Line { x0, y0, slope: (y1 - y0) / (x1 - x0) }
}
