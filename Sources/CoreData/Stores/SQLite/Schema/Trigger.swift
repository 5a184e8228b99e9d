/// A trigger's parts; its text has Apple's blanks.
package struct Trigger {
  package var name: String
  var event: Event
  var table: String
  var condition: String?
  /// Statements, without semicolons at their ends.
  var body: [String]

  enum Event {
    case insert
    case update(of: [String])
    case delete
  }
}

extension Trigger {
  package var statement: String {
    let condition = condition.map { " WHEN (\($0))" } ?? ""
    return "CREATE TRIGGER \(identifier(name)) \(event.words) ON \(identifier(table))"
      + " FOR EACH ROW\(condition) BEGIN \(body.map { "\($0);" }.joined(separator: " ")) END"
  }
}

extension Trigger.Event {
  fileprivate var words: String {
    switch self {
    case .insert: "AFTER INSERT"
    case .update(of: []): "AFTER UPDATE"
    case .update(of: let columns): "AFTER UPDATE OF \(commas(columns.map(identifier)))"
    case .delete: "AFTER DELETE"
    }
  }
}
