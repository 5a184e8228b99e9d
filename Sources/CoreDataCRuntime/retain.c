#include "CoreDataCRuntime.h"

#include <stddef.h>

// The Swift runtime's own entry point; stable, as `weak` references compile to it.
extern void *swift_tryRetain(void *object);

bool coredata_retain_if_alive(void *object) { return swift_tryRetain(object) != NULL; }
