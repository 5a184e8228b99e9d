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

/// A page's changes of a note; absent values stay as they are.
struct NoteDraft: Codable, Sendable {
  var title: String?
  var contents: String?
}
