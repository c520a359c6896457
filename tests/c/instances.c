/* Instantiation with strings that are destroyed as soon as the call returns, and a logger that
 * remembers every message. */
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

struct message {
    int number, status, name_is_right;
    char *category, *text;
    struct message *next;
};

#define INSTANCES 4096
static char *names[INSTANCES]; /* the name that the logger must receive, by instance */
static struct message *first, **last = &first;
static size_t messages;
static long memory_callbacks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The environment passed to the FMU is the address of the instance's name. */
static void logger(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String text, ...) {
    leave();
    after();
    char buffer[4096];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(buffer, sizeof buffer, text ? text : "(null)", arguments);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    struct message *m = calloc(1, sizeof *m);
    char **expected = environment;
    m->number = expected ? (int)(expected - names) : -1;
    m->status = status;
    m->name_is_right = expected && name && (!*expected || strcmp(*expected, name) == 0);
    m->category = strdup(category ? category : "(null)");
    m->text = strdup(buffer);
    *last = m;
    last = &m->next;
    ++messages;
    pthread_mutex_unlock(&lock);
    before();
    enter();
}

static void *allocate(size_t number, size_t size) {
    ++memory_callbacks;
    return calloc(number, size);
}

static void release(void *block) {
    ++memory_callbacks;
    free(block);
}

/* All arguments are destroyed after the call, as a host may do. */
static char *own(const char *text) { return text ? strdup(text) : NULL; }
static void destroy(char *text) {
    if (!text) return;
    memset(text, '#', strlen(text));
    free(text);
}

fmi2Component instantiate(int number, int fmu_type, const char *name, const char *guid, const char *uri,
                          enum callbacks callbacks, int visible, int logging) {
    free(names[number]);
    /* A name that the FMU must refuse may be replaced by another one in its message. */
    names[number] = name && strspn(name, " ") < strlen(name) ? strdup(name) : NULL;
    fmi2CallbackFunctions *functions = calloc(1, sizeof *functions);
    memcpy(functions,
           &(fmi2CallbackFunctions){.logger = callbacks == CALLBACKS_ALL ? logger : NULL,
                                    .allocateMemory = allocate,
                                    .freeMemory = release,
                                    .componentEnvironment = &names[number]},
           sizeof *functions);
    char *own_name = own(name), *own_guid = own(guid), *own_uri = own(uri);
    fmi2Component c;
    CALL(c, fmu.Instantiate(own_name, (fmi2Type)fmu_type, own_guid, own_uri,
                            callbacks == CALLBACKS_NONE ? NULL : functions, visible, logging));
    memset(functions, 0x5a, sizeof *functions);
    free(functions);
    destroy(own_name);
    destroy(own_guid);
    destroy(own_uri);
    return c;
}

void print_log(FILE *out) {
    pthread_mutex_lock(&lock);
    fprintf(out, "%zu\n", messages);
    while (first) {
        struct message *m = first;
        for (char *p = m->text; *p; ++p)
            if (*p == '\n' || *p == '\r') *p = '|';
        fprintf(out, "%d %d %d %s %s\n", m->number, m->status, m->name_is_right, m->category, m->text);
        first = m->next;
        free(m->category);
        free(m->text);
        free(m);
    }
    last = &first;
    messages = 0;
    pthread_mutex_unlock(&lock);
}

long memory_callbacks_taken(void) {
    long taken = memory_callbacks;
    memory_callbacks = 0;
    return taken;
}
