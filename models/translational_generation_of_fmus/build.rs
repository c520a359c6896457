//! Writes the model's equations.

#[path = "src/model.rs"]
mod model;

fn main() {
    mechanics::build(model::translational_generation_of_fmus);
}
