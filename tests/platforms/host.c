/* A small importer in C for any platform: simulates an FMU over its experiment, prints the bits of
 * values, saves its state or continues from a saved one, and loads the library again at the end.
 *
 *   host LIBRARY URI GUID save|continue FILE TOLERANCE STOP STEPS [r|i|b]REFERENCE.. [REFERENCE=VALUE]..
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2FunctionTypes.h"

#ifdef _WIN32
#include <windows.h>
static void *library(const char *path) { return (void *)LoadLibraryA(path); }
static void *symbol(void *from, const char *name) {
    return (void *)(size_t)GetProcAddress((HMODULE)from, name);
}
static void unload(void *from) { FreeLibrary((HMODULE)from); }
#else
#include <dlfcn.h>
static void *library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *symbol(void *from, const char *name) { return dlsym(from, name); }
static void unload(void *from) { dlclose(from); }
#endif

static void fail(const char *what) {
    fprintf(stderr, "host: %s\n", what);
    exit(1);
}

/* The messages of the FMU are part of the output: they name events and their times. */
static void logger(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                   fmi2String category, fmi2String format, ...) {
    va_list arguments;
    (void)environment;
    printf("%s %d %s: ", instance, (int)status, category);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

static void *from;
static fmi2Component c;

#define F(name) ((name##TYPE *)symbol(from, #name))
#define CALL(name, ...)                                                                            \
    do {                                                                                           \
        if (F(name)(c, __VA_ARGS__) != fmi2OK) fail(#name);                                        \
    } while (0)

static int values;
static char **selected;

static void print_values(double time) {
    int k;
    unsigned long long bits;
    printf("%.6f", time);
    for (k = 0; k < values; k++) {
        fmi2ValueReference reference = (fmi2ValueReference)strtoul(selected[k] + 1, NULL, 10);
        if (selected[k][0] == 'r') {
            fmi2Real value;
            CALL(fmi2GetReal, &reference, 1, &value);
            memcpy(&bits, &value, sizeof bits);
            printf(" %08x%08x", (unsigned)(bits >> 32), (unsigned)bits);
        } else {
            int value;
            if (selected[k][0] == 'i') CALL(fmi2GetInteger, &reference, 1, &value);
            else CALL(fmi2GetBoolean, &reference, 1, &value);
            printf(" %d", value);
        }
    }
    printf("\n");
}

static void save(const char *path, fmi2FMUstate state) {
    size_t size;
    char *bytes;
    FILE *file = fopen(path, "wb");
    CALL(fmi2SerializedFMUstateSize, state, &size);
    bytes = malloc(size);
    CALL(fmi2SerializeFMUstate, state, bytes, size);
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) fail("cannot save");
    free(bytes);
}

static fmi2FMUstate saved(const char *path) {
    fmi2FMUstate state = NULL;
    long size;
    char *bytes;
    FILE *file = fopen(path, "rb");
    if (!file) fail("cannot open the saved state");
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    bytes = malloc((size_t)size);
    if (fread(bytes, 1, (size_t)size, file) != (size_t)size) fail("cannot read the state");
    fclose(file);
    CALL(fmi2DeSerializeFMUstate, bytes, (size_t)size, &state);
    free(bytes);
    return state;
}

int main(int count, char **arguments) {
    static fmi2CallbackFunctions callbacks;
    const char *path;
    int continues, steps, k, last;
    double tolerance, stop, step;
    if (count < 9) fail("too few arguments");
    callbacks.logger = logger;
    callbacks.allocateMemory = calloc;
    callbacks.freeMemory = free;
    from = library(arguments[1]);
    if (!from) fail("the library cannot be loaded");
    continues = !strcmp(arguments[4], "continue");
    path = arguments[5];
    tolerance = atof(arguments[6]);
    stop = atof(arguments[7]);
    steps = atoi(arguments[8]);
    step = stop / steps;
    for (last = count; last > 9 && strchr(arguments[last - 1], '='); last--) continue;
    values = last - 9;
    selected = arguments + 9;
    c = F(fmi2Instantiate)("it", fmi2CoSimulation, arguments[3], arguments[2], &callbacks, 0, 1);
    if (!c) fail("fmi2Instantiate");
    CALL(fmi2SetupExperiment, fmi2True, tolerance, 0.0, fmi2True, stop);
    for (k = last; k < count; k++) {
        char *value;
        fmi2ValueReference reference = (fmi2ValueReference)strtoul(arguments[k], &value, 10);
        fmi2Real real = atof(value + 1);
        CALL(fmi2SetReal, &reference, 1, &real);
    }
    if (F(fmi2EnterInitializationMode)(c) != fmi2OK) fail("fmi2EnterInitializationMode");
    if (F(fmi2ExitInitializationMode)(c) != fmi2OK) fail("fmi2ExitInitializationMode");
    for (k = 0; k < steps; k++) {
        if (k == steps / 2) {
            fmi2FMUstate state = NULL;
            printf("half\n");
            if (continues) {
                state = saved(path);
                CALL(fmi2SetFMUstate, state);
            } else {
                CALL(fmi2GetFMUstate, &state);
                save(path, state);
                /* These steps are taken back. */
                CALL(fmi2DoStep, k * step, step, fmi2False);
                CALL(fmi2DoStep, (k + 1) * step, step / 3, fmi2False);
                CALL(fmi2SetFMUstate, state);
            }
            CALL(fmi2FreeFMUstate, &state);
            printf("again\n");
        }
        if (continues && k < steps / 2) continue;
        print_values(k * step);
        CALL(fmi2DoStep, k * step, step, fmi2True);
    }
    print_values(stop);
    if (F(fmi2Terminate)(c) != fmi2OK) fail("fmi2Terminate");
    F(fmi2FreeInstance)(c);
    unload(from);
    from = library(arguments[1]);
    if (!from || strcmp(F(fmi2GetVersion)(), "2.0")) fail("the library cannot be loaded again");
    unload(from);
    printf("done\n");
    return 0;
}
