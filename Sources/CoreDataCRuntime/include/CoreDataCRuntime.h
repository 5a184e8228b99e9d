#ifndef COREDATA_CRUNTIME_H
#define COREDATA_CRUNTIME_H

#include <stdbool.h>

/// Retains a Swift object unless its last reference is already gone.
///
/// The memory must still be there: call it only while something keeps the object's `deinit` from
/// finishing. It is what a `weak` reference does, without the side table that one costs.
bool coredata_retain_if_alive(void *object);

/// The innermost of the context queues whose work runs on this thread; NULL on any other thread.
const void *coredata_running_queue(void);

void coredata_set_running_queue(const void *queue);

/// Whether this thread has noted that reads are being tracked, since it was asked the last time.
bool coredata_take_tracking_note(void);

void coredata_note_tracking(void);

#endif
