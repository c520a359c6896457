/* Inputs that move in triangles, in the same way for all integrators. */
#include <math.h>
#include <stdlib.h>

#include "harness.h"

/* Goes from 0 up to 1, down to -1 and back to 0 within a period. */
static double triangle(double turns) {
    double place = turns - floor(turns + 0.25);
    return place < 0.25 ? 4.0 * place : 2.0 - 4.0 * place;
}

double input_at(const struct inputs *inputs, size_t i, double t) {
    return inputs->base[i] + inputs->amplitude[i] * triangle(t / inputs->period);
}

fmi2Status set_inputs(fmi2Component c, const struct inputs *inputs, double t) {
    fmi2Status status = fmi2OK;
    for (size_t i = 0; i < inputs->n && status <= fmi2Warning; ++i) {
        double value = input_at(inputs, i, t);
        CALL(status, fmu.SetReal(c, &inputs->vr[i], 1, &value));
    }
    return status;
}

/* Sets the values at the beginning of a communication step, and the slopes that lead to the values at its end. */
fmi2Status set_inputs_of_step(fmi2Component c, const struct inputs *inputs, double t, double h) {
    fmi2Status status = set_inputs(c, inputs, t);
    fmi2Integer first = 1;
    for (size_t i = 0; i < inputs->n && status <= fmi2Warning; ++i) {
        double slope = (input_at(inputs, i, t + h) - input_at(inputs, i, t)) / h;
        CALL(status, fmu.SetRealInputDerivatives(c, &inputs->vr[i], 1, &first, &slope));
    }
    return status;
}
