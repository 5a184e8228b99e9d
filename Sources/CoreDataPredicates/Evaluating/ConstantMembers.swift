import Foundation
import Synchronization

/// The elements of a constant collection, for `id IN %@`.
///
/// Ten thousand objects against a hundred thousand ids are ten thousand questions, not a billion:
/// the elements are hashed once for each set of options, when the first object asks.
final class ConstantMembers: Sendable {
  private let collection: Immutable<Any>
  private let hashed = Mutex<[Comparison.Options: Immutable<Set<Operand>>]>([:])

  /// `nil` for a value that is not a collection.
  init?(_ value: Any?) {
    guard let value, Self.isCollection(value) else { return nil }
    collection = Immutable(value)
  }

  func contains(_ operand: Operand, _ options: Comparison.Options) -> Bool {
    members(for: options).value.contains(operand.folded(options))
  }

  private func members(for options: Comparison.Options) -> Immutable<Set<Operand>> {
    if let known = hashed.withLock({ $0[options] }) { return known }
    let elements = Operand(collection.value).members?.elements ?? []
    let members = Immutable(Set(elements.map { Operand($0).folded(options) }))
    hashed.withLock { $0[options] = members }
    return members
  }

  private static func isCollection(_ value: Any) -> Bool {
    let type = type(of: value)
    if plainTypes.contains(ObjectIdentifier(type)) { return false }
    if type is any AnyObject.Type {
      return value is NSArray || value is NSSet || value is NSOrderedSet || value is NSDictionary
    }
    return type is any ElementListing.Type || ValueDictionary(value) != nil
  }

  /// The types of most constants; asking whether a type conforms takes longer.
  private static let plainTypes: [ObjectIdentifier] = [
    ObjectIdentifier(String.self), ObjectIdentifier(Int.self), ObjectIdentifier(Bool.self),
    ObjectIdentifier(Double.self), ObjectIdentifier(Date.self), ObjectIdentifier(UUID.self),
  ]
}

extension Operand {
  /// A text without what the options ignore; everything else is itself.
  fileprivate func folded(_ options: Comparison.Options) -> Operand {
    guard !options.isEmpty, case .text(let text) = self else { return self }
    return .text(TextComparison(options).folded(text))
  }
}
