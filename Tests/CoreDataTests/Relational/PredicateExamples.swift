import CoreDataModel
import CoreDataPredicates
import CoreDataSQL
import Foundation

@testable import CoreData

extension ModelSchema {
  /// Notes with an attribute of every type, in folders, with tags.
  static let desk = ModelSchema.model(
    .entity(
      "Folder",
      [.text("name"), .attribute("rank", .integer64)],
      [
        .one("parent", "Folder", back: "children"),
        .many("children", "Folder", back: "parent"),
        .many("notes", "Note", back: "folder"),
      ]
    ),
    .entity(
      "Note",
      [
        .text("title"), .text("body"), .attribute("stars", .integer16),
        .attribute("isDone", .boolean), .attribute("createdAt", .date),
        .attribute("price", .decimal), .attribute("ratio", .double),
        .attribute("code", .uuid), .attribute("link", .uri), .attribute("payload", .binaryData),
        .attribute("ink", .transformable), .scratch("draft", .string),
      ],
      [
        .one("folder", "Folder", back: "notes"),
        .many("tags", "Tag", back: "notes"),
        .many("links", "Note", back: "links"),
        .many("pins", "Tag"),
      ]
    ),
    .entity("Memo", below: "Note", [.text("voice")]),
    .entity(
      "Tag",
      [.text("label"), .attribute("weight", .integer32)],
      [
        .many("notes", "Note", back: "tags")
      ]
    )
  )
}

extension AttributeSchema {
  /// An attribute that no store keeps.
  static func scratch(_ name: String, _ type: AttributeType) -> AttributeSchema {
    var attribute = AttributeSchema(name: name, type: type)
    attribute.isTransient = true
    return attribute
  }
}

extension TableMap {
  static let desk = TableMap(.desk)
}

/// An object that represents an object or an entity in these predicates.
final class Stand: Hashable, ComparedByIdentity, CustomStringConvertible {
  let key: CompiledKey

  init(_ key: CompiledKey) {
    self.key = key
  }

  /// The folder, note or tag of a row.
  static func row(_ number: Int64, of entity: String) -> Stand {
    Stand(.row(root: TableMap.desk[entity]?.rootNumber ?? 0, number: number))
  }

  static func entity(_ name: String) -> Stand {
    let number = TableMap.desk[name]?.number ?? 0
    return Stand(.entity(number...number))
  }

  var comparedIdentity: AnyHashable { AnyHashable(key) }
  var description: String { "<\(key)>" }

  static func == (one: Stand, other: Stand) -> Bool { one.key == other.key }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension PredicateCompiler {
  /// A compiler for an entity of the desk.
  static func desk(
    _ entity: String = "Note",
    dialect: any SQLDialect = SQLiteDialect()
  ) throws -> PredicateCompiler {
    guard let map = TableMap.desk[entity] else { throw CocoaError(.featureUnsupported) }
    return PredicateCompiler(map, in: .desk, dialect: dialect, schema: .desk) { value in
      (value as? Stand)?.key ?? (value as? DeskObject)?.compiledKey
    }
  }
}

/// Joins and condition of a predicate of notes, the values in their places.
func sql(_ format: String, _ arguments: Any?..., of entity: String = "Note") throws -> String {
  var compiler = try PredicateCompiler.desk(entity)
  let tree = try PredicateFormat.predicate(format, arguments: arguments)
  let condition = try compiler.condition(tree)
  return (compiler.joins + [condition]).map(\.spelled).joined(separator: "\n")
}

/// The compiler's reason for refusing a predicate; `nil` if it accepts it.
func refusal(_ format: String, _ arguments: Any?...) throws -> String? {
  var compiler = try PredicateCompiler.desk()
  let tree = try PredicateFormat.predicate(format, arguments: arguments)
  do throws(PredicateCompilationError) {
    _ = try compiler.condition(tree)
    return nil
  } catch {
    return error.description
  }
}

/// Joins and order of a sort.
func order(_ terms: SortTerm...) throws -> String {
  var compiler = try PredicateCompiler.desk()
  let order = try compiler.order(terms).joined(separator: ", ")
  return (compiler.joins + [order]).map(\.spelled).joined(separator: "\n")
}

extension SQLFragment {
  /// The text with each value in its place, and names without their quotes.
  var spelled: String {
    let rendered = rendered(for: .sqlite)
    var text = rendered.sql.replacing("\"", with: "")
    for (index, value) in rendered.bindings.enumerated().reversed() {
      text = text.replacing("?\(index + 1)", with: value?.description ?? "?")
    }
    return text
  }
}
