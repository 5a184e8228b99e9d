#include "CoreDataCRuntime.h"

#include <stddef.h>

static _Thread_local const void *running_queue = NULL;

const void *coredata_running_queue(void) { return running_queue; }

void coredata_set_running_queue(const void *queue) { running_queue = queue; }

static _Thread_local bool tracking_note = false;

bool coredata_take_tracking_note(void) {
  bool note = tracking_note;
  tracking_note = false;
  return note;
}

void coredata_note_tracking(void) { tracking_note = true; }
