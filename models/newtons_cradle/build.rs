//! Writes the model's equations.

#[path = "src/model.rs"]
mod model;

fn main() {
    mechanics::build(model::newtons_cradle);
}
