import CoreData
import CoreDataWebServer

/// Deletions that can be taken back for a while.
///
/// Each happens in a context of its own with an undo manager: undoing it later takes back nothing
/// else. The shared context merges what the other one saved, both times.
actor Deletions {
  typealias Token = String

  private let coreDataManager: CoreDataManager
  private var kept: [(token: Token, context: NSManagedObjectContext)] = []

  init(_ coreDataManager: CoreDataManager) { self.coreDataManager = coreDataManager }

  /// Deletes a note or a category, unless another page was faster.
  func delete(_ id: NSManagedObjectID) async throws -> Token {
    let context = coreDataManager.newUndoableContext()
    do {
      try await context.perform {
        context.delete(try context.existingObject(with: id))
        try context.save()
      }
    } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
      throw Problem(404, "This was deleted already.")
    }
    let token = UUID().text
    kept.append((token, context))
    if kept.count > 20 { kept.removeFirst() }
    return token
  }

  /// Takes a deletion back, or does nothing and says why.
  ///
  /// Objects that were deleted since stay deleted. While the store cannot be written, the deletion
  /// can still be taken back later.
  func undo(_ token: Token) async throws {
    guard let place = kept.firstIndex(where: { $0.token == token }) else {
      throw Problem(410, "This can no longer be taken back.")
    }
    let deletion = kept.remove(at: place)
    do {
      try await deletion.context.perform { try deletion.context.undoAndSave() }
    } catch let error as CocoaError where error.isValidationError || error.isConflict {
      throw Problem(409, "This can no longer be taken back: what belongs to it has changed.")
    } catch {
      kept.append(deletion)
      throw error
    }
  }
}

extension NSManagedObjectContext {
  /// Saves what undo has brought back; if that fails, everything is as before.
  fileprivate func undoAndSave() throws {
    undo()
    do {
      try save()
    } catch {
      redo()
      throw error
    }
  }
}

extension CocoaError {
  /// Whether a validation has refused the values.
  var isValidationError: Bool { (1_550..<1_700).contains(code.rawValue) }

  /// Whether somebody else was faster: in a row, or with a value that must be unique.
  var isConflict: Bool { code == .managedObjectMerge || code == .managedObjectConstraintMerge }
}
