package import CoreDataModel
import Foundation

/// The metadata of a store's file, as Apple's framework writes it.
package struct StoreMetadata {
  private let schema: ModelSchema
  /// The hashes of the configuration's entities.
  ///
  /// An entity has the same one in each configuration, whether its superentity belongs to that or not.
  private let hashes: [String: Data]

  package init(for schema: ModelSchema, in configuration: String? = nil) {
    self.schema = schema
    hashes = Self.versionHashes(of: schema, in: configuration)
  }

  /// The framework that we say has written the file: the one of iOS 17, the oldest that knows every
  /// key we write.
  private static let frameworkVersion = 1344

  /// The only version of the table that is known.
  private static let version: Int64 = 1
  /// How version hashes are computed: no newer way is known.
  package static let hashesVersion = 3

  package var dictionary: [String: Any] {
    [
      NSStoreTypeKey: NSSQLiteStoreType,
      NSStoreModelVersionHashesKey: hashes,
      NSStoreModelVersionHashesVersionKey: Self.hashesVersion,
      NSStoreModelVersionIdentifiersKey: schema.versionIdentifiers.sorted(),
      "NSPersistenceFrameworkVersion": Self.frameworkVersion,
      "NSStoreModelVersionHashesDigest": ModelDigest.digest(of: hashes),
      "NSStoreModelVersionChecksumKey": ModelDigest.checksum(of: hashes),
      "_NSAutoVacuumLevel": "2",
    ]
  }

  package var binary: Data {
    get throws { try Self.binary(of: dictionary) }
  }

  package static func binary(of metadata: [String: Any]) throws -> Data {
    guard PropertyListSerialization.propertyList(metadata, isValidFor: .binary) else {
      throw FailureText(
        description: "The store's metadata cannot be written.",
        reason: "They have values that no property list can have.",
        suggestion: "Set metadata of texts, numbers, dates, data, arrays and dictionaries only."
      ).error(code: NSPersistentStoreSaveError)
    }
    return try PropertyListSerialization.data(
      fromPropertyList: metadata,
      format: .binary,
      options: 0
    )
  }

  /// The metadata in a file; `nil` for bytes that are not a property list with a dictionary.
  package static func dictionary(from data: Data) -> [String: Any]? {
    // The exact defect of a damaged list does not help; the caller reports that it cannot be read.
    (try? PropertyListValue(propertyList: data))?.object as? [String: Any]
  }

  /// The part of a file's format that is unknown, as in "metadata of the version 2"; `nil` if all is known.
  package static func unknownFormat(version: Int64?, _ metadata: [String: Any]) -> String? {
    if let version, version != Self.version { return "metadata of the version \(version)" }
    let hashes = (metadata[NSStoreModelVersionHashesVersionKey] as? NSNumber)?.intValue
    return hashes.flatMap { $0 > hashesVersion ? "hashes of the version \($0)" : nil }
  }

  /// The model's hashes in a file, without the subentities that a configuration does not name.
  ///
  /// Their rows are in the tables of those that it names, so that a file that has them belongs to the configuration
  /// all the same.
  static func hashes(
    _ stored: [String: Data],
    in configuration: String?,
    of schema: ModelSchema
  ) -> [String: Data] {
    guard let members = configuration.flatMap({ schema.configurations[$0] }) else { return stored }
    let known = schema.entityVersionHashes
    return stored.filter { name, hash in
      members.contains(name) || known[name] != hash
        || !schema.entityChain(of: name).contains { members.contains($0.name) }
    }
  }

  package static func versionHashes(
    of schema: ModelSchema,
    in configuration: String?
  ) -> [String: Data] {
    versionHashes(schema.entityVersionHashes, of: schema, in: configuration)
  }

  static func versionHashes(
    of layout: ModelLayout,
    in configuration: String?
  ) -> [String: Data] {
    versionHashes(layout.entityVersionHashes, of: layout.schema, in: configuration)
  }

  /// Those of all hashes of a model that a store of a configuration has.
  static func versionHashes(
    _ all: [String: Data],
    of schema: ModelSchema,
    in configuration: String?
  ) -> [String: Data] {
    guard let names = configuration.flatMap({ schema.configurations[$0] }) else { return all }
    return all.filter { names.contains($0.key) }
  }
}
