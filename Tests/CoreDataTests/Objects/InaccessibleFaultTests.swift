import CoreData
import TestSupport
import Testing

/// Faults whose row is gone.
@Suite struct InaccessibleFaultTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `the context is asked about a fault without a row, with what was read (16)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let (first, second) = (try deletedNote(in: stack), try deletedNote(in: stack))
    let context = AskingContext(.privateQueue)
    context.persistentStoreCoordinator = stack.coordinator
    try context.performAndWait {
      let note = context.find(first)
      #expect(note.title == nil)
      #expect(note.stars == 0)
      #expect(note.tags?.count == 0)
      #expect(note.isDeleted && !note.isFault)
      context.find(second).willAccessValue(forKey: nil)
      #expect(context.questions == ["\(first) title", "\(second) -"])
      note.title = "too late"
      #expect(!context.hasChanges)
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `methods that throw do not ask (16)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try deletedNote(in: stack)
    let context = AskingContext(.privateQueue)
    context.persistentStoreCoordinator = stack.coordinator
    context.performAndWait {
      context.shouldDeleteInaccessibleFaults = false
      let note = context.find(id)
      #expect(errorCode { try context.existingObject(with: id) } == 133_000)
      #expect(note.isFault)
      #expect(context.questions == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a row whose deletion was undone is found again by others`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.undoManager = UndoManager()
      let note = context.note("One")
      try context.save()
      context.undoManager?.removeAllActions()
      let id = note.objectID
      context.delete(note)
      try context.save()
      try stack.work { #expect($0.find(id).isDeleted == false && $0.find(id).title == nil) }
      context.undo()
      try context.save()
      try stack.work { #expect($0.find(id).title == "One") }
    }
  }

  @Test func `without the permission a fault without a row stops the program (16)`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let stack = try NotesStack()
      let id = try stack.saved { $0.note("One") }
      try stack.work { context in
        context.delete(context.find(id))
        try context.save()
      }
      try stack.work { context in
        context.shouldDeleteInaccessibleFaults = false
        _ = context.find(id).title
      }
    }
    #expect(result.says("the store has no such row any more"))
  }

  private func deletedNote(in stack: NotesStack) throws -> NSManagedObjectID {
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      context.delete(context.find(id))
      try context.save()
    }
    return id
  }
}

/// A context that writes down which faults it was asked about.
///
/// Safety: used on its own queue only.
private final class AskingContext: NSManagedObjectContext, @unchecked Sendable {
  var questions: [String] = []

  override func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject,
    for oid: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    questions.append("\(oid) \(property?.name ?? "-")")
    return true
  }
}
