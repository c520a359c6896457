/* Compares many instances at once, each on a thread of its own, with one that runs alone. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

struct job {
    fmi2Component c;
    double h;
    size_t steps, n;
    const fmi2ValueReference *vr;
    double *rows;
    fmi2Status worst;
};

/* The same loop as run_cs, without data that threads would share. */
static void *run(void *argument) {
    struct job *job = argument;
    fmi2Status status = fmi2OK;
    for (size_t i = 0; i < job->steps && status <= fmi2Warning; ++i) {
        double t = (double)i * job->h, next = (double)(i + 1) * job->h;
        status = fmu.DoStep(job->c, t, next - t, fmi2True);
        if (fmu.GetReal(job->c, job->vr, job->n, job->rows + i * job->n) > fmi2Warning)
            status = fmi2Error;
    }
    job->worst = status;
    return NULL;
}

/* Returns the number of threads with other results than the serial run, or -1 after a failure. */
long threads_that_differ(int threads, const char *guid, const char *uri, double h, size_t steps,
                         const fmi2ValueReference *vr, size_t n) {
    struct job *jobs = calloc((size_t)threads + 1, sizeof *jobs);
    pthread_t *ids = calloc((size_t)threads, sizeof *ids);
    long different = 0;
    for (int i = 0; i <= threads; ++i) {
        jobs[i] = (struct job){.h = h, .steps = steps, .n = n, .vr = vr};
        jobs[i].rows = calloc(steps * n + 1, sizeof(double));
        fmi2Component c = jobs[i].c =
            instantiate(i, fmi2CoSimulation, "thread", guid, uri, CALLBACKS_ALL, 0, 0);
        if (!c || fmu.SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0) != fmi2OK
            || fmu.EnterInitializationMode(c) != fmi2OK || fmu.ExitInitializationMode(c) != fmi2OK)
            return -1;
    }
    run(&jobs[threads]);
    for (int i = 0; i < threads; ++i)
        if (pthread_create(&ids[i], NULL, run, &jobs[i])) return -1;
    for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
    for (int i = 0; i < threads; ++i)
        different += jobs[i].worst > fmi2Warning
                  || memcmp(jobs[i].rows, jobs[threads].rows, steps * n * sizeof(double)) != 0;
    if (jobs[threads].worst > fmi2Warning) different = -1;
    for (int i = 0; i <= threads; ++i) {
        fmu.FreeInstance(jobs[i].c);
        free(jobs[i].rows);
    }
    free(jobs);
    free(ids);
    return different;
}
