import CoreData
import CoreDataPredicates
import Foundation

/// A model's demands on the values of a property besides their type: that there is one, bounds, patterns.
final class ImportDemand {
  let slot: Int
  /// The model's objection to a record without the property.
  let obstacleOfSilence: String?
  /// The model's objection to an empty value.
  let obstacleOfNothing: String?
  private let conditions: Conditions

  fileprivate enum Conditions {
    case none
    case bounds([ValueBounds])
    /// A value has to be shown to a predicate.
    case others
  }

  private let name: String
  private let scratch: NSManagedObject

  /// Nil for an attribute of which the model demands nothing.
  init?(_ attribute: NSAttributeDescription, at slot: Int, _ scratch: NSManagedObject) {
    if attribute.isTransient || attribute is NSDerivedAttributeDescription { return nil }
    self.slot = slot
    self.scratch = scratch
    name = attribute.name
    conditions = Conditions(attribute.validationPredicates)
    obstacleOfSilence = Self.obstacle(in: attribute.defaultValue, of: name, scratch)
    obstacleOfNothing = Self.obstacle(in: nil, of: name, scratch)
    if obstacleOfSilence == nil, obstacleOfNothing == nil, isFree { return nil }
  }

  /// Nil for a relationship that may lead nowhere.
  init?(_ relationship: NSRelationshipDescription, at slot: Int, _ scratch: NSManagedObject) {
    if relationship.isOptional || relationship.isToMany || relationship.isTransient { return nil }
    self.slot = slot
    self.scratch = scratch
    name = relationship.name
    conditions = .none
    let obstacle = "\(scratch.entity.name ?? "").\(name) must lead to an object."
    (obstacleOfSilence, obstacleOfNothing) = (obstacle, obstacle)
  }
}

extension ImportDemand.Conditions {
  fileprivate init(_ predicates: [NSPredicate]) {
    let bounds = predicates.compactMap { ValueBounds($0) }
    self = bounds.count < predicates.count ? .others : bounds.isEmpty ? .none : .bounds(bounds)
  }
}

// MARK: - Values

extension ImportDemand {
  /// Whether every value of the type is allowed.
  var isFree: Bool { if case .none = conditions { true } else { false } }

  // Whether bounds alone say that a value is allowed; otherwise the model is asked, which has the words.

  func admits(_ number: Int64) -> Bool { areMet { $0.admits(number) } }
  func admits(_ number: Double) -> Bool { areMet { $0.admits(number) } }
  func admits(length: Int) -> Bool { areMet { $0.admits(length: length) } }

  private func areMet(_ isMet: (ValueBounds) -> Bool?) -> Bool {
    switch conditions {
    case .none: true
    case .bounds(let bounds): bounds.allSatisfy { isMet($0) == true }
    case .others: false
    }
  }

  /// Why the model does not allow a value; nil if it does.
  func obstacle(in value: Any) -> String? { Self.obstacle(in: value, of: name, scratch) }

  static func obstacle(
    in value: Any?,
    of name: String,
    _ scratch: NSManagedObject
  ) -> String? {
    var value = value.map { $0 as AnyObject }
    do {
      try scratch.validateValue(&value, forKey: name)
      return nil
    } catch {
      let error = error as NSError
      return error.localizedFailureReason ?? error.localizedDescription
    }
  }
}
