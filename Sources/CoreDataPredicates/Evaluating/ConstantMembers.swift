import Foundation
import Synchronization

/// The elements of a constant collection, for `id IN %@`.
///
/// Ten thousand objects against a hundred thousand ids are ten thousand questions, not a billion:
/// the elements are hashed once for each set of options, when the first object asks.
///
/// Safety: `collection` is set once and only read.
final class ConstantMembers: @unchecked Sendable {
  private let collection: Any
  private let hashed = Mutex<[Comparison.Options: Members]>([:])

  /// Nil for a value that is no collection.
  init?(_ value: Any?) {
    guard let value, Self.isCollection(value) else { return nil }
    collection = value
  }

  func contains(_ operand: Operand, _ options: Comparison.Options) -> Bool {
    members(for: options).elements.contains(operand.folded(options))
  }

  private func members(for options: Comparison.Options) -> Members {
    if let known = hashed.withLock({ $0[options] }) { return known }
    let elements = Operand(collection).members?.elements ?? []
    let members = Members(elements: Set(elements.map { Operand($0).folded(options) }))
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

  /// What most constants are; asking whether a type conforms takes longer.
  private static let plainTypes: [ObjectIdentifier] = [
    ObjectIdentifier(String.self), ObjectIdentifier(Int.self), ObjectIdentifier(Bool.self),
    ObjectIdentifier(Double.self), ObjectIdentifier(Date.self), ObjectIdentifier(UUID.self),
  ]

  /// Safety: only read.
  private struct Members: @unchecked Sendable {
    let elements: Set<Operand>
  }
}

extension Operand {
  /// A text without what the options ignore; everything else is itself.
  fileprivate func folded(_ options: Comparison.Options) -> Operand {
    guard !options.isEmpty, case .text(let text) = self else { return self }
    return .text(TextComparison(options).folded(text))
  }
}
