//! The identity of a program: a hash over its description, its tape, and the code of its
//! controllers.

use program::controller::CompiledController;
use program::{Controller, Info, Tape};
use sha2::{Digest, Sha256};

use crate::vocabulary::description::Description;

/// The GUID of a new program: a hash over description, tape, and code of controllers.
pub(crate) fn of(
    description: &Description,
    modes_at_start: bool,
    tape: &Tape,
    (info, controllers): (&Info, &[CompiledController]),
) -> String {
    let mut hash = Sha256::new();
    hash.update(serde_json::to_vec(description).expect("a description is plain data"));
    hash.update(program::to_bytes(modes_at_start, tape, info));
    for (own, code) in info.controllers.iter().zip(controllers) {
        let Controller { name, tick, number, inputs, first, outputs, length, follows, .. } = own;
        let places = (name, tick, number, inputs, first, outputs, length, follows);
        hash.update(format!("{places:?}"));
        // The compiler chooses the spaces between the parts of a text.
        hash.update(code.text.split_whitespace().collect::<String>());
    }
    from_hash(hash)
}

/// A GUID from the hash that identifies a model.
pub(crate) fn from_hash(hash: Sha256) -> String {
    let digest = hash.finalize();
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let [a, b, c, d] = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20]];
    format!("{{{a}-{b}-{c}-{d}-{}}}", &hex[20..])
}
