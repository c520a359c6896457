//! The space that the rows of a matrix span: shortest solutions, and the directions across it.

/// A row depends on others if this part of the largest row remains of it, or less.
const DEPENDENT: f64 = 1e-6;

/// An orthonormal basis of the rows of a matrix, made of the largest remainders first.
#[derive(Clone, Debug, Default)]
pub struct RowSpace {
    steps: Vec<Step>,
}

/// A row that is no combination of the ones before it.
#[derive(Clone, Debug)]
struct Step {
    row: usize,
    /// The components of the row along the vectors before.
    along: Vec<f64>,
    /// The length of the rest.
    rest: f64,
    /// The direction of the rest.
    vector: Vec<f64>,
}

impl RowSpace {
    /// That of the rows of a matrix.
    pub fn new(mut rows: Vec<Vec<f64>>) -> RowSpace {
        let mut along = vec![Vec::new(); rows.len()];
        let mut steps: Vec<Step> = Vec::new();
        let mut smallest = f64::MIN_POSITIVE;
        loop {
            let lengths = rows.iter().map(|row| dot(row, row).sqrt()).enumerate();
            let Some((row, rest)) = lengths.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            // Not a number is the largest of all numbers.
            if !(rest.is_finite() && rest > smallest) {
                break;
            }
            smallest = smallest.max(DEPENDENT * rest);
            let vector: Vec<f64> = rows[row].iter().map(|value| value / rest).collect();
            let step = Step { row, along: along[row].clone(), rest, vector };
            for (row, along) in rows.iter_mut().zip(&mut along) {
                along.push(remove(row, &step.vector));
            }
            rows[row].fill(0.0);
            steps.push(step);
        }
        RowSpace { steps }
    }

    /// The number of independent rows.
    pub fn rank(&self) -> usize {
        self.steps.len()
    }

    /// The length of the part of a row that is perpendicular to all others, of the row where it is
    /// smallest; zero if one of `rows` rows depends on others.
    pub fn independence(&self, rows: usize) -> f64 {
        let rest = self.steps.last().map_or(0.0, |step| step.rest);
        if self.rank() == rows { rest } else { 0.0 }
    }

    /// The part of a vector that is perpendicular to all rows.
    pub fn across(&self, mut vector: Vec<f64>) -> Vec<f64> {
        for step in &self.steps {
            remove(&mut vector, &step.vector);
        }
        vector
    }

    /// The shortest vector whose products with the independent rows are those given for all rows,
    /// of which there is at least one.
    pub fn shortest(&self, products: &[f64], length: usize) -> Vec<f64> {
        let mut components: Vec<f64> = Vec::new();
        let mut shortest = vec![0.0; length];
        for step in &self.steps {
            let component = (products[step.row] - dot(&step.along, &components)) / step.rest;
            components.push(component);
            shortest.iter_mut().zip(&step.vector).for_each(|(x, v)| *x += component * v);
        }
        shortest
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Removes the component of a vector along a unit vector, and returns it.
fn remove(from: &mut [f64], unit: &[f64]) -> f64 {
    let component = dot(from, unit);
    from.iter_mut().zip(unit).for_each(|(x, u)| *x -= component * u);
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortest_solution_satisfies_dependent_rows_and_has_no_part_across() {
        let rows = [vec![1.0, 2.0, 0.0, -1.0], vec![0.5, -1.0, 3.0, 0.0]];
        let sum: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| 2.0 * a - b).collect();
        let all = [rows[0].clone(), sum.clone(), rows[1].clone()];
        let space = RowSpace::new(all.to_vec());
        assert_eq!(space.rank(), 2);
        let products = [3.0, 2.0 * 3.0 + 0.7, -0.7];
        let shortest = space.shortest(&products, 4);
        for (row, product) in all.iter().zip(products) {
            assert!((dot(row, &shortest) - product).abs() < 1e-14);
        }
        let across = space.across(vec![1.0, 0.3, -0.2, 0.9]);
        assert!(all.iter().all(|row| dot(row, &across).abs() < 1e-14));
        assert!(dot(&shortest, &across).abs() < 1e-14);
        assert!(space.across(shortest).iter().all(|x| x.abs() < 1e-14));
    }

    #[test]
    fn no_rows_span_nothing() {
        let space = RowSpace::new(vec![vec![0.0; 2]]);
        assert_eq!((space.rank(), space.across(vec![1.0, 2.0])), (0, vec![1.0, 2.0]));
    }
}
