//! Reproducible random numbers for tests: a seed always gives the same sequence, on any machine, so
//! that a test with a seed always tests the same case.

/// A generator with its seed: Knuth's linear congruential generator modulo 2^64, of which the upper
/// 53 bits are used.
///
/// ```
/// let [mut one, mut other] = [random::Random(7), random::Random(7)];
/// assert_eq!(one.vector(), other.vector());
/// assert!((0..1000).all(|_| one.number().abs() <= 1.0 && one.below(6) < 6));
/// ```
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A whole number of 53 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 11
    }

    /// A number from 0 to 1, which is never reached.
    pub fn unit(&mut self) -> f64 {
        self.bits() as f64 / (1_u64 << 53) as f64
    }

    /// A number from -1 to 1.
    pub fn number(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// -1 or 1.
    pub fn sign(&mut self) -> f64 {
        if self.chance(0.5) { 1.0 } else { -1.0 }
    }

    /// A number from `low` to `high`, both positive, with a uniform distribution of its logarithm.
    pub fn size(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    /// One of several.
    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Three numbers from -1 to 1.
    pub fn vector(&mut self) -> [f64; 3] {
        self.array()
    }

    /// Numbers from -1 to 1.
    pub fn array<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    /// `n` numbers from -1 to 1.
    pub fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }
}
