#include "CoreDataCRuntime.h"

#include <stddef.h>

static _Thread_local const void *running_queue = NULL;

const void *coredata_running_queue(void) { return running_queue; }

void coredata_set_running_queue(const void *queue) { running_queue = queue; }

_Thread_local bool coredata_tracking_note = false;
