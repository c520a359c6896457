//! The numbers of a report as one compressed text.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Arrays of numbers one after the other.
#[derive(Default)]
pub struct Numbers {
    bytes: Vec<u8>,
}

impl Numbers {
    /// Adds an array; returns the number of those before it. The bytes of the same significance are
    /// stored together, because they resemble each other and compress well.
    pub fn add(&mut self, values: &[f64]) -> usize {
        let place = self.bytes.len() / 8;
        for significance in 0..8 {
            self.bytes.extend(values.iter().map(|v| v.to_le_bytes()[significance]));
        }
        place
    }

    /// The text for the page: zlib in base64.
    pub fn text(&self) -> std::io::Result<String> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(4));
        encoder.write_all(&self.bytes)?;
        Ok(STANDARD.encode(encoder.finish()?))
    }
}
