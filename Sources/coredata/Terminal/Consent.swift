import Foundation

/// Asks somebody at a terminal whether something shall be done that cannot be undone.
///
/// ```
/// Repair the store? [y/N] y
/// ```
enum Consent {
  /// Throws if the answer is not yes; if nobody can be asked, with the option that says yes.
  static func ask(_ question: String, orAdvise advice: String) throws {
    guard isatty(STDIN_FILENO) == 1 else { throw Refusal("nothing was done: \(advice)") }
    print("\n\(question) [y/N] ", terminator: "")
    fflush(nil)
    guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else {
      throw Refusal("nothing was done")
    }
  }
}
