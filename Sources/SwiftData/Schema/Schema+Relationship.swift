import Foundation

extension Schema {
  /// A description of a relationship, and the arguments of `@Relationship`.
  ///
  /// Safety: never changed after its schema was created.
  public final class Relationship: SchemaProperty, @unchecked Sendable {
    /// The options of the relationship.
    public let options: [Option]
    /// The name of the property; empty in the arguments of `@Relationship`.
    public let name: String
    /// The effect of a model's deletion on its related models.
    public let deleteRule: DeleteRule
    /// The name of the entity to which the relationship leads.
    public let destination: String
    /// The name of the relationship back.
    public internal(set) var inverseName: String?
    /// The key path of the relationship back, as the declaration has it.
    public let inverseKeyPath: AnyKeyPath?
    /// The key path of the property.
    public let keypath: AnyKeyPath?
    /// The smallest number of related models; 0 if there is not a minimum.
    public let minimumModelCount: Int?
    /// The largest number of related models; 0 for no limit.
    public let maximumModelCount: Int?
    /// The text that is part of the version hash.
    public let hashModifier: String?
    /// The type of the property; `Never` if a schema that was read from a file names a type that the program does not have.
    public var valueType: Any.Type { type.type }
    let type: NamedType
    /// Whether the type of the property is optional.
    public let isOptional: Bool
    /// Whether the property is a model, and not an array of models.
    public let isToOneRelationship: Bool
    /// Whether the declaration carries `@Relationship`.
    let isExplicit: Bool
    let formerName: String?

    /// Creates the arguments of `@Relationship`.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - deleteRule: The effect of a model's deletion on its related models.
    ///   - minimumModelCount: The smallest number of related models.
    ///   - maximumModelCount: The largest number of related models.
    ///   - originalName: The name that the property had in the last version of the schema.
    ///   - inverse: The key path of the relationship back.
    ///   - hashModifier: A text that is part of the version hash, so that the model counts as changed.
    public init(
      _ options: Option...,
      deleteRule: DeleteRule = .nullify,
      minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0,
      originalName: String? = nil,
      inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {
      self.options = options
      name = ""
      self.deleteRule = deleteRule
      destination = ""
      inverseKeyPath = inverse
      keypath = nil
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.hashModifier = hashModifier
      type = NamedType(Never.self)
      isOptional = false
      isToOneRelationship = true
      isExplicit = true
      formerName = originalName
    }

    init(
      name: String,
      valueType: Any.Type,
      destination: String,
      keypath: AnyKeyPath,
      arguments: Relationship?
    ) {
      options = arguments?.options ?? []
      self.name = name
      deleteRule = arguments?.deleteRule ?? .nullify
      self.destination = destination
      inverseKeyPath = arguments?.inverseKeyPath
      self.keypath = keypath
      minimumModelCount = arguments?.minimumModelCount ?? 0
      maximumModelCount = arguments?.maximumModelCount ?? 0
      hashModifier = arguments?.hashModifier
      type = NamedType(valueType)
      isOptional = valueType is any AnyOptionalType.Type
      isToOneRelationship = !ModelTypes.isToMany(valueType)
      isExplicit = arguments != nil
      formerName = arguments?.formerName
    }

    /// Creates a relationship of a file.
    ///
    /// - Parameters:
    ///   - coded: The file's description.
    ///   - property: The property of the program's class, if it has one of that name and type.
    init(_ coded: CodedRelationship, _ property: Schema.PropertyMetadata?) {
      options = coded.options
      name = coded.name
      deleteRule = coded.deleteRule
      destination = coded.destination
      inverseName = coded.inverseName
      inverseKeyPath = (property?.metadata as? Relationship)?.inverseKeyPath
      keypath = property?.keypath
      minimumModelCount = coded.minimumModelCount
      maximumModelCount = coded.maximumModelCount
      hashModifier = coded.hashModifier
      type = coded.type
      isOptional = coded.isOptional
      isToOneRelationship = coded.isToOne
      isExplicit = coded.isExplicit
      formerName = coded.originalName
    }

    /// Reads a relationship that ``encode(to:)`` has written.
    ///
    /// - Parameter decoder: The file.
    /// - Throws: `DecodingError` if the file describes no relationship.
    public convenience init(from decoder: any Decoder) throws {
      self.init(try CodedRelationship(from: decoder), nil)
    }

    /// Writes the relationship, with the names of its type and of its inverse.
    ///
    /// - Parameter encoder: The file.
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
      try CodedRelationship(self).encode(to: encoder)
    }

    /// The name that the property had in the last version of the schema.
    public var originalName: String { formerName ?? name }
    public var isAttribute: Bool { false }
    public var isRelationship: Bool { true }
    public var isTransient: Bool { false }
    public var isUnique: Bool { options.contains(.unique) }
  }
}

extension Schema.Relationship: Codable {}

extension Schema.Relationship: Hashable {
  public static func == (one: Schema.Relationship, other: Schema.Relationship) -> Bool {
    one.name == other.name && one.type == other.type
      && one.destination == other.destination && one.inverseName == other.inverseName
      && one.deleteRule == other.deleteRule && one.options == other.options
      && one.minimumModelCount == other.minimumModelCount
      && one.maximumModelCount == other.maximumModelCount && one.formerName == other.formerName
      && one.hashModifier == other.hashModifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(destination)
  }
}

extension Schema.Relationship: CustomDebugStringConvertible {
  /// The name of the relationship, its type, its inverse and its delete rule.
  public var debugDescription: String {
    let inverse = inverseName.map { ", inverse \(destination).\($0)" } ?? ""
    return "\(name): \(type.name)\(inverse), \(deleteRule)"
  }
}

extension Schema.Relationship {
  /// The effects of a model's deletion on its related models.
  public enum DeleteRule: String, Sendable, CaseIterable, Codable {
    /// Related models are not changed, and keep a reference to a model that no longer exists.
    case noAction
    /// The references of related models to the deleted model become `nil`.
    case nullify
    /// Related models are deleted, too.
    case cascade
    /// A model with related models cannot be deleted: the save throws.
    case deny
  }

  /// An option of a relationship, as in `@Relationship(.unique)`.
  public struct Option: Hashable, Codable, Sendable, CustomDebugStringConvertible {
    private let name: String

    private init(name: String) { self.name = name }

    /// Reads an option.
    ///
    /// - Parameter decoder: The file.
    /// - Throws: `DecodingError` for an option that does not exist.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      guard self == .unique else {
        throw DecodingError.dataCorruptedError(
          forKey: .name,
          in: container,
          debugDescription: "there is no relationship option \(name)"
        )
      }
    }

    /// The option as in a declaration.
    public var debugDescription: String { ".\(name)" }

    /// No two models have the same related model.
    public static let unique = Option(name: "unique")
  }
}
