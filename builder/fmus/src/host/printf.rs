//! Formats messages: the logger callback receives a format of `printf` and its arguments.

#[cfg(unix)]
use std::ffi::c_char;
use std::ffi::{CStr, CString, c_int};

use fmu_runtime::fmi2::fmi2String;

use super::strings::string;

/// The arguments that may follow a format. Stable Rust cannot define variadic functions. A function
/// with these named arguments after the format receives the variable arguments in them if the
/// calling convention passes both in the same way: whole numbers and pointers in order, and
/// floating-point numbers in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments {
    pub(super) words: [usize; WORDS],
    #[cfg_attr(not(unix), allow(dead_code, reason = "Windows passes them in the places of words"))]
    pub(super) numbers: [f64; NUMBERS],
}

pub(super) const WORDS: usize = 6;
const NUMBERS: usize = 8;

/// Whether the first word is received: Apple's 64-bit ARM passes variable arguments on the stack.
pub(super) const FIRST_RECEIVED: bool =
    !cfg!(all(target_vendor = "apple", target_arch = "aarch64"));

/// Whether all arguments are received: on Windows and 32-bit platforms, words and floating-point
/// numbers share places.
pub(super) const ALL_RECEIVED: bool = FIRST_RECEIVED
    && cfg!(all(unix, any(target_arch = "x86_64", target_arch = "aarch64")))
    && cfg!(target_pointer_width = "64");

#[cfg(unix)]
unsafe extern "C" {
    fn snprintf(buffer: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
}

/// Maximum length of a message in bytes; longer ones are cut off.
const LONGEST: usize = 4096;

/// The text of a format with its arguments. A format that needs other than plain values, or more
/// than there are, is treated as a text.
///
/// # Safety
/// The arguments are those that the format needs: each `%s` has a string, which may be null.
pub(super) unsafe fn text(format: &str, arguments: &Arguments) -> String {
    if format == "%s" && FIRST_RECEIVED {
        // SAFETY: as the caller promises.
        return unsafe { string(arguments.words[0] as fmi2String) };
    }
    match conversions(format) {
        Some(0) => return format.replace("%%", "%"),
        Some(_) if ALL_RECEIVED => (),
        _ => return format.to_owned(),
    }
    let Ok(c_format) = CString::new(format) else { return format.to_owned() };
    let mut buffer = [0_u8; LONGEST];
    // SAFETY: as the caller promises; the arguments are passed on unchanged.
    if unsafe { print(&mut buffer, &c_format, arguments) } < 0 {
        return format.to_owned();
    }
    let end = CStr::from_bytes_until_nul(&buffer);
    end.map_or_else(|_| format.to_owned(), |text| text.to_string_lossy().into_owned())
}

/// The result of `snprintf`: negative if it cannot print.
///
/// # Safety
/// As for [`text`].
#[cfg(unix)]
unsafe fn print(buffer: &mut [u8], format: &CStr, a: &Arguments) -> c_int {
    let ([w0, w1, w2, w3, w4, w5], [n0, n1, n2, n3, n4, n5, n6, n7]) = (a.words, a.numbers);
    let (to, size) = (buffer.as_mut_ptr().cast(), buffer.len());
    // SAFETY: as the caller promises; the buffer is as long as stated.
    unsafe {
        snprintf(to, size, format.as_ptr(), w0, w1, w2, w3, w4, w5, n0, n1, n2, n3, n4, n5, n6, n7)
    }
}

#[cfg(not(unix))]
unsafe fn print(_: &mut [u8], _: &CStr, _: &Arguments) -> c_int {
    -1
}

/// The number of values that a format needs; `None` if it needs values that cannot be received, or
/// is not a format.
fn conversions(format: &str) -> Option<usize> {
    let (mut words, mut numbers) = (0, 0);
    let mut parts = format.split('%');
    parts.next();
    while let Some(part) = parts.next() {
        if part.is_empty() {
            // Two percent signs stand for one.
            parts.next()?;
            continue;
        }
        let rest = part.trim_start_matches(['-', '+', '#', '0']);
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.trim_start_matches(['h', 'l', 'z', 'j', 't']);
        match rest.chars().next()? {
            'd' | 'i' | 'u' | 'x' | 'X' | 'c' | 's' | 'p' => words += 1,
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' => numbers += 1,
            _ => return None,
        }
    }
    (words <= WORDS && numbers <= NUMBERS).then_some(words + numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_counted_and_others_refused() {
        assert_eq!(conversions("all right"), Some(0));
        assert_eq!(conversions("%s: %5.2f of %lu, 100 %%"), Some(3));
        assert_eq!(conversions("%%s"), Some(0));
        // These are not meant as formats, write to an argument, have a variable width, or have too
        // many arguments.
        for text in ["50 % sure", "at 100%", "%n", "%*d", "%Lf", "%s%s%s%s%s%s%s"] {
            assert_eq!(conversions(text), None, "{text}");
        }
    }
}
