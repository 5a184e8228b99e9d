/// An R-tree and the triggers that fill it, to the letter of Apple's.
extension SpatialIndex {
  var statements: [String] { [tree] + triggers.map(\.statement) }

  package var triggers: [(name: String, statement: String)] {
    [("INSERT", insertTrigger), ("UPDATE", updateTrigger), ("DELETE", deleteTrigger)]
      .map { ("\(name)_\($0)", $1) }
  }

  /// Fills the tree with the present rows; those that it has already are written again.
  package var filling: String {
    let values = columns.flatMap { [identifier($0), identifier($0)] }
    return "INSERT OR REPLACE INTO \(identifier(name)) (\(commas(["Z_PK"] + bounds)))"
      + " SELECT \(commas(["Z_PK"] + values)) FROM \(identifier(table))"
  }

  package var tree: String {
    let bounds = bounds.map { "\($0) FLOAT" }
    return "CREATE VIRTUAL TABLE \(identifier(name)) USING RTREE"
      + " (\(commas(["Z_PK INTEGER PRIMARY KEY"] + bounds)))"
  }

  private var insertTrigger: String {
    trigger("INSERT", body: "INSERT OR REPLACE \(insertion) ;")
  }

  private var updateTrigger: String {
    trigger("UPDATE", body: "\(deletion(of: "NEW")) ; INSERT \(insertion) ;")
  }

  private var deleteTrigger: String {
    trigger("DELETE", body: "\(deletion(of: "OLD")) ;")
  }

  private func trigger(_ event: String, body: String) -> String {
    "CREATE TRIGGER \(identifier("\(name)_\(event)")) AFTER \(event) ON \(identifier(table))"
      + " FOR EACH ROW BEGIN \(body) END"
  }

  private var bounds: [String] { columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] } }

  private var insertion: String {
    // The blank before the first comma is Apple's.
    let values = columns.enumerated()
      .map { $0 == 0 ? "NEW.\($1) ,NEW.\($1)" : "NEW.\($1), NEW.\($1)" }
    return "INTO \(identifier(name)) (\(commas(["Z_PK"] + bounds)))"
      + " VALUES (\(commas(["NEW.Z_PK"] + values)))"
  }

  private func deletion(of row: String) -> String {
    "DELETE FROM \(identifier(name)) WHERE Z_PK = \(row).Z_PK"
  }
}
