import Foundation
import SwiftData
import Testing

enum Part: Codable, Equatable {
  case piece(String)
  case lot(Int, of: String)
}

/// A class that no container has, with a property that no store can have.
@Model final class Draft {
  var part: Part
  var spare: Part?
  var note: Note?

  init(part: Part) { self.part = part }
}

struct ModelTests {
  @Test func aModelOfNoContainerHasValuesThatNoStoreCanHave() {
    let draft = Draft(part: .piece("screw"))
    #expect(draft.part == .piece("screw"))
    #expect(draft.spare == nil)
    draft.spare = .lot(3, of: "nut")
    draft.part = .lot(1, of: "bolt")
    #expect(draft.part == .lot(1, of: "bolt"))
    #expect(draft.spare == .lot(3, of: "nut"))
    let note = Note(title: "First")
    draft.note = note
    #expect(draft.note === note)
  }

  @Test func aContainerRefusesValuesThatNoStoreCanHave() async {
    await #expect(processExitsWith: .failure) { _ = try ModelContainer(for: Draft.self) }
  }

  @Test func aNewModelHasItsValuesWithoutAContainer() {
    let note = Note(title: "First")
    note.stars = 3
    note.mood = .angry
    note.place = Place(city: "Berlin", street: nil, marks: ["a", "b"])
    note.words = ["x", "y"]
    note.lastPhase = .open
    #expect(note.title == "First")
    #expect(note.stars == 3)
    #expect(note.mood == .angry)
    #expect(note.place == Place(city: "Berlin", street: nil, marks: ["a", "b"]))
    #expect(note.words == ["x", "y"])
    #expect(note.phase == .new)
    #expect(note.lastPhase == .open)
    #expect(note.modelContext == nil)
  }

  @Test func relatedNewModelsKnowEachOtherWithoutAContainer() {
    let folder = Folder(name: "Work")
    let note = Note(title: "First", folder: folder)
    #expect(folder.notes == [note])
    folder.notes.append(Note(title: "Second"))
    #expect(folder.notes.count == 2)
    #expect(folder.notes.allSatisfy { $0.folder === folder })
  }

  @Test func everyValueIsReadAgainByAnotherContext() throws {
    let container = try notesContainer()
    let context = ModelContext(container)
    let note = Note(title: "First")
    context.insert(note)
    note.stars = 5
    note.rating = 2.5
    note.created = Date(timeIntervalSinceReferenceDate: 1000)
    note.price = Decimal(string: "12.34")!
    note.isDone = true
    note.mood = .glad
    note.weight = .heavy
    note.phase = .done
    note.lastPhase = .open
    note.place = Place(city: "Rome", street: "Via", marks: ["m"], id: UUID())
    note.words = ["one", "two"]
    note.link = URL(string: "https://example.com/a")
    note.folder = Folder(name: "Work")
    note.tags = [Tag(name: "a"), Tag(name: "b", kind: 1)]
    try context.save()

    let other = ModelContext(container)
    let notes = try other.fetch(FetchDescriptor<Note>())
    let read = try #require(notes.first)
    #expect(notes.count == 1)
    #expect(read !== note)
    #expect(read.id == note.id)
    #expect(read.title == "First")
    #expect(read.stars == 5)
    #expect(read.rating == 2.5)
    #expect(read.created == Date(timeIntervalSinceReferenceDate: 1000))
    #expect(read.price == Decimal(string: "12.34")!)
    #expect(read.isDone)
    #expect(read.mood == .glad)
    #expect(read.weight == .heavy)
    #expect(read.phase == .done)
    #expect(read.lastPhase == .open)
    #expect(read.place == note.place)
    #expect(read.words == ["one", "two"])
    #expect(read.link == URL(string: "https://example.com/a"))
    #expect(read.folder?.name == "Work")
    #expect(Set(read.tags.map(\.name)) == ["a", "b"])
    #expect(read.headline == "FIRST")
  }

  @Test func nilOfEachKindOfAttributeIsReadAsNil() throws {
    let container = try notesContainer()
    let context = ModelContext(container)
    let note = Note(title: "First")
    note.weight = .light
    note.lastPhase = .done
    note.place = Place(city: "Rome")
    context.insert(note)
    try context.save()
    note.weight = nil
    note.lastPhase = nil
    note.place = nil
    try context.save()
    let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Note>()).first)
    #expect(read.weight == nil)
    #expect(read.lastPhase == nil)
    #expect(read.place == nil)
    #expect(read.rating == nil)
    #expect(read.folder == nil)
  }

  @Test func aModelThatIsNotHeldIsTheSameWhileItHasChanges() throws {
    let container = try notesContainer()
    let context = ModelContext(container)
    do {
      let note = Note(title: "First")
      context.insert(note)
      note.isShown = true
    }
    let found = try #require(try context.fetch(FetchDescriptor<Note>()).first)
    #expect(found.isShown)
  }

  @Test func modelsEndWithTheirContext() throws {
    final class Witness {}
    weak var weakContext: ModelContext?
    weak var weakNote: Note?
    let container = try notesContainer()
    do {
      let context = ModelContext(container)
      let note = Note(title: "First")
      context.insert(note)
      note.folder = Folder(name: "Work")
      weakContext = context
      weakNote = note
    }
    #expect(weakContext == nil)
    #expect(weakNote == nil)
  }

  @Test func aConstantIsStoredAndReadIntoTheModel() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let id: UUID
    do {
      let context = ModelContext(try notesContainer(at: file))
      let note = Note(title: "First")
      id = note.id
      context.insert(note)
      try context.save()
    }
    let context = ModelContext(try notesContainer(at: file))
    #expect(try context.fetch(FetchDescriptor<Note>()).first?.id == id)
  }
}
