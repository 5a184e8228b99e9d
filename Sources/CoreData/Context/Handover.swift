/// A value that goes from one thread to another.
///
/// Work that a queue is given, what comes of it, what a mutex lets out: one thread has it at a time, and whoever passes
/// it on, a queue, a mutex or a save, sees to that.
///
/// Safety: one thread has it before, and one after.
package struct Handover<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }
}
