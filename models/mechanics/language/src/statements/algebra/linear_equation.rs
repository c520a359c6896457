//! Equations as sums of unknowns with factors, and a rest.

use equations::{Ex, Leaf, LeafKind, affine, differentiate, evaluate, leaves_of, substitute};
use std::collections::{BTreeMap, BTreeSet};

/// The number of an unknown: a potential or a current.
pub type Unknown = usize;

/// What an equation was made from, for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The branches whose laws it contains.
    pub laws: BTreeSet<usize>,
    /// The nodes whose balances of currents it contains.
    pub nodes: BTreeSet<usize>,
}

impl Origin {
    /// Adds what another equation was made from.
    pub fn extend(&mut self, other: &Origin) {
        self.laws.extend(&other.laws);
        self.nodes.extend(&other.nodes);
    }
}

/// `0 = sum of factor * unknown + rest`.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The factors of the unknowns.
    pub factors: BTreeMap<Unknown, Ex>,
    /// What remains without them. It depends on the unknowns of which it is no linear function.
    pub rest: Ex,
    /// The unknowns on which the rest depends.
    pub nonlinear: BTreeSet<Unknown>,
    /// What it was made from.
    pub origin: Origin,
}

impl Equation {
    /// The equation of a residual that vanishes.
    pub fn of(residual: Ex, symbols: &Symbols, origin: Origin) -> Equation {
        let inside = symbols.inside(residual);
        let (mut factors, mut nonlinear) = (BTreeMap::new(), BTreeSet::new());
        for &unknown in &inside {
            let factor = differentiate(&[residual], &[(symbols.all[unknown], Ex::one())])[0];
            match symbols.inside(factor).is_empty() {
                true => drop(factors.insert(unknown, factor)),
                false => drop(nonlinear.insert(unknown)),
            }
        }
        let zero: Vec<(Ex, Ex)> = factors.keys().map(|&u| (symbols.all[u], Ex::zero())).collect();
        let rest = substitute(&[residual], &zero)[0];
        Equation { factors, rest, nonlinear, origin }
    }

    /// The sum as an expression.
    pub fn residual(&self, symbols: &Symbols) -> Ex {
        self.factors.iter().fold(self.rest, |sum, (&u, &factor)| sum + factor * symbols.all[u])
    }

    /// Whether it contains no unknown.
    pub fn is_constraint(&self) -> bool {
        self.factors.is_empty() && self.nonlinear.is_empty()
    }

    /// Its unknowns.
    pub fn unknowns(&self) -> BTreeSet<Unknown> {
        self.factors.keys().chain(&self.nonlinear).copied().collect()
    }

    /// The last unknown with a constant factor, so that currents are eliminated before potentials.
    pub fn pivot(&self) -> Option<Unknown> {
        let is_pivot = |(u, factor): &(&Unknown, &Ex)| {
            factor.constant_value().is_some_and(|x| x != 0.0) && !self.nonlinear.contains(u)
        };
        self.factors.iter().rev().find(is_pivot).map(|(u, _)| *u)
    }

    /// The equation that expresses one of its unknowns by the others.
    pub fn solved_for(mut self, unknown: Unknown) -> Equation {
        let Some(factor) = self.factors.remove(&unknown) else { return self };
        self.factors.values_mut().for_each(|other| *other = -*other / factor);
        self.rest = -self.rest / factor;
        self
    }

    /// The same equation, in which one of the unknowns has the factor one.
    pub fn divided_by_factor_of(self, unknown: Unknown) -> Equation {
        let mut equation = self.solved_for(unknown);
        equation.factors.values_mut().for_each(|factor| *factor = -*factor);
        equation.rest = -equation.rest;
        equation.factors.insert(unknown, Ex::one());
        equation
    }

    /// Replaces an unknown by a value, which is the right side of an equation solved for it.
    pub fn eliminate(&mut self, unknown: Unknown, value: &Equation, symbols: &Symbols) {
        let factor = self.factors.remove(&unknown);
        let inside = self.nonlinear.remove(&unknown);
        if factor.is_none() && !inside {
            return;
        }
        self.origin.extend(&value.origin);
        if inside {
            let by = [(symbols.all[unknown], value.residual(symbols))];
            self.rest = substitute(&[self.rest], &by)[0];
            self.nonlinear.extend(value.factors.keys());
            self.nonlinear.extend(&value.nonlinear);
        }
        if let Some(factor) = factor {
            for (&other, &of) in &value.factors {
                let added = factor * of;
                let before = self.factors.remove(&other);
                let sum = before.map_or(added, |before| before + added);
                if before.is_none_or(|before| !cancel(sum, [before, added])) {
                    self.factors.insert(other, sum);
                }
            }
            self.rest = sum(self.rest, factor * value.rest);
            self.nonlinear.extend(&value.nonlinear);
        }
    }

    /// Replaces a placeholder in the rest by its value if other terms cancel then.
    pub fn simplify(&mut self, placeholder: Ex, value: Ex) {
        let Some(leaf) = placeholder.as_leaf() else { return };
        let factors = factors_of(&[leaf], &[self.rest]);
        let Some(&factor) = factors.iter().flatten().find_map(|of| of.get(&leaf)) else { return };
        let others = substitute(&[self.rest], &[(placeholder, Ex::zero())])[0];
        if !cancelled(others, factor * value).is_empty() {
            self.rest = sum(others, factor * value);
        }
    }
}

/// The placeholders of the unknowns.
#[derive(Debug)]
pub struct Symbols {
    /// By their numbers.
    pub all: Vec<Ex>,
    numbers: BTreeMap<Leaf, Unknown>,
}

impl Symbols {
    /// Placeholders with their places as numbers.
    pub fn new(all: Vec<Ex>) -> Symbols {
        let leaves = all.iter().enumerate();
        let numbers = leaves.filter_map(|(k, symbol)| Some((symbol.as_leaf()?, k))).collect();
        Symbols { all, numbers }
    }

    /// The unknowns in an expression.
    pub fn inside(&self, ex: Ex) -> BTreeSet<Unknown> {
        leaves_of(&[ex]).iter().filter_map(|leaf| self.numbers.get(leaf).copied()).collect()
    }
}

/// The sum of two expressions, without placeholders whose terms cancel: of these only rounding
/// errors would remain, and dependencies that are none.
fn sum(a: Ex, b: Ex) -> Ex {
    let parts = substitute(&[a, b], &cancelled(a, b));
    parts[0] + parts[1]
}

/// The placeholders whose terms in a sum of two expressions cancel, with zero as their value.
fn cancelled(a: Ex, b: Ex) -> Vec<(Ex, Ex)> {
    let is_placeholder = |leaf: &&Leaf| matches!(leaf, Leaf::Symbol(_) | Leaf::State(_));
    let [of_a, of_b] = [a, b].map(|ex| leaves_of(&[ex]));
    let of_both: Vec<Leaf> = of_a.intersection(&of_b).filter(is_placeholder).copied().collect();
    if of_both.is_empty() {
        return Vec::new();
    }
    let Some(factors) = factors_of(&of_both, &[a + b, a, b]) else { return Vec::new() };
    let cancels = |leaf: &Leaf| {
        let of = |k: usize| factors[k].get(leaf).copied().unwrap_or_else(Ex::zero);
        cancel(of(0), [of(1), of(2)])
    };
    let found = of_both.iter().filter(|leaf| cancels(leaf));
    found.map(|leaf| (Ex::leaf(*leaf), Ex::zero())).collect()
}

/// The factors of placeholders in expressions that are linear functions of them.
fn factors_of(placeholders: &[Leaf], exs: &[Ex]) -> Option<Vec<BTreeMap<Leaf, Ex>>> {
    let kind = |leaf| match placeholders.contains(&leaf) {
        true => LeafKind::Variable,
        false => LeafKind::Constant,
    };
    let forms = affine(exs, &kind).into_iter().map(|form| {
        let form = form.filter(|form| form.holds.constant_value() == Some(true))?;
        Some(form.coefficients.into_iter().collect())
    });
    forms.collect()
}

/// How many choices of arbitrary numbers show that an expression vanishes. Truth values need so
/// many: two of them are equal in half of the choices.
const CHOICES: u32 = 24;

/// How likely truth values are to be false, by choice: many of them are equal at the same time
/// only where one value is more likely than the other one.
const PROBABILITY_OF_FALSE: [f64; 4] = [0.5, 0.5, 0.15, 0.85];

/// Whether two summands cancel for all values of their leaves. Values at which both vanish, as in
/// the modes of other equations, do not count.
fn cancel(sum: Ex, summands: [Ex; 2]) -> bool {
    if let Some(value) = sum.constant_value() {
        return value == 0.0;
    }
    let mut seen = false;
    let cancels = |values: Vec<f64>| {
        let size = values[1].abs() + values[2].abs();
        seen |= size > 0.0;
        values[0].abs() <= 1e-12 * size
    };
    numbers(&[sum, summands[0], summands[1]]).all(cancels) && seen
}

/// Whether an expression vanishes whatever the values of its leaves are.
pub fn is_zero(ex: Ex) -> bool {
    match ex.constant_value() {
        Some(value) => value == 0.0,
        None => numbers(&[ex]).all(|values| values[0].abs() < 1e-12),
    }
}

/// Whether an expression depends on more than parameters.
pub fn varies(ex: Ex) -> bool {
    let is_known = |leaf: &Leaf| matches!(leaf, Leaf::Parameter(_) | Leaf::Calculated(_));
    !leaves_of(&[ex]).iter().all(is_known)
}

/// The values of expressions for some choices of arbitrary numbers as values of their leaves.
pub fn numbers(all: &[Ex]) -> impl Iterator<Item = Vec<f64>> {
    (0..CHOICES).map(|choice| {
        let mut leaf = |leaf: Leaf| {
            let fraction = arbitrary(&format!("{choice}{leaf:?}"));
            match leaf {
                leaf if leaf.is_truth() => f64::from(
                    fraction > PROBABILITY_OF_FALSE[choice as usize % PROBABILITY_OF_FALSE.len()],
                ),
                // These may represent truth values.
                Leaf::Pre(_) | Leaf::Input(_) if fraction > 0.5 => (2.0 * fraction - 1.0).round(),
                _ => 0.5 + fraction,
            }
        };
        evaluate(all, &mut leaf).unwrap_or_else(|_| vec![f64::NAN; all.len()])
    })
}

/// A number between 0 and 1 that a text determines.
fn arbitrary(text: &str) -> f64 {
    // Fowler, Noll and Vo's hash, with a last mixing.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}
