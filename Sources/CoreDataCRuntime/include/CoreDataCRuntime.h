#ifndef COREDATA_CRUNTIME_H
#define COREDATA_CRUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>

/// Retains a Swift object unless its last reference is already gone.
///
/// The memory must still be there: call it only while something keeps the object's `deinit` from
/// finishing. It is what a `weak` reference does, without the side table that one costs.
bool coredata_retain_if_alive(void *object);

/// Makes an object of a Swift class without calling an initializer, which it owns to the caller.
///
/// NULL unless the class has as few stored properties as `plain`, a superclass of it that has none.
void *coredata_make_stateless(const void *type, const void *plain);

/// The innermost of the context queues whose work runs on this thread; NULL on any other thread.
const void *coredata_running_queue(void);

void coredata_set_running_queue(const void *queue);

/// The model that is being made of a row on this thread; NULL while none is.
const void *coredata_adopting_model(void);

void coredata_set_adopting_model(const void *model);

/// Told of a class: its name without the module, and what the compiler says of it.
typedef void (*coredata_class_visitor)(const char *name, const void *descriptor, void *context);

/// Tells of every class of the program and its libraries that is written in Swift and not generic.
void coredata_each_class(coredata_class_visitor visitor, void *context);

/// The class itself, as Swift's metatypes have it.
const void *coredata_class(const void *descriptor);

/// Told of the name of a case.
typedef void (*coredata_case_visitor)(const char *name, void *context);

/// Tells of the cases of a Swift enumeration: those with associated values first, each kind in declared order.
///
/// The result is the number of cases with associated values; -1 for other types, and for enumerations of which the
/// compiler says nothing.
int coredata_enum_cases(const void *type, coredata_case_visitor visitor, void *context);

/// What asks whether reads are being tracked; NULL until somebody has set it, which may be done once.
extern _Atomic(const void *) coredata_tracking_probe;

static inline const void *coredata_get_tracking_probe(void) {
  return atomic_load_explicit(&coredata_tracking_probe, memory_order_acquire);
}

/// Sets the probe unless another thread has done so, and gives the one that counts.
const void *coredata_set_tracking_probe(const void *probe);

/// Set when this thread notes that reads are being tracked; here to be read without a call.
extern _Thread_local bool coredata_tracking_note;

/// Whether the thread has noted it since it was asked the last time.
static inline bool coredata_take_tracking_note(void) {
  if (!coredata_tracking_note) return false;
  coredata_tracking_note = false;
  return true;
}

static inline void coredata_note_tracking(void) { coredata_tracking_note = true; }

/// The type of a socket for a stream of bytes, and the flag of one that programs which are started do not get.
int coredata_socket_of_stream(void);
int coredata_socket_closed_on_exec(void);

/// How many files the process may have open, and the most that it may allow itself; false if the system does not say.
bool coredata_open_files(unsigned long *now, unsigned long *most);

bool coredata_allow_open_files(unsigned long count);

/// The time that processors have spent on the process.
double coredata_processor_seconds(void);

/// Whether the process ignores a signal.
bool coredata_ignores_signal(int number);

/// The width of a terminal; 0 for anything else.
int coredata_terminal_columns(int descriptor);

#endif
