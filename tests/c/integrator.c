/* The integrator of importers of Model Exchange: the method of Dormand and Prince, or where the
 * equations are stiff, the linearly implicit method RODAS of Hairer and Wanner, with error control. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "importer.h"

static const double TOLERANCE = 1e-8;

/* What the implicit method needs, and whether the equations are stiff. */
struct stiffness {
    int is_stiff;      /* until the next event */
    int suspicions;    /* steps in a row, nearly, that stability limits */
    int is_linearized; /* at the present point */
    double h;          /* of the decomposed matrix; 0: it is not decomposed */
    double *jacobian, *matrix, *slope, *by_time, *point, *u[6];
    size_t *pivots;
};

void prepare(struct importer *s) {
    size_t n = s->nx;
    struct stiffness *stiff = s->stiff = calloc(1, sizeof *stiff);
    double *next = stiff->jacobian = calloc(2 * n * n + 9 * n + 1, sizeof *next);
    stiff->matrix = next + n * n;
    next = stiff->matrix + n * n;
    double **vectors[] = {&stiff->slope, &stiff->by_time, &stiff->point, &stiff->u[0], &stiff->u[1],
                          &stiff->u[2],  &stiff->u[3],    &stiff->u[4],  &stiff->u[5]};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i, next += n) *vectors[i] = next;
    stiff->pivots = calloc(n + 1, sizeof *stiff->pivots);
}

void release(struct importer *s) {
    free(s->stiff->jacobian);
    free(s->stiff->pivots);
    free(s->stiff);
}

/* The present point, or what holds at it, changes. */
static void move(struct importer *s) {
    s->stiff->is_linearized = 0;
    s->stiff->h = 0.0;
}

/* After an event the equations may be others. */
void leave_point(struct importer *s) {
    move(s);
    s->stiff->is_stiff = s->stiff->suspicions = 0;
}

static double size_of(const struct importer *s, size_t i) {
    return fmax(s->nominal[i], fmax(fabs(s->x[i]), fabs(s->next[i])));
}

/* --- the method of Dormand and Prince --- */

static const double A[STAGES][STAGES - 1] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
static const double C[STAGES] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
static const double E[STAGES] = {71. / 57600,       0,          -71. / 16695, 71. / 1920,
                                 -17253. / 339200., 22. / 525., -1. / 40};

/* Makes a trial step to s->next; the error of a component is in s->stiff->slope. */
static void explicit_step(struct importer *s, double h) {
    struct stiffness *stiff = s->stiff;
    for (int stage = 1; stage < STAGES && !s->discarded; ++stage) {
        /* The last but one is kept for the question whether the equations are stiff. */
        if (stage == STAGES - 1) memcpy(stiff->point, s->next, s->nx * sizeof *s->next);
        for (size_t i = 0; i < s->nx; ++i) {
            double slope = 0.0;
            for (int j = 0; j < stage; ++j) slope += A[stage][j] * s->k[j][i];
            s->next[i] = s->x[i] + h * slope;
        }
        s->habit->derivatives(s, s->t + C[stage] * h, s->next, s->k[stage]);
    }
    for (size_t i = 0; i < s->nx; ++i) {
        double error = 0.0;
        for (int j = 0; j < STAGES; ++j) error += E[j] * s->k[j][i];
        stiff->slope[i] = h * error;
    }
}

/* Whether stability limits the step, as in DOPRI5 by Hairer and Wanner: two points at the end of the
 * step show the largest eigenvalue, and the method is stable up to 3.3 of its inverse. */
static int is_limited(const struct importer *s, double h) {
    double slopes = 0.0, points = 0.0;
    for (size_t i = 0; i < s->nx; ++i) {
        double size = size_of(s, i);
        slopes += pow((s->k[STAGES - 1][i] - s->k[STAGES - 2][i]) / size, 2);
        points += pow((s->next[i] - s->stiff->point[i]) / size, 2);
    }
    return points > 0.0 && h * sqrt(slopes / points) > 2.5;
}

/* --- the method RODAS --- */

static const double GAMMA = 0.25;
static const double AR[6][5] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0},
};
static const double CR[6][5] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054},
};
static const double NODES[6] = {0.0, 0.386, 0.21, 0.63, 1.0, 1.0};
static const double BY_TIME[6] = {0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0};

/* The Jacobian, and the derivative with respect to time, by differences. What an importer does not
 * evaluate remains as it is, and has no influence. */
static void linearize(struct importer *s, double h) {
    struct stiffness *stiff = s->stiff;
    size_t n = s->nx;
    double *x = stiff->point, *moved = stiff->u[0];
    memcpy(x, s->x, n * sizeof *x);
    s->habit->derivatives(s, s->t, x, stiff->slope);
    for (size_t j = 0; j <= n && !s->discarded; ++j) {
        double by = j < n ? 1e-7 * fmax(s->nominal[j], fabs(s->x[j])) : 1e-4 * h;
        double t = j < n ? s->t : s->t + by;
        if (j < n) x[j] = s->x[j] + by, by = x[j] - s->x[j];
        else by = t - s->t;
        memcpy(moved, stiff->slope, n * sizeof *moved);
        s->habit->derivatives(s, t, x, moved);
        if (j < n) x[j] = s->x[j];
        for (size_t i = 0; i < n; ++i) {
            double change = by != 0.0 ? (moved[i] - stiff->slope[i]) / by : 0.0;
            *(j < n ? &stiff->jacobian[i * n + j] : &stiff->by_time[i]) = change;
        }
    }
    stiff->is_linearized = 1;
}

/* Decomposes 1 / (GAMMA h) - J, with pivots. */
static void decompose(struct importer *s, double h) {
    struct stiffness *stiff = s->stiff;
    size_t n = s->nx;
    double *m = stiff->matrix;
    for (size_t i = 0; i < n * n; ++i) m[i] = -stiff->jacobian[i];
    for (size_t i = 0; i < n; ++i) m[i * n + i] += 1.0 / (GAMMA * h);
    for (size_t k = 0; k < n; ++k) {
        size_t p = k;
        for (size_t i = k + 1; i < n; ++i)
            if (fabs(m[i * n + k]) > fabs(m[p * n + k])) p = i;
        stiff->pivots[k] = p;
        for (size_t j = 0; p != k && j < n; ++j) {
            double other = m[k * n + j];
            m[k * n + j] = m[p * n + j], m[p * n + j] = other;
        }
        for (size_t i = k + 1; i < n; ++i) {
            double factor = m[i * n + k] /= m[k * n + k];
            for (size_t j = k + 1; factor != 0.0 && j < n; ++j) m[i * n + j] -= factor * m[k * n + j];
        }
    }
    stiff->h = h;
}

static void solve(const struct importer *s, double *b) {
    size_t n = s->nx;
    const double *m = s->stiff->matrix;
    for (size_t k = 0; k < n; ++k) {
        size_t p = s->stiff->pivots[k];
        double other = b[k];
        b[k] = b[p], b[p] = other;
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j) b[i] -= m[i * n + j] * b[j];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; ++j) b[i] -= m[i * n + j] * b[j];
        b[i] /= m[i * n + i];
    }
}

/* Makes a trial step to s->next; the error of a component is in s->stiff->slope. */
static void implicit_step(struct importer *s, double h) {
    struct stiffness *stiff = s->stiff;
    size_t n = s->nx;
    double *f = s->k[1];
    if (!stiff->is_linearized) linearize(s, h);
    if (stiff->h != h) decompose(s, h);
    for (int stage = 0; stage < 6 && !s->discarded; ++stage) {
        for (size_t i = 0; i < n; ++i) {
            s->next[i] = s->x[i];
            for (int j = 0; j < stage; ++j) s->next[i] += AR[stage][j] * stiff->u[j][i];
        }
        s->habit->derivatives(s, s->t + NODES[stage] * h, s->next, f);
        for (size_t i = 0; i < n; ++i) {
            double sum = f[i] + h * BY_TIME[stage] * stiff->by_time[i];
            for (int j = 0; j < stage; ++j) sum += CR[stage][j] / h * stiff->u[j][i];
            stiff->u[stage][i] = sum;
        }
        solve(s, stiff->u[stage]);
    }
    for (size_t i = 0; i < n; ++i) s->next[i] += stiff->u[5][i];
    memcpy(stiff->slope, stiff->u[5], n * sizeof *stiff->slope);
    if (!s->discarded) s->habit->derivatives(s, s->t + h, s->next, s->k[STAGES - 1]);
}

/* --- steps and events --- */

/* Makes a trial step from the present point to s->next, with indicators; returns its error relative to the tolerance. */
static double trial(struct importer *s, double h) {
    s->discarded = 0;
    (s->stiff->is_stiff ? implicit_step : explicit_step)(s, h);
    if (!s->discarded) s->habit->indicators(s, s->t + h, s->next);
    if (s->discarded) return INFINITY;
    double worst = 0.0;
    for (size_t i = 0; i < s->nx; ++i) {
        double error = fabs(s->stiff->slope[i]) / (TOLERANCE * size_of(s, i));
        if (!isfinite(error)) return INFINITY;
        if (error > worst) worst = error;
    }
    return worst;
}

/* Whether an event lies before the end of a trial step. An indicator has two domains: z > 0 and z <= 0. */
static int passes_event(const struct importer *s, double t) {
    if (!s->habit->stops_at_time_events && s->next_event < t) return 1;
    for (size_t i = 0; i < s->nz; ++i)
        if ((s->z[i] > 0.0) != (s->z0[i] > 0.0)) return 1;
    return 0;
}

/* Makes a step that is accurate enough and does not pass `end`; returns its length. */
static double step(struct importer *s, double end) {
    for (;;) {
        double left = end - s->t, h = s->h < left ? s->h : left;
        double error = trial(s, h);
        double factor = error > 0.0 ? 0.9 * pow(error, s->stiff->is_stiff ? -0.25 : -0.2) : 5.0;
        factor = isfinite(error) ? fmin(fmax(factor, 0.2), 5.0) : 0.2;
        /* A shortened step does not determine the length of longer ones. */
        if (error > 1.0 || h == s->h || factor < 1.0) s->h = h * factor;
        if (error <= 1.0 || failed(s)) return h;
        if (s->t + s->h <= s->t) note(s, fmi2Error);
    }
}

/* Changes to the implicit method if stability limits many steps of the explicit one. */
static void choose_method(struct importer *s, double h) {
    struct stiffness *stiff = s->stiff;
    if (stiff->is_stiff) return;
    stiff->suspicions = is_limited(s, h) ? stiff->suspicions + 1 : stiff->suspicions / 2;
    stiff->is_stiff = stiff->suspicions >= 15;
}

/* The length of the trial step of length h, which passes events, up to the first of them. */
static double find_event(struct importer *s, double h) {
    double before = 0.0, after = h;
    for (;;) {
        double middle = 0.5 * (before + after);
        if (s->t + before >= s->t + middle || s->t + middle >= s->t + after) break;
        if (!isfinite(trial(s, middle))) {
            note(s, fmi2Error);
            break;
        }
        *(passes_event(s, s->t + middle) ? &after : &before) = middle;
    }
    trial(s, after);
    return after;
}

/* Makes one step towards `end`, and returns to the first event in it; returns whether there is one. */
int advance(struct importer *s, double end) {
    if (s->habit->stops_at_time_events) end = fmin(end, s->next_event);
    double h = step(s, end);
    choose_method(s, h);
    int passes = passes_event(s, s->t + h);
    if (passes) h = find_event(s, h);
    double *reached = s->next, *last = s->k[STAGES - 1];
    s->t = s->t + h >= end ? end : s->t + h;
    s->next = s->x, s->x = reached;
    s->k[STAGES - 1] = s->k[0], s->k[0] = last;
    move(s);
    if (s->habit->completes_every_step) complete(s);
    return passes || (s->habit->stops_at_time_events && s->next_event <= s->t);
}
