/* What an importer of Model Exchange consists of here: its habits, and the integrator of integrator.c. */
#ifndef IMPORTER_H
#define IMPORTER_H

#include "harness.h"

#define STAGES 7

struct importer {
    const struct habit *habit;
    fmi2Component c;
    size_t nx, nz, n;
    const struct inputs *inputs;
    const fmi2ValueReference *vr;
    fmi2Status worst;  /* without Discard at a trial point */
    int discarded;     /* whether the present trial point is */
    double t, h, next_event;
    double *x, *next, *nominal, *k[STAGES], *z0, *z;
    double *seen;      /* signals as last read */
    int in_event_mode; /* in the opinion of OpenModelica */
    int requested;     /* whether the last completed step requests an event */
    long events;
    struct stiffness *stiff;
};

/* The properties that distinguish importers. */
struct habit {
    const char *name;
    /* The calls from the end of Initialization Mode to the first step. */
    void (*begin)(struct importer *);
    /* Evaluates the right-hand side at a trial point. */
    void (*derivatives)(struct importer *, double t, const double *x, double *k);
    /* Evaluates the indicators at the end of a trial step. */
    void (*indicators)(struct importer *, double t, const double *x);
    /* Handles an event at the present point. */
    void (*event)(struct importer *);
    /* Whether fmi2CompletedIntegratorStep is called after every step of the integrator, or at the points at which it arrives. */
    int completes_every_step, completes_where_it_arrives;
    /* Whether steps end at time events; otherwise these are noticed after the step. */
    int stops_at_time_events;
    /* Whether an event follows if fmi2CompletedIntegratorStep requests it. */
    int follows_requests;
};

static inline void note(struct importer *s, fmi2Status status) {
    if (status == fmi2Discard)
        s->discarded = 1;
    else if (status > s->worst)
        s->worst = status;
}
#define TRY(call)             \
    do {                      \
        fmi2Status status_;   \
        CALL(status_, call);  \
        note(s, status_);     \
    } while (0)

static inline int failed(const struct importer *s) { return s->worst > fmi2Warning; }

/* importers.c */
void complete(struct importer *s);

/* integrator.c */
void prepare(struct importer *s);
void release(struct importer *s);
void leave_point(struct importer *s);
int advance(struct importer *s, double end);

#endif
