import CoreDataModel

/// Properties that came, went and moved.
extension ChangeList {
  mutating func addProperties(of match: EntityMatch, in matching: ModelMatching) {
    for property in match.properties {
      guard let old = property.source else {
        addAddition(of: property.destination, to: match, in: matching)
        continue
      }
      addMove(of: property, old, to: match, in: matching)
      addChanges(of: property, from: old, in: matching)
    }
    for property in match.removedProperties { addRemoval(of: property, from: match, in: matching) }
  }

  /// Stands with the entity that declares the property, unless that one had it before: then an entity
  /// came to inherit it.
  private mutating func addAddition(
    of declared: DeclaredProperty,
    to match: EntityMatch,
    in matching: ModelMatching
  ) {
    let property = declared.property
    let had = matching.match(for: declared.entityName)?.property(named: property.name)?.source
    let entity = had == nil ? declared.entityName : match.destinationName
    add(
      .propertyAdded(property),
      to: .entity(entity),
      property.additionVerdict(to: "\(entity).\(property.name)"),
      hashed: !property.isTransient,
      caution: property.isRequiredRelationship
        ? "objects that are there fail validation until they have one" : nil
    )
  }

  private mutating func addRemoval(
    of declared: DeclaredProperty,
    from match: EntityMatch,
    in matching: ModelMatching
  ) {
    let declarer = matching.destinationName(of: declared.entityName).flatMap(matching.match)
    let isWithDeclarer = declarer?.removedProperties.contains(declared) ?? false
    let isStored = !declared.property.isTransient
    add(
      .propertyRemoved(declared.property),
      to: .entity((isWithDeclarer ? declarer : nil)?.destinationName ?? match.destinationName),
      isStored ? declared.property.removalVerdict : .notNeeded,
      hashed: isStored,
      caution: isStored ? "its values are lost" : nil
    )
  }

  /// A property that an entity shares with its super- or subentities now, or no longer does.
  private mutating func addMove(
    of property: PropertyMatch,
    _ old: DeclaredProperty,
    to match: EntityMatch,
    in matching: ModelMatching
  ) {
    let (name, declarer) = (property.destination.name, property.destination.entityName)
    let before = matching.destinationName(of: old.entityName)
    guard before != declarer else { return }
    let had = matching.match(for: declarer)?.property(named: name)?.source
    let isOnlyInherited = declarer != match.destinationName && had != nil && had != old
    add(
      isOnlyInherited
        ? .inherited(fromEntity: declarer) : .moved(fromEntity: before ?? old.entityName),
      to: .property(name, of: isOnlyInherited ? match.destinationName : declarer),
      .constantTime,
      hashed: !property.destination.property.isTransient
    )
  }

  private mutating func addChanges(
    of property: PropertyMatch,
    from old: DeclaredProperty,
    in matching: ModelMatching
  ) {
    let new = property.destination
    let subject = ModelChange.Subject.property(new.name, of: new.entityName)
    if old.name != new.name {
      let isStored = !new.property.isTransient || !old.property.isTransient
      add(
        .renamed(from: old.name),
        to: subject,
        isStored ? .constantTime : .notNeeded,
        hashed: isStored
      )
    }
    addSetting(
      .renamingIdentifier,
      subject,
      from: old.property.renamingIdentifier,
      to: new.property.renamingIdentifier
    )
    switch (old.property, new.property) {
    case (.attribute(let before), .attribute(let after)):
      addChanges(of: subject, from: before, to: after)
    case (.relationship(let before), .relationship(let after)):
      addChanges(of: subject, from: before, to: after, declaredBy: old, new, in: matching)
    case (.fetched(let before), .fetched(let after)):
      addChanges(of: subject, from: before, to: after)
    case (.attribute, _), (.relationship, _), (.fetched, _):
      return  // only properties of one kind are matched
    }
  }

  private mutating func addChanges(
    of subject: ModelChange.Subject,
    from old: FetchedPropertySchema,
    to new: FetchedPropertySchema
  ) {
    var (before, after) = (old.request, new.request)
    (before.name, after.name) = ("", "")
    if before != after {
      addSetting(.request, subject, from: before.summary, to: after.summary)
    }
    addModifier(subject, from: old.versionHashModifier, to: new.versionHashModifier, hashed: false)
    addSetting(.userInfo, subject, from: old.userInfo.listed, to: new.userInfo.listed)
    guard old.isOptional != new.isOptional else { return }
    add(.optionality(isOptional: new.isOptional), to: subject, .notNeeded, hashed: false)
  }
}

// MARK: - Verdicts

extension PropertySchema {
  fileprivate func additionVerdict(to place: String) -> LightweightVerdict {
    switch self {
    case .attribute(let attribute): attribute.additionVerdict(to: place)
    case .relationship(let relationship): relationship.isTransient ? .notNeeded : .constantTime
    case .fetched: .notNeeded
    }
  }

  /// A column that goes leaves its place in each row; a pair table goes as a whole.
  fileprivate var removalVerdict: LightweightVerdict {
    switch self {
    case .attribute: .rewritesRows
    case .relationship(let relationship): relationship.isToMany ? .constantTime : .rewritesRows
    case .fetched: .notNeeded
    }
  }

  fileprivate var isRequiredRelationship: Bool {
    guard case .relationship(let relationship) = self else { return false }
    return !relationship.isOptional && !relationship.isTransient
  }
}

extension AttributeSchema {
  /// A new attribute has its default value in all rows; without a default it must be optional.
  func additionVerdict(to place: String) -> LightweightVerdict {
    if isTransient { return .notNeeded }
    if derivationExpression != nil || defaultValue != nil { return .rewritesRows }
    if type == .composite {
      return elements.map { $0.additionVerdict(to: "\(place).\($0.name)") }.max() ?? .constantTime
    }
    if isOptional { return .constantTime }
    return .impossible(
      reason: "\(place) is required and objects that are there have no value for it",
      remedy: "give it a default value or make it optional"
    )
  }
}

extension FetchRequestSchema {
  /// `Note where stars > 3, sorted by title`.
  package var summary: String {
    var words = entityName
    if let predicateFormat { words += " where \(predicateFormat)" }
    if !sortDescriptors.isEmpty {
      let keys = sortDescriptors.map { $0.key + ($0.isAscending ? "" : " descending") }
      words += ", sorted by \(keys.joined(separator: ", "))"
    }
    if fetchLimit > 0 { words += ", \(fetchLimit) at most" }
    return words
  }
}
