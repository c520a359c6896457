//! Unknowns of a loop in closed form, as they are followed from one accepted point to the next.
//!
//! Of an angle, the run time stores sine and cosine, and the middle of the half turn in which it
//! is, a quarter of a turn at most from the angle. They follow from the closed form and from the
//! last point without the angle itself, which is computed only where a model reads it.

use super::loop_limits::LARGEST_TURN;
use crate::statements::algebra::turns::nearest_turn;
use equations::{Bool, Ex, select, substitute};
use std::f64::consts::PI;

/// How an unknown is followed.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A distance.
    Distance,
    /// An angle.
    Angle,
    /// A multiple of an angle; one turn of the angle adds `turn`.
    Multiple {
        /// In rad.
        turn: Ex,
    },
}

/// The values of an unknown from which it is followed.
#[derive(Clone, Copy, Debug)]
pub enum Followed {
    /// A distance.
    Distance(Ex),
    /// An angle.
    Angle {
        /// Its sine.
        sine: Ex,
        /// Its cosine.
        cosine: Ex,
        /// The middle of the half turn in which it is and the sine does not change its sign.
        middle: Ex,
    },
    /// A multiple of an angle.
    Multiple(Ex),
}

/// The sign of a sine, where zero counts as positive.
fn side(sine: Ex) -> Ex {
    select(sine.lt(0.0), -1.0, 1.0)
}

impl Kind {
    /// The kind of an unknown. `turn` is what one turn adds to an angle, and `None` for a distance.
    pub fn of(turn: Option<Ex>) -> Kind {
        match turn {
            None => Kind::Distance,
            Some(turn) if turn.abs().constant_value() == Some(2.0 * PI) => Kind::Angle,
            Some(turn) => Kind::Multiple { turn },
        }
    }

    /// The stored values of an unknown with the value `q`.
    pub fn stored_at(&self, q: Ex) -> Vec<Ex> {
        match self {
            Kind::Angle => {
                let (sine, cosine) = q.sin_cos();
                vec![sine, cosine, nearest_turn(side(sine) * (0.5 * PI), 2.0 * PI, q)]
            }
            Kind::Distance | Kind::Multiple { .. } => vec![q],
        }
    }

    /// Unknowns of these kinds, from their stored values.
    pub fn read(kinds: &[Kind], stored: &[Ex]) -> Vec<Followed> {
        let mut stored = stored.iter().copied();
        let mut next = || stored.next().expect("as many values as are stored");
        let read = |kind: &Kind| match kind {
            Kind::Distance => Followed::Distance(next()),
            Kind::Angle => Followed::Angle { sine: next(), cosine: next(), middle: next() },
            Kind::Multiple { .. } => Followed::Multiple(next()),
        };
        kinds.iter().map(read).collect()
    }

    /// The unknown with this value, if it was `last` before, where symbols have the values `by`.
    pub fn continued(&self, value: Ex, last: &Followed, by: &[(Ex, Ex)]) -> Followed {
        match (self, last) {
            (Kind::Angle, &Followed::Angle { sine: s, cosine: c, middle }) => {
                let (sine, cosine) = value.sin_cos();
                let [sine, cosine] = substitute(&[sine, cosine], by)[..] else {
                    unreachable!("as many results as arguments")
                };
                let turned = middle + (c * sine - s * cosine).sign() * PI;
                let middle = select(side(sine).equals(side(s)), middle, turned);
                Followed::Angle { sine, cosine, middle }
            }
            (Kind::Multiple { turn }, &Followed::Multiple(last)) => {
                let at = substitute(&[value, *turn], by);
                Followed::Multiple(nearest_turn(at[0], at[1], last))
            }
            _ => Followed::Distance(substitute(&[value], by)[0]),
        }
    }
}

impl Followed {
    /// The values that the run time stores.
    pub fn stored(&self) -> Vec<Ex> {
        match *self {
            Followed::Distance(q) | Followed::Multiple(q) => vec![q],
            Followed::Angle { sine, cosine, middle } => vec![sine, cosine, middle],
        }
    }

    /// The unknown itself.
    pub fn value(&self) -> Ex {
        match *self {
            Followed::Distance(q) | Followed::Multiple(q) => q,
            Followed::Angle { sine, cosine, middle } => {
                nearest_turn(sine.atan2(cosine), 2.0 * PI, middle).with_sin_cos(sine, cosine)
            }
        }
    }

    /// The values of `other` where `replaced`, a truth value, is true.
    pub fn or(&self, other: &Followed, replaced: Bool) -> Followed {
        let either = |own: Ex, other: Ex| select(replaced, other, own);
        match (*self, *other) {
            (Followed::Distance(own), Followed::Distance(other)) => {
                Followed::Distance(either(own, other))
            }
            (Followed::Multiple(own), Followed::Multiple(other)) => {
                Followed::Multiple(either(own, other))
            }
            (
                Followed::Angle { sine, cosine, middle },
                Followed::Angle { sine: s, cosine: c, middle: h },
            ) => Followed::Angle {
                sine: either(sine, s),
                cosine: either(cosine, c),
                middle: either(middle, h),
            },
            _ => unreachable!("the kind of an unknown does not change"),
        }
    }

    /// The same, but its turn is known only where `sign`, which is not zero, can be computed; while
    /// initial values are determined, `last_sign` is zero.
    pub fn checked(&self, sign: Ex, last_sign: Ex) -> Followed {
        let checked =
            |value: Ex| select(last_sign.equals(0.0), value, select(sign.equals(0.0), 0.0, value));
        match *self {
            Followed::Distance(q) => Followed::Distance(q),
            Followed::Multiple(q) => Followed::Multiple(checked(q)),
            Followed::Angle { sine, cosine, middle } => {
                Followed::Angle { sine, cosine, middle: checked(middle) }
            }
        }
    }

    /// How far it is from `last`: in m, or in rad on the shorter way.
    pub fn moved_from(&self, last: &Followed) -> Ex {
        match (*self, *last) {
            (Followed::Angle { sine, cosine, .. }, Followed::Angle { sine: s, cosine: c, .. }) => {
                (c * sine - s * cosine).atan2(c * cosine + s * sine)
            }
            _ => self.value() - last.value(),
        }
    }

    /// Whether an angle has not moved too far from `last` for its turn to be known.
    pub fn is_near(&self, last: &Followed) -> Option<Bool> {
        match (*self, *last) {
            (Followed::Angle { sine, cosine, .. }, Followed::Angle { sine: s, cosine: c, .. }) => {
                Some((c * cosine + s * sine).ge(LARGEST_TURN.cos()))
            }
            _ => None,
        }
    }

    /// The unknown after it moved by a small distance, to first order.
    pub fn on_tangent(&self, by: Ex) -> Followed {
        match *self {
            Followed::Distance(q) => Followed::Distance(q + by),
            Followed::Multiple(q) => Followed::Multiple(q + by),
            Followed::Angle { sine, cosine, middle } => {
                Followed::Angle { sine: sine + by * cosine, cosine: cosine - by * sine, middle }
            }
        }
    }
}
