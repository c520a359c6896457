/* Compares instances that are moved from thread to thread after every step with one that stays. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

struct crew {
    fmi2Component *instances;
    double *rows; /* by instance, step, variable */
    int threads, count;
    double h;
    size_t steps, n;
    const fmi2ValueReference *vr;
    pthread_barrier_t together;
    fmi2Status *worst;
};

struct member {
    struct crew *crew;
    int number;
};

static void advance(struct crew *crew, int i, size_t step) {
    double t = (double)step * crew->h, next = (double)(step + 1) * crew->h;
    fmi2Status status = fmu.DoStep(crew->instances[i], t, next - t, fmi2True);
    double *row = crew->rows + ((size_t)i * crew->steps + step) * crew->n;
    if (status <= fmi2Warning) status = fmu.GetReal(crew->instances[i], crew->vr, crew->n, row);
    if (status > crew->worst[i]) crew->worst[i] = status;
}

static void *work(void *argument) {
    struct member *member = argument;
    struct crew *crew = member->crew;
    for (size_t step = 0; step < crew->steps; ++step) {
        for (int i = 0; i < crew->count; ++i)
            if ((i + (int)step) % crew->threads == member->number) advance(crew, i, step);
        pthread_barrier_wait(&crew->together);
    }
    return NULL;
}

/* Returns the number of instances that differ from one on this thread, or -1 after a failure. */
long moved_that_differ(int threads, int count, const char *guid, const char *uri, double h,
                       size_t steps, const fmi2ValueReference *vr, size_t n) {
    struct crew crew = {.threads = threads, .count = count, .h = h, .steps = steps, .n = n, .vr = vr};
    size_t size = steps * n;
    long different = 0;
    crew.instances = calloc((size_t)count + 1, sizeof *crew.instances);
    crew.worst = calloc((size_t)count + 1, sizeof *crew.worst);
    crew.rows = calloc(((size_t)count + 1) * size + 1, sizeof *crew.rows);
    struct member *members = calloc((size_t)threads, sizeof *members);
    pthread_t *ids = calloc((size_t)threads, sizeof *ids);
    pthread_barrier_init(&crew.together, NULL, (unsigned)threads);
    for (int i = 0; i <= count; ++i) {
        fmi2Component c = crew.instances[i] =
            instantiate(i, fmi2CoSimulation, "moved", guid, uri, CALLBACKS_ALL, 0, 0);
        if (!c || fmu.SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0) != fmi2OK
            || fmu.EnterInitializationMode(c) != fmi2OK || fmu.ExitInitializationMode(c) != fmi2OK)
            return -1;
    }
    for (size_t step = 0; step < steps; ++step) advance(&crew, count, step);
    for (int i = 0; i < threads; ++i) {
        members[i] = (struct member){&crew, i};
        if (pthread_create(&ids[i], NULL, work, &members[i])) return -1;
    }
    for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
    const double *alone = crew.rows + (size_t)count * size;
    for (int i = 0; i < count; ++i)
        different += crew.worst[i] > fmi2Warning
                  || memcmp(crew.rows + (size_t)i * size, alone, size * sizeof(double)) != 0;
    if (crew.worst[count] > fmi2Warning) different = -1;
    for (int i = 0; i <= count; ++i) fmu.FreeInstance(crew.instances[i]);
    pthread_barrier_destroy(&crew.together);
    free(crew.instances);
    free(crew.worst);
    free(crew.rows);
    free(members);
    free(ids);
    return different;
}
