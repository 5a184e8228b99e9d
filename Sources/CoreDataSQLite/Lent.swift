/// A connection on its way from one thread to another, through a mutex.
///
/// Safety: exactly one thread has it before, and one after.
package struct Lent<Value>: @unchecked Sendable {
  package let value: Value

  @inlinable
  package init(_ value: Value) {
    self.value = value
  }
}
