import Foundation
import Synchronization

extension EvaluationError {
  /// Writes a line into the log, once for each comparison or expression.
  func say(in part: @autoclosure () -> String, instead: String) {
    let part = part()
    let isNew = said.withLock { said in
      guard said.count < sentenceLimit else { return false }
      return said.insert(part).inserted
    }
    guard isNew else { return }
    let place = description.hasSuffix(part) ? "" : " in: \(part)"
    NSLog("CoreData: warning: %@", "\(description)\(place). \(instead)")
  }
}

/// The sentences that were logged already: a predicate that filters a list is evaluated for each
/// element.
private let said = Mutex<Set<String>>([])
private let sentenceLimit = 1000
