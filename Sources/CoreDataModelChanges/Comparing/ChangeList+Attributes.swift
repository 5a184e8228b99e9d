import CoreDataModel

/// The changes of an attribute.
extension ChangeList {
  mutating func addChanges(
    of subject: ModelChange.Subject,
    from old: AttributeSchema,
    to new: AttributeSchema
  ) {
    // A derived attribute's hash is that of its expression alone; a transient one is not hashed.
    let isStored = !old.isTransient || !new.isTransient
    let isDerived = old.derivationExpression != nil && new.derivationExpression != nil
    let isHashed = isStored && !isDerived
    let place = subject.text

    if old.isTransient != new.isTransient {
      add(
        .transience(isTransient: new.isTransient),
        to: subject,
        new.isTransient ? .rewritesRows : new.additionVerdict(to: place),
        hashed: true,
        caution: new.isTransient ? "its values are lost" : nil
      )
    }
    if old.type != new.type {
      add(
        .type(from: old.type, to: new.type),
        to: subject,
        typeVerdict(from: old, to: new, at: place),
        hashed: isHashed
      )
    }
    if old.isOptional != new.isOptional {
      add(
        .optionality(isOptional: new.isOptional),
        to: subject,
        isStored ? optionalityVerdict(of: new, at: place) : .notNeeded,
        hashed: isHashed
      )
    }
    addDerivation(of: subject, from: old, to: new, isStored: isStored)
    addStorage(of: subject, from: old, to: new, isHashed: isHashed)
    addModifier(
      subject,
      from: old.versionHashModifier,
      to: new.versionHashModifier,
      hashed: isHashed
    )
    addSettings(of: subject, from: old, to: new)
    addElements(of: subject, from: old, to: new)
  }

  private func typeVerdict(
    from old: AttributeSchema,
    to new: AttributeSchema,
    at place: String
  ) -> LightweightVerdict {
    if new.isTransient { return .notNeeded }
    if old.isTransient { return new.additionVerdict(to: place) }
    if new.derivationExpression != nil { return .rewritesRows }
    return .impossible(
      reason: "values of \(place) are not converted from \(old.type.word) to \(new.type.word)",
      remedy: "add an attribute of another name and fill it in a custom or staged migration"
    )
  }

  private func optionalityVerdict(
    of new: AttributeSchema,
    at place: String
  ) -> LightweightVerdict {
    if new.isOptional || new.isTransient || new.derivationExpression != nil { return .constantTime }
    if new.defaultValue != nil { return .rewritesRows }
    return .impossible(
      reason: "\(place) becomes required and objects may be there without a value",
      remedy: "give it a default value"
    )
  }

  private mutating func addDerivation(
    of subject: ModelChange.Subject,
    from old: AttributeSchema,
    to new: AttributeSchema,
    isStored: Bool
  ) {
    if old.derivationExpression != new.derivationExpression {
      add(
        .derivation(from: old.derivationExpression, to: new.derivationExpression),
        to: subject,
        new.derivationExpression == nil ? .constantTime : .rewritesRows,
        hashed: isStored
      )
    }
    addSetting(
      .derivationFilter,
      subject,
      from: old.derivationFilterFormat,
      to: new.derivationFilterFormat
    )
  }

  private mutating func addStorage(
    of subject: ModelChange.Subject,
    from old: AttributeSchema,
    to new: AttributeSchema,
    isHashed: Bool
  ) {
    if old.allowsExternalBinaryDataStorage != new.allowsExternalBinaryDataStorage {
      // Each value begins with a byte for its place, and only with the option.
      add(
        .externalStorage(new.allowsExternalBinaryDataStorage),
        to: subject,
        .rewritesRows,
        hashed: isHashed
      )
    }
    if old.preservesValueInHistoryOnDeletion != new.preservesValueInHistoryOnDeletion {
      add(
        .preservation(new.preservesValueInHistoryOnDeletion),
        to: subject,
        .constantTime,
        hashed: isHashed
      )
    }
  }
}

// MARK: - What the store does not know

extension ChangeList {
  private mutating func addSettings(
    of subject: ModelChange.Subject,
    from old: AttributeSchema,
    to new: AttributeSchema
  ) {
    let settings: [(ModelChange.Setting, (AttributeSchema) -> String?)] = [
      (.defaultValue, { $0.defaultValue?.description }),
      (.validation, { $0.validations.listed }),
      (.scalarType, { $0.usesScalarValueType ? "yes" : "no" }),
      (.valueClass, \.customClassName),
      (.valueTransformer, \.valueTransformerName),
      (.cloudEncryption, { $0.allowsCloudEncryption ? "on" : "off" }),
      (.spotlight, { $0.isIndexedBySpotlight ? "on" : "off" }),
      (.truthFile, { $0.isStoredInTruthFile ? "on" : "off" }),
      (.userInfo, { $0.userInfo.listed }),
    ]
    for (setting, text) in settings {
      addSetting(setting, subject, from: text(old), to: text(new))
    }
  }
}

extension [ValidationSchema] {
  fileprivate var listed: String? {
    isEmpty ? nil : map(\.predicateFormat).joined(separator: ", ")
  }
}

// MARK: - Composites

extension ChangeList {
  /// The elements of a composite are columns like attributes, and follow their rules.
  private mutating func addElements(
    of subject: ModelChange.Subject,
    from old: AttributeSchema,
    to new: AttributeSchema
  ) {
    guard old.type == .composite, new.type == .composite else { return }
    let isStored = !new.isTransient
    let sources = new.namesOfElements(in: old)
    for element in new.elements {
      let inner = subject.appending(element.name)
      guard let before = old.elements.first(where: { $0.name == sources[element.name] }) else {
        let verdict = element.additionVerdict(to: inner.text)
        add(.elementAdded(element), to: subject, verdict, hashed: isStored)
        continue
      }
      if before.name != element.name {
        add(.renamed(from: before.name), to: inner, .constantTime, hashed: isStored)
      }
      addChanges(of: inner, from: before, to: element)
    }
    for element in old.elements where !sources.values.contains(element.name) {
      add(
        .elementRemoved(element),
        to: subject,
        isStored ? .rewritesRows : .notNeeded,
        hashed: isStored,
        caution: "its values are lost"
      )
    }
  }
}

extension ModelChange.Subject {
  /// The place in a few words: `Note.title`.
  var text: String {
    switch self {
    case .model: "the model"
    case .entity(let name): name
    case .property(let name, let entity): "\(entity).\(name)"
    }
  }

  fileprivate func appending(_ name: String) -> ModelChange.Subject {
    switch self {
    case .model, .entity: self
    case .property(let own, let entity): .property("\(own).\(name)", of: entity)
    }
  }
}
