//! Structs of scalars that are copied and serialised as a sequence of `f64`.

/// A value that is stored in one `f64` of the serialised form.
pub(crate) trait Word: Sized {
    fn to_word(self) -> f64;
    fn from_word(word: f64) -> Option<Self>;
}

impl Word for f64 {
    fn to_word(self) -> f64 {
        self
    }
    fn from_word(word: f64) -> Option<f64> {
        Some(word)
    }
}

impl Word for bool {
    fn to_word(self) -> f64 {
        f64::from(u8::from(self))
    }
    fn from_word(word: f64) -> Option<bool> {
        (word == 0.0 || word == 1.0).then_some(word == 1.0)
    }
}

impl Word for u32 {
    fn to_word(self) -> f64 {
        f64::from(self)
    }
    fn from_word(word: f64) -> Option<u32> {
        (word >= 0.0 && word <= f64::from(u32::MAX) && word.fract() == 0.0).then_some(word as u32)
    }
}

/// A count; below 2^53, it is exact as a word.
impl Word for u64 {
    fn to_word(self) -> f64 {
        self as f64
    }
    fn from_word(word: f64) -> Option<u64> {
        (word >= 0.0 && word <= 2_f64.powi(53) && word.fract() == 0.0).then_some(word as u64)
    }
}

/// Declares a struct of scalars with the values of a new instance.
macro_rules! plain_data {
    (
        $(#[$about:meta])*
        $vis:vis struct $Name:ident {
            $($(#[$doc:meta])* $name:ident: $type:ty = $start:expr,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        $vis struct $Name {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl $Name {
            /// The length of the serialised form.
            pub const LENGTH: usize = [$(stringify!($name)),*].len();

            /// The values of a new instance.
            pub const START: $Name = $Name { $($name: $start,)* };

            /// The serialised form, in the order of the fields.
            pub fn words(&self) -> [f64; $Name::LENGTH] {
                [$($crate::plain_data::Word::to_word(self.$name)),*]
            }

            /// The inverse of `words`; `None` unless there is one valid word for each field.
            pub fn from_words(words: &[f64]) -> Option<$Name> {
                let mut words = words.iter();
                let read = $Name { $($name: $crate::plain_data::Word::from_word(*words.next()?)?,)* };
                words.next().is_none().then_some(read)
            }
        }
    };
}
pub(crate) use plain_data;
