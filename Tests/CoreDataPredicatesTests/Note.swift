import CoreDataPredicates
import Foundation

/// A note as the tests know it: an object whose properties are stored, and nothing more.
final class Note: Sendable {
  let title: String?
  let stars: Int
  let date: Date?
  let folder: Folder?
  let tags: Set<Tag>

  init(
    _ title: String?,
    stars: Int = 0,
    date: Date? = nil,
    folder: Folder? = nil,
    tags: Set<Tag> = []
  ) {
    self.title = title
    self.stars = stars
    self.date = date
    self.folder = folder
    self.tags = tags
  }
}

final class Folder: Sendable {
  let name: String
  let notes: [Note]

  init(_ name: String, notes: [Note] = []) {
    self.name = name
    self.notes = notes
  }
}

final class Tag: Hashable, Sendable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (one: Tag, other: Tag) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A note that tells its own keys, as a managed object does.
final class KeyedNote: KeyValueReadable {
  let values: [String: Any]

  init(_ values: [String: Any]) { self.values = values }

  func keyValue(_ key: String) -> Any? { values[key] }
}

/// The text of a format, parsed and printed.
func printed(_ format: String, _ arguments: Any?...) throws -> String {
  try PredicateFormat.predicate(format, arguments: arguments).description
}

/// Whether a format holds for an object.
func holds(_ format: String, for object: Any? = nil, _ arguments: Any?...) throws -> Bool {
  try PredicateFormat.predicate(format, arguments: arguments).evaluate(with: object)
}

/// The value of an expression for an object.
func value(_ format: String, for object: Any? = nil, _ arguments: Any?...) throws -> Any? {
  try PredicateFormat.expression(format, arguments: arguments).value(with: object)
}
