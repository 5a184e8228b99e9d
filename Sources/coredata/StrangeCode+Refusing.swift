import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// What a command says of triggers in a file that would run with what it writes.
extension StrangeCode {
  static let help = """
      --run-triggers     write although the file has triggers that its model does not explain, and that
                         would run; without it such a file is refused
    """

  /// Says that nothing was done, where a file has triggers that its model does not explain.
  static func refuse(inStoreAt store: URL, _ model: ModelSchema?, unless runs: Bool) throws {
    if runs { return }
    let code = try refusing { try StrangeCode(inStoreAt: store, model: model) }
    guard !code.triggers.isEmpty else { return }
    throw Refusal(
      """
      \(store.relativePath) has \(code.triggers.count.of("trigger")) that its model does not explain; \
      what is written would set off:
      \(code.list)
      Nothing was done. Look at what they do with coredata sql \(store.relativePath) .schema; if a \
      program of yours has made them, add --run-triggers.
      """
    )
  }

  /// A line for each of the first few triggers.
  private var list: String {
    let shown = triggers.prefix(5).map {
      "  \($0.name.inOneLine), at changes of \($0.table.inOneLine)"
    }
    let more = triggers.count > 5 ? ["  … and \(triggers.count - 5) more"] : []
    return (shown + more).joined(separator: "\n")
  }

  /// What somebody should know who is about to write statements of their own; nil where there is nothing.
  var warning: String? {
    if triggers.isEmpty { return nil }
    return "This file has \(triggers.count.of("trigger")) that its model does not explain; what is"
      + " written may set off:\n\(list)"
  }
}
