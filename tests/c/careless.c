/* Calls with every pointer NULL where there should be something: the worst that a host may do without lying. */
#include "harness.h"

/* Returns how many of the calls were made, each from the present state of the instance, and through
 * `refused` how many of them returned fmi2Discard or fmi2Error. */
long null_pointers(fmi2Component c, long *refused) {
    long made = 0;
    fmi2Status status;
    fmi2FMUstate saved = NULL;
    if (c) CALL(status, fmu.GetFMUstate(c, &saved));
    *refused = 0;
#define REFUSES(call)                                          \
    do {                                                       \
        ++made;                                                \
        CALL(status, call);                                    \
        *refused += status == fmi2Discard || status == fmi2Error; \
        if (c) CALL(status, fmu.SetFMUstate(c, saved));        \
    } while (0)
    REFUSES(fmu.SetDebugLogging(c, fmi2True, 3, NULL));
    REFUSES(fmu.GetReal(c, NULL, 3, NULL));
    REFUSES(fmu.GetInteger(c, NULL, 3, NULL));
    REFUSES(fmu.GetBoolean(c, NULL, 3, NULL));
    REFUSES(fmu.GetString(c, NULL, 3, NULL));
    REFUSES(fmu.SetReal(c, NULL, 3, NULL));
    REFUSES(fmu.SetInteger(c, NULL, 3, NULL));
    REFUSES(fmu.SetBoolean(c, NULL, 3, NULL));
    REFUSES(fmu.SetString(c, NULL, 3, NULL));
    fmi2ValueReference vr[3] = {0, 0, 0};
    REFUSES(fmu.GetReal(c, vr, 3, NULL));
    REFUSES(fmu.SetReal(c, vr, 3, NULL));
    fmi2String strings[3] = {NULL, NULL, NULL};
    REFUSES(fmu.SetString(c, vr, 3, strings));
    REFUSES(fmu.SetDebugLogging(c, fmi2True, 3, strings));
    REFUSES(fmu.GetFMUstate(c, NULL));
    REFUSES(fmu.SetFMUstate(c, NULL));
    size_t size = 0;
    REFUSES(fmu.SerializedFMUstateSize(c, NULL, NULL));
    REFUSES(fmu.SerializedFMUstateSize(c, NULL, &size));
    REFUSES(fmu.SerializeFMUstate(c, NULL, NULL, 3));
    REFUSES(fmu.DeSerializeFMUstate(c, NULL, 3, NULL));
    REFUSES(fmu.GetDirectionalDerivative(c, NULL, 3, NULL, 3, NULL, NULL));
    REFUSES(fmu.NewDiscreteStates(c, NULL));
    REFUSES(fmu.CompletedIntegratorStep(c, fmi2True, NULL, NULL));
    REFUSES(fmu.SetContinuousStates(c, NULL, 3));
    REFUSES(fmu.GetDerivatives(c, NULL, 3));
    REFUSES(fmu.GetEventIndicators(c, NULL, 3));
    REFUSES(fmu.GetContinuousStates(c, NULL, 3));
    REFUSES(fmu.GetNominalsOfContinuousStates(c, NULL, 3));
    REFUSES(fmu.SetRealInputDerivatives(c, NULL, 3, NULL, NULL));
    REFUSES(fmu.GetRealOutputDerivatives(c, NULL, 3, NULL, NULL));
    REFUSES(fmu.CancelStep(c));
    REFUSES(fmu.GetStatus(c, fmi2DoStepStatus, NULL));
    REFUSES(fmu.GetRealStatus(c, fmi2LastSuccessfulTime, NULL));
    REFUSES(fmu.GetIntegerStatus(c, fmi2PendingStatus, NULL));
    REFUSES(fmu.GetBooleanStatus(c, fmi2Terminated, NULL));
    REFUSES(fmu.GetStringStatus(c, fmi2PendingStatus, NULL));
    CALL(status, fmu.FreeFMUstate(c, NULL));
    if (c) CALL(status, fmu.FreeFMUstate(c, &saved));
    return made;
}
