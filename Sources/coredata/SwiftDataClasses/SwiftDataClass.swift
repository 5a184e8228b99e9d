import CoreDataModel
import CoreDataModelCompiler

/// The text of one class of SwiftData.
struct SwiftDataClass {
  private let entity: EntitySchema
  private let schema: ModelSchema
  private let gaps: [SwiftDataGap]
  private let types: SwiftDataTypes
  private let properties: [SwiftDataProperty]
  /// The properties of the superentities, whose initializer the class calls.
  private let inherited: [SwiftDataProperty]

  /// - Parameters:
  ///   - entity: The entity, in a model that SwiftData can express.
  ///   - schema: The model.
  ///   - gaps: The parts of the entity that are left out.
  ///   - isFrozen: Whether default values that are dates and identifiers were made when the schema was.
  init(
    _ entity: EntitySchema,
    in schema: ModelSchema,
    gaps: [SwiftDataGap],
    isFrozen: Bool
  ) {
    self.entity = entity
    self.schema = schema
    self.gaps = gaps
    let types = SwiftDataTypes(schema)
    self.types = types
    func properties(of entity: EntitySchema) -> [SwiftDataProperty] {
      Self.properties(of: entity, in: schema, isFrozen: isFrozen, types)
    }
    self.properties = properties(of: entity)
    inherited = schema.entityChain(of: entity.name).dropFirst().reversed().flatMap(properties)
  }

  private static func properties(
    of entity: EntitySchema,
    in schema: ModelSchema,
    isFrozen: Bool,
    _ types: SwiftDataTypes
  ) -> [SwiftDataProperty] {
    let unique = Set(entity.uniquenessConstraints.filter { $0.count == 1 }.flatMap { $0 })
    var taken = Set(entity.propertyNames).union([entity.name])
    let attributes = entity.attributes.map { attribute in
      let composite =
        attribute.type == .composite
        ? SwiftDataComposite(
          attribute,
          named: types.freeName(for: attribute.name, beside: &taken),
          types
        ) : nil
      return SwiftDataProperty(
        attribute,
        isUnique: unique.contains(attribute.name),
        isFrozen: isFrozen,
        composite: composite,
        types
      )
    }
    let relationships = entity.relationships.map {
      SwiftDataProperty($0, of: entity, isUnique: unique.contains($0.name), in: schema, types)
    }
    return attributes + relationships
  }
}

// MARK: - The declaration

extension SwiftDataClass {
  private var name: String { SwiftName(entity.name).spelling }

  /// The declaration, with comments for the parts that are left out.
  var text: String {
    let parts =
      [constraints].filter { !$0.isEmpty } + [properties.flatMap(lines)].filter { !$0.isEmpty }
      + [initializer] + properties.compactMap(\.composite?.lines)
    let body = parts.map { part in
      part.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    }
    return (head + [body.joined(separator: "\n\n"), "}"]).joined(separator: "\n")
  }

  private var head: [String] {
    let isFinal = schema.subentities(of: entity.name).isEmpty
    let parent = entity.superentityName.map { ": \(SwiftName($0).spelling)" } ?? ""
    let available =
      entity.superentityName == nil
      ? [] : ["@available(macOS 26, iOS 26, tvOS 26, visionOS 26, watchOS 26, *)"]
    let word = isFinal ? "final class" : "class"
    return orphans.map(\.comment) + available
      + ["\(types.macro("Model")) \(word) \(name)\(parent) {"]
  }

  private func lines(of property: SwiftDataProperty) -> [String] {
    gaps.filter { $0.belongs(to: property.modelName) }.map(\.comment) + property.lines
  }

  /// The gaps without a property to which the comment could belong.
  private var orphans: [SwiftDataGap] {
    gaps.filter { gap in !properties.contains { gap.belongs(to: $0.modelName) } }
  }
}

extension SwiftDataGap {
  fileprivate func belongs(to property: String) -> Bool {
    part == property || part?.hasPrefix("\(property).") == true
  }

  var comment: String { "// \(sentence)" }
}

// MARK: - Constraints and indexes

extension SwiftDataClass {
  private var constraints: [String] {
    let groups = entity.uniquenessConstraints.filter { $0.count > 1 }
    let unique =
      groups.isEmpty ? [] : ["#Unique<\(name)>(\(groups.map(list).joined(separator: ", ")))"]
    return unique + indexes
  }

  private var indexes: [String] {
    let indexes = entity.indexes.map { index -> (isRTree: Bool, list: String) in
      let names = index.elements.compactMap { element -> String? in
        guard case .property(let name) = element.subject else { return nil }
        return name
      }
      return (index.elements.contains { $0.collation == .rTree }, list(names))
    }
    guard !indexes.isEmpty else { return [] }
    let isPlain = !indexes.contains(where: \.isRTree)
    let lists = indexes.map { index in
      isPlain ? index.list : "\(index.isRTree ? ".rtree" : ".binary")(\(index.list))"
    }
    return ["#Index<\(name)>(\(lists.joined(separator: ", ")))"]
  }

  private func list(_ names: [String]) -> String {
    "[\(names.map { "\\.\(SwiftName($0).spelling)" }.joined(separator: ", "))]"
  }
}

// MARK: - The initializer

extension SwiftDataClass {
  private var initializer: [String] {
    let own = properties.filter(\.isParameter)
    let above = inherited.filter(\.isParameter)
    let all =
      (above + own).filter { $0.initialValue == nil }
      + (above + own).filter { $0.initialValue != nil }
    let parameters = all.map { property in
      "\(property.name): \(property.type)"
        + (property.initialValue.map { " = \($0)" } ?? "")
    }
    let isSubclass = entity.superentityName != nil
    let word = isSubclass && own.isEmpty ? "override init" : "init"
    var body = own.map { "  self.\($0.name) = \($0.name)" }
    if isSubclass {
      let arguments =
        (above.filter { $0.initialValue == nil }
        + above.filter { $0.initialValue != nil }).map { "\($0.name): \($0.name)" }
      body.append("  super.init(\(arguments.joined(separator: ", ")))")
    }
    let list = parameters.joined(separator: ", ")
    if body.isEmpty { return ["\(word)() {}"] }
    let line = "\(word)(\(list)) {"
    if line.count <= 96 { return [line] + body + ["}"] }
    return ["\(word)("] + parameters.dropLast().map { "  \($0)," }
      + parameters.suffix(1).map { "  \($0)" }
      + [") {"] + body + ["}"]
  }
}
