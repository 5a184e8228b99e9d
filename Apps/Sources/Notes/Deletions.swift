import CoreData
import WebServer

/// Deletions that can be taken back for a while.
///
/// Each happens in a context of its own with an undo manager: undoing it later takes back nothing
/// else. The shared context merges what the other one saved, both times.
actor Deletions {
  typealias Token = String

  private let coreDataManager: CoreDataManager
  private var kept: [(token: Token, context: NSManagedObjectContext)] = []

  init(_ coreDataManager: CoreDataManager) { self.coreDataManager = coreDataManager }

  func delete(_ id: NSManagedObjectID) async throws -> Token {
    let context = coreDataManager.newUndoableContext()
    try await context.perform { @Sendable in
      context.delete(try context.existingObject(with: id))
      try context.save()
    }
    let token = UUID().text
    kept.append((token, context))
    if kept.count > 20 { kept.removeFirst() }
    return token
  }

  func undo(_ token: Token) async throws {
    guard let place = kept.firstIndex(where: { $0.token == token }) else {
      throw Problem(410, "This can no longer be taken back.")
    }
    let context = kept.remove(at: place).context
    try await context.perform { @Sendable in
      context.undoManager?.undo()
      try context.save()
    }
  }
}
