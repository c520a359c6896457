//! Sources whose values are expressions of other variables of the model.

use equations::{Bool, Ex, substitute};
use mechanics::declaration::{plain_settings, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;
use std::fmt;
use std::rc::Rc;

/// Declares a source whose value is computed by a closure.
macro_rules! expressions {
    ($(
        $(#[$($line:tt)*])*
        $Block:ident($Parameters:ident, $Law:ident): $kind:ident, $type:ty,
        $output:ident($by:ident, $value:ident) = $completed:expr;
    )*) => { $(
        /// A closure that computes a value through the view of a law.
        #[derive(Clone)]
        pub struct $Law(Rc<dyn Fn(&mut SignalView<'_>) -> Result<$type, Error>>);

        impl fmt::Debug for $Law {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a closure")
            }
        }

        plain_settings! { $Law }

        component! {
            $(#[$($line)*])*
            ///
            /// # Equations
            /// `y` is the value that the closure returns. It reads variables of the model by
            /// [`SignalView::value`]; parameters of the model are values already.
            pub struct $Block {
                /// The closure
                expression: $Law,
            }
            variables {
                /// Value of the expression
                y: $kind,
            }
        }

        impl $Block {
            /// The source with the value that a closure computes.
            pub fn of(
                expression: impl Fn(&mut SignalView<'_>) -> Result<$type, Error> + 'static,
            ) -> $Block {
                $Block::new().expression($Law(Rc::new(expression)))
            }
        }

        impl Component for $Block {
            fn contribute(p: $Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
                // Parameters of the model are placeholders in its text.
                let $by = c.model_parameters().to_vec();
                c.$output("y", move |e| {
                    let $value = (p.expression.0)(e)?;
                    // The closure may have declared relations.
                    e.model().substitute(&$by);
                    Ok($completed)
                });
                Ok(())
            }
        }
    )* };
}

expressions! {
    /// Real expression of other variables.
    RealExpression(RealExpressionParameters, RealLaw): Real, Ex,
        output(by, value) = substitute(&[value], &by)[0];

    /// Integer expression of other variables, whose value must be a whole number.
    IntegerExpression(IntegerExpressionParameters, IntegerLaw): Integer, Ex,
        integer_output(by, value) = substitute(&[value], &by)[0];

    /// Boolean expression of other variables.
    BooleanExpression(BooleanExpressionParameters, BooleanLaw): Boolean, Bool,
        boolean_output(by, value) = substitute(&[value.as_ex()], &by)[0].is_true();
}
