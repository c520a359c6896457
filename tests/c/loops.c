/* Whole simulations: a Co-Simulation master, a Model Exchange integrator, and time measurements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness.h"

/* Remembers the worst status of a simulation. */
static fmi2Status worst;
#define TRY(call)                              \
    do {                                       \
        fmi2Status status_;                    \
        CALL(status_, call);                   \
        if (status_ > worst) worst = status_;  \
    } while (0)

static void record(fmi2Component c, const fmi2ValueReference *vr, size_t n, struct rows *rows) {
    TRY(fmu.GetReal(c, vr, n, rows->values + rows->rows * n));
    ++rows->rows;
}

static void make_rows(struct rows *rows, size_t count, size_t columns) {
    *rows = (struct rows){.values = calloc(count * columns + 1, sizeof(double)), .columns = columns};
}

/* Communication points are start + i h, and a step is the difference of two of them, as in FMPy. */
fmi2Status run_cs(fmi2Component c, double start, double h, size_t steps,
                  const fmi2ValueReference *vr, size_t n, const struct inputs *inputs,
                  struct rows *rows) {
    worst = fmi2OK;
    make_rows(rows, steps + 1, n);
    record(c, vr, n, rows);
    for (size_t i = 0; i < steps && worst <= fmi2Warning; ++i) {
        double t = start + (double)i * h, next = start + (double)(i + 1) * h;
        fmi2Status set = set_inputs_of_step(c, inputs, t, next - t);
        if (set > worst) worst = set;
        TRY(fmu.DoStep(c, t, next - t, fmi2True));
        if (worst <= fmi2Warning) record(c, vr, n, rows);
    }
    return worst;
}

/* The state of the Model Exchange integrator. */
struct integrator {
    fmi2Component c;
    size_t nx, nz;
    double t, next_time_event;
    double *x, *x0, *k[4], *z, *z0;
};

static void derivatives(struct integrator *s, double t, const double *x, double *k) {
    TRY(fmu.SetTime(s->c, t));
    TRY(fmu.SetContinuousStates(s->c, x, s->nx));
    TRY(fmu.GetDerivatives(s->c, k, s->nx));
}

/* Makes one step of the classical Runge-Kutta method from (t, x0) to x; the FMU is then at its end. */
static void step(struct integrator *s, double h) {
    static const double node[4] = {0.0, 0.5, 0.5, 1.0};
    for (int stage = 0; stage < 4; ++stage) {
        for (size_t i = 0; i < s->nx; ++i)
            s->x[i] = s->x0[i] + (stage ? h * node[stage] * s->k[stage - 1][i] : 0.0);
        derivatives(s, s->t + h * node[stage], s->x, s->k[stage]);
    }
    for (size_t i = 0; i < s->nx; ++i)
        s->x[i] = s->x0[i]
                + h / 6.0 * (s->k[0][i] + 2.0 * s->k[1][i] + 2.0 * s->k[2][i] + s->k[3][i]);
    TRY(fmu.SetTime(s->c, s->t + h));
    TRY(fmu.SetContinuousStates(s->c, s->x, s->nx));
    TRY(fmu.GetEventIndicators(s->c, s->z, s->nz));
}

/* An indicator has two domains: z > 0 and z <= 0. */
static int crossed(const struct integrator *s) {
    for (size_t i = 0; i < s->nz; ++i)
        if ((s->z[i] > 0.0) != (s->z0[i] > 0.0)) return 1;
    return 0;
}

static void handle_events(struct integrator *s) {
    fmi2EventInfo info;
    int passes = 0;
    do {
        memset(&info, 0xAA, sizeof info);
        TRY(fmu.NewDiscreteStates(s->c, &info));
    } while (info.newDiscreteStatesNeeded && worst <= fmi2Warning && ++passes < 1000);
    TRY(fmu.EnterContinuousTimeMode(s->c));
    TRY(fmu.GetContinuousStates(s->c, s->x0, s->nx));
    TRY(fmu.GetEventIndicators(s->c, s->z0, s->nz));
    s->next_time_event = info.nextEventTimeDefined ? info.nextEventTime : INFINITY;
}

/* Advances to `end` in one step, or to the first event before it; returns whether there was one. */
static int advance(struct integrator *s, double end) {
    int time_event = s->next_time_event <= end;
    if (time_event) end = s->next_time_event;
    double h = end - s->t;
    step(s, h);
    int state_event = crossed(s);
    if (state_event) {
        double before = 0.0, after = h;
        for (int i = 0; i < 60 && s->t + before < s->t + after; ++i) {
            double middle = 0.5 * (before + after);
            step(s, middle);
            *(crossed(s) ? &after : &before) = middle;
        }
        step(s, after);
        h = after;
        time_event = time_event && s->t + h >= s->next_time_event;
    }
    s->t = state_event ? s->t + h : end;
    TRY(fmu.SetTime(s->c, s->t));
    fmi2Boolean enter_event_mode, terminate;
    TRY(fmu.CompletedIntegratorStep(s->c, fmi2True, &enter_event_mode, &terminate));
    memcpy(s->x0, s->x, s->nx * sizeof(double));
    memcpy(s->z0, s->z, s->nz * sizeof(double));
    return time_event || state_event || enter_event_mode;
}

fmi2Status run_me(fmi2Component c, double start, double h, size_t steps, size_t nx, size_t nz,
                  const fmi2ValueReference *vr, size_t n, struct rows *rows) {
    worst = fmi2OK;
    make_rows(rows, steps + 1, n);
    double *memory = calloc(6 * nx + 2 * nz + 1, sizeof(double));
    struct integrator s = {.c = c, .nx = nx, .nz = nz, .t = start};
    s.x = memory, s.x0 = memory + nx, s.z = memory + 6 * nx, s.z0 = s.z + nz;
    for (int i = 0; i < 4; ++i) s.k[i] = memory + (size_t)(2 + i) * nx;
    handle_events(&s);
    record(c, vr, n, rows);
    for (size_t i = 1; i <= steps && worst <= fmi2Warning; ++i) {
        double end = start + (double)i * h;
        while (s.t < end && worst <= fmi2Warning)
            if (advance(&s, end)) {
                TRY(fmu.EnterEventMode(c));
                handle_events(&s);
                ++rows->events;
            }
        record(c, vr, n, rows);
    }
    free(memory);
    return worst;
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

fmi2Status time_cs(fmi2Component c, double start, double h, size_t steps, fmi2ValueReference vr,
                   double *nanoseconds_per_step) {
    double value, begin = nanoseconds();
    for (size_t i = 0; i < steps; ++i) {
        fmi2Status status = fmu.DoStep(c, start + (double)i * h, h, fmi2True);
        if (status > fmi2Warning) return status;
        fmu.GetReal(c, &vr, 1, &value);
    }
    *nanoseconds_per_step = (nanoseconds() - begin) / (double)steps;
    return fmi2OK;
}

/* The time in ns from fmi2Instantiate to the end of initialization: the shortest of the repetitions. */
double time_start(int fmu_type, const char *guid, const char *uri, size_t repetitions) {
    fmi2CallbackFunctions functions = {0};
    double shortest = INFINITY;
    for (size_t i = 0; i < repetitions; ++i) {
        double begin = nanoseconds();
        fmi2Component c =
            fmu.Instantiate("bench", (fmi2Type)fmu_type, guid, uri, &functions, fmi2False, fmi2False);
        if (!c) return NAN;
        fmu.SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0);
        fmu.EnterInitializationMode(c);
        fmi2Status status = fmu.ExitInitializationMode(c);
        double elapsed = nanoseconds() - begin;
        fmu.FreeInstance(c);
        if (status > fmi2Warning) return NAN;
        if (elapsed < shortest) shortest = elapsed;
    }
    return shortest;
}
