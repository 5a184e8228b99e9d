import Foundation
import Synchronization

/// The orders of rows that pages have looked at lately.
final class RowOrders: Sendable {
  /// The question that an order answers.
  enum Question: Hashable, Sendable {
    case objects(of: String, condition: String, sort: String)
    case members(of: String, number: Int64, relationship: String)
  }

  private static let limit = 16

  private struct Entry {
    let question: Question
    let order: RowOrder
  }

  /// The newest last.
  private let entries = Mutex<[Entry]>([])

  /// Returns the order that answers a question.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - isFresh: Whether rows that others have written since have to be in it.
  ///   - source: Hands over the keys; called on a thread of the order.
  /// - Returns: The order, which may not be complete yet.
  /// - Throws: An error of POSIX if a temporary file cannot be made.
  func order(
    for question: Question,
    isFresh: Bool,
    from source: @escaping @Sendable ((Int64) throws -> Void) throws -> Void
  ) throws -> RowOrder {
    let (order, isNew, left) = try entries.withLock { entries in
      let known = entries.firstIndex { $0.question == question }
      if !isFresh, let known {
        let entry = entries.remove(at: known)
        entries.append(entry)
        return (entry.order, false, [RowOrder]())
      }
      var left = known.map { [entries.remove(at: $0).order] } ?? []
      let order = try RowOrder()
      entries.append(Entry(question: question, order: order))
      if entries.count > Self.limit { left.append(entries.removeFirst().order) }
      return (order, true, left)
    }
    for order in left { order.abandon() }
    if isNew { order.fill(from: source) }
    return order
  }

  /// The questions that were asked lately, the newest first.
  var questions: [Question] { entries.withLock { $0.reversed().map(\.question) } }

  /// Forgets the answer to a question, such as one that has failed.
  func forget(_ question: Question) {
    entries.withLock { $0.removeAll { $0.question == question } }
  }
}
