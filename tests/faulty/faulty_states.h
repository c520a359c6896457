/* The states of the FMU, and its directional derivatives. */

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    if (FAULT == EARLY_STATE && of(c)->initialized == 0) return refuse(c);
    if (FAULT == NO_REFILL && *state != NULL) return refuse(c);
    if (*state == NULL) *state = malloc(sizeof(values));
    memcpy(*state, of(c), sizeof(values));
    static int calls;
    if (FAULT == STATE_STATUS) return (fmi2Status)(7 + calls++);
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    double x = of(c)->x, t = of(c)->t;
    if ((FAULT == ONCE_SET || FAULT == RANDOM_ONCE_SET) && ((instance *)c)->looks++ > 0) return refuse(c);
    memcpy(of(c), state, sizeof(values));
    if (FAULT == STATE) of(c)->x = x;
    if (FAULT == IMPORTERS_TIME && ((instance *)c)->type == fmi2ModelExchange) of(c)->t = t;
    if (FAULT == NEAR_STATE && ((instance *)c)->type == fmi2CoSimulation) of(c)->x *= 1.005;
    if (FAULT == RESTART) of(c)->x *= 1.0 + 1e-13;
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    free(*state);
    if (FAULT != NOT_NULLED) *state = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    (void)c, (void)state;
    *size = sizeof(values);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    (void)c;
    memcpy(bytes, state, size);
    if (FAULT == SIZE) bytes[size] = 0;
    if (FAULT == BYTES) memset(bytes + offsetof(values, x), 0, sizeof(double));
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    *state = malloc(size);
    memcpy(*state, bytes, size);
    if (FAULT == EFFECTIVE) memcpy(of(c), bytes, size);
    return fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t n_unknowns, const fmi2ValueReference knowns[],
                                        size_t n_knowns, const fmi2Real seed[], fmi2Real sensitivity[]) {
    if (FAULT == NO_INITIAL_DERIVATIVE && of(c)->initialized == 1) return refuse(c);
    for (size_t i = 0; i < n_unknowns; i++) {
        if (FAULT != UNWRITTEN_DERIVATIVE) sensitivity[i] = 0.0;
        for (size_t k = 0; k < n_knowns; k++) {
            double d = 0.0;
            if (unknowns[i] == DER_X) d = knowns[k] == X ? -10.0 : 10.0;
            if (unknowns[i] == Y && knowns[k] == X) d = 2.0;
            if (unknowns[i] == Y && knowns[k] == U && FAULT == GHOST) d = 1.0;
            if (FAULT == CLOCKED && unknowns[i] == CLOCK_TIME) d = clock_time();
            if (FAULT == BEND && unknowns[i] == DER_X && knowns[k] == X) d += 2.0 * of(c)->x;
            if (FAULT == DERIVATIVE) d = -d;
            sensitivity[i] += d * (FAULT == SEED ? 1.0 : seed[k]);
            if (FAULT == DIFFERENCES && d != 0.0) sensitivity[i] += 1e-7 * seed[k] * seed[k];
        }
    }
    return fmi2OK;
}
