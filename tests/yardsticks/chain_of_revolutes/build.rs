//! Writes the equations of a chain of `COUPLER_CHAIN` revolute joints, six unless it is set.

#[path = "src/model.rs"]
mod model;

fn main() {
    println!("cargo::rerun-if-env-changed=COUPLER_CHAIN");
    let n = std::env::var("COUPLER_CHAIN").map_or(Ok(6), |n| n.parse());
    let n = n.expect("COUPLER_CHAIN is a number of joints");
    mechanics::build(|m| model::chain_of_revolutes(m, n));
}
