/* Model Exchange with the habits of importers: each makes its own calls in its own order.
 *
 * The standard, OpenModelica, the pseudocode of the first text of FMI 2.0 and fmusim share the
 * integrator of integrator.c, with trial points and a root search that goes back in time; the FMU
 * Compliance Checker has Euler's method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "importer.h"

/* A call at the present point of the integration must not be discarded, because a smaller step is not possible there. */
static void must_not_be_discarded(struct importer *s) {
    if (s->discarded) note(s, fmi2Error);
}

void complete(struct importer *s) {
    fmi2Boolean enter_event_mode = fmi2False, terminate = fmi2False;
    TRY(fmu.CompletedIntegratorStep(s->c, fmi2True, &enter_event_mode, &terminate));
    s->requested = s->habit && s->habit->follows_requests && enter_event_mode;
}

static void read_signals(struct importer *s) { TRY(fmu.GetReal(s->c, s->vr, s->n, s->seen)); }

static void go_to(struct importer *s, double t, const double *x) {
    TRY(fmu.SetTime(s->c, t));
    note(s, set_inputs(s->c, s->inputs, t));
    TRY(fmu.SetContinuousStates(s->c, x, s->nx));
}

static fmi2EventInfo new_discrete_states(struct importer *s) {
    fmi2EventInfo info;
    memset(&info, 0xAA, sizeof info);
    TRY(fmu.NewDiscreteStates(s->c, &info));
    return info;
}

/* --- the standard, as most importers implement it --- */

static void plain_derivatives(struct importer *s, double t, const double *x, double *k) {
    go_to(s, t, x);
    TRY(fmu.GetDerivatives(s->c, k, s->nx));
}

static void plain_indicators(struct importer *s, double t, const double *x) {
    go_to(s, t, x);
    TRY(fmu.GetEventIndicators(s->c, s->z, s->nz));
}

/* --- OpenModelica --- */

/* One evaluation of all equations. While the importer assumes Event Mode, it uses the previous
 * content of the array as derivatives and completes no step. */
static void openmodelica_evaluate(struct importer *s, double t, const double *x, double *k) {
    go_to(s, t, x);
    if (k && !s->in_event_mode) TRY(fmu.GetDerivatives(s->c, k, s->nx));
    TRY(fmu.GetEventIndicators(s->c, s->z, s->nz));
    read_signals(s);
    if (!s->in_event_mode) complete(s);
}

/* It does not leave Event Mode, and iterates no event, before the first step. */
static void openmodelica_begin(struct importer *s) {
    s->in_event_mode = 1;
    TRY(fmu.GetContinuousStates(s->c, s->x, s->nx));
    note(s, set_inputs(s->c, s->inputs, s->t));
    TRY(fmu.SetContinuousStates(s->c, s->x, s->nx));
    TRY(fmu.GetEventIndicators(s->c, s->z, s->nz));
    read_signals(s);
    s->next_event = s->t;
}

static void openmodelica_indicators(struct importer *s, double t, const double *x) {
    openmodelica_evaluate(s, t, x, NULL);
}

/* One iteration, whatever its flags are; reads the next time event even if it is not defined. */
static void openmodelica_event(struct importer *s) {
    TRY(fmu.EnterEventMode(s->c));
    note(s, set_inputs(s->c, s->inputs, s->t));
    fmi2EventInfo info = new_discrete_states(s);
    TRY(fmu.EnterContinuousTimeMode(s->c));
    s->in_event_mode = 0;
    s->next_event = info.nextEventTime;
    if (info.valuesOfContinuousStatesChanged) TRY(fmu.GetContinuousStates(s->c, s->x, s->nx));
    openmodelica_evaluate(s, s->t, s->x, s->k[0]);
}

/* --- the pseudocode of FMI 2.0 before 2.0.2 --- */

/* The last result of an iteration is used for the whole iteration. */
static fmi2EventInfo iterate(struct importer *s) {
    fmi2EventInfo info;
    do info = new_discrete_states(s);
    while (info.newDiscreteStatesNeeded && !failed(s));
    TRY(fmu.EnterContinuousTimeMode(s->c));
    s->next_event = info.nextEventTimeDefined ? info.nextEventTime : INFINITY;
    return info;
}

static void plain_begin(struct importer *s) {
    iterate(s);
    TRY(fmu.GetContinuousStates(s->c, s->x, s->nx));
    TRY(fmu.GetDerivatives(s->c, s->k[0], s->nx));
    TRY(fmu.GetEventIndicators(s->c, s->z, s->nz));
}

static void pseudocode_event(struct importer *s) {
    TRY(fmu.EnterEventMode(s->c));
    note(s, set_inputs(s->c, s->inputs, s->t));
    if (iterate(s).valuesOfContinuousStatesChanged)
        TRY(fmu.GetContinuousStates(s->c, s->x, s->nx));
    plain_derivatives(s, s->t, s->x, s->k[0]);
    plain_indicators(s, s->t, s->x);
}

/* --- the standard --- */

/* Whatever the results say, all values are read again. */
static void standard_event(struct importer *s) {
    TRY(fmu.EnterEventMode(s->c));
    note(s, set_inputs(s->c, s->inputs, s->t));
    iterate(s);
    TRY(fmu.GetContinuousStates(s->c, s->x, s->nx));
    plain_derivatives(s, s->t, s->x, s->k[0]);
    plain_indicators(s, s->t, s->x);
}

/* --- fmusim --- */

/* Its solver continues without a restart, unless states changed. */
static void fmusim_event(struct importer *s) {
    TRY(fmu.EnterEventMode(s->c));
    if (iterate(s).valuesOfContinuousStatesChanged) {
        TRY(fmu.GetContinuousStates(s->c, s->x, s->nx));
        plain_derivatives(s, s->t, s->x, s->k[0]);
    }
    plain_indicators(s, s->t, s->x);
}

static const struct habit habits[] = {
    {"standard", plain_begin, plain_derivatives, plain_indicators, standard_event, 1, 0, 1, 1},
    {"OpenModelica", openmodelica_begin, openmodelica_evaluate, openmodelica_indicators,
     openmodelica_event, 0, 0, 0, 0},
    {"pseudocode", plain_begin, plain_derivatives, plain_indicators, pseudocode_event, 1, 0, 1, 0},
    {"fmusim", plain_begin, plain_derivatives, plain_indicators, fmusim_event, 0, 1, 1, 0},
};

/* --- whole runs --- */

static void keep_indicators(struct importer *s) { memcpy(s->z0, s->z, s->nz * sizeof *s->z); }

static void arrive(struct importer *s, double end) {
    while (s->t < end && !failed(s)) {
        int due = advance(s, end) || s->requested;
        keep_indicators(s);
        if (s->habit->completes_where_it_arrives && (due || s->t >= end)) complete(s);
        if (due) {
            ++s->events;
            s->discarded = 0;
            s->habit->event(s);
            leave_point(s);
            must_not_be_discarded(s);
            keep_indicators(s);
        }
    }
}

static void start(struct importer *s, double **memory) {
    double *next = *memory = calloc((4 + STAGES) * s->nx + 2 * s->nz + s->n + 1, sizeof *next);
    double **vectors[] = {&s->x, &s->next, &s->nominal, &s->k[0], &s->k[1], &s->k[2],
                          &s->k[3], &s->k[4], &s->k[5], &s->k[6]};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i, next += s->nx) *vectors[i] = next;
    s->z0 = next, s->z = s->z0 + s->nz, s->seen = s->z + s->nz;
    s->next_event = INFINITY;
    prepare(s);
}

static void keep_row(struct importer *s, struct rows *rows) {
    memcpy(rows->values + rows->rows++ * s->n, s->seen, s->n * sizeof *s->seen);
}

/* --- the FMU Compliance Checker --- */

/* Euler's method with fixed step. The first events, the comparison with the indicators of the last
 * event and the use of only the last result of an iteration are those of version 2.0.4. */
static fmi2Status run_as_checker(fmi2Component c, double t0, double h, size_t steps, size_t nx,
                                 size_t nz, const fmi2ValueReference *vr, size_t n,
                                 const struct inputs *inputs, struct rows *rows) {
    struct importer s_ = {.c = c, .nx = nx, .nz = nz, .n = n, .inputs = inputs, .vr = vr, .t = t0},
                    *s = &s_;
    *rows = (struct rows){.values = calloc((steps + 1) * n + 1, sizeof(double)), .columns = n};
    double *memory;
    start(s, &memory);
    iterate(s);
    TRY(fmu.GetContinuousStates(c, s->x, nx));
    TRY(fmu.GetEventIndicators(c, s->z0, nz));
    read_signals(s);
    keep_row(s, rows);
    for (size_t i = 1; i <= steps && !failed(s) && !s->discarded;) {
        TRY(fmu.GetDerivatives(c, s->k[0], nx));
        if (s->discarded) break;
        double end = t0 + (double)i * h;
        int due = s->next_event <= end;
        if (due) end = s->next_event;
        for (size_t j = 0; j < nx; ++j) s->x[j] += (end - s->t) * s->k[0][j];
        s->t = end;
        go_to(s, s->t, s->x);
        TRY(fmu.GetEventIndicators(c, s->z, nz));
        if (s->discarded) break;
        for (size_t j = 0; j < nz; ++j) due |= s->z[j] * s->z0[j] < 0.0;
        complete(s);
        if (due) {
            ++s->events;
            TRY(fmu.EnterEventMode(c));
            fmi2EventInfo info;
            do info = new_discrete_states(s);
            while (info.newDiscreteStatesNeeded && !failed(s));
            s->next_event = info.nextEventTimeDefined ? info.nextEventTime : INFINITY;
            if (info.valuesOfContinuousStatesChanged) TRY(fmu.GetContinuousStates(c, s->x, nx));
            TRY(fmu.GetEventIndicators(c, s->z0, nz));
            TRY(fmu.EnterContinuousTimeMode(c));
        }
        if (s->t < t0 + (double)i * h) continue;
        read_signals(s);
        keep_row(s, rows);
        ++i;
    }
    rows->events = s->events;
    free(memory);
    release(s);
    return s->discarded && !failed(s) ? fmi2Discard : s->worst;
}

fmi2Status run_as(const char *name, fmi2Component c, double t0, double h, size_t steps, size_t nx,
                  size_t nz, const fmi2ValueReference *vr, size_t n, const struct inputs *inputs,
                  struct rows *rows) {
    if (strcmp(name, "fmuCheck") == 0)
        return run_as_checker(c, t0, h, steps, nx, nz, vr, n, inputs, rows);
    const struct habit *habit = NULL;
    for (size_t i = 0; i < sizeof habits / sizeof *habits; ++i)
        if (strcmp(habits[i].name, name) == 0) habit = &habits[i];
    struct importer s_ = {.habit = habit, .c = c, .nx = nx, .nz = nz, .n = n, .inputs = inputs,
                          .vr = vr, .t = t0, .h = h * 1e-3}, *s = &s_;
    *rows = (struct rows){.values = calloc((steps + 1) * n + 1, sizeof(double)), .columns = n};
    if (!habit) return fmi2Fatal;
    double *memory;
    start(s, &memory);
    TRY(fmu.GetNominalsOfContinuousStates(c, s->nominal, nx));
    habit->begin(s);
    keep_indicators(s);
    read_signals(s);
    must_not_be_discarded(s);
    keep_row(s, rows);
    for (size_t i = 1; i <= steps && !failed(s); ++i) {
        arrive(s, t0 + (double)i * h);
        /* The last trial point was a different one. */
        s->discarded = 0;
        habit->indicators(s, s->t, s->x);
        read_signals(s);
        must_not_be_discarded(s);
        keep_row(s, rows);
    }
    rows->events = s->events;
    free(memory);
    release(s);
    return s->worst;
}
