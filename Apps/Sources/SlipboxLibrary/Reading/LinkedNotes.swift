import CoreData
import Foundation

/// The notes at the other end of a note's links, by title.
///
/// Thousands may link to one, each with a text of a megabyte: their titles are read without their texts.
struct LinkedNotes {
  let all: [Title]

  struct Title {
    let object: NSManagedObjectID
    let uuid: UUID
    let title: String
  }

  /// Those of a relationship that are not in the trash.
  init(_ relationship: String, of note: Note) throws {
    let ids = note.objectIDs(forRelationshipNamed: relationship)
    guard let context = note.managedObjectContext, !ids.isEmpty else {
      all = []
      return
    }
    let itself = NSExpressionDescription()
    itself.name = "itself"
    itself.expression = NSExpression.expressionForEvaluatedObject()
    itself.expressionResultType = .objectIDAttributeType
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [itself, NoteProperties.uuid, NoteProperties.title]
    request.predicate = NSPredicate(
      format: "SELF IN %@ AND %K == nil",
      ids,
      NoteProperties.trashedDate
    )
    all = try context.fetch(request).compactMap { row in
      guard let object = row["itself"] as? NSManagedObjectID else { return nil }
      let title = row[NoteProperties.title] as? String ?? ""
      return Title(object: object, uuid: row[NoteProperties.uuid] as? UUID ?? .none, title: title)
    }
    .sorted { ($0.title.lowercased(), $0.uuid.text) < ($1.title.lowercased(), $1.uuid.text) }
  }

  /// The sentences about a note in the first of them, as far as one answer reads; nothing of the others.
  func contexts(
    ofLinksTo note: Note,
    _ room: ReadingRoom = ReadingRoom()
  ) throws -> [NSManagedObjectID: String] {
    guard let context = note.managedObjectContext else { return [:] }
    var contexts: [NSManagedObjectID: String] = [:]
    for start in stride(from: 0, to: all.count, by: Self.portion) where room.isOpen {
      let some = all[start..<min(start + Self.portion, all.count)].map(\.object)
      let request = Note.fetch(NSPredicate(format: "SELF IN %@", some))
      request.sortDescriptors = nil
      request.returnsObjectsAsFaults = false
      for other in try context.fetch(request) {
        contexts[other.objectID] = other.context(ofLinkTo: note, room)
        // The note's list of links holds it; its text is not needed any more.
        if other != note, !other.hasChanges { context.refresh(other, mergeChanges: false) }
      }
    }
    return contexts
  }

  private static let portion = 20
}
