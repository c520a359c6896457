/* A Co-Simulation master, and time measurements. */
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
