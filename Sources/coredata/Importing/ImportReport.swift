/// The result of reading in `coredata import`, printed before anything is written.
///
/// ```
///   Title → title
///   Stars → stars
///   left out: Notes
///   line 14: Note.stars is a whole number of the type Integer 16; 'many' is not
/// 288 records read, 1 cannot be imported; nothing was imported
/// ```
struct ImportReport {
  let columns: [(column: String, property: String)]
  let omitted: [String]
  let count: Int
  let placeName: String
  var refused: RefusedRecords

  var text: String {
    var lines = columns.map { "  \($0.column.inOneLine) → \($0.property)" }
    if !omitted.isEmpty {
      lines.append("  left out: \(omitted.map(\.inOneLine).joined(separator: ", "))")
    }
    return (lines + refused.lines(placeName) + [sum]).joined(separator: "\n")
  }

  /// Only what cannot be imported, where the rest was told before.
  var refusals: String { (refused.lines(placeName) + [sum]).joined(separator: "\n") }

  private var sum: String {
    let sum = "\(count.of("record")) read"
    return refused.count == 0
      ? sum : sum + ", \(refused.count.grouped) cannot be imported; nothing was imported"
  }

  func json(isSaved: Bool) -> JSONValue {
    [
      "records": .integer(count), "isSaved": .boolean(isSaved),
      "refusedCount": .integer(refused.count),
      "columns": .object(columns.map { .init(name: $0.column, value: .text($0.property)) }),
      "omitted": .array(omitted.map { .text($0) }),
      "refused": .array(
        refused.first.map {
          [placeName == "line" ? "line" : "record": .integer($0.place), "reason": .text($0.reason)]
        }
      ),
    ]
  }
}
