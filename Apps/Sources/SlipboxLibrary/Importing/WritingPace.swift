import CoreData

/// How much of an import is written at once, so that nobody waits long for the writer.
///
/// Blocks that write run one after another, in the order in which they were asked for: a note that is saved meanwhile
/// waits for one portion. The next portion is as large as the last one allows for ``aim``, and at most twice as large.
struct WritingPace: Sendable {
  /// How many objects the next portion has.
  private(set) var count: Int
  private let most: Int

  /// How long a portion should take.
  static let aim: Duration = .milliseconds(50)

  init(first: Int, most: Int) {
    count = first
    self.most = most
  }

  /// Notes how long a portion of `written` objects has taken, without its waiting for the writer.
  mutating func took(_ duration: Duration, for written: Int) {
    guard written > 0 else { return }
    let fitting = Double(written) * (Self.aim / max(duration, .microseconds(1)))
    count = Int(min(fitting, Double(2 * count), Double(most)).rounded(.down))
    count = max(count, 1)
  }
}

extension Library {
  /// Performs portions of some work in the writer, each of a bounded time, until all of it is done or the task is
  /// cancelled.
  func writePortions<Item: Sendable>(
    of items: [Item],
    first: Int = 50,
    most: Int = 500,
    by author: String?,
    _ write: @Sendable @escaping (ArraySlice<Item>, NSManagedObjectContext) throws -> Void
  ) async throws {
    var pace = WritingPace(first: first, most: most)
    var start = 0
    while start < items.count {
      let portion = items[start..<min(start + pace.count, items.count)]
      let began = try await self.write(by: author) { context in
        let began = ContinuousClock.now
        try write(portion, context)
        return began
      }
      pace.took(.now - began, for: portion.count)
      start = portion.endIndex
      try Task.checkCancellation()
    }
  }
}
