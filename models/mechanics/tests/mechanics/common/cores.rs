//! Runs a check for many seeds on all processor cores.

use std::thread;

/// The results of `each` for all seeds, in any order.
pub fn on_all_cores<T: Send>(seeds: &[u64], each: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let part = |core: usize| seeds.iter().skip(core).step_by(cores).map(|&s| each(s)).collect();
    thread::scope(|scope| {
        let running: Vec<_> = (0..cores).map(|core| scope.spawn(move || part(core))).collect();
        let done = running.into_iter().map(|one| one.join().expect("no seed panics"));
        done.flat_map(|results: Vec<T>| results).collect()
    })
}
