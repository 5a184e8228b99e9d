import Foundation
import SwiftData

// The classes that most tests use.

enum Mood: String, Codable, CaseIterable {
  case calm, glad
  case angry = "cross"
}

enum Weight: Int, Codable {
  case light = 1
  case heavy = 7
}

enum Phase: Codable {
  case new, open, done
}

struct Place: Codable, Equatable {
  var city: String
  var street: String?
  var marks: [String] = []
  var id: UUID?
}

@Model final class Folder {
  @Attribute(.unique) var name: String
  var parent: Folder?
  @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note] = []
  var color = "blue"

  init(name: String, parent: Folder? = nil) {
    self.name = name
    self.parent = parent
  }
}

@Model final class Note {
  let id = UUID()
  var title: String
  var stars = 0
  var rating: Double?
  var created: Date = Date(timeIntervalSinceReferenceDate: 0)
  var price: Decimal = 0
  var isDone = false
  var mood: Mood = Mood.calm
  var weight: Weight?
  var phase: Phase = Phase.new
  var lastPhase: Phase?
  var place: Place?
  var words: [String] = []
  var link: URL?
  @Attribute(.preserveValueOnDeletion) var code: String?
  var folder: Folder?
  var tags: [Tag] = []
  @Transient var isShown = false

  var headline: String { title.uppercased() }

  init(title: String, folder: Folder? = nil) {
    self.title = title
    self.folder = folder
  }
}

@Model final class Tag {
  #Unique<Tag>([\.name, \.kind])

  var name: String
  var kind: Int
  var notes: [Note] = []

  init(name: String, kind: Int = 0) {
    self.name = name
    self.kind = kind
  }
}

/// A container in memory with the classes.
func notesContainer() throws -> ModelContainer {
  try ModelContainer(
    for: Folder.self,
    Note.self,
    Tag.self,
    configurations: ModelConfiguration(isStoredInMemoryOnly: true)
  )
}

/// A container in a file.
func notesContainer(at file: URL) throws -> ModelContainer {
  try ModelContainer(
    for: Folder.self,
    Note.self,
    Tag.self,
    configurations: ModelConfiguration(url: file)
  )
}
