/* Events, continuous time and communication steps. */

fmi2Status fmi2EnterEventMode(fmi2Component c) {
    of(c)->events = 1;
    return fmi2OK;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { (void)c; return fmi2OK; }

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
    values *v = of(c);
    fmi2Boolean nominals = info->nominalsOfContinuousStatesChanged;
    if (FAULT == SAMPLED && v->t >= 0.05 * (v->ticks + 1)) v->ticks++;
    int jump = v->events == 1 && (FAULT == SPURIOUS || FAULT == UNSAID_JUMP || FAULT == JUMP);
    *info = (fmi2EventInfo){0};
    info->newDiscreteStatesNeeded = FAULT == ENDLESS_EVENT;
    info->nextEventTimeDefined = FAULT == EVENT_IN_THE_PAST;
    info->valuesOfContinuousStatesChanged = FAULT == ALWAYS_CHANGED || (jump && FAULT != UNSAID_JUMP);
    if (FAULT == LATE_DISCARD && v->t >= 0.05) return fmi2Discard;
    if (FAULT == SAMPLED || FAULT == LATE_DISCARD) {
        info->nextEventTimeDefined = fmi2True;
        info->nextEventTime = 0.05 * (v->ticks + 1);
    }
    if (FAULT == EVENT_INFO) info->nominalsOfContinuousStatesChanged = nominals;
    if (jump) v->x += 0.125;
    v->events = 0;
    return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean prior, fmi2Boolean *event, fmi2Boolean *terminate) {
    (void)prior;
    of(c)->accepted = of(c)->x;
    of(c)->reached = of(c)->t;
    if (FAULT == TIMED_STEPS) of(c)->clock = clock_time();
    *event = FAULT == STEP_EVENT;
    if (FAULT != STEP_ANSWER) *terminate = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
    if (FAULT == ONLY_FORWARD && t < of(c)->t) return refuse(c);
    if (FAULT == SAMPLED && t > 0.05 * (of(c)->ticks + 1)) return refuse(c);
    of(c)->t = t;
    return fmi2OK;
}

/* Whether the number n of values in an array is accepted; there is one value. */
static int fits(size_t n) { return n == 1 || (FAULT == ANY_LENGTH && n == 2); }

/* Whether a value is read too early. */
static int early(fmi2Component c) { return FAULT == INITIAL_STATES && of(c)->initialized == 1; }

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
    if (!fits(n)) return refuse(c);
    if (FAULT == SHORT_STEPS && fabs(x[0] - of(c)->accepted) > 0.06) return fmi2Discard;
    of(c)->x = x[0];
    return fmi2OK;
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n) {
    if (!fits(n) || early(c)) return refuse(c);
    /* It has no derivatives at points that are not the end of a step. */
    if (FAULT == LOOK_AHEAD && (of(c)->t > of(c)->reached || of(c)->x != of(c)->accepted)) return fmi2Discard;
    dx[0] = derivative(of(c)) + (FAULT == IMPURE ? ((instance *)c)->looks++ : 0);
    return fmi2OK;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) {
    if (!fits(n) || early(c)) return refuse(c);
    z[0] = FAULT == ZERO_INDICATOR ? 0.0 : of(c)->x + 1.0;
    if (FAULT == MORE_INDICATORS) z[1] = 1.0;
    return fmi2OK;
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
    if (!fits(n) || early(c)) return refuse(c);
    if (FAULT != FEWER_STATES) x[0] = of(c)->x;
    return fmi2OK;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominal[], size_t n) {
    if (!fits(n) || early(c)) return refuse(c);
    nominal[0] = FAULT == NOMINAL ? 0.0 : FAULT == NEW_NOMINAL ? 1.0 + of(c)->events : 1.0;
    return fmi2OK;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[], const fmi2Real value[]) {
    for (size_t k = 0; k < n; k++) {
        if (vr[k] != U || (order[k] < 1 && FAULT != INPUT_ORDER) || FAULT == INPUT_DERIVATIVE) return refuse(c);
        if (value[k] != 0.0) return refuse(c);
    }
    return fmi2OK;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[], fmi2Real value[]) {
    for (size_t k = 0; k < n; k++) {
        if ((vr[k] != Y && vr[k] != CLOCK_TIME) || order[k] > 2 || (order[k] < 1 && FAULT != OUTPUT_ORDER)) return refuse(c);
        double slope = FAULT == OUTPUT_DERIVATIVE ? -derivative(of(c)) : 2.0 * derivative(of(c));
        double bend = 2.0 * (FAULT == BEND ? 2.0 * of(c)->x - 10.0 : -10.0) * 10.0 * (of(c)->u - of(c)->x);
        if (FAULT == OUTPUT_BEND) bend = -bend;
        value[k] = vr[k] == CLOCK_TIME ? 0.0 : order[k] == 2 ? bend : slope;
    }
    return fmi2OK;
}

/* Changes everything that belongs to the host. */
static fmi2Status rude(void) {
    int done = chdir("/") == 0 && open("/dev/null", O_RDONLY) >= 0 && setlocale(LC_ALL, "C.UTF-8") != NULL;
    done = done && setenv("FAULTY", "1", 1) == 0 && fesetround(FE_UPWARD) == 0 && printf("rude") > 0 && fflush(stdout) == 0;
    signal(SIGUSR1, SIG_IGN);
    umask(0077);
    return done ? fmi2OK : fmi2Error;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean prior) {
    (void)prior;
    static int steps;
    values *v = of(c);
    if (FAULT == STRICT && v->dead) return refuse(c);
    v->set = 0;
    if (FAULT == CRASH) raise(SIGSEGV);
    if (FAULT == EXIT) exit(0);
    if (FAULT == HANG) {
        sleep(60);
        raise(SIGKILL);
    }
    if (FAULT == FORK && fork() == 0) {
        sleep(30);
        _exit(0);
    }
    if (FAULT == MANNERS) return rude();
    if (FAULT == DISCARD) return fmi2Discard;
    if (FAULT == PENDING) return fmi2Pending;
    if (FAULT == LATE_RESOURCE && !has_resources(c)) return refuse(c);
    say(c, fmi2OK, FAULT == CATEGORY ? "chatter" : "logAll");
    if (FAULT == COMPLAINT) say(c, fmi2Warning, "logAll");
    v->x = v->u + (v->x - v->u) * exp(-10.0 * h) + (FAULT == KICK && h < 0.015 ? 0.05 : 0.0);
    if (FAULT == RANDOM || FAULT == RANDOM_ONCE_SET) v->x += 1e-6 * (steps++ % 7);
    v->t = t + h;
    if (FAULT == TIMED_STEPS) v->clock = clock_time();
    return fmi2OK;
}

fmi2Status fmi2CancelStep(fmi2Component c) { return refuse(c); }

#define STATUS(name, type, given)                                                                                                       \
    fmi2Status fmi2##name(fmi2Component c, const fmi2StatusKind kind, type *value) {                                                    \
        (void)c, (void)kind;                                                                                                            \
        *value = given;                                                                                                                 \
        return FAULT == DISCARD ? fmi2OK : fmi2Discard;                                                                                 \
    }
STATUS(GetStatus, fmi2Status, fmi2OK)
STATUS(GetRealStatus, fmi2Real, of(c)->t - 1.0)
STATUS(GetIntegerStatus, fmi2Integer, 0)
STATUS(GetBooleanStatus, fmi2Boolean, fmi2True)
STATUS(GetStringStatus, fmi2String, "")
