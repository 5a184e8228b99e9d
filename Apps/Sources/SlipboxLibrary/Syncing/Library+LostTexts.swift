import CoreData

// Where two devices write the same note, the synchronization leaves the later text in it, and keeps the other one for
// thirty days as a value that has lost. If that has a lineage, it is put together with the text of the note, like one that
// arrives, and is a conflict no more.

extension Library {
  /// Puts texts and titles that have lost in the synchronization together with those of their notes.
  func adoptLostTexts() async throws {
    let container = controller.container
    let lost = try await aside { LostTexts.all(try container.conflicts) }
    for texts in lost where !texts.states.isEmpty {
      let isKept = try await adopt(texts)
      if isKept { try await aside { for value in texts.values { try container.dismiss(value) } } }
    }
  }

  /// - Returns: Whether everything that has lost is in the note, or in another wording of it.
  private func adopt(_ lost: LostTexts) async throws -> Bool {
    try await write(by: nil) { context in
      guard let note = try Note.existing(lost.note, in: context) else { return false }
      let states = lost.states
      if states.isEmpty { return false }
      try note.adoptArrivedTexts(strangers: true)
      for (property, state) in states { try note.adoptLost(state, as: property) }
      if note.hasChanges { note.adoptMergedText() }
      return lost.isComplete
    }
  }
}

/// The values of a text and a title that one save has lost.
struct LostTexts: Sendable {
  typealias Lost = NSPersistentCloudKitContainer.SyncConflict

  let note: NSManagedObjectID
  /// All of them, with those that follow from the text.
  let values: [Lost]

  static func all(_ conflicts: [Lost]) -> [LostTexts] {
    struct Save: Hashable {
      let note: NSManagedObjectID
      let date: Date
    }
    var saves: [Save: [Lost]] = [:]
    for lost in conflicts where lost.entityName == "Note" && isOfText(lost) {
      guard let note = lost.objectID else { continue }
      saves[Save(note: note, date: lost.date), default: []].append(lost)
    }
    return saves.sorted { $0.key.date < $1.key.date }
      .map { LostTexts(note: $0.key.note, values: $0.value) }
  }

  private static func isOfText(_ lost: Lost) -> Bool {
    lost.propertyName.map(properties.contains) ?? false
  }

  private static let properties: Set<String> = [
    NoteProperties.document, NoteProperties.textLineage, NoteProperties.title,
    NoteProperties.titleLineage, NoteProperties.bodyText, NoteProperties.formattedBodyText,
    NoteProperties.documentDigest, NoteProperties.openTaskCount, NoteProperties.doneTaskCount,
    NoteProperties.modificationDate,
  ]

  private func text(of property: String) -> String? {
    values.first { $0.propertyName == property }?.losingText
  }

  /// The text and the title, each with its lineage.
  var states: [(Note.Lined, TextState)] {
    Note.Lined.allCases.compactMap { property in
      guard let value = text(of: property.attribute),
        let lineage = text(of: property.lineage).flatMap(Lineage.init(text:)),
        lineage.digest == Lineage.digest(of: value)
      else { return nil }
      return (property, TextState(lineage: lineage, value: value))
    }
  }

  /// Whether the text and the title that have lost have lineages.
  var isComplete: Bool {
    let lost = Note.Lined.allCases.filter { text(of: $0.attribute) != nil }
    return !lost.isEmpty && lost.count == states.count
  }
}
