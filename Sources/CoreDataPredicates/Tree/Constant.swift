package import Foundation

/// A value in a predicate.
///
/// Two constants are equal if a comparison says so: `1`, `1.0` and `true` are one value,
/// and so are nil and `NSNull`.
package struct Constant: Sendable {
  package let given: Immutable<Any?>
  /// The elements of a collection, hashed when somebody first asks for one of them.
  let members: ConstantMembers?

  package init(_ value: Any?) {
    given = Immutable(value)
    members = ConstantMembers(value)
  }

  @inlinable package var value: Any? { given.value }

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
/// It is asked only where its owner evaluates it.
package struct PredicateBlock: Sendable, Hashable {
  private let block: Immutable<NSPredicate>

  package init(_ predicate: NSPredicate) {
    block = Immutable(predicate)
  }

  package var predicate: NSPredicate { block.value }

  package static func == (one: PredicateBlock, other: PredicateBlock) -> Bool {
    one.predicate === other.predicate
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(predicate))
  }
}

/// An expression that is code: the object, the arguments' values and the variables go in.
///
/// It is called only where its owner evaluates it.
package final class ExpressionBlock: Sendable {
  package typealias Body = (Any?, [Any], NSMutableDictionary?) -> Any

  private let block: Immutable<Body>

  package init(_ body: @escaping Body) {
    block = Immutable(body)
  }

  package var body: Body { block.value }
}

extension ExpressionBlock: Hashable {
  package static func == (one: ExpressionBlock, other: ExpressionBlock) -> Bool {
    one === other
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
