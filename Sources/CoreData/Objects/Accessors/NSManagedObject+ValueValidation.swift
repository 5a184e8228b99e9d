import CoreDataModel
import CoreDataPredicates
import Foundation

/// A pointer to a value that a validation method examines and may replace.
///
/// On Apple's systems the compiler creates one from `&value`. Here the method
/// `validateValue(&value, forKey:)` has an overload that does so, and overrides receive the
/// pointer.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
  private let place: UnsafeMutablePointer<Pointee>

  /// Creates a pointer from an unsafe mutable pointer.
  ///
  /// - Parameter place: A pointer that stays valid as long as this one is used.
  public init(_ place: UnsafeMutablePointer<Pointee>) {
    self.place = place
  }

  /// The value to which the pointer refers, which you can read and replace.
  public var pointee: Pointee {
    get { place.pointee }
    nonmutating set { place.pointee = newValue }
  }
}

// MARK: - For callers

extension NSManagedObject {
  /// Converts a value to the type of a property and validates it against the rules of the model.
  ///
  /// ```swift
  /// var stars: AnyObject? = NSNumber(value: 7)
  /// try note.validateValue(&stars, forKey: "stars")   // throws 1610: the maximum is 5
  /// ```
  ///
  /// The object itself does not change.
  ///
  /// - Parameters:
  ///   - value: The value to validate; the method may replace it.
  ///   - key: The name of a property. An unknown name stops the program.
  /// - Throws: A `CocoaError` with one of the validation codes (1550–1680), or 1560 with several
  ///   errors under `NSDetailedErrorsKey`.
  public func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
    try withUnsafeMutablePointer(to: &value) {
      try validateValue(AutoreleasingUnsafeMutablePointer($0), forKey: key)
    }
  }

  /// Validates a value for the last property of a key path, on the object to which the properties
  /// before it lead.
  ///
  /// If a property on the way is `nil`, nothing is validated.
  ///
  /// - Parameters:
  ///   - value: The value to validate; the method may replace it.
  ///   - keyPath: Property names, separated by dots.
  /// - Throws: A `CocoaError` with one of the validation codes (1550–1680), or 1560 with several
  ///   errors under `NSDetailedErrorsKey`.
  public func validateValue(_ value: inout AnyObject?, forKeyPath keyPath: String) throws {
    let (owner, key) = owner(ofLastKeyIn: keyPath)
    try owner?.validateValue(&value, forKey: key)
  }
}

// MARK: - Holding against the model

extension NSManagedObject {
  /// Holds a value against the rules of the model, then against the class's own for the property.
  func validate(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
    forKey key: String
  ) throws {
    guard let slot = layout.slot(named: key) else { stop(unknownKeySentence(key)) }
    value.pointee = try valid(value.pointee, at: slot)
    try layout.ownValidation?[slot]?.judge(value, of: self)
  }

  /// The value as the property would give it back; throws what the model has against it.
  private func valid(_ value: Any?, at slot: Int) throws -> AnyObject? {
    let taken = try taken(value, at: slot)
    if let date = taken as? Date, date.timeIntervalSinceReferenceDate.isNaN {
      throw ObjectValidation.failure(.invalidDate, of: self, at: slot, value: nil)
    }
    var failures = ValidationErrors()
    for rule in layout.rules where rule.slot == slot {
      for broken in rule.demand.broken(by: taken) {
        failures.add(ObjectValidation.failure(broken, of: self, at: slot, value: taken))
      }
    }
    // Of a composite attribute without a value, none of its elements' is demanded.
    for (value, element) in taken == nil ? [] : elementValues(of: taken, at: slot) {
      for rule in layout.rules where rule.slot == element {
        for broken in rule.demand.broken(by: value) {
          failures.add(ObjectValidation.failure(broken, of: self, at: element, value: value))
        }
      }
    }
    if let error = failures.thrown { throw error }
    return taken as AnyObject?
  }

  /// The value in the property's own type, such as an `NSNumber` of 16 bits; collections as they are.
  private func taken(_ value: Any?, at slot: Int) throws -> Any? {
    guard let value = SlotValue.unwrapped(value) else { return nil }
    if layout.slots[slot].kind.isToMany {
      if ValueCollection(value) != nil { return value }
    } else if let accepted = accepted(value, at: slot) ?? layout.truncated(value, at: slot) {
      return box(accepted, at: slot)
    }
    let rule = ValidationFailure.Rule.wrongType(expected: expectation(at: slot))
    throw ObjectValidation.failure(rule, of: self, at: slot, value: value)
  }
}

extension ValidationRule.Demand {
  /// Returns the rules that a value violates.
  fileprivate func broken(by value: Any?) -> [ValidationFailure.Rule] {
    switch self {
    case .value:
      return value == nil ? [.missingValue] : []
    case .date:
      // Seen to before.
      return []
    case .target:
      let isThere = (value as? NSManagedObject)?.willBeDeleted == false
      return isThere ? [] : [.missingValue]
    case .conditions(let conditions):
      guard let value else { return [] }
      return conditions.filter { !$0.predicate.value.evaluate(with: value) }
        .map { .predicate($0.schema.predicateFormat, $0.schema.warning) }
    case .members(let min, let max, let isOptional):
      let count = value.flatMap(ValueCollection.init)?.count ?? 0
      if count == 0, isOptional { return [] }
      return (count < min ? [.tooFewObjects(count: count, minimum: min)] : [])
        + (max > 0 && count > max ? [.tooManyObjects(count: count, maximum: max)] : [])
    }
  }
}
