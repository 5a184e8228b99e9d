/// One entity of a model, with the properties it declares itself.
package struct EntitySchema: Hashable, Sendable {
  package var name: String
  /// The class of its objects, as the model names it; empty or `NSManagedObject` if it does not
  /// have its own.
  package var className: String
  /// Whether archives name the class; those of SwiftData since 2023 do not.
  package var archivesClass = Uncompared(true)
  package var isAbstract = false
  package var superentityName: String?
  /// Own attributes, without the inherited ones, sorted by name in code-point order.
  package var attributes: [AttributeSchema] = []
  package var relationships: [RelationshipSchema] = []
  package var fetchedProperties: [FetchedPropertySchema] = []
  package var indexes: [FetchIndexSchema] = []
  /// Own constraints: each the names of properties whose values must be unique together.
  package var uniquenessConstraints: [[String]] = []
  package var userInfo: [String: String] = [:]
  package var versionHashModifier: String?
  /// The name this entity had in an earlier version of the model, when it differs.
  package var renamingIdentifier: String?
  /// How a class is made for it at build time; says nothing at run time.
  package var codeGeneration = CodeGeneration.manual

  package init(name: String, className: String = "NSManagedObject") {
    self.name = name
    self.className = className
  }

  /// The code that the model compiler writes for an entity, named as in Xcode's model editor.
  package enum CodeGeneration: String, Hashable, Sendable {
    /// Class Definition: the whole class.
    case classDefinition = "class"
    /// Category/Extension: the properties, for a class that the developer writes.
    case categoryExtension = "category"
    /// Manual/None: nothing.
    case manual = "none"
  }
}

/// A value that does not count when schemas are compared.
package struct Uncompared<Value: Sendable>: Hashable, Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }

  package static func == (one: Self, other: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

/// An index that speeds up fetches of an entity.
package struct FetchIndexSchema: Hashable, Sendable {
  package var name: String
  package var elements: [Element]
  /// Only rows that match this predicate are indexed.
  package var partialPredicateFormat: String?

  package init(name: String, elements: [Element], partialPredicateFormat: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialPredicateFormat = partialPredicateFormat
  }

  package struct Element: Hashable, Sendable {
    package var subject: Subject
    package var collation: Collation
    package var isAscending: Bool

    package init(
      _ subject: Subject,
      collation: Collation = .binary,
      isAscending: Bool = true
    ) {
      self.subject = subject
      self.collation = collation
      self.isAscending = isAscending
    }
  }

  /// The thing by which an index element orders.
  package enum Subject: Hashable, Sendable {
    case property(String)
    /// The format of an expression, such as `SELF` or `entity`.
    case expression(String)
  }

  /// Raw values are those of `NSFetchIndexElementType`.
  package enum Collation: UInt, Hashable, Sendable {
    case binary = 0
    case rTree = 1
  }
}
