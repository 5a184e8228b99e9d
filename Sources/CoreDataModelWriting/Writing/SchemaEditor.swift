package import CoreDataModel
package import Foundation

/// Adds entities and properties to the XML of a `contents` file and leaves the rest of it as it is.
///
/// Additions go where Xcode would write them: entities and the properties of a kind by name. A file in which the
/// place cannot be found is rewritten as a whole, unless that would lose something.
package struct SchemaEditor {
  private let old: Data
  private let schema: ModelSchema

  /// - Parameters:
  ///   - old: The file as it is.
  ///   - schema: The wanted content: the file's schema with additions.
  package init(_ old: Data, toSay schema: ModelSchema) {
    self.old = old
    self.schema = schema
  }

  /// The file with the additions, nil if nothing but a loss could say the schema.
  package var data: Data? {
    let wanted = schema.canonical
    if let edited, Self.schema(of: edited) == wanted { return edited }
    let writer = SchemaWriter(schema)
    guard Self.schema(of: old) == SchemaWriter(Self.schema(of: old)).schemaThatIsWritten.canonical,
      writer.losses.isEmpty
    else { return nil }
    return writer.data
  }

  private static func schema(of data: Data) -> ModelSchema {
    var reader = SchemaReader()
    return reader.schema(from: data).canonical
  }

  private var edited: Data? {
    guard var text = String(data: old, encoding: .utf8).map(ModelText.init) else { return nil }
    let written = ModelText(String(decoding: SchemaWriter(schema).data, as: UTF8.self))
    let before = Self.schema(of: old)
    for entity in schema.entities {
      if let present = before.entity(named: entity.name) {
        let names = Set(present.propertyNames)
        for name in entity.propertyNames where !names.contains(name) {
          guard let lines = written.property(name, of: entity.name),
            text.insert(lines, named: name, into: entity.name)
          else { return nil }
        }
        if entity.uniquenessConstraints != present.uniquenessConstraints {
          guard let lines = written.constraints(of: entity.name),
            text.replaceConstraints(by: lines, of: entity.name)
          else { return nil }
        }
      } else {
        guard let lines = written.entity(entity.name),
          text.insert(entity: lines, named: entity.name)
        else { return nil }
      }
    }
    return Data(text.text.utf8)
  }
}

/// A model's XML as lines, in the shape that Xcode gives it: one element on each.
private struct ModelText {
  private var lines: [String]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  var text: String { lines.joined(separator: "\n") }

  private static func name(of line: String) -> String? {
    guard let start = line.range(of: " name=\"")?.upperBound,
      let end = line[start...].firstIndex(of: "\"")
    else { return nil }
    return String(line[start..<end])
  }

  private static func tag(of line: String) -> String? {
    let line = line.drop { $0 == " " || $0 == "\t" }
    guard line.first == "<" else { return nil }
    return String(line.dropFirst().prefix { $0.isLetter || $0 == "/" })
  }

  private static func endsItself(_ line: String) -> Bool {
    line.drop { $0.isWhitespace }.last { !$0.isWhitespace } == ">" && line.contains("/>")
  }

  /// The lines from an element's first to its last.
  private func element(at index: Int) -> Range<Int>? {
    if Self.endsItself(lines[index]) { return index..<index + 1 }
    guard let tag = Self.tag(of: lines[index]),
      let end = lines[index...].firstIndex(where: { $0.contains("</\(tag)>") })
    else { return nil }
    return index..<end + 1
  }

  private func entityLine(_ name: String) -> Int? {
    lines.firstIndex { Self.tag(of: $0) == "entity" && Self.name(of: $0) == name.escapedForXML }
  }

  func entity(_ name: String) -> [String]? {
    entityLine(name).flatMap { element(at: $0) }.map { Array(lines[$0]) }
  }

  func property(_ name: String, of entity: String) -> [String]? {
    guard let range = entityLine(entity).flatMap({ element(at: $0) }) else { return nil }
    let kinds: Set = ["attribute", "relationship", "fetchedProperty"]
    let line = range.first { index in
      Self.tag(of: lines[index]).map(kinds.contains) == true
        && Self.name(of: lines[index]) == name.escapedForXML
    }
    return line.flatMap { element(at: $0) }.map { Array(lines[$0]) }
  }
}

// MARK: - Constraints

extension ModelText {
  private static let constraints = "uniquenessConstraints"

  private func constraintRange(of entity: String) -> Range<Int>? {
    guard let range = entityLine(entity).flatMap({ element(at: $0) }) else { return nil }
    return range.first { Self.tag(of: lines[$0]) == Self.constraints }.flatMap { element(at: $0) }
  }

  func constraints(of entity: String) -> [String]? {
    constraintRange(of: entity).map { Array(lines[$0]) }
  }

  mutating func replaceConstraints(by new: [String], of entity: String) -> Bool {
    guard let present = constraintRange(of: entity) else {
      return insert(new, named: "", into: entity)
    }
    lines.replaceSubrange(present, with: new)
    return true
  }
}

// MARK: - Additions

extension ModelText {
  mutating func insert(_ added: [String], named name: String, into entity: String) -> Bool {
    guard let first = entityLine(entity), let tag = added.first.flatMap(Self.tag) else {
      return false
    }
    open(first, tag: "entity")
    guard let range = element(at: first) else { return false }
    lines.insert(contentsOf: added, at: place(for: tag, name, in: first + 1..<range.upperBound - 1))
    return true
  }

  mutating func insert(entity added: [String], named name: String) -> Bool {
    guard let model = lines.firstIndex(where: { Self.tag(of: $0) == "model" }) else { return false }
    open(model, tag: "model")
    guard let range = element(at: model) else { return false }
    lines.insert(
      contentsOf: added,
      at: place(for: "entity", name, in: model + 1..<range.upperBound - 1)
    )
    return true
  }

  /// Turns `<entity …/>` into two tags.
  private mutating func open(_ index: Int, tag: String) {
    guard Self.endsItself(lines[index]), let end = lines[index].range(of: "/>", options: .backwards)
    else { return }
    let indentation = lines[index].prefix { $0 == " " || $0 == "\t" }
    lines[index].replaceSubrange(end, with: ">")
    lines.insert("\(indentation)</\(tag)>", at: index + 1)
  }

  /// The place of an element among its siblings: by its kind, then by its name.
  private func place(for tag: String, _ name: String, in body: Range<Int>) -> Int {
    let kinds = [
      "attribute", "relationship", "fetchedProperty", "fetchIndex", Self.constraints, "userInfo",
      "entity", "fetchRequest", "composite",
    ]
    let own = kinds.firstIndex(of: tag) ?? kinds.count
    var index = body.lowerBound
    while index < body.upperBound {
      let sibling = Self.tag(of: lines[index]) ?? ""
      let kind = kinds.firstIndex(of: sibling) ?? kinds.count
      if kind > own || kind == own && (Self.name(of: lines[index]) ?? "") > name.escapedForXML {
        return index
      }
      index = element(at: index)?.upperBound ?? index + 1
    }
    return body.upperBound
  }
}
