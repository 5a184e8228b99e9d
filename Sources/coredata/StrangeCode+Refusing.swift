import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// A command's messages about triggers in a file that would run when it writes.
extension StrangeCode {
  static let help = """
      --run-triggers     write to a file that has triggers, or computed indexes and columns, that are
                         not its model's; they run when something is written. Without this option,
                         such a file is refused
    """

  /// Says that nothing was done, where a file has code that its model does not explain and that writing runs.
  static func refuse(inStoreAt store: URL, _ model: ModelSchema?, unless runs: Bool) throws {
    if runs { return }
    let code = try refusing { try StrangeCode(inStoreAt: store, model: model) }
    guard let counts = code.counts else { return }
    throw Refusal(
      """
      \(store.relativePath) has \(counts) that its model does not explain; \
      what is written would set off:
      \(code.list)
      Nothing was done. Look at what they do with coredata sql \(store.relativePath) .schema; if a \
      program of yours has made them, add --run-triggers.
      """
    )
  }

  /// The number of pieces of code that run when something is written, by their kinds; `nil` if there are none.
  private var counts: String? {
    let tables = computations.filter { $0.name == $0.table }.count
    let indexes = computations.count - tables
    let counts = [
      triggers.isEmpty ? nil : triggers.count.of("trigger"),
      indexes == 0 ? nil : indexes.of("index of expressions", "indexes of expressions"),
      tables == 0
        ? nil
        : tables.of(
          "table with checks or computed columns",
          "tables with checks or computed columns"
        ),
    ].compactMap(\.self)
    return counts.isEmpty ? nil : counts.joined(separator: ", ")
  }

  /// A line for each of the first few pieces.
  private var list: String {
    let all = triggers + computations
    let shown = all.prefix(5).map { piece in
      piece.name == piece.table
        ? "  the table \(piece.name.inOneLine) itself"
        : "  \(piece.name.inOneLine), at changes of \(piece.table.inOneLine)"
    }
    let more = all.count > 5 ? ["  … and \(all.count - 5) more"] : []
    return (shown + more).joined(separator: "\n")
  }

  /// The warning for somebody who is about to write statements; `nil` if there is none.
  var warning: String? {
    counts.map {
      "This file has \($0) that its model does not explain; what is written may set off:\n\(list)"
    }
  }
}
