/// What `coredata import` read, told before anything is written.
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
  /// Records that cannot be imported, the first ones with their reasons.
  let refused: [(place: Int, reason: String)]
  let refusedCount: Int

  static let shown = 20

  var text: String {
    var lines = columns.map { "  \($0.column.inOneLine) → \($0.property)" }
    if !omitted.isEmpty {
      lines.append("  left out: \(omitted.map(\.inOneLine).joined(separator: ", "))")
    }
    lines += refused.map { "  \(placeName) \($0.place): \($0.reason)" }
    if refusedCount > refused.count {
      lines.append("  … and \((refusedCount - refused.count).grouped) more")
    }
    let sum = "\(count.of("record")) read"
    lines.append(
      refusedCount == 0
        ? sum : sum + ", \(refusedCount.grouped) cannot be imported; nothing was imported"
    )
    return lines.joined(separator: "\n")
  }

  func json(isSaved: Bool) -> JSONValue {
    [
      "records": .integer(count), "isSaved": .boolean(isSaved),
      "refusedCount": .integer(refusedCount),
      "columns": .object(columns.map { .init(name: $0.column, value: .text($0.property)) }),
      "omitted": .array(omitted.map { .text($0) }),
      "refused": .array(
        refused.map {
          [placeName == "line" ? "line" : "record": .integer($0.place), "reason": .text($0.reason)]
        }
      ),
    ]
  }
}
