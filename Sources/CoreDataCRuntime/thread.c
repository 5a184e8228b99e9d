#include "CoreDataCRuntime.h"

#include <stddef.h>

static _Thread_local const void *running_queue = NULL;

const void *coredata_running_queue(void) { return running_queue; }

void coredata_set_running_queue(const void *queue) { running_queue = queue; }

_Thread_local bool coredata_tracking_note = false;

_Atomic(const void *) coredata_tracking_probe = NULL;

const void *coredata_set_tracking_probe(const void *probe) {
  const void *known = NULL;
  bool is_first = atomic_compare_exchange_strong(&coredata_tracking_probe, &known, probe);
  return is_first ? probe : known;
}

static _Thread_local const void *adopting_model;

const void *coredata_adopting_model(void) { return adopting_model; }

void coredata_set_adopting_model(const void *model) { adopting_model = model; }
