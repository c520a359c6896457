/* Reads one call per line from standard input and answers each with one line.
 *
 * A Real is written as the 16 hexadecimal digits of its bits. A string is `-` (NULL) or `=` followed
 * by its text with blanks and percent signs percent-encoded. An instance or an FMU state is a small
 * number that the script chooses; the instance `-` is NULL, `3+4` lies four bytes behind the third.
 * The answer to a call is its status followed by what it returned.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

#define INSTANCES 4096
#define STATES 4096
#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

struct library fmu;
static fmi2Component instances[INSTANCES];
static fmi2FMUstate states[STATES];
static FILE *answer;
static char *rest; /* the part of the present line that has not been read */

static _Noreturn void refuse(const char *what) {
    fprintf(stderr, "harness: %s\n", what);
    exit(3);
}

static char *word(void) {
    while (*rest == ' ') ++rest;
    char *start = rest;
    while (*rest && *rest != ' ') ++rest;
    if (*rest) *rest++ = 0;
    return start;
}

static long number(void) { return strtol(word(), NULL, 10); }

static double real(void) {
    uint64_t bits = strtoull(word(), NULL, 16);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void say_real(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fprintf(answer, " %016llx", (unsigned long long)bits);
}

static const char *text(void) {
    char *from = word();
    if (*from != '=') return NULL;
    char *start = ++from, *to = from;
    for (; *from; ++from)
        if (*from == '%') {
            char hex[3] = {from[1], from[2], 0};
            *to++ = (char)strtol(hex, NULL, 16);
            from += 2;
        } else {
            *to++ = *from;
        }
    *to = 0;
    return start;
}

static fmi2Component instance(void) {
    char *name = word();
    if (*name == '-') return NULL;
    char *end;
    long i = strtol(name, &end, 10);
    if (i < 0 || i >= INSTANCES) refuse("instance number out of range");
    /* There is no instance some bytes away from one. */
    return *end ? (char *)instances[i] + strtol(end, NULL, 10) : instances[i];
}

static fmi2FMUstate *state(void) {
    char *name = word();
    long i = strtol(name, NULL, 10);
    if (i < 0 || i >= STATES) refuse("state number out of range");
    return &states[i];
}

/* Memory for one command; freed when the next one is read. */
static void *blocks[16];
static size_t used;

static void *memory(size_t count, size_t size) {
    if (used == LENGTH(blocks)) refuse("too many arrays in one command");
    return blocks[used++] = calloc(count + 1, size);
}

#define ARRAY(type, name, count, item)                                  \
    type *name = memory(count, sizeof(type));                           \
    for (size_t i_ = 0; i_ < (size_t)(count); ++i_) name[i_] = (type)(item)

static void say_reals(const double *values, size_t n) {
    for (size_t i = 0; i < n; ++i) say_real(values[i]);
}

static void say_integers(const int *values, size_t n) {
    for (size_t i = 0; i < n; ++i) fprintf(answer, " %d", values[i]);
}

static void say_status(fmi2Status status) { fprintf(answer, "%d", (int)status); }

/* The answer to most commands. */
#define STATUS(call)          \
    fmi2Status status;        \
    CALL(status, call);       \
    say_status(status)

static void load(void) {
    fmu.handle = dlopen(word(), RTLD_NOW | RTLD_LOCAL);
    if (!fmu.handle) {
        fprintf(answer, "1 %s", dlerror());
        return;
    }
    fputs("0", answer);
#define X(name)                                                             \
    *(void **)&fmu.name = dlsym(fmu.handle, "fmi2" #name);                  \
    if (!fmu.name) fputs(" fmi2" #name, answer);
    FUNCTIONS(X)
#undef X
}

static void unload(void) {
    fprintf(answer, "%d", dlclose(fmu.handle));
    memset(&fmu, 0, sizeof fmu);
}

static void platform(void) {
    fprintf(answer, "0 %s %s", fmu.GetTypesPlatform(), fmu.GetVersion());
}

static void make(void) {
    long i = number();
    int fmu_type = (int)number();
    const char *name = text(), *guid = text(), *uri = text();
    enum callbacks callbacks = (enum callbacks)number();
    int visible = (int)number(), logging = (int)number();
    instances[i] = instantiate((int)i, fmu_type, name, guid, uri, callbacks, visible, logging);
    fprintf(answer, "%d", instances[i] == NULL);
}

static void release(void) {
    fmi2Component c = instance();
    before();
    enter();
    fmu.FreeInstance(c);
    leave();
    after();
    fputs("0", answer);
}

static void setup(void) {
    fmi2Component c = instance();
    int tolerance_defined = (int)number();
    double tolerance = real(), start = real();
    int stop_defined = (int)number();
    double stop = real();
    STATUS(fmu.SetupExperiment(c, tolerance_defined, tolerance, start, stop_defined, stop));
}

#define PLAIN(name, function)                \
    static void name(void) {                 \
        fmi2Component c = instance();        \
        STATUS(fmu.function(c));             \
    }
PLAIN(enter_initialization, EnterInitializationMode)
PLAIN(exit_initialization, ExitInitializationMode)
PLAIN(terminate, Terminate)
PLAIN(reset, Reset)
PLAIN(enter_event, EnterEventMode)
PLAIN(enter_continuous, EnterContinuousTimeMode)
PLAIN(cancel, CancelStep)

#define GETTER(name, function, type, say)                      \
    static void name(void) {                                   \
        fmi2Component c = instance();                          \
        size_t n = (size_t)number();                           \
        ARRAY(fmi2ValueReference, vr, n, number());            \
        type *values = memory(n, sizeof(type));                \
        STATUS(fmu.function(c, n ? vr : NULL, n, n ? values : NULL)); \
        say(values, n);                                        \
    }
GETTER(get_real, GetReal, double, say_reals)
GETTER(get_integer, GetInteger, int, say_integers)
GETTER(get_boolean, GetBoolean, int, say_integers)

#define SETTER(name, function, type, item)                     \
    static void name(void) {                                   \
        fmi2Component c = instance();                          \
        size_t n = (size_t)number();                           \
        ARRAY(fmi2ValueReference, vr, n, number());            \
        ARRAY(type, values, n, item());                        \
        STATUS(fmu.function(c, n ? vr : NULL, n, n ? values : NULL)); \
    }
SETTER(set_real, SetReal, double, real)
SETTER(set_integer, SetInteger, int, number)
SETTER(set_boolean, SetBoolean, int, number)

static void get_string(void) {
    fmi2Component c = instance();
    size_t n = (size_t)number();
    ARRAY(fmi2ValueReference, vr, n, number());
    fmi2String *values = memory(n, sizeof *values);
    STATUS(fmu.GetString(c, vr, n, values));
}

static void set_string(void) {
    fmi2Component c = instance();
    size_t n = (size_t)number();
    ARRAY(fmi2ValueReference, vr, n, number());
    ARRAY(fmi2String, values, n, text());
    STATUS(fmu.SetString(c, vr, n, values));
}

static void get_state(void) {
    fmi2Component c = instance();
    fmi2FMUstate *s = state();
    STATUS(fmu.GetFMUstate(c, s));
}

static void set_state(void) {
    fmi2Component c = instance();
    fmi2FMUstate *s = state();
    STATUS(fmu.SetFMUstate(c, *s));
}

static void free_state(void) {
    fmi2Component c = instance();
    fmi2FMUstate *s = state();
    STATUS(fmu.FreeFMUstate(c, s));
    fprintf(answer, " %d", *s == NULL);
}

static void serialize(void) {
    fmi2Component c = instance();
    fmi2FMUstate *s = state();
    const char *path = text();
    size_t size = 0;
    STATUS(fmu.SerializedFMUstateSize(c, *s, &size));
    if (status != fmi2OK) return;
    char *bytes = memory(size, 1);
    CALL(status, fmu.SerializeFMUstate(c, *s, bytes, size));
    fprintf(answer, " %d %zu", (int)status, size);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) refuse("cannot write a state");
}

static void deserialize(void) {
    fmi2Component c = instance();
    fmi2FMUstate *s = state();
    FILE *file = fopen(text(), "rb");
    if (!file) refuse("cannot read a state");
    struct stat information;
    fstat(fileno(file), &information);
    size_t size = (size_t)information.st_size;
    char *bytes = memory(size, 1);
    if (fread(bytes, 1, size, file) != size) refuse("cannot read a state");
    fclose(file);
    STATUS(fmu.DeSerializeFMUstate(c, bytes, size, s));
}

static void directional(void) {
    fmi2Component c = instance();
    size_t unknowns = (size_t)number();
    ARRAY(fmi2ValueReference, unknown, unknowns, number());
    size_t knowns = (size_t)number();
    ARRAY(fmi2ValueReference, known, knowns, number());
    ARRAY(double, seed, knowns, real());
    /* The previous content of the array must not matter. */
    ARRAY(double, values, unknowns, NAN);
    STATUS(fmu.GetDirectionalDerivative(c, unknown, unknowns, known, knowns, seed, values));
    say_reals(values, unknowns);
}

/* The fields are filled with invalid values beforehand, so that an unwritten one is detected. */
static void new_discrete_states(void) {
    fmi2Component c = instance();
    fmi2EventInfo info;
    memset(&info, 0xAA, sizeof info);
    STATUS(fmu.NewDiscreteStates(c, &info));
    fprintf(answer, " %d %d %d %d %d", info.newDiscreteStatesNeeded, info.terminateSimulation,
            info.nominalsOfContinuousStatesChanged, info.valuesOfContinuousStatesChanged,
            info.nextEventTimeDefined);
    say_real(info.nextEventTimeDefined ? info.nextEventTime : 0.0);
}

static void completed(void) {
    fmi2Component c = instance();
    fmi2Boolean enter_event_mode = 77, terminate_simulation = 77;
    STATUS(fmu.CompletedIntegratorStep(c, fmi2True, &enter_event_mode, &terminate_simulation));
    fprintf(answer, " %d %d", enter_event_mode, terminate_simulation);
}

static void set_time(void) {
    fmi2Component c = instance();
    double t = real();
    STATUS(fmu.SetTime(c, t));
}

static void set_states(void) {
    fmi2Component c = instance();
    size_t n = (size_t)number();
    ARRAY(double, x, n, real());
    STATUS(fmu.SetContinuousStates(c, n ? x : NULL, n));
}

#define VECTOR(name, function)                           \
    static void name(void) {                             \
        fmi2Component c = instance();                    \
        size_t n = (size_t)number();                     \
        double *values = memory(n, sizeof *values);      \
        STATUS(fmu.function(c, n ? values : NULL, n));   \
        say_reals(values, n);                            \
    }
VECTOR(get_derivatives, GetDerivatives)
VECTOR(get_indicators, GetEventIndicators)
VECTOR(get_states, GetContinuousStates)
VECTOR(get_nominals, GetNominalsOfContinuousStates)

static void set_input_derivatives(void) {
    fmi2Component c = instance();
    size_t n = (size_t)number();
    ARRAY(fmi2ValueReference, vr, n, number());
    ARRAY(fmi2Integer, order, n, number());
    ARRAY(double, values, n, real());
    STATUS(fmu.SetRealInputDerivatives(c, vr, n, order, values));
}

static void get_output_derivatives(void) {
    fmi2Component c = instance();
    size_t n = (size_t)number();
    ARRAY(fmi2ValueReference, vr, n, number());
    ARRAY(fmi2Integer, order, n, number());
    double *values = memory(n, sizeof *values);
    STATUS(fmu.GetRealOutputDerivatives(c, vr, n, order, values));
    say_reals(values, n);
}

static void do_step(void) {
    fmi2Component c = instance();
    double t = real(), h = real();
    STATUS(fmu.DoStep(c, t, h, fmi2True));
}

/* Answers with the statuses of the five functions, then the last successful time and `terminated`. */
static void do_step_status(void) {
    fmi2Component c = instance();
    fmi2Status value = fmi2Fatal;
    double time = 0.0;
    int integer = 0, terminated = 0;
    fmi2String string = NULL;
    STATUS(fmu.GetStatus(c, fmi2DoStepStatus, &value));
    CALL(status, fmu.GetRealStatus(c, fmi2LastSuccessfulTime, &time));
    fprintf(answer, " %d", (int)status);
    CALL(status, fmu.GetIntegerStatus(c, fmi2PendingStatus, &integer));
    fprintf(answer, " %d", (int)status);
    CALL(status, fmu.GetBooleanStatus(c, fmi2Terminated, &terminated));
    fprintf(answer, " %d", (int)status);
    CALL(status, fmu.GetStringStatus(c, fmi2PendingStatus, &string));
    fprintf(answer, " %d %d", (int)status, (int)value);
    say_real(time);
    fprintf(answer, " %d", terminated);
}

static void debug_logging(void) {
    fmi2Component c = instance();
    int on = (int)number();
    size_t n = (size_t)number();
    ARRAY(fmi2String, categories, n, text());
    STATUS(fmu.SetDebugLogging(c, on, n, n ? categories : NULL));
}

static void say_rows(fmi2Status status, struct rows *rows) {
    say_status(status);
    fprintf(answer, " %ld %zu", rows->events, rows->rows);
    say_reals(rows->values, rows->rows * rows->columns);
    free(rows->values);
}

/* The moving inputs at the end of a command; there are none if nothing is given. */
static struct inputs moving_inputs(void) {
    size_t n = (size_t)number();
    double period = real();
    ARRAY(fmi2ValueReference, vr, n, number());
    ARRAY(double, base, n, real());
    ARRAY(double, amplitude, n, real());
    return (struct inputs){n, period, vr, base, amplitude};
}

static void simulate_cs(void) {
    fmi2Component c = instance();
    double start = real(), h = real();
    size_t steps = (size_t)number(), n = (size_t)number();
    ARRAY(fmi2ValueReference, vr, n, number());
    struct inputs inputs = moving_inputs();
    struct rows rows;
    fmi2Status status = run_cs(c, start, h, steps, vr, n, &inputs, &rows);
    say_rows(status, &rows);
}

/* The name of the importer follows the instance. */
static void simulate_as(void) {
    fmi2Component c = instance();
    const char *name = word();
    double start = real(), h = real();
    size_t steps = (size_t)number(), nx = (size_t)number(), nz = (size_t)number();
    size_t n = (size_t)number();
    ARRAY(fmi2ValueReference, vr, n, number());
    struct inputs inputs = moving_inputs();
    struct rows rows;
    fmi2Status status = run_as(name, c, start, h, steps, nx, nz, vr, n, &inputs, &rows);
    say_rows(status, &rows);
}

static void stop_watch(void) {
    fmi2Component c = instance();
    double start = real(), h = real(), elapsed = 0.0;
    size_t steps = (size_t)number();
    fmi2ValueReference vr = (fmi2ValueReference)number();
    say_status(time_cs(c, start, h, steps, vr, &elapsed));
    say_real(elapsed);
}

static void start_watch(void) {
    int fmu_type = (int)number();
    const char *guid = text(), *uri = text();
    fputs("0", answer);
    say_real(time_start(fmu_type, guid, uri, (size_t)number()));
}

static void threads(void) {
    int count = (int)number();
    const char *guid = text(), *uri = text();
    double h = real();
    size_t steps = (size_t)number(), n = (size_t)number();
    ARRAY(fmi2ValueReference, vr, n, number());
    fprintf(answer, "0 %ld", threads_that_differ(count, guid, uri, h, steps, vr, n));
}

static void moved(void) {
    int count = (int)number(), instances_at_once = (int)number();
    const char *guid = text(), *uri = text();
    double h = real();
    size_t steps = (size_t)number(), n = (size_t)number();
    ARRAY(fmi2ValueReference, vr, n, number());
    fprintf(answer, "0 %ld",
            moved_that_differ(count, instances_at_once, guid, uri, h, steps, vr, n));
}

static void watching(void) {
    watch((int)number());
    fputs("0", answer);
}

static void changed(void) {
    fputs("0", answer);
    print_changes(answer);
}

static void computing(void) {
    compute((int)number());
    fputs("0", answer);
}

static void resources(void) {
    fputs("0", answer);
    print_resources(answer);
}

static void cycles(void) {
    int fmu_type = (int)number();
    const char *guid = text(), *uri = text();
    say_status(cycle(fmu_type, guid, uri, (size_t)number()));
}

static void resets(void) {
    fmi2Component c = instance();
    say_status(reset_again(c, (size_t)number()));
}

static void without_pointers(void) {
    fmi2Component c = instance();
    long refused = 0, made = null_pointers(c, &refused);
    fprintf(answer, "0 %ld %ld", made, refused);
}

static void on_a_stack(void) {
    size_t bytes = (size_t)number();
    int fmu_type = (int)number();
    const char *guid = text(), *uri = text();
    size_t n = (size_t)number();
    ARRAY(fmi2ValueReference, vr, n, number());
    say_status(life_on_a_stack(bytes, fmu_type, guid, uri, vr, n));
}

static void taken(void) {
    fprintf(answer, "0 %ld %ld", allocations_taken(), memory_callbacks_taken());
}

/* The standard output is redirected to a file, so that output of a library is counted. */
static void printed(void) {
    struct stat information;
    fflush(stdout);
    fstat(1, &information);
    fprintf(answer, "0 %lld", (long long)information.st_size);
}

static void messages(void) { print_log(answer); }

static const struct {
    const char *name;
    void (*run)(void);
} commands[] = {
    {"load", load}, {"unload", unload}, {"platform", platform},
    {"instantiate", make}, {"free", release}, {"setup", setup},
    {"enter_initialization", enter_initialization}, {"exit_initialization", exit_initialization},
    {"terminate", terminate}, {"reset", reset},
    {"get_real", get_real}, {"get_integer", get_integer}, {"get_boolean", get_boolean},
    {"get_string", get_string}, {"set_real", set_real}, {"set_integer", set_integer},
    {"set_boolean", set_boolean}, {"set_string", set_string},
    {"get_state", get_state}, {"set_state", set_state}, {"free_state", free_state},
    {"serialize", serialize}, {"deserialize", deserialize}, {"directional", directional},
    {"enter_event", enter_event}, {"new_discrete_states", new_discrete_states},
    {"enter_continuous", enter_continuous}, {"completed", completed}, {"set_time", set_time},
    {"set_states", set_states}, {"get_derivatives", get_derivatives},
    {"get_indicators", get_indicators}, {"get_states", get_states}, {"get_nominals", get_nominals},
    {"set_input_derivatives", set_input_derivatives},
    {"get_output_derivatives", get_output_derivatives}, {"step", do_step}, {"cancel", cancel},
    {"status", do_step_status}, {"debug_logging", debug_logging},
    {"simulate_cs", simulate_cs}, {"simulate_as", simulate_as},
    {"stop_watch", stop_watch},
    {"start_watch", start_watch}, {"threads", threads}, {"taken", taken}, {"printed", printed},
    {"log", messages}, {"without_pointers", without_pointers}, {"moved", moved},
    {"on_a_stack", on_a_stack},
    {"watch", watching}, {"changed", changed}, {"compute", computing}, {"resources", resources},
    {"cycles", cycles}, {"resets", resets},
};

static void obey(const char *name) {
    for (size_t i = 0; i < LENGTH(commands); ++i)
        if (strcmp(commands[i].name, name) == 0) {
            commands[i].run();
            return;
        }
    refuse("unknown command");
}

int main(void) {
    answer = fdopen(dup(1), "w");
    FILE *sink = tmpfile();
    if (!answer || !sink || dup2(fileno(sink), 1) < 0) refuse("cannot redirect standard output");
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t length; (length = getline(&line, &capacity, stdin)) > 0;) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        rest = line;
        obey(word());
        fputc('\n', answer);
        fflush(answer);
        while (used) free(blocks[--used]);
    }
    return 0;
}
