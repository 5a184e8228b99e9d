import CoreDataModel
import CoreDataModelChanges
import Foundation

/// A model as lines of text, its columns aligned.
///
///     Note: Item (class Notebook.Note)
///       title   String   required, "new" by default
///       folder  Folder   optional, inverse notes
///       tags    [Tag]    optional, inverse notes
///       index byTitle: title
struct SchemaListing {
  private let schema: ModelSchema

  init(_ schema: ModelSchema) {
    self.schema = schema
  }

  var text: String {
    var parts = schema.entities.map { lines(of: $0).joined(separator: "\n") }
    let requests = schema.fetchRequestTemplates.map { "  \($0.name): \($0.summary)" }
    if !requests.isEmpty { parts.append((["fetch requests"] + requests).joined(separator: "\n")) }
    let configurations = schema.configurations.sorted { $0.key < $1.key }.map {
      "  \($0.key): \($0.value.sorted().joined(separator: ", "))"
    }
    if !configurations.isEmpty {
      parts.append((["configurations"] + configurations).joined(separator: "\n"))
    }
    let identifiers = schema.versionIdentifiers.filter { !$0.isEmpty }.sorted()
    if !identifiers.isEmpty {
      parts.append("version identifiers \(identifiers.joined(separator: ", "))")
    }
    return parts.joined(separator: "\n\n")
  }

  private func lines(of entity: EntitySchema) -> [String] {
    var rows = entity.attributes.flatMap { Self.rows(of: $0) }
    rows += entity.relationships.map(Self.row) + entity.fetchedProperties.map(Self.row)
    let nameWidth = rows.map(\.name.count).max() ?? 0
    let typeWidth = rows.map(\.type.count).max() ?? 0
    var lines = [Self.title(of: entity)]
    lines += rows.map { row in
      let line =
        "  \(row.name.padded(to: nameWidth))  \(row.type.padded(to: typeWidth))  \(row.rest)"
      return line.trimmingSuffix { $0 == " " }
    }
    lines += entity.uniquenessConstraints.map { "  unique: \($0.joined(separator: " + "))" }
    lines += entity.indexes.map { "  index \($0.name): \($0.summary)" }
    if let modifier = entity.versionHashModifier { lines.append("  hash modifier \(modifier)") }
    lines += entity.userInfo.sorted { $0.key < $1.key }.map { "  info \($0.key) = \($0.value)" }
    return lines
  }

  private static func title(of entity: EntitySchema) -> String {
    var notes: [String] = []
    if entity.isAbstract { notes.append("abstract") }
    if !["", "NSManagedObject", entity.name].contains(entity.className) {
      notes.append("class \(entity.className)")
    }
    if let old = entity.renamingIdentifier { notes.append("renamed from \(old)") }
    let superentity = entity.superentityName.map { ": \($0)" } ?? ""
    return entity.name + superentity + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
  }
}

// MARK: - Rows

extension SchemaListing {
  private struct Row {
    let name: String
    let type: String
    let rest: String
  }

  private static func rows(of attribute: AttributeSchema, below path: String = "") -> [Row] {
    var words = [attribute.isOptional ? "optional" : "required"]
    if let value = attribute.defaultValue { words.append("\(value) by default") }
    if attribute.isTransient { words.append("transient") }
    if let expression = attribute.derivationExpression { words.append("derived, \(expression)") }
    if let filter = attribute.derivationFilterFormat { words.append("of those where \(filter)") }
    words += attribute.validations.map(\.predicateFormat)
    if let name = attribute.customClassName { words.append("class \(name)") }
    if let name = attribute.valueTransformerName { words.append("transformed by \(name)") }
    if attribute.allowsExternalBinaryDataStorage { words.append("in files of its own") }
    if attribute.preservesValueInHistoryOnDeletion { words.append("preserved after deletion") }
    if attribute.allowsCloudEncryption { words.append("encrypted in the cloud") }
    if attribute.isIndexedBySpotlight { words.append("indexed by Spotlight") }
    let row = Row(
      name: path + attribute.name,
      type: attribute.type.word,
      rest: rest(
        words,
        attribute.renamingIdentifier,
        attribute.versionHashModifier,
        attribute.userInfo
      )
    )
    return [row]
      + attribute.elements.flatMap { rows(of: $0, below: "\(path)\(attribute.name).") }
  }

  private static func row(of relationship: RelationshipSchema) -> Row {
    let name = relationship.destinationName
    var words = [relationship.isOptional ? "optional" : "required"]
    if relationship.isOrdered { words.append("ordered") }
    if relationship.isTransient { words.append("transient") }
    if relationship.minCount > 0, relationship.isToMany {
      words.append("\(relationship.minCount) at least")
    }
    if relationship.maxCount > 1 { words.append("\(relationship.maxCount) at most") }
    words.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
    switch relationship.deleteRule {
    case .nullify: break
    case .cascade, .deny, .noAction: words.append("\(relationship.deleteRule.word) on deletion")
    }
    return Row(
      name: relationship.name,
      type: relationship.isToMany ? "[\(name)]" : name,
      rest: rest(
        words,
        relationship.renamingIdentifier,
        relationship.versionHashModifier,
        relationship.userInfo
      )
    )
  }

  private static func row(of property: FetchedPropertySchema) -> Row {
    Row(
      name: property.name,
      type: "[\(property.request.entityName)]",
      rest: rest(
        ["fetched: \(property.request.summary)"],
        property.renamingIdentifier,
        property.versionHashModifier,
        property.userInfo
      )
    )
  }

  private static func rest(
    _ words: [String],
    _ renaming: String?,
    _ modifier: String?,
    _ userInfo: [String: String]
  ) -> String {
    var words = words
    if let renaming { words.append("renamed from \(renaming)") }
    if let modifier { words.append("hash modifier \(modifier)") }
    words += userInfo.sorted { $0.key < $1.key }.map { "info \($0.key) = \($0.value)" }
    return words.joined(separator: ", ")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}
