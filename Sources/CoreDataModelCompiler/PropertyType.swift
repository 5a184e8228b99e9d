import CoreDataModel

/// The declared type of a generated property, and its access to the value.
struct PropertyType: Hashable {
  let spelling: String
  let access: Access
  /// Whether a to-many relationship has a `Set` of the members' class, and not an `NSSet`.
  var isTyped = false

  /// The subscripts of a managed object, by their labels.
  enum Access: String {
    case slot
    case timeInterval
    /// Apart from `slot`, where every decimal number is an `NSNumber` too: Swift could not choose.
    case decimal
    case object
    case toOne
    case toMany
    case ordered
    case fetched
  }
}

// MARK: - Attributes

extension PropertyType {
  /// As Xcode chooses: a scalar where the model asks for one, else an optional object or value.
  ///
  /// Optional whatever the model says: until the first save even a required attribute may be nil.
  init(of attribute: AttributeSchema) {
    let isScalar = attribute.usesScalarValueType
    self =
      switch attribute.type {
      case .integer16: isScalar ? .value("Int16") : .number
      case .integer32: isScalar ? .value("Int32") : .number
      case .integer64: isScalar ? .value("Int64") : .number
      case .double: isScalar ? .value("Double") : .number
      case .float: isScalar ? .value("Float") : .number
      case .boolean: isScalar ? .value("Bool") : .number
      case .date: isScalar ? .value("TimeInterval", .timeInterval) : .value("Date?")
      case .decimal: .value("NSDecimalNumber?", .decimal)
      case .string: .value("String?")
      case .binaryData: .value("Data?")
      case .uuid: .value("UUID?")
      case .uri: .value("URL?")
      case .undefined: .value("NSObject?", .object)
      case .transformable: .value("\(Self.className(of: attribute))?", .object)
      case .objectID: .value("NSManagedObjectID?", .object)
      case .composite: .value("[String: Any]?", .object)
      }
  }

  private static let number = value("NSNumber?")

  /// As in the model, which may well have a Swift type there, such as `[String]`.
  private static func className(of attribute: AttributeSchema) -> String {
    let name = attribute.customClassName.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    return name.flatMap { $0.isEmpty ? nil : $0 } ?? "NSObject"
  }

  private static func value(_ spelling: String, _ access: Access = .slot) -> Self {
    Self(spelling: spelling, access: access)
  }
}

// MARK: - Relationships and fetched properties

extension PropertyType {
  /// The key in the user info of an entity or a relationship, with which a model asks for typed sets.
  static let collectionsKey = "CoreData.collections"

  /// As Xcode chooses, or a set of the members' class if the model asks for that.
  init(of relationship: RelationshipSchema, to destination: ClassName, in entity: EntitySchema) {
    let key = Self.collectionsKey
    let isTyped = (relationship.userInfo[key] ?? entity.userInfo[key]) == "Set"
    self =
      switch (relationship.isToMany, relationship.isOrdered) {
      case (false, _): .value("\(destination.spelling)?", .toOne)
      case (true, false) where isTyped: .typed(destination)
      case (true, false): .value("NSSet?", .toMany)
      case (true, true): .value("NSOrderedSet?", .ordered)
      }
  }

  /// It is written with its module: somebody's model may have an entity `Set`.
  private static func typed(_ destination: ClassName) -> Self {
    Self(spelling: "Swift.Set<\(destination.spelling)>", access: .toMany, isTyped: true)
  }

  init(ofFetched destination: ClassName) {
    self = .value("[\(destination.spelling)]", .fetched)
  }
}
