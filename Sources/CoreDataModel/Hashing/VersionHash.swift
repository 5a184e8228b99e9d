package import Foundation

/// The 32 bytes by which Core Data recognises that an entity is still the one a store was made for.
///
///     entity = SHA256( name, abstract, superentity's hash, property hashes, modifier, uniqueness )
///
/// The facts that a store must know enter: names, types, optionality, relationships. Those that
/// only the program knows do not: class names, default values, validation, indexes, user info,
/// renaming. Integers are little-endian and strings bare UTF-8; see Documentation/FileFormat.md.
extension ModelSchema {
  /// The version hash of each entity, by name.
  package var entityVersionHashes: [String: Data] {
    var hasher = EntityHasher(schema: self)
    return hasher.hashes()
  }
}

private struct EntityHasher {
  private let schema: ModelSchema
  private let entities: [String: EntitySchema]
  private var finished: [String: EntityHash] = [:]

  /// An entity's hash and the property hashes that its subentities repeat.
  struct EntityHash {
    var hash: Data
    /// In the code-point order of the names.
    var properties: [PropertyHash]
  }

  struct PropertyHash {
    let name: String
    let hash: Data
  }

  init(schema: ModelSchema) {
    self.schema = schema
    entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
  }

  mutating func hashes() -> [String: Data] {
    for entity in schema.entities { _ = hash(of: entity, below: []) }
    return finished.mapValues(\.hash)
  }

  /// The hash of an entity; `descendants` stops a model whose entities inherit in a circle.
  private mutating func hash(
    of entity: EntitySchema,
    below descendants: Set<String>
  ) -> EntityHash {
    if let known = finished[entity.name] { return known }
    let path = descendants.union([entity.name])
    var parent: EntityHash?
    if let name = entity.superentityName, !path.contains(name), let superentity = entities[name] {
      parent = hash(of: superentity, below: path)
    }

    let properties = Self.merged(parent?.properties ?? [], entity.propertyVersionHashes)
    var digest = SHA256()
    digest.update(entity.name.utf8)
    digest.update([entity.isAbstract ? 1 : 0])
    if let parent { digest.update(parent.hash) }
    for property in properties { digest.update(property.hash) }
    digest.update((entity.versionHashModifier ?? "").utf8)
    for constraint in entity.uniquenessConstraints
      .map({ $0.joined(separator: ".") }).sortedByCodePoints()
    {
      digest.update(constraint.utf8)
    }
    let result = EntityHash(hash: digest.finish(), properties: properties)
    finished[entity.name] = result
    return result
  }

  /// Merges an entity's own hashes into the sorted ones of its superentity; an own hash replaces an inherited one.
  private static func merged(
    _ inherited: [PropertyHash],
    _ own: [String: Data]
  ) -> [PropertyHash] {
    if own.isEmpty { return inherited }
    var result: [PropertyHash] = []
    result.reserveCapacity(inherited.count + own.count)
    var rest = inherited[...]
    for (name, hash) in own.sortedByCodePoints(\.key) {
      while let next = rest.first, next.name.precedesByCodePoints(name) {
        result.append(rest.removeFirst())
      }
      if rest.first?.name == name { rest.removeFirst() }
      result.append(PropertyHash(name: name, hash: hash))
    }
    return result + rest
  }
}

// MARK: - Properties

extension EntitySchema {
  /// The hashes of the entity's own persistent properties, without fetched and transient ones.
  fileprivate var propertyVersionHashes: [String: Data] {
    var hashes: [String: Data] = [:]
    for attribute in attributes where !attribute.isTransient {
      hashes[attribute.name] = attribute.versionHash
    }
    for relationship in relationships where !relationship.isTransient {
      hashes[relationship.name] = relationship.versionHash(in: name)
    }
    return hashes
  }
}

extension AttributeSchema {
  package var versionHash: Data {
    if let derivationExpression {
      // Nothing else enters: not even the name.
      return SHA256.digest(of: DerivationFormat.canonical(derivationExpression).utf8)
    }
    var digest = SHA256()
    if type == .composite, !hasFormerComposites {
      // Nothing else enters: not even the name.
      for element in elements.sortedByCodePoints(\.name) { digest.update(element.versionHash) }
      return digest.finish()
    }
    digest.update(
      PropertyHeader(name, isOptional, isTransient, modifier: versionHashModifier).digest
    )
    digest.update(Int32(type.rawValue).littleEndianBytes)
    if allowsExternalBinaryDataStorage { digest.update([1]) }
    if preservesValueInHistoryOnDeletion { digest.update([1]) }
    for element in elements.sortedByCodePoints(\.name) {
      digest.update(element.versionHash)
    }
    return digest.finish()
  }
}

extension RelationshipSchema {
  /// The hash of the relationship as declared by an entity.
  package func versionHash(in entityName: String) -> Data {
    var digest = SHA256()
    digest.update(
      PropertyHeader(name, isOptional, isTransient, modifier: versionHashModifier).digest
    )
    digest.update(destinationName.utf8)
    let isItsOwnInverse = inverseName == name && destinationName == entityName
    if let inverseName, !isItsOwnInverse { digest.update(inverseName.utf8) }
    digest.update(Int32(clamping: maxCount).littleEndianBytes)
    digest.update(Int32(clamping: minCount).littleEndianBytes)
    if isOrdered { digest.update([1, 0]) }
    return digest.finish()
  }
}

/// The beginning that the hashes of attributes and relationships share.
private struct PropertyHeader {
  let digest: Data

  init(_ name: String, _ isOptional: Bool, _ isTransient: Bool, modifier: String?) {
    let flags: UInt16 = (isOptional ? 1 : 0) | (isTransient ? 2 : 0)
    var digest = SHA256()
    digest.update(name.utf8)
    digest.update(flags.littleEndianBytes)
    digest.update((modifier ?? "").utf8)
    self.digest = digest.finish()
  }
}
