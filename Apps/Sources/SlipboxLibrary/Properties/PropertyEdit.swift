public import Foundation
import RichText

/// The change of a property of a note; absent values stay as they are.
///
/// ```json
/// {"name": "due", "kind": "date", "value": "2026-12-01"}      made, or changed
/// {"name": "due", "newName": "deadline"}
/// {"name": "genre", "kind": "list", "items": ["myth"]}
/// {"name": "part of", "kind": "link", "note": "9b01…"}
/// {"name": "due", "removed": true}
/// ```
public struct PropertyEdit: Decodable, Sendable {
  /// The name, whatever its case, by which the property is found.
  public var name: String
  public var newName: String?
  public var kind: String?
  public var value: String?
  /// The items of a list.
  public var items: [String]?
  /// The note to which a link leads.
  public var note: UUID?
  /// The new place among the properties, from 0.
  public var place: Int?
  public var removed: Bool?

  public init(_ name: String, kind: String? = nil, value: String? = nil) {
    self.name = name
    self.kind = kind
    self.value = value
  }

  var saysValue: Bool { value != nil || items != nil || note != nil }
}

extension Given {
  /// A name for a property.
  static func propertyName(_ text: String) throws -> String {
    let name = try name(text, of: "property")
    guard name.utf8.count <= NoteProperty.longestName else {
      throw LibraryProblem.refused(
        "The name of a property has at most \(NoteProperty.longestName) bytes; this one has \(name.utf8.count)."
      )
    }
    guard NoteProperty.isName(name) else {
      throw LibraryProblem.refused(
        "The name of a property has no colon, quote or backslash, and does not begin with “slipbox-”: “\(name)” cannot be one."
      )
    }
    guard !NoteProperty.namesOfFacts.contains(name.lowercased()) else {
      throw LibraryProblem.refused(
        "“\(name)” is not the name of a property: files have something else of a note under it. Choose another name."
      )
    }
    return name
  }

  static func propertyKind(_ word: String) throws -> PropertyKind {
    guard let kind = PropertyKind(rawValue: word), kind != .other else {
      throw LibraryProblem.refused(
        "A property is a text, number, date, list, checkbox or link, not “\(word.prefix(40))”."
      )
    }
    return kind
  }

  /// The value of a kind that a text says.
  static func propertyValue(_ kind: PropertyKind, _ text: String) throws -> PropertyValue {
    guard text.utf8.count <= NoteProperty.longestValue else { throw tooLong(text.utf8.count) }
    guard let value = PropertyValue(kind, text: text.filter { $0 != "\0" }) else {
      throw isNot(text, kind)
    }
    return try within(value)
  }

  static func propertyItems(_ items: [String]) throws -> PropertyValue {
    var seen: Set<String> = []
    let lines = items.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
      .map { $0.trimmingCharacters(in: .whitespaces).filter { $0 != "\0" } }
    return try within(.list(lines.filter { !$0.isEmpty && seen.insert($0).inserted }))
  }

  static func within(_ value: PropertyValue) throws -> PropertyValue {
    if case .list(let items) = value, items.count > NoteProperty.mostItems {
      throw LibraryProblem.refused(
        "A list has at most \(NoteProperty.mostItems) items; this one has \(items.count)."
      )
    }
    guard value.isWithinBounds else { throw tooLong(value.stored.utf8.count) }
    return value
  }

  static func isNot(_ text: String, _ kind: PropertyKind) -> LibraryProblem {
    let remedy =
      switch kind {
      case .number: "a number, such as 4 or 3.5"
      case .date: "a date, such as 2026-12-01 or 2026-12-01T09:30"
      case .checkbox: "true or false"
      case .text, .list, .link, .other: "one value"
      }
    return .refused("“\(text.prefix(80))” is not \(remedy).")
  }

  private static func tooLong(_ count: Int) -> LibraryProblem {
    .refused(
      "The value of a property has at most \(NoteProperty.longestValue.formatted()) bytes; this one has \(count.formatted())."
    )
  }
}
