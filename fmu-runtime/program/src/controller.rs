//! Controllers that are compiled code: their data as numbers, and their step as a function.
//!
//! The code of such a controller is in the macro [`controller_code!`](crate::controller_code),
//! which keeps its text besides: the library of an FMU is compiled from this text. The data of a
//! controller between two steps are discrete variables of the instance, so that they belong to
//! every FMU state.

/// The step of a controller as a function of numbers: it changes the data, and computes the outputs
/// from the inputs.
pub type Step = fn(data: &mut [f64], inputs: &[f64], outputs: &mut [f64]);

/// A controller as compiled code. Its data come from the macro
/// [`controller_code!`](crate::controller_code).
pub trait ControllerCode<const INPUTS: usize, const OUTPUTS: usize>: PlainData {
    /// A step at a tick: changes the data, and returns the outputs. It must be a function of data
    /// and inputs alone.
    fn step(&mut self, u: &[f64; INPUTS]) -> [f64; OUTPUTS];
}

/// Data of a fixed size without references, as whole numbers that a discrete variable represents
/// exactly: one for each value of up to 32 bits, two for each one of 64 bits. Reading them never
/// fails.
pub trait PlainData: Sized {
    /// How many numbers they are.
    const LENGTH: usize;

    /// Writes the numbers.
    fn write(&self, numbers: &mut [f64]);

    /// The data of these numbers.
    fn read(numbers: &[f64]) -> Self;
}

/// Declares how values become numbers by their bits.
macro_rules! by_bits {
    ($($type:ty as $length:literal, $to:expr, $from:expr;)*) => {$(
        impl PlainData for $type {
            const LENGTH: usize = $length;

            fn write(&self, numbers: &mut [f64]) {
                let bits: u64 = $to(*self);
                for (k, number) in numbers.iter_mut().enumerate().take($length) {
                    *number = f64::from((bits >> (32 * k)) as u32);
                }
            }

            fn read(numbers: &[f64]) -> $type {
                let words = numbers.iter().take($length).enumerate();
                $from(words.fold(0_u64, |bits, (k, &word)| bits | u64::from(word as u32) << (32 * k)))
            }
        }
    )*};
}

by_bits! {
    bool as 1, u64::from, |bits| bits != 0;
    u8 as 1, u64::from, |bits| bits as u8;
    u16 as 1, u64::from, |bits| bits as u16;
    u32 as 1, u64::from, |bits| bits as u32;
    i8 as 1, |value: i8| u64::from(value as u8), |bits| bits as i8;
    i16 as 1, |value: i16| u64::from(value as u16), |bits| bits as i16;
    i32 as 1, |value: i32| u64::from(value as u32), |bits| bits as i32;
    f32 as 1, |value: f32| u64::from(value.to_bits()), |bits| f32::from_bits(bits as u32);
    u64 as 2, |value: u64| value, |bits: u64| bits;
    i64 as 2, |value: i64| value as u64, |bits| bits as i64;
    usize as 2, |value: usize| value as u64, |bits| bits as usize;
    f64 as 2, f64::to_bits, f64::from_bits;
}

impl<T: PlainData, const N: usize> PlainData for [T; N] {
    const LENGTH: usize = N * T::LENGTH;

    fn write(&self, numbers: &mut [f64]) {
        for (k, element) in self.iter().enumerate() {
            element.write(&mut numbers[k * T::LENGTH..]);
        }
    }

    fn read(numbers: &[f64]) -> [T; N] {
        std::array::from_fn(|k| T::read(&numbers[k * T::LENGTH..]))
    }
}

/// A controller with its data, before it is part of a model.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct CompiledController {
    /// The name of the struct.
    pub name: &'static str,
    /// The text of its code.
    pub text: &'static str,
    /// The number of inputs.
    pub inputs: usize,
    /// The number of outputs.
    pub outputs: usize,
    /// The step.
    pub step: Step,
    /// The data before the first step.
    pub data: Vec<f64>,
}

/// A struct with the code of a controller; the macro [`controller_code!`](crate::controller_code)
/// implements it.
#[doc(hidden)]
pub trait DeclaredController {
    /// The controller with its data.
    fn compiled(&self) -> CompiledController;
}

/// A controller of a name and a text with its data.
#[doc(hidden)]
pub fn compiled<C, const INPUTS: usize, const OUTPUTS: usize>(
    controller: &C,
    [name, text]: [&'static str; 2],
) -> CompiledController
where
    C: ControllerCode<INPUTS, OUTPUTS>,
{
    let mut data = vec![0.0; C::LENGTH];
    controller.write(&mut data);
    let step = step::<C, INPUTS, OUTPUTS>;
    CompiledController { name, text, inputs: INPUTS, outputs: OUTPUTS, step, data }
}

/// The [`Step`] of a controller. If its code panics, data and outputs do not change.
///
/// # Panics
/// If there are fewer numbers than the controller needs, or its code panics.
#[doc(hidden)]
pub fn step<C, const INPUTS: usize, const OUTPUTS: usize>(
    data: &mut [f64],
    inputs: &[f64],
    outputs: &mut [f64],
) where
    C: ControllerCode<INPUTS, OUTPUTS>,
{
    let mut controller = C::read(data);
    let y = controller.step(inputs.first_chunk().expect("as many inputs as the code has"));
    *outputs.first_chunk_mut().expect("as many outputs as the code has") = y;
    controller.write(data);
}

/// Declares a struct whose fields are [`PlainData`], for the data of a controller.
#[macro_export]
macro_rules! plain_data {
    (
        $(#[$about:meta])*
        $vis:vis struct $Name:ident {
            $($(#[$doc:meta])* $field_vis:vis $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $(#[$about])*
        $vis struct $Name {
            $($(#[$doc])* $field_vis $field: $type,)*
        }

        impl $crate::controller::PlainData for $Name {
            const LENGTH: usize = 0 $(+ <$type as $crate::controller::PlainData>::LENGTH)*;

            #[allow(unused_variables, unused_mut, unused_assignments, reason = "without fields")]
            fn write(&self, numbers: &mut [f64]) {
                let mut first = 0;
                $(
                    $crate::controller::PlainData::write(&self.$field, &mut numbers[first..]);
                    first += <$type as $crate::controller::PlainData>::LENGTH;
                )*
            }

            #[allow(unused_variables, unused_mut, unused_assignments, reason = "without fields")]
            fn read(numbers: &[f64]) -> $Name {
                let mut first = 0;
                $(
                    let $field = <$type as $crate::controller::PlainData>::read(&numbers[first..]);
                    first += <$type as $crate::controller::PlainData>::LENGTH;
                )*
                $Name { $($field),* }
            }
        }
    };
}

/// Declares a controller as compiled code: a struct with the data, and then everything that a step
/// needs, among it the [`ControllerCode`].
///
/// The library of an FMU contains a copy of this text alone, so it may use the standard library,
/// `coupler::controller` and its own items only.
#[macro_export]
macro_rules! controller_code {
    (
        @text $text:expr,
        $(#[$about:meta])* $vis:vis struct $Name:ident { $($fields:tt)* } $($rest:tt)*
    ) => {
        $crate::plain_data! { $(#[$about])* $vis struct $Name { $($fields)* } }

        impl $crate::controller::DeclaredController for $Name {
            fn compiled(&self) -> $crate::controller::CompiledController {
                $crate::controller::compiled(self, [stringify!($Name), $text])
            }
        }

        $($rest)*
    };
    ($($code:tt)*) => {
        $crate::controller_code! { @text stringify!($($code)*), $($code)* }
    };
}
