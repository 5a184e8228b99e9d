import Foundation

/// A note as its page shows it.
struct NotePage: Codable, Equatable, Sendable {
  let id: String
  let title: String
  let contents: String
  let created: Date
  let updated: Date
  let category: String?

  init(_ note: Note) {
    id = note.uuid.text
    title = note.title ?? ""
    contents = note.contents ?? ""
    created = note.createdAtAsDate
    updated = note.updatedAtAsDate
    category = (note.category?.uuid).map { $0.text }
  }
}

/// What a page sends of a note; what is left out stays as it is.
struct NoteDraft: Codable, Sendable {
  var title: String?
  var contents: String?
}
