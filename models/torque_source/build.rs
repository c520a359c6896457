//! Writes the model's equations.

#[path = "src/model.rs"]
mod model;

fn main() {
    equations::build(model::torque_source);
}
