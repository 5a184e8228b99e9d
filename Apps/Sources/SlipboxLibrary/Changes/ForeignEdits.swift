import CoreData

/// The notes that other programs have edited without counting a revision of their own.
struct ForeignEdits: Sendable {
  private(set) var notes: Set<NSManagedObjectID> = []

  /// Those of which the plain words were written alone, which means that the note is to say them.
  private(set) var reworded: Set<NSManagedObjectID> = []

  /// Those that have come from other devices.
  private(set) var arrived: Set<NSManagedObjectID> = []

  init(_ transactions: [NSPersistentHistoryTransaction]) {
    for transaction in transactions {
      for change in transaction.changes ?? [] where change.isUncountedEdit {
        notes.insert(change.changedObjectID)
        // From other devices comes the later value of each property: the words of one, the text of another.
        if transaction.author == Self.authorOfDevices {
          arrived.insert(change.changedObjectID)
        } else if change.isOfWordsAlone {
          reworded.insert(change.changedObjectID)
        }
      }
    }
  }

  /// The edits of one note.
  func only(_ note: NSManagedObjectID) -> ForeignEdits {
    var edits = self
    edits.notes.formIntersection([note])
    edits.reworded.formIntersection([note])
    edits.arrived.formIntersection([note])
    return edits
  }

  mutating func formUnion(_ others: ForeignEdits) {
    notes.formUnion(others.notes)
    reworded.formUnion(others.reworded)
    arrived.formUnion(others.arrived)
  }

  /// Whether a context saves the changes of other devices.
  static func isOfDevices(_ context: NSManagedObjectContext) -> Bool {
    context.transactionAuthor == authorOfDevices
  }

  private static let authorOfDevices = "CoreDataSync"
}

extension NSPersistentHistoryChange {
  /// Whether it changed what a note says, and left its revision.
  fileprivate var isUncountedEdit: Bool {
    guard changeType == .update, changedObjectID.entity.name == "Note" else { return false }
    return !names.contains(NoteProperties.revision)
      && (!names.isDisjoint(with: Self.texts) || names.contains(NoteProperties.title)
        || names.contains(NoteProperties.bodyText) || !names.isDisjoint(with: Self.lineages))
  }

  fileprivate var isOfWordsAlone: Bool {
    names.contains(NoteProperties.bodyText) && names.isDisjoint(with: Self.texts)
  }

  private var names: Set<String> { Set((updatedProperties ?? []).map(\.name)) }

  private static let lineages: Set<String> = [
    NoteProperties.textLineage, NoteProperties.titleLineage,
  ]

  private static let texts: Set<String> = [
    NoteProperties.formattedBodyText, NoteProperties.document,
  ]
}
