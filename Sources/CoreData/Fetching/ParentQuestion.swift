import Foundation

/// A request that a child puts to its parent, on whatever thread.
struct ParentQuestion: Sendable {
  /// This question's own, which one thread asks.
  private let request: Handover<NSFetchRequest<NSManagedObject>>
  private let parent: NSManagedObjectContext

  init(_ request: NSFetchRequest<NSManagedObject>, to parent: NSManagedObjectContext) {
    self.request = Handover(request)
    self.parent = parent
  }

  func rows() throws -> PassedRows {
    try parent.queue.sync { try parent.passedRows(for: request.value) }
  }

  func count() throws -> Int {
    try parent.queue.sync { try parent.count(for: request.value) }
  }
}
