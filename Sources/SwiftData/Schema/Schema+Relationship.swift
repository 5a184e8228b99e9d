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
    /// The type of the property.
    public let valueType: Any.Type
    /// Whether the declaration carries `@Relationship`.
    let isExplicit: Bool
    private let formerName: String?

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
      valueType = Never.self
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
      self.valueType = valueType
      isExplicit = arguments != nil
      formerName = arguments?.formerName
    }

    /// The name that the property had in the last version of the schema.
    public var originalName: String { formerName ?? name }
    /// Whether the type of the property is optional.
    public var isOptional: Bool { valueType is any AnyOptionalType.Type }
    public var isAttribute: Bool { false }
    public var isRelationship: Bool { true }
    public var isTransient: Bool { false }
    public var isUnique: Bool { options.contains(.unique) }
    /// Whether the property is a model, and not an array of models.
    public var isToOneRelationship: Bool { !ModelTypes.isToMany(valueType) }
  }
}

extension Schema.Relationship: Hashable {
  public static func == (one: Schema.Relationship, other: Schema.Relationship) -> Bool {
    one.name == other.name && one.valueType == other.valueType
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
    return "\(name): \(valueType)\(inverse), \(deleteRule)"
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
  public struct Option: Hashable, Sendable, CustomDebugStringConvertible {
    private let name: String

    /// The option as in a declaration.
    public var debugDescription: String { ".\(name)" }

    /// No two models have the same related model.
    public static let unique = Option(name: "unique")
  }
}
