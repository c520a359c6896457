//! Numerics shared by emitted code, the interpreter of tapes, and the run time.
//!
//! Every function that may have to be differentiated is generic over [`Scalar`]: the same code
//! computes values (`f64`) and exact derivatives ([`Dual`]). Emitted code and the interpreter call
//! the same functions, and therefore agree bit for bit.

mod combinations;
pub mod differences;
pub mod history;
pub mod impact;
pub mod initial_modes;
pub mod limits;
pub mod linear;
pub mod names;
pub mod newton;
pub mod relations;
pub mod rows;
mod scalar;
pub mod table;

pub use scalar::{Dual, Scalar};

/// The folder with the sources of this crate, for the program that compiles them into an FMU.
#[doc(hidden)]
pub const FOLDER: &str = folder!();

/// The folder of the package in which it is called. A program that is distributed must not
/// name folders of the machine on which it was made; there it is the path in the repository, of
/// which the program carries a copy.
#[doc(hidden)]
#[macro_export]
macro_rules! folder {
    () => {
        match option_env!("COUPLER_DISTRIBUTION") {
            Some(_) => $crate::folder_of(file!()),
            None => env!("CARGO_MANIFEST_DIR"),
        }
    };
}

/// The folder of the package with a source file: what precedes the last folder `src`.
#[doc(hidden)]
pub const fn folder_of(file: &str) -> &str {
    let mut length = file.len();
    while length > 0 {
        length -= 1;
        // Windows separates folders by `\`.
        if let [b'/' | b'\\', b's', b'r', b'c', b'/' | b'\\', ..] =
            file.as_bytes().split_at(length).1
        {
            break;
        }
    }
    file.split_at(length).0
}

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
