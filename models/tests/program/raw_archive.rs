//! ZIP archives written byte by byte, so that their contents need not be consistent.

/// An entry as it is written, consistent or not.
#[derive(Clone)]
pub struct Raw {
    pub name: Vec<u8>,
    pub bytes: Vec<u8>,
    /// The method: 0 for stored, 8 for deflated.
    pub method: u16,
    /// General purpose flags.
    pub flags: u16,
    /// The file mode of Unix, which includes the kind of file.
    pub mode: u32,
    /// The size that is declared.
    pub size: u32,
    /// The checksum that is declared.
    pub checksum: u32,
}

impl Raw {
    /// A plain file.
    pub fn new(name: impl Into<Vec<u8>>, bytes: impl Into<Vec<u8>>) -> Raw {
        let (name, bytes) = (name.into(), bytes.into());
        let (size, checksum) = (bytes.len() as u32, crc32(&bytes));
        Raw { name, bytes, method: 0, flags: 0, mode: 0o100_644, size, checksum }
    }
}

/// The bytes of an archive.
pub fn archive(entries: &[Raw]) -> Vec<u8> {
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = all.len() as u32;
        let mut common = Vec::new();
        [20, entry.flags, entry.method, 0, 33].iter().for_each(|n| push16(&mut common, *n));
        [entry.checksum, entry.bytes.len() as u32, entry.size]
            .iter()
            .for_each(|n| push32(&mut common, *n));
        push16(&mut common, entry.name.len() as u16);
        push16(&mut common, 0);
        all.extend(b"PK\x03\x04");
        all.extend(&common);
        all.extend(&entry.name);
        all.extend(&entry.bytes);
        directory.extend(b"PK\x01\x02");
        push16(&mut directory, 3 << 8 | 20);
        directory.extend(&common);
        [0, 0, 0].iter().for_each(|n| push16(&mut directory, *n));
        push32(&mut directory, entry.mode << 16);
        push32(&mut directory, offset);
        directory.extend(&entry.name);
    }
    let offset = all.len() as u32;
    let size = directory.len() as u32;
    all.extend(directory);
    all.extend(b"PK\x05\x06");
    let count = entries.len() as u16;
    [0, 0, count, count].iter().for_each(|n| push16(&mut all, *n));
    [size, offset].iter().for_each(|n| push32(&mut all, *n));
    push16(&mut all, 0);
    all
}

fn push16(bytes: &mut Vec<u8>, number: u16) {
    bytes.extend(number.to_le_bytes());
}

fn push32(bytes: &mut Vec<u8>, number: u32) {
    bytes.extend(number.to_le_bytes());
}

/// The checksum of ZIP.
fn crc32(bytes: &[u8]) -> u32 {
    let table: Vec<u32> = (0..256_u32)
        .map(|n| (0..8).fold(n, |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 }))
        .collect();
    !bytes.iter().fold(!0, |c: u32, b| table[((c ^ u32::from(*b)) & 0xff) as usize] ^ (c >> 8))
}
