import CoreData
import Foundation

/// A description of the models that a container stores: their entities, attributes and relationships.
///
/// ```swift
/// let schema = Schema([Note.self, Folder.self])
/// ```
///
/// A schema contains the classes that it is created with and all that their relationships reach. Initial values of
/// properties are evaluated once, when the first schema with the class is created.
///
/// Safety: never changed after it was created.
public final class Schema: Sendable {
  /// The version of the form in which ``save(to:)`` writes schemas.
  public static let schemaEncodingVersion = Version(1, 0, 0)

  /// The version of the schema.
  public let version: Version
  /// The version of the form in which the schema was written, or will be.
  public let encodingVersion: Version
  /// The entities, ordered by name.
  public let entities: [Entity]
  /// The classes; of a schema that was read from a file, those that the program has.
  let types: ModelTypes
  /// Whether the schema was read from a file, so that the program's classes may differ from it.
  let isRead: Bool

  /// The entities by name.
  public var entitiesByName: [String: Entity] {
    Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Creates a schema of classes.
  ///
  /// The program stops with a sentence if a property has a type that cannot be stored, if two classes have the same
  /// name, or if an inverse leads elsewhere.
  ///
  /// - Parameters:
  ///   - types: The classes. Subclasses must be among them.
  ///   - version: The version of the schema.
  public convenience init(
    _ types: [any PersistentModel.Type],
    version: Version = Version(1, 0, 0)
  ) {
    let types = ModelTypes(reachedFrom: types)
    self.init(types: types, entities: SchemaMaking(types).entities, version: version)
  }

  /// Creates a schema of classes.
  ///
  /// - Parameters:
  ///   - types: The classes.
  ///   - version: The version of the schema.
  public convenience init(
    _ types: any PersistentModel.Type...,
    version: Version = Version(1, 0, 0)
  ) {
    self.init(types, version: version)
  }

  /// Creates the schema of one version of a program's models.
  ///
  /// - Parameter versionedSchema: The version, with its classes and its number.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }

  /// Creates the schema of a class whose models are in no context.
  convenience init(withoutStoresOf type: any PersistentModel.Type) {
    let types = ModelTypes(reachedFrom: [type])
    let making = SchemaMaking(types, isForStores: false)
    self.init(types: types, entities: making.entities, version: Version(1, 0, 0))
  }

  init(
    types: ModelTypes,
    entities: [Entity],
    version: Version,
    encodingVersion: Version = schemaEncodingVersion,
    isRead: Bool = false
  ) {
    self.types = types
    self.encodingVersion = encodingVersion
    self.isRead = isRead
    self.entities = entities.sorted { $0.name < $1.name }
    self.version = version
  }

  /// Returns the name of the entity of a class: the last part of the class's name.
  ///
  /// - Parameter type: A class.
  /// - Returns: The name, for example `Note`.
  public class func entityName<Model: PersistentModel>(for type: Model.Type) -> String {
    ModelType.entityName(of: type)
  }

  /// Returns the entity of a class.
  ///
  /// - Parameter type: A class.
  /// - Returns: The entity, or `nil` if the schema does not have the class.
  public func entity<Model: PersistentModel>(for type: Model.Type) -> Entity? {
    guard types[type] != nil else { return nil }
    return entitiesByName[ModelType.entityName(of: type)]
  }
}

extension Schema: Hashable {
  /// Returns whether two schemas have the same version and equal entities.
  public static func == (one: Schema, other: Schema) -> Bool {
    one.version == other.version && one.entities == other.entities
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(entities)
  }
}

extension Schema: CustomDebugStringConvertible {
  /// The version and the names of the entities.
  public var debugDescription: String {
    "Schema \(version): " + entities.map(\.name).joined(separator: ", ")
  }
}

// MARK: - Versions

extension Schema {
  /// The number of a schema's version, as in `2.1.0`.
  public struct Version: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// The first number.
    public let major: Int
    /// The second number.
    public let minor: Int
    /// The third number.
    public let patch: Int

    /// Creates a version.
    ///
    /// - Parameters:
    ///   - major: The first number.
    ///   - minor: The second number.
    ///   - patch: The third number.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      self.major = major
      self.minor = minor
      self.patch = patch
    }

    /// The numbers with points between them.
    public var description: String { "\(major).\(minor).\(patch)" }

    public static func < (one: Version, other: Version) -> Bool {
      (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }
  }
}

/// A version of a program's models.
///
/// ```swift
/// enum NotesV1: VersionedSchema {
///   static let versionIdentifier = Schema.Version(1, 0, 0)
///   static var models: [any PersistentModel.Type] { [Note.self] }
///   @Model final class Note { … }
/// }
/// ```
public protocol VersionedSchema: SendableMetatype {
  /// The classes of the version.
  static var models: [any PersistentModel.Type] { get }
  /// The number of the version.
  static var versionIdentifier: Schema.Version { get }
}
