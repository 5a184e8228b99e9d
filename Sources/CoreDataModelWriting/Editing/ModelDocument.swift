package import CoreDataModel
package import Foundation

/// The XML of a model's version, as it is edited: each change touches only the lines that it is about.
///
/// ```swift
/// var document = try ModelDocument(data)
/// let note = document.place(ofEntity: "Note")
/// try document.set("optional", to: "YES", at: note + [0])
/// try document.data.write(to: file)
/// ```
///
/// A place is the way from the root to an element, by the numbers of children. A document that was not changed is the
/// same byte for byte; attributes and elements that nobody knows here stay as they are.
package struct ModelDocument: Sendable {
  package private(set) var data: Data
  package private(set) var root: ModelXMLElement

  /// An edit that cannot be made, in a sentence.
  package struct Mistake: Error, CustomStringConvertible, Sendable {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  /// - Throws: An `XMLSyntaxError` with the line of a mistake.
  package init(_ data: Data) throws(XMLSyntaxError) {
    self.data = data
    root = try ModelXMLReader.root(of: data)
  }

  /// The model that the document says, with its problems and their lines.
  package func schema(named file: String? = nil) -> (schema: ModelSchema, problems: [ModelProblem])
  {
    var reader = SchemaReader(file: file)
    let schema = reader.schema(from: data)
    return (schema, reader.problems)
  }

  /// The element at a place; `nil` for a place that does not exist.
  package func element(at place: [Int]) -> ModelXMLElement? {
    var element = root
    for number in place {
      guard element.children.indices.contains(number) else { return nil }
      element = element.children[number]
    }
    return element
  }

  func existing(at place: [Int]) throws -> ModelXMLElement {
    if let element = element(at: place) { return element }
    throw Mistake("The model does not have this element any more. Read the model again.")
  }

  /// The place of an entity; `nil` if the model does not have it.
  package func place(ofEntity name: String) -> [Int]? {
    root.children.firstIndex { $0.name == "entity" && $0["name"] == name }.map { [$0] }
  }

  /// The place of a child by its name; `nil` if the element does not have it.
  package func place(of name: String, in parent: [Int]) -> [Int]? {
    element(at: parent)?.children.firstIndex { $0["name"] == name }.map { parent + [$0] }
  }

  /// Makes edits of the text, all or none.
  mutating func replace(_ edits: [(range: Range<Int>, text: String)]) throws {
    var bytes = [UInt8](data)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
    }
    let new = Data(bytes)
    do {
      root = try ModelXMLReader.root(of: new)
    } catch {
      throw Mistake("The change would make XML that cannot be read: \(error.message).")
    }
    data = new
  }
}

// MARK: - Attributes

extension ModelDocument {
  /// Gives an element's attribute a value, or removes it.
  ///
  /// - Parameters:
  ///   - name: The name of the attribute.
  ///   - value: The value; `nil` removes the attribute.
  ///   - place: The place of the element.
  /// - Throws: A ``Mistake`` if the place does not exist.
  package mutating func set(_ name: String, to value: String?, at place: [Int]) throws {
    let element = try existing(at: place)
    if let edit = Self.edit(name, value, of: element) { try replace([edit]) }
  }

  /// The edit that gives an attribute a value; `nil` if it has the value already.
  static func edit(
    _ name: String,
    _ value: String?,
    of element: ModelXMLElement
  ) -> (range: Range<Int>, text: String)? {
    if let known = element.attributes.first(where: { $0.name == name }) {
      if known.value == value { return nil }
      guard let value else { return (known.whole, "") }
      return (known.text, value.escapedForXML.replacing("'", with: "&apos;"))
    }
    guard let value else { return nil }
    let text = " \(name)=\"\(value.escapedForXML)\""
    let place = ModelXMLOrder.attributes.place(of: name)
    let before = element.attributes.last { ModelXMLOrder.attributes.place(of: $0.name) <= place }
    let end = before?.whole.upperBound ?? element.tag.lowerBound + 1 + element.name.utf8.count
    return (end..<end, text)
  }
}

// MARK: - Elements

extension ModelDocument {
  /// Adds an element where Xcode would write it, and returns its place.
  package mutating func insert(
    _ name: String,
    _ attributes: [(name: String, value: String)],
    in parent: [Int]
  ) throws -> [Int] {
    var element = WrittenElement(name)
    for attribute in attributes.sorted(by: {
      ModelXMLOrder.attributes.place(of: $0.name) < ModelXMLOrder.attributes.place(of: $1.name)
    }) {
      element.set(attribute.name, attribute.value)
    }
    let owner = try existing(at: parent)
    let number = ModelXMLOrder.place(of: name, element.name(in: attributes), among: owner.children)
    try insert(element.text(), at: number, in: owner)
    return parent + [number]
  }

  /// Inserts the text of an element, without indentation, as the child with a number.
  private mutating func insert(
    _ text: String,
    at number: Int,
    in parent: ModelXMLElement
  ) throws {
    let outer = indentation(before: parent.tag.lowerBound)
    let inner =
      parent.children.first.map { indentation(before: $0.tag.lowerBound) } ?? outer + "    "
    let lines = text.split(separator: "\n").map { inner + $0 }.joined(separator: lineEnd) + lineEnd
    if number < parent.children.count {
      let start = lineStart(of: parent.children[number])
      return try replace([(start..<start, lines)])
    }
    if let last = parent.children.last {
      let end = lineEnd(behind: last)
      return try replace([(end..<end, lines)])
    }
    if parent.isClosedByItself {
      // `<entity …/>` becomes two tags.
      let end = parent.tag.upperBound
      return try replace([
        (end - 2..<end, ">\(lineEnd)\(lines)\(outer)</\(parent.name)>")
      ])
    }
    let end = parent.tag.upperBound
    let closing = String(decoding: data[end..<parent.whole.upperBound], as: UTF8.self)
    let isBare = closing.trimmingCharacters(in: .whitespacesAndNewlines) == "</\(parent.name)>"
    guard isBare else {
      throw Mistake("<\(parent.name)> contains text; change it in the file, with any editor.")
    }
    try replace([(end..<parent.whole.upperBound, "\(lineEnd)\(lines)\(outer)</\(parent.name)>")])
  }

  /// Removes an element with its lines; a parent without other children becomes one tag.
  package mutating func remove(at place: [Int]) throws {
    guard !place.isEmpty else { throw Mistake("The model itself cannot be removed.") }
    let element = try existing(at: place)
    let parent = try existing(at: Array(place.dropLast()))
    if parent.children.count == 1, !parent.isClosedByItself {
      let edit = (parent.tag.upperBound - 1..<parent.whole.upperBound, "/>")
      return try replace([edit])
    }
    try replace([(lineStart(of: element)..<lineEnd(behind: element), "")])
  }

  /// Moves an element by one place among its siblings.
  package mutating func move(at place: [Int], by step: Int) throws -> [Int] {
    guard let number = place.last else { throw Mistake("The model itself cannot be moved.") }
    let parent = try existing(at: Array(place.dropLast()))
    let target = number + (step < 0 ? -1 : 1)
    guard parent.children.indices.contains(target), parent.children.indices.contains(number),
      parent.children[target].name == parent.children[number].name
    else { return place }
    let (first, second) = (min(number, target), max(number, target))
    let (one, other) = (parent.children[first].whole, parent.children[second].whole)
    let bytes = [UInt8](data)
    try replace([
      (one, String(decoding: bytes[other], as: UTF8.self)),
      (other, String(decoding: bytes[one], as: UTF8.self)),
    ])
    return Array(place.dropLast()) + [target]
  }
}

// MARK: - Lines

extension ModelDocument {
  /// The end of lines in this file.
  private var lineEnd: String { data.prefix(500).contains(0x0D) ? "\r\n" : "\n" }

  private func indentation(before place: Int) -> String {
    let bytes = data[data.startIndex..<place]
    let start = bytes.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? bytes.startIndex
    guard start == bytes.startIndex || bytes[start - 1] == 0x0A else { return "" }
    return String(decoding: bytes[start...], as: UTF8.self)
  }

  /// The beginning of the line with an element that begins its line; otherwise the element itself.
  func lineStart(of element: ModelXMLElement) -> Int {
    element.whole.lowerBound - indentation(before: element.whole.lowerBound).utf8.count
  }

  /// The place behind the end of the line with an element that ends its line.
  func lineEnd(behind element: ModelXMLElement) -> Int {
    let bytes = data[element.whole.upperBound...]
    guard let end = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }),
      bytes[end] == 0x0A
    else { return element.whole.upperBound }
    return end + 1
  }
}

extension WrittenElement {
  fileprivate func name(in attributes: [(name: String, value: String)]) -> String {
    attributes.first { $0.name == "name" }?.value ?? ""
  }
}
