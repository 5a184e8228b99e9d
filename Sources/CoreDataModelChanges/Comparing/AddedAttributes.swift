package import CoreDataModel

/// The question whether a newer version of a model only adds attributes with which programs of the older one can go on.
///
/// ```
/// + an optional attribute; a required attribute with a default value        such programs go on
/// + a relationship, an entity, large data in files, a derived attribute …   they do not
/// ```
///
/// A program that does not know a relationship cannot follow its delete rule, and one that does not know a file cannot
/// remove it.
package enum AddedAttributes {
  /// The reason why programs of the older version cannot go on, as a part of a sentence.
  package struct Obstacle: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) {
      self.reason = reason
    }
  }

  /// Looks for obstacles.
  ///
  /// - Parameters:
  ///   - new: The newer version.
  ///   - old: The older one.
  /// - Throws: The first obstacle.
  package static func check(in new: ModelSchema, since old: ModelSchema) throws(Obstacle) {
    let known = Dictionary(uniqueKeysWithValues: old.entities.map { ($0.name, $0) })
    var reduced = new
    for index in new.entities.indices {
      let entity = new.entities[index]
      guard let former = known[entity.name] else {
        throw Obstacle("the entity \(entity.name) is not in the older model")
      }
      let names = Set(former.attributes.map(\.name))
      for attribute in entity.attributes where !names.contains(attribute.name) {
        if let problem = attribute.problemForOlderPrograms {
          throw Obstacle("\(entity.name).\(attribute.name) is new, and \(problem)")
        }
      }
      reduced.entities[index].attributes.removeAll { !names.contains($0.name) }
    }
    // All else is equal exactly if the version hashes are.
    let (rest, wanted) = (reduced.entityVersionHashes, old.entityVersionHashes)
    for name in wanted.keys.sorted() {
      guard let hash = rest[name] else {
        throw Obstacle("the entity \(name) is only in the older model")
      }
      if hash != wanted[name] { throw Obstacle("\(name) has changed in more than new attributes") }
    }
  }
}

extension AttributeSchema {
  /// The reason why a program that does not know the attribute must not write its rows.
  fileprivate var problemForOlderPrograms: String? {
    if isTransient { return nil }
    if derivationExpression != nil { return "is derived" }
    if type == .composite { return "is composite" }
    if isIndexedBySpotlight, type == .string { return "belongs to an index of words" }
    if allowsExternalBinaryDataStorage { return "may have its data in files" }
    if preservesValueInHistoryOnDeletion { return "is preserved in the history of deletions" }
    return isOptional || defaultValue != nil ? nil : "is required without a default value"
  }
}
