import CoreDataModel
import CoreDataModelChanges
import CoreDataModelWriting
import CoreDataStoreCare
import Foundation

/// A draft for a page: its elements with their options, and its problems in the compiler's sentences.
struct DraftText {
  let json: JSONValue

  private static let mostProblems = 500

  init(_ draft: ModelDraft) {
    let (_, problems) = draft.document.schema()
    json = [
      "version": .text(draft.name), "revision": .integer(draft.revision),
      "isChanged": .boolean(draft.isChanged), "canUndo": .boolean(draft.canUndo),
      "canRedo": .boolean(draft.canRedo),
      "root": Self.json(draft.document.root),
      "problems": .array(problems.prefix(Self.mostProblems).map(Self.json)),
    ]
  }

  private static func json(_ element: ModelXMLElement) -> JSONValue {
    [
      "name": .text(element.name),
      "attributes": .object(
        element.attributes.map { .init(name: $0.name, value: .text($0.value)) }
      ),
      // Places in Xcode's editor are not edited, and there are many.
      "children": .array(element.name == "elements" ? [] : element.children.map(json)),
    ]
  }

  private static func json(_ problem: ModelProblem) -> JSONValue {
    [
      "severity": .text(problem.severity == .error ? "error" : "warning"),
      "entity": problem.entity.map { .text($0) } ?? .null,
      "property": problem.property.map { .text($0) } ?? .null,
      "line": problem.line.map { .integer($0) } ?? .null, "sentence": .text(problem.message),
    ]
  }
}

/// The differences of two versions, and what a migration does with each.
struct DifferenceText {
  let json: JSONValue

  init(from old: ModelSchema, to new: ModelSchema) {
    let comparison = ModelComparison(from: old, to: new)
    json = [
      "changes": .array(comparison.changes.map(Self.json)),
      "needsMigration": .boolean(comparison.needsMigration),
      "verdict": .text(Self.sentence(comparison)),
    ]
  }

  private static func json(_ change: ModelChange) -> JSONValue {
    let effect: String =
      switch change.verdict {
      case .notNeeded: "No migration is needed for it."
      case .constantTime: "A migration does it at once, whatever the number of rows."
      case .rewritesRows: "A migration rewrites all rows of the table."
      case .impossible(let reason, let remedy):
        "A lightweight migration cannot do it: \(reason); \(remedy)."
      }
    return [
      "sign": .text(change.sign.rawValue),
      "entity": change.subject.entityName.map { .text($0) } ?? .null,
      "sentence": .text(change.sentence), "effect": .text(effect),
      "caution": change.caution.map { .text($0) } ?? .null,
    ]
  }

  private static func sentence(_ comparison: ModelComparison) -> String {
    if comparison.changes.isEmpty { return "The versions are the same." }
    return switch comparison.verdict {
    case .notNeeded: "No migration is needed: each version opens the stores of the other."
    case .constantTime:
      "A lightweight migration can do it in constant time: tables change, rows do not."
    case .rewritesRows: "A lightweight migration can do it; it rewrites all rows of some tables."
    case .impossible: "A lightweight migration cannot do it."
    }
  }
}
