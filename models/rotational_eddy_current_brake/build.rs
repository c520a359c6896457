//! Writes the model's equations.

#[path = "src/model.rs"]
mod model;

fn main() {
    mechanics::build(model::rotational_eddy_current_brake);
}
