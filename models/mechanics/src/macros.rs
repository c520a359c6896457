//! Two shorthands for components: the struct of their ports, and the methods that set parameters.

/// Declares the ports and variables of a component: a struct with a field for each of them, made by
/// `From<At>`.
///
/// The kind of a port is a method of [`At`](crate::assembly::At): `flange`, `translational_flange`,
/// `frame`, `heat_port`, `input`, `inputs`, `quantity`, `vector` or `matrix`. Its FMI name is the
/// field's, unless another one is given.
///
/// ```
/// mechanics::ports! {
///     /// Ports and variables of a spring.
///     pub struct SpringPorts {
///         /// Left flange.
///         flange_a: flange,
///         /// Right flange.
///         flange_b: flange,
///         /// Length of the spring in m.
///         length: quantity = "L",
///     }
/// }
/// ```
#[macro_export]
macro_rules! ports {
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
    (@type flange) => { $crate::assembly::Flange };
    (@type translational_flange) => { $crate::assembly::TranslationalFlange };
    (@type frame) => { $crate::assembly::Frame };
    (@type heat_port) => { $crate::assembly::HeatPort };
    (@type input) => { $crate::assembly::Input };
    (@type inputs) => { [$crate::assembly::Input; 3] };
    (@type quantity) => { $crate::assembly::Quantity };
    (@type vector) => { [$crate::assembly::Quantity; 3] };
    (@type matrix) => { [$crate::assembly::Quantity; 9] };
    ($(#[$attribute:meta])* pub struct $Ports:ident {
        $($(#[$of_field:meta])* $field:ident: $kind:ident $(= $name:literal)?),* $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Ports {
            $($(#[$of_field])* pub $field: $crate::ports!(@type $kind),)*
        }

        impl From<$crate::assembly::At> for $Ports {
            fn from(at: $crate::assembly::At) -> Self {
                $Ports { $($field: at.$kind($crate::ports!(@name $field $($name)?)),)* }
            }
        }
    };
}

/// Declares methods that set optional parameters: each takes whatever can become the value of the
/// field of its name.
///
/// ```
/// #[derive(Clone, Debug)]
/// pub struct Spring {
///     c: f64,
///     phi_rel0: f64,
/// }
///
/// mechanics::setters! {
///     impl Spring {
///         /// Unstretched angle in rad.
///         phi_rel0: f64,
///     }
/// }
/// ```
#[macro_export]
macro_rules! setters {
    (impl $Component:ident { $($(#[$attribute:meta])* $field:ident: $Type:ty),* $(,)? }) => {
        impl $Component {
            $($(#[$attribute])*
            #[must_use]
            pub fn $field(mut self, $field: impl Into<$Type>) -> Self {
                self.$field = $field.into();
                self
            })*
        }
    };
}
