package import Foundation

/// A value that stands in a predicate.
///
/// Two constants are equal when a comparison says so: `1`, `1.0` and `true` are one value,
/// and so are nil and `NSNull`.
///
/// Safety: `value` is set once and only read; predicates never change what they were given.
package struct Constant: @unchecked Sendable {
  package let value: Any?
  /// The elements of a collection, hashed when somebody first asks for one of them.
  let members: ConstantMembers?

  package init(_ value: Any?) {
    self.value = value
    members = ConstantMembers(value)
  }

  /// `nil`, also when it came as `NSNull` or as an empty optional.
  package var isNil: Bool {
    if case .nothing = Operand(value) { true } else { false }
  }
}

extension Constant: Hashable {
  package static func == (one: Constant, other: Constant) -> Bool {
    Operand(one.value) == Operand(other.value)
  }

  package func hash(into hasher: inout Hasher) {
    Operand(value).hash(into: &hasher)
  }
}

/// A predicate that is code: it can be asked, but not read.
///
/// Safety: the predicate is set once, and is asked only where its owner evaluates it.
package struct PredicateBlock: @unchecked Sendable, Hashable {
  package let predicate: NSPredicate

  package init(_ predicate: NSPredicate) {
    self.predicate = predicate
  }

  package static func == (one: PredicateBlock, other: PredicateBlock) -> Bool {
    one.predicate === other.predicate
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(predicate))
  }
}

/// An expression that is code: the object, the arguments' values and the variables go in.
///
/// Safety: the block is set once, and is called only where its owner evaluates it.
package final class ExpressionBlock: @unchecked Sendable {
  package typealias Body = (Any?, [Any], NSMutableDictionary?) -> Any

  package let body: Body

  package init(_ body: @escaping Body) {
    self.body = body
  }
}

extension ExpressionBlock: Hashable {
  package static func == (one: ExpressionBlock, other: ExpressionBlock) -> Bool {
    one === other
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
