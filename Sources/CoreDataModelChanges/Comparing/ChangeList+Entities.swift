import CoreDataModel

/// The changes of entities.
extension ChangeList {
  mutating func addChanges(of match: EntityMatch, in matching: ModelMatching) {
    let name = match.destinationName
    guard let new = matching.destination.entity(named: name) else { return }
    guard let sourceName = match.sourceName, let old = matching.source.entity(named: sourceName)
    else {
      add(.entityAdded(new), to: .entity(name), .constantTime, hashed: true)
      return
    }
    if old.name != new.name {
      add(.renamed(from: old.name), to: .entity(name), .constantTime, hashed: true)
    }
    addSuperentity(from: old, to: new, in: matching)
    addAbstractness(from: old, to: new)
    addModifier(.entity(name), from: old.versionHashModifier, to: new.versionHashModifier)
    addConstraints(from: old, to: new)
    addIndexes(from: old, to: new)
    addSettings(from: old, to: new)
    addProperties(of: match, in: matching)
  }

  mutating func addRemoval(of sourceName: String, in matching: ModelMatching) {
    guard let entity = matching.source.entity(named: sourceName) else { return }
    let isTable = entity.superentityName == nil
    add(
      .entityRemoved(entity),
      to: .entity(sourceName),
      isTable || entity.isAbstract ? .constantTime : .rewritesRows,
      hashed: true,
      caution: entity.isAbstract ? nil : "its objects are deleted"
    )
  }

  private mutating func addAbstractness(from old: EntitySchema, to new: EntitySchema) {
    guard old.isAbstract != new.isAbstract else { return }
    add(
      .abstractness(isAbstract: new.isAbstract),
      to: .entity(new.name),
      .constantTime,
      hashed: true,
      caution: new.isAbstract
        ? "objects that are \(new.name) itself, not of a subentity, have no place any more" : nil
    )
  }

  private mutating func addConstraints(from old: EntitySchema, to new: EntitySchema) {
    for constraint in old.uniquenessConstraints
    where !new.uniquenessConstraints.contains(constraint) {
      add(.constraintRemoved(constraint), to: .entity(new.name), .constantTime, hashed: true)
    }
    for constraint in new.uniquenessConstraints
    where !old.uniquenessConstraints.contains(constraint) {
      add(
        .constraintAdded(constraint),
        to: .entity(new.name),
        .rewritesRows,
        hashed: true,
        caution: "objects of equal values make the migration fail"
      )
    }
  }

  private mutating func addIndexes(from old: EntitySchema, to new: EntitySchema) {
    for index in old.indexes where !new.indexes.contains(where: { $0.name == index.name }) {
      add(.indexRemoved(index), to: .entity(new.name), .notNeeded, hashed: false)
    }
    for index in new.indexes where !old.indexes.contains(index) {
      let isNew = !old.indexes.contains { $0.name == index.name }
      add(
        isNew ? .indexAdded(index) : .indexChanged(index),
        to: .entity(new.name),
        .notNeeded,
        hashed: false,
        caution: "stores that are there get it with the next migration"
      )
    }
  }

  private mutating func addSettings(from old: EntitySchema, to new: EntitySchema) {
    let subject = ModelChange.Subject.entity(new.name)
    addSetting(.className, subject, from: old.className, to: new.className)
    addSetting(
      .codeGeneration,
      subject,
      from: old.codeGeneration.rawValue,
      to: new.codeGeneration.rawValue
    )
    addSetting(
      .renamingIdentifier,
      subject,
      from: old.renamingIdentifier,
      to: new.renamingIdentifier
    )
    addSetting(.userInfo, subject, from: old.userInfo.listed, to: new.userInfo.listed)
  }
}

// MARK: - Inheritance

extension ChangeList {
  private mutating func addSuperentity(
    from old: EntitySchema,
    to new: EntitySchema,
    in matching: ModelMatching
  ) {
    let before = old.superentityName.map { matching.destinationName(of: $0) ?? $0 }
    guard before != new.superentityName else { return }
    add(
      .superentity(from: before, to: new.superentityName),
      to: .entity(new.name),
      inheritanceVerdict(from: old, to: new, in: matching),
      hashed: true
    )
  }

  /// Entities that get a common root must have had one: two hierarchies cannot become one (108).
  private func inheritanceVerdict(
    from old: EntitySchema,
    to new: EntitySchema,
    in matching: ModelMatching
  ) -> LightweightVerdict {
    guard let newRoot = matching.destination.rootEntity(of: new.name)?.name,
      let oldRoot = matching.source.rootEntity(of: old.name)?.name
    else { return .constantTime }
    for relative in matching.matched(atOrBelow: newRoot) {
      guard let source = relative.sourceName,
        let root = matching.source.rootEntity(of: source)?.name, root != oldRoot
      else { continue }
      return .impossible(
        reason:
          "\(new.name) and \(relative.destinationName) get the common superentity \(newRoot), "
          + "and had none in the source",
        remedy: "keep their hierarchies apart, or copy the objects with a mapping model"
      )
    }
    // The rows stay in their place as long as the table of the root does.
    return matching.destinationName(of: oldRoot) == newRoot ? .constantTime : .rewritesRows
  }
}

extension [String: String] {
  /// The entries in one line: `colour = red, size = 3`.
  var listed: String? {
    isEmpty
      ? nil : sortedByCodePoints(\.key).map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
  }
}
