import CoreDataModel
import CoreDataPredicates
import Foundation

/// Holds an object's values against the rules of the model; every failure is found, not the first.
enum ObjectValidation {
  /// Throws the failure, or 1560 with several.
  static func validate(_ object: NSManagedObject) throws {
    if object.layout.rules.isEmpty { return }
    var failures = ValidationErrors()
    for rule in object.layout.rules { check(rule, of: object, into: &failures) }
    if let error = failures.combined { throw error }
  }

  /// Throws 1600 for each relationship with the rule Deny that still leads somewhere.
  static func validateDelete(_ object: NSManagedObject) throws {
    var failures = ValidationErrors()
    for (slot, entry) in object.layout.slots.enumerated()
    where entry.relationship?.deleteRule == .deny {
      let others = members(of: object, at: slot).filter { !$0.isDeleted }
      if others.isEmpty { continue }
      failures.add(failure(.deniedDelete(count: others.count), of: object, at: slot, value: others))
    }
    if let error = failures.combined { throw error }
  }

  /// Calls each object's own validation, and collects what they throw.
  static func validate(_ changes: ChangeSet) throws {
    var failures = ValidationErrors()
    let collect = { (validate: () throws -> Void) in
      do { try validate() } catch { failures.add(error) }
    }
    for object in changes.deleted { collect(object.validateForDelete) }
    for object in changes.inserted { collect(object.validateForInsert) }
    for object in changes.updated { collect(object.validateForUpdate) }
    if let error = failures.combined { throw error }
  }
}

// MARK: - Rules

/// What the model demands of one property.
///
/// Safety: predicates are only evaluated, which changes nothing in them.
struct ValidationRule: @unchecked Sendable {
  let slot: Int
  let demand: Demand

  enum Demand {
    case value
    case predicates([(NSPredicate, ValidationSchema)])
    case target
    case members(min: Int, max: Int, isOptional: Bool)
  }

  /// The rules of an entity, in the order of its slots; properties that may hold anything have none.
  static func rules(of layout: EntityLayout) -> [ValidationRule] {
    layout.slots.enumerated().flatMap { slot, entry -> [ValidationRule] in
      switch entry.property {
      case .attribute(let attribute): rules(of: attribute, at: slot)
      case .relationship(let relationship): rules(of: relationship, at: slot)
      case .fetched, nil: []
      }
    }
  }

  private static func rules(of attribute: AttributeSchema, at slot: Int) -> [ValidationRule] {
    var rules: [ValidationRule] = []
    // The store computes a derived attribute, so it may well be nil before the save.
    if !attribute.isOptional, attribute.derivationExpression == nil {
      rules.append(ValidationRule(slot: slot, demand: .value))
    }
    if !attribute.validations.isEmpty {
      let predicates = attribute.validations.map {
        (NSPredicate(format: $0.predicateFormat), $0)
      }
      rules.append(ValidationRule(slot: slot, demand: .predicates(predicates)))
    }
    return rules
  }

  private static func rules(of relationship: RelationshipSchema, at slot: Int) -> [ValidationRule] {
    if !relationship.isToMany {
      return relationship.isOptional ? [] : [ValidationRule(slot: slot, demand: .target)]
    }
    let (min, max) = (relationship.minCount, relationship.maxCount)
    if relationship.isOptional, min == 0, max == 0 { return [] }
    let demand = Demand.members(min: min, max: max, isOptional: relationship.isOptional)
    return [ValidationRule(slot: slot, demand: demand)]
  }
}

// MARK: - Checking

extension ObjectValidation {
  private static func check(
    _ rule: ValidationRule,
    of object: NSManagedObject,
    into failures: inout ValidationErrors
  ) {
    let slot = rule.slot
    switch rule.demand {
    case .value:
      if object.ruledValue(at: slot).isNull {
        failures.add(failure(.missingValue, of: object, at: slot, value: nil))
      }
    case .target:
      let target = object.target(at: slot)
      if target == nil || target?.isDeleted == true {
        failures.add(failure(.missingValue, of: object, at: slot, value: nil))
      }
    case .predicates(let predicates):
      guard let value = object.boxedRuledValue(at: slot) else { return }
      for (predicate, schema) in predicates where !predicate.evaluate(with: value) {
        failures.add(
          failure(
            .predicate(schema.predicateFormat, schema.warning),
            of: object,
            at: slot,
            value: value
          )
        )
      }
    case .members(let min, let max, let isOptional):
      if isUntouched(object, at: slot) { return }
      let count = members(of: object, at: slot).count
      if count == 0, isOptional { return }
      let least = Swift.max(min, isOptional ? 0 : 1)
      if count < least {
        failures.add(
          failure(.tooFewObjects(count: count, minimum: least), of: object, at: slot, value: count)
        )
      }
      if max > 0, count > max {
        failures.add(
          failure(.tooManyObjects(count: count, maximum: max), of: object, at: slot, value: count)
        )
      }
    }
  }

  /// Whether a stored to-many relationship is as it was: then it is valid, and need not be read.
  private static func isUntouched(_ object: NSManagedObject, at slot: Int) -> Bool {
    guard !object.isInserted else { return false }
    return !object.collection(at: slot).isChanged
  }

  private static func members(of object: NSManagedObject, at slot: Int) -> [NSManagedObject] {
    if object.layout.slots[slot].kind.isToMany { return object.loadedCollection(at: slot).members }
    return object.target(at: slot).map { [$0] } ?? []
  }

  private static func failure(
    _ reason: ValidationFailure.Rule,
    of object: NSManagedObject,
    at slot: Int,
    value: Any?
  ) -> NSError {
    let key = object.layout.slots[slot].name
    return ValidationFailure(reason, key: key, entity: object.layout.name)
      .error(object: object, value: value)
  }
}
