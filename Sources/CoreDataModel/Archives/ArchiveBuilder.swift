package import Foundation

/// Builds a keyed archive object by object; the same steps give the same bytes.
///
///     let name = builder.text("Note")                             // uid 1
///     let note = builder.object(.entity, ["NSEntityName": name])  // uid 2
///     builder.data(root: note)
package struct ArchiveBuilder {
  private var objects: [PropertyListValue] = [.text("$null")]
  private var plain: [PropertyListValue.Exact: PropertyListValue] = [:]
  private var classes: [String: PropertyListValue] = [:]

  package init() {}

  /// The reference to nothing.
  package static let null = PropertyListValue.uid(0)

  /// A place for an object that others refer to before it is complete.
  package mutating func reserve() -> PropertyListValue {
    objects.append(.null)
    return .uid(objects.count - 1)
  }

  mutating func replace(_ reference: PropertyListValue, with object: PropertyListValue) {
    guard case .uid(let number) = reference else { return }
    objects[number] = object
  }

  /// An object of a class, in a new place or a reserved one.
  @discardableResult
  package mutating func object(
    _ className: String,
    _ fields: [String: PropertyListValue],
    at place: PropertyListValue? = nil
  ) -> PropertyListValue {
    let reference = place ?? reserve()
    var fields = fields
    fields["$class"] = archivedClass(className)
    replace(reference, with: .dictionary(fields))
    return reference
  }

  /// A text, number or data as an object of its own; equal ones are one object.
  package mutating func value(_ value: PropertyListValue) -> PropertyListValue {
    let key = PropertyListValue.Exact(value: value)
    if let known = plain[key] { return known }
    objects.append(value)
    let reference = PropertyListValue.uid(objects.count - 1)
    plain[key] = reference
    return reference
  }

  package mutating func text(_ text: String?) -> PropertyListValue {
    text.map { value(.text($0)) } ?? Self.null
  }

  package func data(root: PropertyListValue) -> Data {
    PropertyListValue.dictionary([
      "$version": .integer(100_000),
      "$archiver": .text("NSKeyedArchiver"),
      "$top": .dictionary(["root": root]),
      "$objects": .array(objects),
    ]).binary
  }
}

// MARK: - Collections

extension ArchiveBuilder {
  package mutating func array(_ elements: [PropertyListValue]) -> PropertyListValue {
    object("NSArray", ["NS.objects": .array(elements)])
  }

  mutating func set(_ elements: [PropertyListValue]) -> PropertyListValue {
    object("NSSet", ["NS.objects": .array(elements)])
  }

  mutating func texts(_ texts: [String]) -> PropertyListValue {
    array(texts.map { text($0) })
  }

  /// A dictionary in the order given.
  package mutating func dictionary(
    _ entries: [(key: String, value: PropertyListValue)],
    class className: String = "NSMutableDictionary",
    at place: PropertyListValue? = nil
  ) -> PropertyListValue {
    let keys = entries.map { text($0.key) }
    return object(
      className,
      ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.value))],
      at: place
    )
  }

  /// A dictionary whose keys are known beforehand, as model caches hold their entities.
  mutating func knownKeysDictionary(
    _ entries: [(key: String, value: PropertyListValue)],
    at place: PropertyListValue
  ) {
    let keys = texts(entries.map(\.key))
    let mapping = object(
      "NSKnownKeysMappingStrategy1",
      ["keys": keys, "length": .integer(Int64(entries.count)), "version": .integer(1)]
    )
    object(
      "NSKnownKeysDictionary1",
      [
        "values": array(entries.map(\.value)),
        "searchMapping": mapping,
        "emptyToken": text("__empty_slot_token_4c24_98dc_ac1e_b773__"),
        "version": .integer(1),
      ],
      at: place
    )
  }
}

// MARK: - Copying

extension ArchiveBuilder {
  /// Copies an object of another archive into this one, with everything it refers to.
  mutating func graft(_ root: ArchivedNode) -> PropertyListValue {
    var copies: [Int: PropertyListValue] = [:]
    var waiting: [(ArchivedNode, PropertyListValue)] = []
    var next = objects.count

    func reference(to node: ArchivedNode) -> PropertyListValue {
      guard let number = node.number else { return Self.null }
      if let copy = copies[number] { return copy }
      let copy = PropertyListValue.uid(next)
      next += 1
      copies[number] = copy
      waiting.append((node, copy))
      return copy
    }

    let copy = reference(to: root)
    var done = 0
    while done < waiting.count {
      let (node, place) = waiting[done]
      done += 1
      objects.append(.null)
      replace(place, with: node.rewritten(by: reference))
    }
    return copy
  }
}

// MARK: - Classes

extension ArchiveBuilder {
  private mutating func archivedClass(_ name: String) -> PropertyListValue {
    if let known = classes[name] { return known }
    let ancestry = [name] + (Self.superclasses[name] ?? []) + ["NSObject"]
    objects.append(
      .dictionary([
        "$classname": .text(name), "$classes": .array(ancestry.map(PropertyListValue.text)),
      ])
    )
    let reference = PropertyListValue.uid(objects.count - 1)
    classes[name] = reference
    return reference
  }

  /// The classes between each class and `NSObject`.
  private static let superclasses: [String: [String]] = [
    "NSMutableDictionary": ["NSDictionary"],
    "NSKnownKeysDictionary1": ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"],
    "NSKnownKeysMappingStrategy1": ["NSKnownKeysMappingStrategy"],
    "NSDecimalNumber": ["NSNumber", "NSValue"],
    "NSAttributeDescription": ["NSPropertyDescription"],
    "NSDerivedAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSCompositeAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSRelationshipDescription": ["NSPropertyDescription"],
    "NSFetchedPropertyDescription": ["NSPropertyDescription"],
    "NSExpressionDescription": ["NSPropertyDescription"],
    "NSFetchRequest": ["NSPersistentStoreRequest"],
    "NSComparisonPredicate": ["NSPredicate"],
    "NSCompoundPredicate": ["NSPredicate"],
    "NSTruePredicate": ["NSPredicate"],
    "NSFalsePredicate": ["NSPredicate"],
    "NSEqualityPredicateOperator": ["NSPredicateOperator"],
    "NSComparisonPredicateOperator": ["NSPredicateOperator"],
    "NSInPredicateOperator": ["NSPredicateOperator"],
    "NSBetweenPredicateOperator": ["NSPredicateOperator"],
    "NSMatchingPredicateOperator": ["NSStringPredicateOperator", "NSPredicateOperator"],
    "NSLikePredicateOperator": ["NSStringPredicateOperator", "NSPredicateOperator"],
    "NSSubstringPredicateOperator": ["NSStringPredicateOperator", "NSPredicateOperator"],
    "NSConstantValueExpression": ["NSExpression"],
    "NSSelfExpression": ["NSExpression"],
    "NSVariableExpression": ["NSExpression"],
    "NSKeyPathExpression": ["NSFunctionExpression", "NSExpression"],
    "NSKeyPathSpecifierExpression": ["NSExpression"],
    "NSFunctionExpression": ["NSExpression"],
    "NSAggregateExpression": ["NSExpression"],
    "NSSetExpression": ["NSExpression"],
    "NSSubqueryExpression": ["NSExpression"],
    "NSTernaryExpression": ["NSExpression"],
    "NSFetchRequestExpression": ["NSExpression"],
  ]
}
