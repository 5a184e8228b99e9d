import CoreData
import CoreDataStoreCare
import Foundation

/// The changes of `coredata set`, printed before they are saved.
///
/// ```
///   Note/p1.folder: Folder/p1 → Folder/p2
///   also changed, at the other end: Folder/p1, Folder/p2
///   trigger tidy on ZNOTE: deletes rows of ZLOG
/// 1 object found, 1 to change
/// ```
struct SetOutcome {
  let found: Int
  let changes: [ValueChange]
  /// Objects that change because they are the other end of a relationship.
  let alsoChanged: [String]
  let triggers: [StrangeTrigger]
  let isRehearsal: Bool

  private static let shown = 20

  /// How many objects get other values.
  var count: Int { Set(changes.map(\.object)).count }

  var text: String {
    let lines = changes.prefix(Self.shown).map { "  \($0.line)" }
    let sum =
      "\(found.of("object")) found, \(count.grouped) to change"
      + (isRehearsal ? "; nothing was changed" : "")
    return (lines + Self.rest(of: changes.count) + others + triggers.map(\.line) + [sum])
      .joined(separator: "\n")
  }

  private var others: [String] {
    if alsoChanged.isEmpty { return [] }
    let names = alsoChanged.prefix(Self.shown).joined(separator: ", ")
    let more = alsoChanged.count - Self.shown
    let rest = more > 0 ? " and \(more.grouped) more" : ""
    return ["  also changed, at the other end: \(names)\(rest)"]
  }

  private static func rest(of count: Int) -> [String] {
    count > shown ? ["  … and \((count - shown).grouped) more"] : []
  }

  func json(isSaved: Bool) -> JSONValue {
    [
      "found": .integer(found), "count": .integer(count), "isSaved": .boolean(isSaved),
      "changes": .array(changes.map(\.json)),
      "alsoChanged": .array(alsoChanged.map { .text($0) }),
      "triggers": .array(triggers.map(\.json)),
    ]
  }
}

extension StrangeTrigger {
  fileprivate var line: String {
    let effects = effects.isEmpty ? "changes nothing, but runs" : effects.joined(separator: ", ")
    return "  trigger \(name.inOneLine) on \(table.inOneLine): \(effects.inOneLine)"
  }

  fileprivate var json: JSONValue {
    [
      "name": .text(name), "table": .text(table), "effects": .array(effects.map { .text($0) }),
    ]
  }
}
