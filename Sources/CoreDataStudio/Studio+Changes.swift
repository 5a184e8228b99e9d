import CoreData
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The routes of changes, which are closed until somebody allows changes.
///
/// ```
/// POST   /api/changes/allow                   makes a copy of the store, and opens it for writing; DELETE ends that
/// GET    /api/changes                         the pending changes; POST makes one
/// GET    /api/changes/objects/Note/p3         a form; t1 is the first object that was inserted here
/// POST   /api/changes/undo                    and redo, discard
/// POST   /api/changes/save?winner=mine        the winner of conflicts; without it, they are listed
/// ```
extension Studio {
  func addChanges(to router: inout Router) {
    router.get("/api/changes") { [changes = desk.changes] _ in
      try answering {
        guard let session = changes.sessionIfAny else {
          return ["isAllowed": false, "changes": [], "total": 0]
        }
        return try Self.pending(session)
      }
    }
    router.post("/api/changes/allow") { [desk] _ in
      do {
        try await desk.changes.allow(desk.store())
      } catch {
        throw Problem(studio: error)
      }
      return try answering { try Self.pending(desk.changes.session) }
    }
    router.delete("/api/changes/allow") { [changes = desk.changes] _ in
      try answering {
        changes.forbid()
        return ["isAllowed": false, "changes": [], "total": 0]
      }
    }
    router.post("/api/changes") { [changes = desk.changes] request in
      try answering {
        let session = try changes.session
        let object = try session.apply(request.json())
        return ["object": .text(object), "pending": try Self.pending(session)]
      }
    }
    router.get("/api/changes/objects/:entity/:number") { [changes = desk.changes] request in
      try answering {
        let session = try changes.session
        let name = "\(try request.parameter("entity"))/\(try request.parameter("number"))"
        return try session.perform { context in
          let pending = PendingChanges(session: session, context: context)
          return EditedObject(pending: pending, object: try session.object(name, in: context)).json
        }
      }
    }
    addDecisions(to: &router)
  }

  private func addDecisions(to router: inout Router) {
    router.post("/api/changes/undo") { [changes = desk.changes] _ in
      try answering {
        let session = try changes.session
        return try session.perform { context in
          if context.undoManager?.canUndo == true { context.undoManager?.undo() }
          context.processPendingChanges()
          return PendingChanges(session: session, context: context).json
        }
      }
    }
    router.post("/api/changes/redo") { [changes = desk.changes] _ in
      try answering {
        let session = try changes.session
        return try session.perform { context in
          if context.undoManager?.canRedo == true { context.undoManager?.redo() }
          context.processPendingChanges()
          return PendingChanges(session: session, context: context).json
        }
      }
    }
    router.post("/api/changes/discard") { [changes = desk.changes] _ in
      try answering {
        guard let session = changes.sessionIfAny else { return ["isAllowed": false] }
        return try session.perform { context in
          context.rollback()
          context.undoManager?.removeAllActions()
          return PendingChanges(session: session, context: context).json
        }
      }
    }
    router.post("/api/changes/save") { [changes = desk.changes] request in
      try answering {
        let winner = request.query["winner"]
        guard winner == nil || SavedChanges.Winner(rawValue: winner ?? "") != nil else {
          throw Problem(400, "winner is mine or theirs.")
        }
        return try SavedChanges(session: changes.session)
          .save(winner.flatMap(SavedChanges.Winner.init))
      }
    }
  }

  private static func pending(_ session: ChangeSession) throws -> JSONValue {
    try session.perform { PendingChanges(session: session, context: $0).json }
  }
}
