//! Writes the equations of a chain of `COUPLER_CHAIN` inertias, ten unless it is set.

#[path = "src/model.rs"]
mod model;

fn main() {
    println!("cargo::rerun-if-env-changed=COUPLER_CHAIN");
    let n = std::env::var("COUPLER_CHAIN").map_or(Ok(10), |n| n.parse());
    let n = n.expect("COUPLER_CHAIN is a number of inertias");
    mechanics::build(|m| model::chain_of_components(m, n));
}
