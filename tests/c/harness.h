/* Shared parts of the harness: a program that loads an FMU's library and makes the calls in its standard input. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stddef.h>
#include <stdio.h>

#include "fmi2FunctionTypes.h"

/* The 44 functions of FMI 2.0, without their prefix. */
#define FUNCTIONS(X)                                                                               \
    X(GetTypesPlatform) X(GetVersion) X(SetDebugLogging) X(Instantiate) X(FreeInstance)            \
    X(SetupExperiment) X(EnterInitializationMode) X(ExitInitializationMode) X(Terminate) X(Reset)  \
    X(GetReal) X(GetInteger) X(GetBoolean) X(GetString)                                            \
    X(SetReal) X(SetInteger) X(SetBoolean) X(SetString)                                            \
    X(GetFMUstate) X(SetFMUstate) X(FreeFMUstate)                                                  \
    X(SerializedFMUstateSize) X(SerializeFMUstate) X(DeSerializeFMUstate)                          \
    X(GetDirectionalDerivative)                                                                    \
    X(EnterEventMode) X(NewDiscreteStates) X(EnterContinuousTimeMode) X(CompletedIntegratorStep)   \
    X(SetTime) X(SetContinuousStates) X(GetDerivatives) X(GetEventIndicators)                      \
    X(GetContinuousStates) X(GetNominalsOfContinuousStates)                                        \
    X(SetRealInputDerivatives) X(GetRealOutputDerivatives) X(DoStep) X(CancelStep)                 \
    X(GetStatus) X(GetRealStatus) X(GetIntegerStatus) X(GetBooleanStatus) X(GetStringStatus)

/* The loaded library; a function that it lacks is NULL. */
struct library {
    void *handle;
#define X(name) fmi2##name##TYPE *name;
    FUNCTIONS(X)
#undef X
};
extern struct library fmu;

/* allocations.c: counts the allocations of the library between enter() and leave(), per thread, and the bytes in use by all threads. */
void enter(void);
void leave(void);
long allocations_taken(void);
long bytes_in_use(void);

/* process.c: the state of the process that a call must not change, compared also before and after the logger. */
void before(void);
void after(void);
void watch(int on);
void print_changes(FILE *out);
void compute(int mode);
void print_resources(FILE *out);
fmi2Status cycle(int fmu_type, const char *guid, const char *uri, size_t count);
fmi2Status reset_again(fmi2Component c, size_t count);

/* Makes one call into the library. */
#define CALL(result, call) (before(), enter(), (result) = (call), leave(), after())

/* instances.c: instantiation and the logger. */
enum callbacks { CALLBACKS_NONE, CALLBACKS_SILENT, CALLBACKS_ALL };
fmi2Component instantiate(int number, int fmu_type, const char *name, const char *guid, const char *uri,
                          enum callbacks callbacks, int visible, int logging);
void print_log(FILE *out);
long memory_callbacks_taken(void);

/* inputs.c: inputs that move in triangles around a base value, with a period in s. */
struct inputs {
    size_t n;
    double period;
    const fmi2ValueReference *vr;
    const double *base, *amplitude;
};
double input_at(const struct inputs *inputs, size_t i, double t);
fmi2Status set_inputs(fmi2Component c, const struct inputs *inputs, double t);
fmi2Status set_inputs_of_step(fmi2Component c, const struct inputs *inputs, double t, double h);

/* loops.c: whole simulations. All return the worst status. */
struct rows {
    double *values;
    size_t rows, columns;
    long events;
};
fmi2Status run_cs(fmi2Component c, double start, double h, size_t steps,
                  const fmi2ValueReference *vr, size_t n, const struct inputs *inputs,
                  struct rows *rows);
fmi2Status time_cs(fmi2Component c, double start, double h, size_t steps, fmi2ValueReference vr,
                   double *nanoseconds_per_step);
double time_start(int fmu_type, const char *guid, const char *uri, size_t repetitions);
long threads_that_differ(int threads, const char *guid, const char *uri, double h, size_t steps,
                         const fmi2ValueReference *vr, size_t n);

/* importers.c: Model Exchange with the habits of the named importer; fmi2Fatal if there is none. */
fmi2Status run_as(const char *name, fmi2Component c, double start, double h, size_t steps, size_t nx,
                  size_t nz, const fmi2ValueReference *vr, size_t n, const struct inputs *inputs,
                  struct rows *rows);

/* null_pointers.c */
long null_pointers(fmi2Component c, long *refused);
fmi2Status life_on_a_stack(size_t bytes, int fmu_type, const char *guid, const char *uri,
                           const fmi2ValueReference *vr, size_t n);

/* moving.c */
long moved_that_differ(int threads, int count, const char *guid, const char *uri, double h,
                       size_t steps, const fmi2ValueReference *vr, size_t n);

#endif
