//! Enumeration of combinations of numbers, without allocation.

/// All combinations of up to `max` of the numbers below `end`: smaller combinations first, and
/// combinations of equal size in colexicographic order.
pub(crate) struct Combinations<'a> {
    chosen: &'a mut [usize],
    end: usize,
    max: usize,
    /// The size of the last combination; none before the first one.
    size: Option<usize>,
}

impl<'a> Combinations<'a> {
    /// `chosen` is work space for `max` numbers.
    pub fn new(chosen: &'a mut [usize], end: usize, max: usize) -> Self {
        Combinations { chosen, end, max: max.min(end), size: None }
    }

    /// The next combination.
    pub fn next(&mut self) -> Option<&[usize]> {
        let size = match self.size {
            None => 0,
            Some(size) if advance(&mut self.chosen[..size], self.end) => size,
            Some(size) if size < self.max => {
                (0..=size).for_each(|k| self.chosen[k] = k);
                size + 1
            }
            Some(_) => return None,
        };
        self.size = Some(size);
        Some(&self.chosen[..size])
    }
}

/// The next combination of the same size in colexicographic order.
fn advance(chosen: &mut [usize], end: usize) -> bool {
    let limit = |k: usize| chosen.get(k + 1).copied().unwrap_or(end);
    let Some(next) = (0..chosen.len()).find(|&k| chosen[k] + 1 < limit(k)) else {
        return false;
    };
    chosen[next] += 1;
    (0..next).for_each(|k| chosen[k] = k);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_of_one_size_are_in_colexicographic_order() {
        let mut chosen = [0, 1];
        let mut seen = vec![chosen];
        while advance(&mut chosen, 4) {
            seen.push(chosen);
        }
        assert_eq!(seen, [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]]);
    }
}
