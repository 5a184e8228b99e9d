/// A value that goes from one thread to another.
///
/// For work that is given to a queue, its result, and values that leave a mutex: one thread has the value at a time,
/// and the queue, mutex or save that passes it on sees to that.
///
/// Safety: one thread has it before, and one after.
package struct Handover<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }
}
