import CoreDataSQLite

/// How long a statement may work for somebody who waits, until its next row.
///
/// The file, its model and the condition may come from anywhere, and one of them may make a search that
/// never ends.
enum StatementTime {
  private static let usual = 60

  static let help = """
      --time-limit S     stop a search when S seconds pass without another object; the default is 60,
                         and 0 means no limit
    """

  /// - Returns: The seconds that were asked for, or are usual; nil for as long as it takes.
  @discardableResult
  static func take(from arguments: inout CommandArguments) throws(Mistake) -> Int? {
    let seconds = try arguments.number(ifGiven: "--time-limit") ?? usual
    limit(to: seconds)
    return seconds > 0 ? seconds : nil
  }

  static func limit(to seconds: Int = usual) {
    Connection.setTimeOfStatements(seconds > 0 ? .seconds(min(seconds, 1_000_000_000)) : nil)
  }
}
