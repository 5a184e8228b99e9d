/// A value that nobody changes, although its type does not say so.
///
/// Values that a program has given to a predicate, a property list, a key path, a closure without state: all are read
/// by any thread, and changed by none. Code that wraps a value in this type must make sure of that.
///
/// Safety: `value` is set once and only read.
package struct Immutable<Value>: @unchecked Sendable {
  package let value: Value

  @inlinable
  package init(_ value: Value) {
    self.value = value
  }
}

extension Immutable: Equatable where Value: Equatable {}

extension Immutable: Hashable where Value: Hashable {}
