//! Tables in files of MATLAB: of version 4, and of versions 6 and 7, whose format has the number 5.

use super::Matrix;
use crate::value::Misfit;
use std::io::Read;

/// The numbers of the format 5 for kinds of elements.
mod kind {
    pub const INT8: u32 = 1;
    pub const UINT8: u32 = 2;
    pub const INT16: u32 = 3;
    pub const UINT16: u32 = 4;
    pub const INT32: u32 = 5;
    pub const UINT32: u32 = 6;
    pub const SINGLE: u32 = 7;
    pub const DOUBLE: u32 = 9;
    pub const INT64: u32 = 12;
    pub const UINT64: u32 = 13;
    pub const MATRIX: u32 = 14;
    pub const COMPRESSED: u32 = 15;
}

/// The length of the header of the format 5.
const HEADER: usize = 128;

/// The end of a header of version 7.3, which is a file of HDF5.
const VERSION_7_3: u16 = 0x0200;

/// The matrix of a name; decompressed variables have at most `most` bytes.
///
/// # Errors
/// The file has another format or ends too early, or the variable is missing or no matrix of real
/// numbers.
pub(super) fn matrix(bytes: &[u8], name: &str, most: u64) -> Result<Matrix, Misfit> {
    // The format 5 begins with a text, the format 4 with a small number.
    if bytes.len() < 4 || bytes[..4].contains(&0) {
        return of_format_4(bytes, name);
    }
    let header = bytes.get(..HEADER).ok_or("it is no file of MATLAB")?;
    let is_big = match &header[126..] {
        b"IM" => false,
        b"MI" => true,
        _ => return Err("it is no file of MATLAB".to_owned()),
    };
    let mut rest = Bytes { rest: &header[124..126], is_big };
    if rest.u16()? == VERSION_7_3 {
        let sentence = "it has version 7.3 of the format, which is not read; version 7 is";
        return Err(sentence.to_owned());
    }
    let mut file = Bytes { rest: &bytes[HEADER..], is_big };
    while !file.rest.is_empty() {
        let element = file.element()?;
        let inflated;
        let variable = match element.kind {
            kind::COMPRESSED => {
                inflated = inflate(element.data, most)?;
                Bytes { rest: &inflated, is_big }.element()?
            }
            _ => element,
        };
        if variable.kind == kind::MATRIX
            && let Some(found) = named(Bytes { rest: variable.data, is_big }, name)?
        {
            return Ok(found);
        }
    }
    Err(no_table(name))
}

fn no_table(name: &str) -> Misfit {
    format!("there is no table {name} in it")
}

fn inflate(data: &[u8], most: u64) -> Result<Vec<u8>, Misfit> {
    let mut all = Vec::new();
    let mut limited = flate2::read::ZlibDecoder::new(data).take(most.saturating_add(1));
    limited.read_to_end(&mut all).map_err(|why| format!("it is damaged: {why}"))?;
    match all.len() as u64 > most {
        true => Err(format!("a table has at most {most} bytes")),
        false => Ok(all),
    }
}

/// An element of the format 5.
struct Element<'b> {
    kind: u32,
    data: &'b [u8],
}

/// Bytes that are read one after the other.
struct Bytes<'b> {
    rest: &'b [u8],
    is_big: bool,
}

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], Misfit> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or("it ends within a variable")?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Misfit> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        if self.is_big {
            bytes.reverse();
        }
        Ok(bytes)
    }

    fn u16(&mut self) -> Result<u16, Misfit> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Misfit> {
        self.array().map(u32::from_le_bytes)
    }

    /// The next element with the bytes that fill it up to a multiple of eight.
    fn element(&mut self) -> Result<Element<'b>, Misfit> {
        let tag = self.u32()?;
        // Up to four bytes stand in the place of the length, and the length beside the kind.
        if tag >> 16 != 0 {
            let (kind, length) = (tag & 0xffff, (tag >> 16) as usize);
            let data = self.take(4)?.get(..length).ok_or("it is damaged: a length is wrong")?;
            return Ok(Element { kind, data });
        }
        let length = self.u32()? as usize;
        let data = self.take(length)?;
        if tag != kind::COMPRESSED {
            let gap = length.next_multiple_of(8) - length;
            self.take(gap.min(self.rest.len()))?;
        }
        Ok(Element { kind: tag, data })
    }

    /// A number of a kind of the format 5; `None` if there is no such kind.
    fn number(&mut self, kind: u32) -> Result<Option<f64>, Misfit> {
        Ok(Some(match kind {
            kind::INT8 => f64::from(i8::from_le_bytes(self.array()?)),
            kind::UINT8 => f64::from(u8::from_le_bytes(self.array()?)),
            kind::INT16 => f64::from(i16::from_le_bytes(self.array()?)),
            kind::UINT16 => f64::from(self.u16()?),
            kind::INT32 => f64::from(i32::from_le_bytes(self.array()?)),
            kind::UINT32 => f64::from(self.u32()?),
            kind::SINGLE => f64::from(f32::from_le_bytes(self.array()?)),
            kind::DOUBLE => f64::from_le_bytes(self.array()?),
            kind::INT64 => i64::from_le_bytes(self.array()?) as f64,
            kind::UINT64 => u64::from_le_bytes(self.array()?) as f64,
            _ => return Ok(None),
        }))
    }

    /// The matrix whose columns follow one another as numbers of a kind.
    fn columns(&mut self, kind: u32, [rows, columns]: [usize; 2]) -> Result<Matrix, Misfit> {
        let count = rows.saturating_mul(columns);
        if count > self.rest.len() {
            return Err("it ends within a variable".to_owned());
        }
        let mut numbers = vec![0.0; count];
        for column in 0..columns {
            for row in 0..rows {
                let number = self.number(kind)?;
                numbers[row * columns + column] =
                    number.ok_or_else(|| format!("it is damaged: there is no type {kind}"))?;
            }
        }
        Ok(Matrix { rows, columns, numbers })
    }
}

fn no_matrix(name: &str) -> Misfit {
    format!("{name} is no matrix of real numbers")
}

/// The content of a variable of the format 5 if it has a name.
fn named(mut variable: Bytes<'_>, name: &str) -> Result<Option<Matrix>, Misfit> {
    let is_big = variable.is_big;
    let mut flags = Bytes { rest: variable.element()?.data, is_big };
    let flags = flags.u32()?;
    let sizes = variable.element()?;
    if variable.element()?.data != name.as_bytes() {
        return Ok(None);
    }
    // Classes from 6 on are those of full matrices of numbers.
    let (class, is_complex) = (flags & 0xff, flags & 0x0800 != 0);
    let mut rest = Bytes { rest: sizes.data, is_big };
    let sizes = [rest.u32()? as usize, rest.u32()? as usize];
    if !(6..=15).contains(&class) || is_complex || !rest.rest.is_empty() {
        return Err(no_matrix(name));
    }
    let Element { kind, data } = variable.element()?;
    Bytes { rest: data, is_big }.columns(kind, sizes).map(Some)
}

/// The matrix of a name in a file of the format 4.
fn of_format_4(bytes: &[u8], name: &str) -> Result<Matrix, Misfit> {
    /// The largest first number of a variable.
    const LARGEST_TYPE: u32 = 4052;
    let first = bytes.first_chunk().map_or(u32::MAX, |first| u32::from_le_bytes(*first));
    let mut file = Bytes { rest: bytes, is_big: first > LARGEST_TYPE };
    while !file.rest.is_empty() {
        let type_of = file.u32()?;
        let kinds =
            [kind::DOUBLE, kind::SINGLE, kind::INT32, kind::INT16, kind::UINT16, kind::UINT8];
        let kind = kinds.get((type_of / 10 % 10) as usize).copied();
        let kind = kind.filter(|_| matches!(type_of / 1000, 0 | 1) && type_of / 100 % 10 == 0);
        let kind = kind.ok_or("it is no file of MATLAB")?;
        let [rows, columns, parts] = [file.u32()?, file.u32()?, file.u32()?];
        let length = file.u32()? as usize;
        let found = file.take(length)?.split(|&byte| byte == 0).next();
        let sizes = [rows, columns].map(|size| size as usize);
        let part = file.columns(kind, sizes)?;
        let is_complex = parts != 0;
        if found == Some(name.as_bytes()) {
            let is_full = type_of % 10 == 0;
            return match is_full && !is_complex {
                true => Ok(part),
                false => Err(no_matrix(name)),
            };
        }
        if is_complex {
            file.columns(kind, sizes)?;
        }
    }
    Err(no_table(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const MOST: u64 = 1 << 20;

    /// Rows 1 2 3 and 4 5 6.
    const COLUMNS: [u8; 6] = [1, 4, 2, 5, 3, 6];

    fn bytes(is_big: bool, numbers: &[u32]) -> Vec<u8> {
        let of = |n: &u32| if is_big { n.to_be_bytes() } else { n.to_le_bytes() };
        numbers.iter().flat_map(of).collect()
    }

    fn doubles(is_big: bool) -> Vec<u8> {
        let of = |n: &u8| {
            let value = f64::from(*n);
            if is_big { value.to_be_bytes() } else { value.to_le_bytes() }
        };
        COLUMNS.iter().flat_map(of).collect()
    }

    /// A variable of the format 4.
    fn variable_4(is_big: bool, type_of: u32, name: &str, data: &[u8]) -> Vec<u8> {
        let length = name.len() as u32 + 1;
        let head = bytes(is_big, &[type_of, 2, 3, 0, length]);
        [&head, name.as_bytes(), &[0], data].concat()
    }

    fn element(is_big: bool, kind: u32, data: &[u8]) -> Vec<u8> {
        let mut all = bytes(is_big, &[kind, data.len() as u32]);
        all.extend(data);
        all.resize(all.len().next_multiple_of(8), 0);
        all
    }

    /// A variable of the format 5 of a class.
    fn variable_5(is_big: bool, class: u32, name: &str, data: &[u8]) -> Vec<u8> {
        let parts = [
            element(is_big, kind::UINT32, &bytes(is_big, &[class, 0])),
            element(is_big, kind::INT32, &bytes(is_big, &[2, 3])),
            element(is_big, kind::INT8, name.as_bytes()),
            data.to_vec(),
        ];
        element(is_big, kind::MATRIX, &parts.concat())
    }

    fn file_5(is_big: bool, variables: &[Vec<u8>]) -> Vec<u8> {
        let mut head = b"MATLAB 5.0 MAT-file".to_vec();
        head.resize(124, b' ');
        head.extend(if is_big { *b"\x01\x00MI" } else { *b"\x00\x01IM" });
        [head, variables.concat()].concat()
    }

    #[track_caller]
    fn is_read(file: &[u8]) {
        let found = matrix(file, "t", MOST).unwrap();
        assert_eq!((found.rows, found.columns), (2, 3));
        assert_eq!(found.numbers, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn all_formats_numbers_and_orders_of_bytes_are_read() {
        for is_big in [false, true] {
            let big = if is_big { 1000 } else { 0 };
            let other = variable_4(is_big, big + 50, "other", &COLUMNS);
            for (type_of, data) in [(big, doubles(is_big)), (big + 50, COLUMNS.to_vec())] {
                is_read(&[other.clone(), variable_4(is_big, type_of, "t", &data)].concat());
            }
            let plain =
                variable_5(is_big, 6, "t", &element(is_big, kind::DOUBLE, &doubles(is_big)));
            let whole = element(is_big, kind::UINT8, &COLUMNS);
            let other = variable_5(is_big, 9, "another", &whole);
            is_read(&file_5(is_big, &[other.clone(), plain.clone()]));
            is_read(&file_5(is_big, &[variable_5(is_big, 9, "t", &whole)]));
            let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), Default::default());
            packed.write_all(&plain).unwrap();
            let packed = packed.finish().unwrap();
            let head = bytes(is_big, &[kind::COMPRESSED, packed.len() as u32]);
            is_read(&file_5(is_big, &[other, [head, packed].concat()]));
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_and_no_damage_causes_a_panic() {
        let told = |file: &[u8], name: &str| matrix(file, name, MOST).unwrap_err();
        let plain = variable_5(false, 6, "t", &element(false, kind::DOUBLE, &doubles(false)));
        let file = file_5(false, &[plain]);
        assert_eq!(told(&file, "x"), "there is no table x in it");
        let cells = file_5(false, &[variable_5(false, 1, "t", &[])]);
        assert_eq!(told(&cells, "t"), "t is no matrix of real numbers");
        let complex = file_5(false, &[variable_5(false, 0x0806, "t", &[])]);
        assert_eq!(told(&complex, "t"), "t is no matrix of real numbers");
        let mut hdf5 = file.clone();
        hdf5[125] = 2;
        assert!(told(&hdf5, "t").starts_with("it has version 7.3 of the format"));
        assert_eq!(told(b"PK\x03\x04 an archive", "t"), "it is no file of MATLAB");
        assert_eq!(told(b"", "t"), "there is no table t in it");
        let older = variable_4(false, 0, "t", &doubles(false));
        for file in [file, older] {
            for end in 0..file.len() {
                assert!(matrix(&file[..end], "t", MOST).is_err(), "{end}");
            }
            for place in 0..file.len() {
                for bad in [0, 1, 0x7f, 0xff] {
                    let mut damaged = file.clone();
                    damaged[place] = bad;
                    let _ = matrix(&damaged, "t", MOST);
                }
            }
        }
    }
}
