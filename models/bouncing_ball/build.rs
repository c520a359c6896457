//! Writes the code of the model.

#[path = "src/model.rs"]
mod model;

fn main() {
    equations::build(model::bouncing_ball);
}
