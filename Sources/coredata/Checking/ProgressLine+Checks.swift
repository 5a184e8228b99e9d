import CoreData
import CoreDataStoreCare

extension ProgressLine {
  /// Shows how far a check has come while the body runs.
  static func during<Result>(
    _ body: (@escaping (CheckProgress) -> Void) throws -> Result
  ) rethrows -> Result {
    let line = ProgressLine()
    defer { line.erase() }
    return try body { line.show("checking \($0.subject)", $0.done, of: $0.total) }
  }
}
