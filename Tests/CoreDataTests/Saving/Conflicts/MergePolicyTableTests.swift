import CoreData
import TestSupport
import Testing

/// Every policy in every situation, with the store read again by somebody else afterwards.
@Suite struct MergePolicyTableTests {
  /// The changes that another writer and we have made to the note `One` before our save.
  enum Situation: String, CaseIterable {
    /// We changed the stars, they the text: the result for the stars.
    case changedHere
    /// The same: the result for the text.
    case changedThere
    case changedAtBothEnds
    case rowDeleted
    case objectDeleted
    /// We changed nothing, and asked for conflicts to be detected.
    case locked
  }

  static let policies: [(String, NSMergePolicy)] = [
    ("error", .error), ("storeTrump", .mergeByPropertyStoreTrump),
    ("objectTrump", .mergeByPropertyObjectTrump), ("overwrite", .overwrite),
    ("rollback", .rollback),
  ]

  /// The row after our save: its title, text and stars; `gone`, or `refused` for a save that failed.
  static let table: [String: [Situation: String]] = [
    "error": [
      .changedHere: "refused", .changedThere: "refused", .changedAtBothEnds: "refused",
      .rowDeleted: "refused", .objectDeleted: "refused", .locked: "refused",
    ],
    "storeTrump": [
      .changedHere: "One theirs 5", .changedThere: "One theirs 5",
      .changedAtBothEnds: "Theirs old 5", .rowDeleted: "gone", .objectDeleted: "Theirs old 0",
      .locked: "Theirs old 0",
    ],
    "objectTrump": [
      .changedHere: "One theirs 5", .changedThere: "One theirs 5",
      .changedAtBothEnds: "Mine old 5", .rowDeleted: "Mine old 5", .objectDeleted: "gone",
      .locked: "Theirs old 0",
    ],
    "overwrite": [
      .changedHere: "One old 5", .changedThere: "One old 5", .changedAtBothEnds: "Mine old 5",
      .rowDeleted: "Mine old 5", .objectDeleted: "gone", .locked: "One old 0",
    ],
    "rollback": [
      .changedHere: "One theirs 0", .changedThere: "One theirs 0",
      .changedAtBothEnds: "Theirs old 0", .rowDeleted: "gone", .objectDeleted: "Theirs old 0",
      .locked: "Theirs old 0",
    ],
  ]

  /// The other writer.
  enum Other: String, CaseIterable {
    case context
    /// Another coordinator on the same file, as another process has it.
    case coordinator
  }

  static let stores: [(StoreKind, Other)] =
    StoreKind.with(.everyRequest, .uniqueness).map { ($0, .context) } + [(.sqlite, .coordinator)]

  @Test(arguments: stores, Situation.allCases)
  func `each policy does what the table says (53, 54, 56)`(
    store: (StoreKind, Other),
    situation: Situation
  ) throws {
    for (name, policy) in Self.policies {
      let found = try outcome(policy, situation, store.0, store.1)
      #expect(found == Self.table[name]?[situation], "\(name)")
    }
  }

  private func outcome(
    _ policy: NSMergePolicy,
    _ situation: Situation,
    _ kind: StoreKind,
    _ other: Other
  ) throws -> String {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("One", in: context.folder("F"))
      note.text = "old"
      return note
    }
    return try stack.work { context in
      context.mergePolicy = policy
      context.retainsRegisteredObjects = true
      let note = context.find(id)
      _ = note.folder?.titles
      #expect(note.title == "One")
      try change(note, situation)
      try interfere(id, situation, stack, other)
      let isRefused = errorCode { try context.save() }
      if let isRefused {
        #expect(isRefused == 133_020)
        return "refused"
      }
      let row = try self.row(in: stack, id)
      #expect(!context.hasChanges)
      #expect(checkInvariants(of: context) == [])
      if note.managedObjectContext != nil { #expect(picture(of: note) == row, "in memory") }
      try context.save()
      if note.managedObjectContext != nil {
        note.title = "again"
        try context.save()
        #expect(try self.row(in: stack, id).hasPrefix("again"))
      }
      return row
    }
  }

  private func change(_ note: Note, _ situation: Situation) throws {
    switch situation {
    case .changedHere, .changedThere:
      note.stars = 5
    case .changedAtBothEnds, .rowDeleted:
      note.title = "Mine"
      note.stars = 5
    case .objectDeleted:
      note.managedObjectContext?.delete(note)
    case .locked:
      note.managedObjectContext?.detectConflicts(for: note)
      #expect(!note.hasChanges)
    }
  }

  private func interfere(
    _ id: NSManagedObjectID,
    _ situation: Situation,
    _ stack: NotesStack,
    _ other: Other
  ) throws {
    try elsewhere(stack, other, id) { note in
      switch situation {
      case .changedHere, .changedThere: note.text = "theirs"
      case .changedAtBothEnds, .objectDeleted, .locked: note.title = "Theirs"
      case .rowDeleted: note.managedObjectContext?.delete(note)
      }
    }
  }

  private func elsewhere(
    _ stack: NotesStack,
    _ other: Other,
    _ id: NSManagedObjectID,
    _ change: (Note) -> Void
  ) throws {
    let there = other == .context ? stack : try stack.reopened()
    try there.work { context in
      let uri = id.uriRepresentation()
      change(
        context.find(try #require(there.coordinator.managedObjectID(forURIRepresentation: uri)))
      )
      try context.save()
    }
  }

  /// The row as a new context has it, and as the file has it.
  private func row(in stack: NotesStack, _ id: NSManagedObjectID) throws -> String {
    let read = { (stack: NotesStack) in
      try stack.work { context in
        try context.fetch(Note.fetchRequest()).map(self.picture).first ?? "gone"
      }
    }
    let cached = try stack.work { context in
      ((try? context.existingObject(with: id)) as? Note).map(self.picture) ?? "gone"
    }
    let row = try read(stack)
    #expect(cached == row, "the row cache is wrong")
    if stack.file != nil { #expect(try read(stack.reopened()) == row) }
    return row
  }

  private func picture(of note: Note) -> String {
    "\(note.title ?? "–") \(note.text ?? "–") \(note.stars)"
  }
}
