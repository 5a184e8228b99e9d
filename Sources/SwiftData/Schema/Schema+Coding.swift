public import Foundation

extension Schema: Codable {
  private enum CodingKeys: String, CodingKey {
    case encodingVersion, version, entities
  }

  /// Reads a schema that ``encode(to:)`` has written.
  ///
  /// The schema is the one of the file, also if the program's classes have changed since. Types that the program does
  /// not have are known by name only.
  ///
  /// - Parameter decoder: The file.
  /// - Throws: `DecodingError` with a sentence if the file is of a newer form, or its entities do not fit together.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let encodingVersion = try container.decode(Version.self, forKey: .encodingVersion)
    guard encodingVersion.major <= Self.schemaEncodingVersion.major else {
      throw DecodingError.dataCorruptedError(
        forKey: .encodingVersion,
        in: container,
        debugDescription: """
          the schema has the form \(encodingVersion), and this version of the package reads \
          \(Self.schemaEncodingVersion); update the package
          """
      )
    }
    let entities = try container.decode([Entity].self, forKey: .entities)
    if let fault = SchemaFault.first(in: entities) {
      throw DecodingError.dataCorruptedError(
        forKey: .entities,
        in: container,
        debugDescription: fault
      )
    }
    entities.joinHierarchy()
    self.init(
      types: ModelTypes(listed: entities.compactMap(\.type)),
      entities: entities,
      version: try container.decode(Version.self, forKey: .version),
      encodingVersion: encodingVersion,
      isRead: true
    )
  }

  /// Writes the schema: its version, and its entities with the names of all types.
  ///
  /// - Parameter encoder: The file.
  /// - Throws: The error of a default value that cannot be encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.schemaEncodingVersion, forKey: .encodingVersion)
    try container.encode(version, forKey: .version)
    try container.encode(entities, forKey: .entities)
  }

  /// Writes the schema into a file, as JSON that Apple's framework does not read.
  ///
  /// A saved schema answers whether the classes have changed, and gives the model of older stores:
  ///
  /// ```swift
  /// let saved = try Schema.load(from: file)
  /// if saved != Schema([Note.self]) { print("add a version to the migration plan") }
  /// ```
  ///
  /// - Parameter toURL: The address of a file.
  /// - Throws: The error of a file that cannot be written, or of a default value that cannot be encoded.
  public func save(to toURL: URL) throws {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: toURL, options: .atomic)
  }

  /// Reads a schema from a file that ``save(to:)`` has written.
  ///
  /// - Parameter fromURL: The address of the file.
  /// - Returns: The schema of the file.
  /// - Throws: The error of a file that cannot be read; `DecodingError` as ``init(from:)``.
  public static func load(from fromURL: URL) throws -> Schema {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    return try decoder.decode(Schema.self, from: Data(contentsOf: fromURL))
  }
}

/// The faults of entities from a file, as sentences.
private enum SchemaFault {
  static func first(in entities: [Schema.Entity]) -> String? {
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    if byName.count < entities.count { return "two entities of the schema have one name" }
    if let fault = entities.lazy.compactMap({ above($0, byName) }).first { return fault }
    return entities.lazy.compactMap { entity in
      properties(entity, byName) ?? relationships(entity, byName)
    }.first
  }

  /// The entity and those of its superclasses.
  private static func lineage(
    _ entity: Schema.Entity,
    _ byName: [String: Schema.Entity]
  ) -> [Schema.Entity] {
    let above = entity.superentityName.flatMap { byName[$0] }
    return [entity] + (above.map { lineage($0, byName) } ?? [])
  }

  private static func above(
    _ entity: Schema.Entity,
    _ byName: [String: Schema.Entity]
  ) -> String? {
    var (name, seen) = (entity.superentityName, Set([entity.name]))
    while let above = name {
      guard let found = byName[above] else {
        return "the superentity \(above) of \(entity.name) is not in the schema"
      }
      guard seen.insert(above).inserted else {
        return "the entity \(entity.name) is its own superentity"
      }
      name = found.superentityName
    }
    return nil
  }

  private static func properties(
    _ entity: Schema.Entity,
    _ byName: [String: Schema.Entity]
  ) -> String? {
    let names = Set(entity.properties.map(\.name))
    if names.count < entity.properties.count {
      return "two properties of \(entity.name) have one name"
    }
    let all = Set(lineage(entity, byName).flatMap { $0.properties.map(\.name) })
    let unknown =
      entity.indices.joined().first { !names.contains($0) }
      ?? entity.uniquenessConstraints.joined().first { !all.contains($0) }
    guard let unknown else { return nil }
    return "an index or a constraint of \(entity.name) names \(unknown), which is not its property"
  }

  private static func relationships(
    _ entity: Schema.Entity,
    _ byName: [String: Schema.Entity]
  ) -> String? {
    for relationship in entity.ownRelationships {
      let place = "\(entity.name).\(relationship.name)"
      guard let target = byName[relationship.destination] else {
        return "\(place) leads to \(relationship.destination), which is not in the schema"
      }
      let back = lineage(target, byName).flatMap(\.ownRelationships)
      if let inverse = relationship.inverseName, !back.contains(where: { $0.name == inverse }) {
        return "the inverse \(inverse) of \(place) is not a relationship of \(target.name)"
      }
      let counts = [relationship.minimumModelCount, relationship.maximumModelCount]
      if counts.contains(where: { $0.map { !(0...Int(Int32.max)).contains($0) } ?? false }) {
        return "the number of models of \(place) is out of range"
      }
    }
    return nil
  }
}
