import CoreDataModel

/// Changes in words.
extension ModelChange: CustomStringConvertible {
  package var description: String { sentence }

  /// The change and its place: `Note.title: renamed from name`.
  package var sentence: String {
    switch subject {
    case .model: "The model: \(text)"
    case .entity(let name): "\(name): \(text)"
    case .property(let name, let entity): "\(entity).\(name): \(text)"
    }
  }

  /// The change without its place: `renamed from name`.
  package var text: String {
    switch kind {
    case .entityAdded(let entity): entity.isAbstract ? "added, abstract" : "added"
    case .entityRemoved: "removed"
    case .superentity(_, let to?): "now a subentity of \(to)"
    case .superentity(let from, nil): "no longer a subentity of \(from ?? "another")"
    case .abstractness(true): "now abstract"
    case .abstractness(false): "no longer abstract"
    case .constraintAdded(let names): "constraint added, \(names.joined(separator: " + ")) unique"
    case .constraintRemoved(let names):
      "constraint removed, \(names.joined(separator: " + ")) unique"
    case .indexAdded(let index): "index \(index.name) added, \(index.summary)"
    case .indexRemoved(let index): "index \(index.name) removed"
    case .indexChanged(let index): "index \(index.name) is now \(index.summary)"
    case .propertyAdded(let property):
      "\(property.kindWord) \(property.name) added, \(property.summary)"
    case .propertyRemoved(let property): "\(property.kindWord) \(property.name) removed"
    case .moved(let entity): "moved here from \(entity)"
    case .inherited(let entity): "now inherited from \(entity)"
    case .optionality(let isOptional): isOptional ? "now optional" : "now required"
    case .transience(let isTransient): isTransient ? "now transient" : "no longer transient"
    case .type(let from, let to): "type \(from.word) → \(to.word)"
    case .derivation(let from?, let to?): "derivation \(from) → \(to)"
    case .derivation(nil, let to): "now derived, \(to ?? "")"
    case .derivation: "no longer derived"
    case .elementAdded(let element): "element \(element.name) added, \(element.summary)"
    case .elementRemoved(let element): "element \(element.name) removed"
    case .externalStorage(let isOn): "storage in files of its own \(isOn ? "on" : "off")"
    case .preservation(let isOn):
      isOn ? "now preserved after deletion" : "no longer preserved after deletion"
    case .destination(let from, let to): "destination \(from) → \(to)"
    case .inverse(let from, let to): "inverse \(from ?? "none") → \(to ?? "none")"
    case .cardinality(let isToMany): isToMany ? "to-one → to-many" : "to-many → to-one"
    case .counts(let from, let to): "number of objects \(from) → \(to)"
    case .order(let isOrdered): isOrdered ? "now ordered" : "no longer ordered"
    case .deleteRule(let from, let to): "delete rule \(from.word) → \(to.word)"
    case .renamed(let from): "renamed from \(from)"
    case .modifier(let from, let to): "hash modifier \(from ?? "none") → \(to ?? "none")"
    case .setting(let setting, let from, let to):
      "\(setting.rawValue) \(from ?? "none") → \(to ?? "none")"
    case .configurationAdded(let name, let entities):
      "configuration \(name) added, \(entities.joined(separator: ", "))"
    case .configurationRemoved(let name): "configuration \(name) removed"
    case .configurationChanged(let name, let added, let removed):
      "configuration \(name): "
        + (added.map { "+\($0)" } + removed.map { "-\($0)" }).joined(separator: ", ")
    case .templateAdded(let name): "fetch request \(name) added"
    case .templateRemoved(let name): "fetch request \(name) removed"
    case .templateChanged(let name): "fetch request \(name) changed"
    }
  }
}

extension ModelChange.Counts: CustomStringConvertible {
  package var description: String {
    maximum == 0 ? "\(minimum) or more" : "\(minimum) to \(maximum)"
  }
}

// MARK: - Parts of models, in a few words

extension PropertySchema {
  package var summary: String {
    switch self {
    case .attribute(let attribute): attribute.summary
    case .relationship(let relationship): relationship.summary
    case .fetched(let property): "of \(property.request.entityName)"
    }
  }
}

extension AttributeSchema {
  /// `Integer 16, required, 0 by default`.
  package var summary: String {
    var words = [type.word]
    if isTransient { words.append("transient") }
    if let derivationExpression { words.append("derived from \(derivationExpression)") }
    words.append(isOptional ? "optional" : "required")
    if let defaultValue { words.append("\(defaultValue) by default") }
    return words.joined(separator: ", ")
  }
}

extension RelationshipSchema {
  /// `to-many Note, ordered, optional`.
  package var summary: String {
    var words = ["\(isToMany ? "to-many" : "to-one") \(destinationName)"]
    if isOrdered { words.append("ordered") }
    if isTransient { words.append("transient") }
    words.append(isOptional ? "optional" : "required")
    return words.joined(separator: ", ")
  }
}

extension FetchIndexSchema {
  /// `title descending, stars where stars > 1`.
  package var summary: String {
    let parts = elements.map { element in
      let name =
        switch element.subject {
        case .property(let name): name
        case .expression(let format): format
        }
      let kind = element.collation == .rTree ? " R-tree" : ""
      return name + kind + (element.isAscending ? "" : " descending")
    }
    let condition = partialPredicateFormat.map { " where \($0)" } ?? ""
    return parts.joined(separator: ", ") + condition
  }
}
