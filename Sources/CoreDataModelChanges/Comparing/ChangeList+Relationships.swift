import CoreDataModel

/// The changes of a relationship.
extension ChangeList {
  mutating func addChanges(
    of subject: ModelChange.Subject,
    from old: RelationshipSchema,
    to new: RelationshipSchema,
    declaredBy oldPlace: DeclaredProperty,
    _ newPlace: DeclaredProperty,
    in matching: ModelMatching
  ) {
    let isStored = !old.isTransient || !new.isTransient
    let oldForm = matching.source.form(of: old)
    let newForm = matching.destination.form(of: new)

    if old.isTransient != new.isTransient {
      let verdict = new.isTransient ? LightweightVerdict.rewritesRows : .constantTime
      add(.transience(isTransient: new.isTransient), to: subject, verdict, hashed: true)
    }
    addDestination(of: subject, from: old, to: new, in: matching)
    addInverse(
      of: subject,
      from: old,
      to: new,
      in: matching,
      isStored: isStored,
      verdict: oldForm == newForm ? .constantTime : .rewritesRows
    )
    addCardinality(of: subject, from: old, to: new, isStored: isStored)
    if old.isOrdered != new.isOrdered {
      add(
        .order(isOrdered: new.isOrdered),
        to: subject,
        isStored ? .rewritesRows : .notNeeded,
        hashed: isStored
      )
    }
    if old.isOptional != new.isOptional {
      add(
        .optionality(isOptional: new.isOptional),
        to: subject,
        isStored ? .constantTime : .notNeeded,
        hashed: isStored,
        caution: new.isOptional
          ? nil : "objects that have none fail validation until they have one"
      )
    }
    addModifier(
      subject,
      from: old.versionHashModifier,
      to: new.versionHashModifier,
      hashed: isStored
    )
    addSettings(of: subject, from: old, to: new)
  }

  private mutating func addCardinality(
    of subject: ModelChange.Subject,
    from old: RelationshipSchema,
    to new: RelationshipSchema,
    isStored: Bool
  ) {
    if old.isToMany != new.isToMany {
      add(
        .cardinality(isToMany: new.isToMany),
        to: subject,
        isStored ? cardinalityVerdict(of: new, at: subject.text) : .notNeeded,
        hashed: isStored
      )
    }
    let (before, after) = (
      ModelChange.Counts(minimum: old.minCount, maximum: old.maxCount),
      ModelChange.Counts(minimum: new.minCount, maximum: new.maxCount)
    )
    let isCardinality = old.isToMany != new.isToMany && before.minimum == after.minimum
    if before != after, !isCardinality {
      add(
        .counts(from: before, to: after),
        to: subject,
        isStored ? .constantTime : .notNeeded,
        hashed: isStored
      )
    }
  }

  private func cardinalityVerdict(
    of new: RelationshipSchema,
    at place: String
  ) -> LightweightVerdict {
    if new.isToMany { return .rewritesRows }
    return .impossible(
      reason: "nothing says which of the objects \(place) keeps",
      remedy: "choose one in a mapping model or a staged migration"
    )
  }

  private mutating func addSettings(
    of subject: ModelChange.Subject,
    from old: RelationshipSchema,
    to new: RelationshipSchema
  ) {
    if old.deleteRule != new.deleteRule {
      add(
        .deleteRule(from: old.deleteRule, to: new.deleteRule),
        to: subject,
        .notNeeded,
        hashed: false
      )
    }
    let settings: [(ModelChange.Setting, (RelationshipSchema) -> String?)] = [
      (.spotlight, { $0.isIndexedBySpotlight ? "on" : "off" }),
      (.truthFile, { $0.isStoredInTruthFile ? "on" : "off" }),
      (.userInfo, { $0.userInfo.listed }),
    ]
    for (setting, text) in settings {
      addSetting(setting, subject, from: text(old), to: text(new))
    }
  }
}

// MARK: - The other end

extension ChangeList {
  private mutating func addDestination(
    of subject: ModelChange.Subject,
    from old: RelationshipSchema,
    to new: RelationshipSchema,
    in matching: ModelMatching
  ) {
    let before = matching.destinationName(of: old.destinationName)
    guard before != new.destinationName else { return }
    let isStored = !old.isTransient || !new.isTransient
    add(
      .destination(from: before ?? old.destinationName, to: new.destinationName),
      to: subject,
      isStored
        ? destinationVerdict(from: before, to: new.destinationName, in: matching, at: subject.text)
        : .notNeeded,
      hashed: isStored
    )
  }

  /// The objects that a relationship refers to can stay if they are still of the destination's
  /// kind.
  private func destinationVerdict(
    from before: String?,
    to after: String,
    in matching: ModelMatching,
    at place: String
  ) -> LightweightVerdict {
    if let before, matching.destination.isEntity(before, kindOf: after) { return .rewritesRows }
    return .impossible(
      reason: "\(place) refers to objects that are no \(after)",
      remedy: "add a relationship of another name and fill it in a custom or staged migration"
    )
  }

  private mutating func addInverse(
    of subject: ModelChange.Subject,
    from old: RelationshipSchema,
    to new: RelationshipSchema,
    in matching: ModelMatching,
    isStored: Bool,
    verdict: LightweightVerdict
  ) {
    let before = old.inverseName.map {
      matching.destinationName(ofProperty: $0, in: old.destinationName) ?? $0
    }
    guard before != new.inverseName else { return }
    add(
      .inverse(from: before, to: new.inverseName),
      to: subject,
      isStored ? verdict : .notNeeded,
      hashed: isStored
    )
  }
}

/// The form in which a store keeps a relationship.
private enum RelationshipForm {
  case column
  /// In the column of the inverse.
  case columnOfDestination
  case pairs
}

extension ModelSchema {
  fileprivate func form(of relationship: RelationshipSchema) -> RelationshipForm {
    guard relationship.isToMany else { return .column }
    guard let name = relationship.inverseName,
      case .relationship(let inverse)? = property(name, of: relationship.destinationName)
    else { return .columnOfDestination }
    return inverse.isToMany ? .pairs : .columnOfDestination
  }
}
