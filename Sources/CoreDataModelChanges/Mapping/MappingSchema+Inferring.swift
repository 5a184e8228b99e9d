import CoreDataModel
import CoreDataPredicates
import Foundation

extension MappingSchema {
  /// The mappings that follow from what two versions of a model have in common.
  ///
  ///     IEM_Add_Label        an entity that is new
  ///     IEM_Copy_Folder      one that is the same in both
  ///     IEM_Transform_Note   one that has changed, under its new name
  ///     IEM_Remove_Bin       one that is gone, or whose objects cannot be kept any more
  ///
  /// The names are those that Apple's framework gives. A comparison with obstacles has a mapping too, which leaves
  /// out what cannot be carried out; a caller that infers a mapping asks for obstacles first.
  package init(inferring comparison: ModelComparison) {
    let made = comparison.entities.map { EntityMappingSchema(inferring: $0, in: comparison) }
    let removed = comparison.removedEntityNames.map {
      EntityMappingSchema(removing: $0, in: comparison)
    }
    self.init(entityMappings: made + removed)
  }
}

extension EntityMappingSchema {
  fileprivate init(inferring match: EntityMatch, in comparison: ModelComparison) {
    let name = match.destinationName
    guard let sourceName = match.sourceName else {
      self.init(name: "IEM_Add_\(name)", kind: .add)
      destinationName = name
      destinationHash = comparison.destination.entityVersionHashes[name]
      attributeMappings = match.attributeMappings
      relationshipMappings = match.relationshipMappings
      return
    }
    if comparison.losesObjects(of: sourceName, becoming: name) {
      self.init(removing: sourceName, in: comparison)
      return
    }
    let old = comparison.source.entityVersionHashes[sourceName]
    let new = comparison.destination.entityVersionHashes[name]
    let isSame = old == new
    self.init(
      name: isSame ? "IEM_Copy_\(name)" : "IEM_Transform_\(name)",
      kind: isSame ? .copy : .transform
    )
    self.sourceName = sourceName
    sourceHash = old
    destinationName = name
    destinationHash = new
    sourceExpression = .allObjects(of: sourceName)
    attributeMappings = match.attributeMappings
    relationshipMappings = match.relationshipMappings
  }

  fileprivate init(removing sourceName: String, in comparison: ModelComparison) {
    self.init(name: "IEM_Remove_\(sourceName)", kind: .remove)
    self.sourceName = sourceName
    sourceHash = comparison.source.entityVersionHashes[sourceName]
    sourceExpression = .allObjects(of: sourceName)
  }
}

extension ModelComparison {
  /// Whether an entity has become abstract: no object can be of it any more.
  fileprivate func losesObjects(of sourceName: String, becoming name: String) -> Bool {
    destination.entity(named: name)?.isAbstract == true
      && source.entity(named: sourceName)?.isAbstract == false
  }
}

// MARK: - Properties

extension EntityMatch {
  /// The stored attributes; transient ones do not have values to copy, derived ones are computed.
  fileprivate var attributeMappings: [PropertyMappingSchema] {
    properties.compactMap { match in
      guard case .attribute(let new) = match.destination.property, !new.isTransient,
        new.derivationExpression == nil
      else { return nil }
      var mapping = PropertyMappingSchema(name: new.name)
      if case .attribute(let old)? = match.source?.property, !old.isTransient {
        mapping.valueExpression = .value(of: old, for: new)
      }
      return mapping
    }
  }

  fileprivate var relationshipMappings: [PropertyMappingSchema] {
    properties.compactMap { match in
      guard case .relationship(let new) = match.destination.property, !new.isTransient else {
        return nil
      }
      var mapping = PropertyMappingSchema(name: new.name)
      if case .relationship(let old)? = match.source?.property, !old.isTransient {
        mapping.valueExpression = .destinationInstances(ofRelationship: old.name)
      }
      return mapping
    }
  }
}

extension ExpressionTree {
  /// The source's value; if it may be missing and is required now, the default.
  fileprivate static func value(
    of old: AttributeSchema,
    for new: AttributeSchema
  ) -> ExpressionTree {
    let value = ExpressionTree.ofSource(old.name)
    if old.type == .composite, new.type == .composite {
      let names = CompositeNamesMatch(from: old.elements, to: new.elements)
      return names.isSame ? value : .block(names.block, [value])
    }
    guard old.isOptional, !new.isOptional, let standIn = new.defaultValue?.standIn else {
      return value
    }
    let isMissing = Comparison(value, .equalTo, .constant(Constant(nil)))
    return .conditional(.comparison(isMissing), .constant(standIn), value)
  }
}

extension SchemaValue {
  /// The value as an expression holds it; nil only for an archived object.
  fileprivate var standIn: Constant? {
    if case .data(let data) = self { return Constant(data) }
    return constant
  }
}

// MARK: - Composites

/// Which element of a composite goes back to which, at every depth.
private struct CompositeNamesMatch: Sendable {
  private var elements: [(name: String, source: String, inner: CompositeNamesMatch?)] = []
  private(set) var isSame = true

  init(from old: [AttributeSchema], to new: [AttributeSchema]) {
    let sources = RenamedNames(
      from: old.map { .init($0.name, identifier: $0.renamingIdentifier) },
      to: new.map { .init($0.name, identifier: $0.renamingIdentifier) }
    ).sources
    isSame = old.count == new.count && new.allSatisfy { sources[$0.name] == $0.name }
    for element in new {
      guard let before = old.first(where: { $0.name == sources[element.name] }) else { continue }
      let isComposite = element.type == .composite && before.type == .composite
      let inner =
        isComposite ? CompositeNamesMatch(from: before.elements, to: element.elements) : nil
      if inner?.isSame == false { isSame = false }
      elements.append((element.name, before.name, inner))
    }
  }

  /// The values of the old elements under the names of the new ones.
  private func renamed(_ values: [String: Any]) -> [String: Any] {
    var renamed: [String: Any] = [:]
    for element in elements {
      guard let value = values[element.source] else { continue }
      let dictionary = value as? [String: Any]
      renamed[element.name] = element.inner.flatMap { dictionary.map($0.renamed) } ?? value
    }
    return renamed
  }

  /// The format language cannot express dictionaries.
  var block: ExpressionBlock {
    ExpressionBlock { _, arguments, _ in
      guard let values = arguments.first as? [String: Any] else { return NSNull() }
      return self.renamed(values)
    }
  }
}
