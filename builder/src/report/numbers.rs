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
    /// Adds an array; returns the place of its first byte.
    pub fn add(&mut self, values: &[f64]) -> usize {
        self.append(values.iter().map(|v| v.to_le_bytes()))
    }

    /// Adds an array, rounded to seven digits.
    pub fn add_rounded(&mut self, values: &[f64]) -> usize {
        self.append(values.iter().map(|v| (*v as f32).to_le_bytes()))
    }

    /// The bytes of the same significance are stored together, because they resemble each other and
    /// compress well.
    fn append<const N: usize>(&mut self, values: impl Iterator<Item = [u8; N]> + Clone) -> usize {
        let place = self.bytes.len();
        for significance in 0..N {
            self.bytes.extend(values.clone().map(|bytes| bytes[significance]));
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
