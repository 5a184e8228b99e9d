import CoreDataModel
import CoreDataPredicates
import Foundation

/// Holds an object's values against the rules of the model; every failure is found, not the first.
enum ObjectValidation {
  /// Throws the failure, or 1560 with several.
  static func validate(_ object: NSManagedObject) throws {
    let layout = object.layout
    var failures = ValidationErrors()
    checkReferences(of: object, into: &failures)
    if failures.errors.isEmpty, layout.rules.isEmpty, layout.ownValidation == nil { return }
    let asked = layout.ownValidation?.asked ?? SlotSet()
    for rule in layout.rules where !asked.contains(rule.slot) {
      check(rule, of: object, into: &failures)
    }
    for slot in asked { ask(object, about: slot, into: &failures) }
    if let error = failures.thrown { throw error }
  }

  /// Throws 1600 for each relationship with the rule Deny that still leads somewhere.
  static func validateDelete(_ object: NSManagedObject) throws {
    var failures = ValidationErrors()
    for duty in object.layout.deletionDuties where duty.rule == .deny {
      let others = members(of: object, at: duty.slot).filter { !$0.willBeDeleted }
      if others.isEmpty { continue }
      let rule = ValidationFailure.Rule.deniedDelete(count: others.count)
      failures.add(failure(rule, of: object, at: duty.slot, value: others))
    }
    if let error = failures.thrown { throw error }
  }

  /// Calls each object's own validation, and collects what they throw.
  static func validate(_ changes: ChangeSet) throws {
    var failures = ValidationErrors()
    for object in changes.deleted {
      do { try object.validateForDelete() } catch { failures.add(error) }
    }
    for object in changes.inserted {
      do { try object.validateForInsert() } catch { failures.add(error) }
    }
    for object in changes.updated {
      do { try object.validateForUpdate() } catch { failures.add(error) }
    }
    if let error = failures.thrown { throw error }
  }
}

// MARK: - Rules

/// A rule of the model for one property.
struct ValidationRule: Sendable {
  let slot: Int
  let demand: Demand

  enum Demand: Sendable {
    case value
    /// A date that is one.
    case date
    case conditions([Condition])
    case target
    case members(min: Int, max: Int, isOptional: Bool)
  }

  /// A predicate of the model that every value of a property must meet.
  struct Condition: Sendable {
    let predicate: Immutable<NSPredicate>
    let schema: ValidationSchema
    /// The same, to be asked first, if the predicate says no more.
    let bounds: ValueBounds?
  }

  /// The rules of an entity, in the order of its slots; properties without restrictions do not have any.
  static func rules(
    of layout: EntityLayout,
    _ description: NSEntityDescription
  ) -> [ValidationRule] {
    layout.slots.enumerated().flatMap { slot, entry -> [ValidationRule] in
      switch entry.property {
      case .attribute(let attribute):
        rules(of: attribute, at: slot)
          + conditions(description.attribute(at: entry.name)?.codedValidations, at: slot)
      case .relationship(let relationship):
        rules(of: relationship, at: slot)
          + conditions(description.relationshipsByName[entry.name]?.validations, at: slot)
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
    if attribute.type == .date { rules.append(ValidationRule(slot: slot, demand: .date)) }
    if !attribute.validations.isEmpty {
      let conditions = attribute.validations.map { Condition($0, of: attribute) }
      rules.append(ValidationRule(slot: slot, demand: .conditions(conditions)))
    }
    return rules
  }

  private static func rules(of relationship: RelationshipSchema, at slot: Int) -> [ValidationRule] {
    if !relationship.isToMany {
      return relationship.isOptional ? [] : [ValidationRule(slot: slot, demand: .target)]
    }
    let (min, max) = (relationship.minCount, relationship.maxCount)
    if min == 0, max == 0 { return [] }
    let demand = Demand.members(min: min, max: max, isOptional: relationship.isOptional)
    return [ValidationRule(slot: slot, demand: demand)]
  }

  /// The predicates that only the description of a property has: model files do not contain those of relationships,
  /// nor those that are code.
  private static func conditions(
    _ validations: [NSPropertyDescription.Validation]?,
    at slot: Int
  ) -> [ValidationRule] {
    guard let validations, !validations.isEmpty else { return [] }
    return [ValidationRule(slot: slot, demand: .conditions(validations.map { Condition($0) }))]
  }
}

extension ValidationRule.Condition {
  init(_ validation: NSPropertyDescription.Validation) {
    predicate = Immutable(validation.predicate.predicate)
    schema = ValidationSchema(
      predicateFormat: validation.predicate.format,
      warning: validation.warning
    )
    bounds = nil
  }

  init(_ schema: ValidationSchema, of attribute: AttributeSchema) {
    let predicate = NSPredicate(format: schema.predicateFormat)
    self.predicate = Immutable(predicate)
    self.schema = schema
    bounds =
      switch attribute.type {
      case .integer16, .integer32, .integer64, .double, .float, .string: ValueBounds(predicate)
      case .undefined, .decimal, .boolean, .date, .binaryData, .uuid, .uri, .transformable,
        .objectID, .composite:
        nil
      }
  }
}

extension ValueBounds {
  fileprivate func admits(_ value: SlotValue) -> Bool? {
    switch value {
    case .integer(let number): admits(number)
    case .real(let number): admits(number)
    case .text(let text): admits(text)
    case .null, .data, .uuid, .url, .object, .collection: nil
    }
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
      if object.ruledValue(at: slot).isNull, !object.isOfAbsentComposite(slot) {
        failures.add(failure(.missingValue, of: object, at: slot, value: nil))
      }
    case .date:
      // Without the value: Foundation stops the program where such a date is described.
      if hasInvalidDate(object, at: slot) {
        failures.add(failure(.invalidDate, of: object, at: slot, value: nil))
      }
    case .target:
      let target = object.target(at: slot)
      if target == nil || target?.willBeDeleted == true {
        failures.add(failure(.missingValue, of: object, at: slot, value: nil))
      }
    case .conditions(let conditions):
      if object.layout.kinds[slot].isToMany, isUntouched(object, at: slot) { return }
      let plain = object.ruledValue(at: slot)
      if conditions.allSatisfy({ $0.bounds?.admits(plain) == true }) { return }
      guard !hasInvalidDate(object, at: slot), let value = object.boxedRuledValue(at: slot) else {
        return
      }
      for condition in conditions where !condition.predicate.value.evaluate(with: value) {
        let schema = condition.schema
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
      if count < min {
        failures.add(
          failure(.tooFewObjects(count: count, minimum: min), of: object, at: slot, value: count)
        )
      }
      if max > 0, count > max {
        failures.add(
          failure(.tooManyObjects(count: count, maximum: max), of: object, at: slot, value: count)
        )
      }
    }
  }

  /// Adds a failure for each relationship that was given objects which the save deletes.
  ///
  /// A delete rule has emptied the references when the deletion was processed; a reference that is set later dangles.
  /// Only relationships that have changed are looked at, and nothing is read.
  private static func checkReferences(
    of object: NSManagedObject,
    into failures: inout ValidationErrors
  ) {
    let layout = object.layout
    guard let overlay = object.existingOverlay,
      !overlay.changed.isDisjoint(with: layout.slotsKeptInMemory),
      let context = object.managedObjectContext, !context.tracker.deleted.isEmpty
    else { return }
    for slot in overlay.changed where layout.slotsKeptInMemory.contains(slot) {
      guard let relationship = layout.slots[slot].relationship, layout.isStored(slot) else {
        continue
      }
      switch overlay[slot] {
      case .object(let value):
        // A required one is missing, which its own rule says.
        guard relationship.isOptional, let target = value as? NSManagedObject,
          isGone(target, at: slot, of: layout)
        else { continue }
        failures.add(failure(.deletedObjects(count: 1), of: object, at: slot, value: target))
      case .collection(let collection):
        let gone = collection.added.filter { isGone($0, at: slot, of: layout) }
        if gone.isEmpty { continue }
        let rule = ValidationFailure.Rule.deletedObjects(count: gone.count)
        failures.add(failure(rule, of: object, at: slot, value: Array(gone)))
      case .null, .integer, .real, .text, .data, .uuid, .url:
        continue
      }
    }
  }

  /// Whether the save deletes the object; if its delete rule is Deny, the deletion fails by itself.
  private static func isGone(
    _ object: NSManagedObject,
    at slot: Int,
    of layout: EntityLayout
  ) -> Bool {
    guard object.willBeDeleted, !object.isInaccessible else { return false }
    guard let inverse = layout.slots[slot].end?.inverse else { return true }
    return object.layout.slots[inverse].relationship?.deleteRule != .deny
  }

  /// Whether a date that was set here is not a number; others are not looked at.
  private static func hasInvalidDate(_ object: NSManagedObject, at slot: Int) -> Bool {
    let layout = object.layout
    guard layout.kinds[slot] == .date else { return false }
    if slot >= layout.propertyCount,
      case .real(let seconds) = object.ruledValue(at: slot)
    {
      return seconds.isNaN
    }
    guard let overlay = object.existingOverlay,
      overlay.has(slot), case .real(let seconds) = overlay[slot]
    else { return false }
    return seconds.isNaN
  }

  /// Whether a stored to-many relationship is as it was: then it is valid, and need not be read.
  private static func isUntouched(_ object: NSManagedObject, at slot: Int) -> Bool {
    // Objects that a migration made were saved without validation.
    guard !object.willBeInserted, object.managedObjectContext?.defersValidation != true else {
      return false
    }
    return !object.collection(at: slot).isChanged
  }

  private static func members(of object: NSManagedObject, at slot: Int) -> [NSManagedObject] {
    if object.layout.slots[slot].kind.isToMany { return object.loadedCollection(at: slot).members }
    return object.target(at: slot).map { [$0] } ?? []
  }

  /// The error for a broken rule, in the words of the model's localization if it has some.
  static func failure(
    _ rule: ValidationFailure.Rule,
    of object: NSManagedObject,
    at slot: Int,
    value: Any?
  ) -> NSError {
    let layout = object.layout
    var failure = ValidationFailure(rule, key: layout.slots[slot].name, entity: layout.name)
    failure.localization = layout.model.model.localizationDictionary ?? [:]
    return failure.error(object: object, value: value, predicate: rule.predicate)
  }
}

// MARK: - Asking the class

extension ObjectValidation {
  /// Asks an object about one of its values, and gives it the value that comes back.
  private static func ask(
    _ object: NSManagedObject,
    about slot: Int,
    into failures: inout ValidationErrors
  ) {
    let entry = object.layout.slots[slot]
    if entry.kind == .fetched || entry.kind.isToMany && isUntouched(object, at: slot) { return }
    let value = object.boxedValue(at: slot).map { $0 as AnyObject }
    var valid = value
    do {
      try object.validateValue(&valid, forKey: entry.name)
      if !isSame(value, valid) { object.setValue(valid, forKey: entry.name) }
    } catch {
      failures.add(error)
    }
  }

  private static func isSame(_ one: AnyObject?, _ other: AnyObject?) -> Bool {
    if one === other { return true }
    if let one = one as? NSNumber, let other = other as? NSNumber,
      one.doubleValue.isNaN, other.doubleValue.isNaN
    {
      return true
    }
    return (one as? NSObject)?.isEqual(other) ?? false
  }
}
