import Foundation

/// A request that a child puts to its parent, on whatever thread.
///
/// Safety: the request is this question's own, which one thread asks.
struct ParentQuestion: @unchecked Sendable {
  private let request: NSFetchRequest<NSManagedObject>
  private let parent: NSManagedObjectContext

  init(_ request: NSFetchRequest<NSManagedObject>, to parent: NSManagedObjectContext) {
    self.request = request
    self.parent = parent
  }

  func rows() throws -> PassedRows {
    try parent.queue.sync { try parent.passedRows(for: request) }
  }

  func count() throws -> Int {
    try parent.queue.sync { try parent.count(for: request) }
  }
}
