//! Writes the model's equations.

#[path = "src/model.rs"]
mod model;

fn main() {
    mechanics::build(model::line_force_with_two_masses);
}
