import CoreData
import Foundation
import SwiftData
import Testing

/// Each line of Apple's matrix, asked of a store in SQL and of the models in memory.
@Suite struct PredicateTests {
  let context: ModelContext
  let folder: Folder

  init() throws {
    context = ModelContext(try notesContainer())
    let folder = Folder(name: "Work")
    let home = Folder(name: "Home", parent: folder)
    self.folder = folder
    for index in 0..<12 {
      let note = Note(title: "note \(index)")
      context.insert(note)
      note.stars = index % 5
      note.rating = index % 3 == 0 ? nil : Double(index) / 2
      note.isDone = index % 2 == 0
      note.mood = Mood.allCases[index % 3]
      note.weight = index % 4 == 0 ? nil : index % 2 == 0 ? .light : .heavy
      note.phase = [.new, .open, .done][index % 3]
      note.lastPhase = index % 3 == 0 ? nil : .done
      note.place =
        index % 4 == 0 ? nil : Place(city: index % 2 == 0 ? "Rome" : "Oslo", street: "\(index)")
      note.folder = index % 3 == 0 ? nil : index % 2 == 0 ? folder : home
      note.tags = index % 2 == 0 ? [] : [Tag(name: "t\(index)", kind: index)]
    }
    try context.save()
  }

  /// The titles' numbers that a store finds; the same as those that a closure finds among the models.
  private func expect(
    _ predicate: Predicate<Note>,
    _ matches: (Note) -> Bool,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let all = try context.fetch(FetchDescriptor<Note>())
    let expected = Set(all.filter(matches).map(\.title))
    #expect(!expected.isEmpty && expected.count < all.count, sourceLocation: location)
    let other = ModelContext(context.container)
    let stored = try other.fetch(FetchDescriptor(predicate: predicate))
    #expect(Set(stored.map(\.title)) == expected, "in SQL", sourceLocation: location)
    // Unsaved changes are compared in memory.
    for note in try other.fetch(FetchDescriptor<Note>()) { note.created = note.created + 1 }
    let changed = try other.fetch(FetchDescriptor(predicate: predicate))
    #expect(Set(changed.map(\.title)) == expected, "in memory", sourceLocation: location)
  }

  @Test func comparisonsAndLogic() throws {
    try expect(#Predicate { $0.stars == 3 }) { $0.stars == 3 }
    try expect(#Predicate { $0.stars != 3 }) { $0.stars != 3 }
    try expect(#Predicate { $0.stars > 1 && !$0.isDone }) { $0.stars > 1 && !$0.isDone }
    try expect(#Predicate { $0.stars < 1 || $0.isDone }) { $0.stars < 1 || $0.isDone }
    try expect(#Predicate { $0.stars * 2 + 1 >= 7 }) { $0.stars * 2 + 1 >= 7 }
    try expect(#Predicate { ($0.isDone ? $0.stars : 0) > 2 }) { ($0.isDone ? $0.stars : 0) > 2 }
    try expect(#Predicate { ($0.rating ?? 100) > 4 }) { ($0.rating ?? 100) > 4 }
    try expect(#Predicate { $0.rating == nil }) { $0.rating == nil }
  }

  @Test func textsAndCollections() throws {
    let names = ["note 1", "note 7"]
    try expect(#Predicate { $0.title.contains("1") }) { $0.title.contains("1") }
    try expect(#Predicate { $0.title.starts(with: "note 1") }) { $0.title.starts(with: "note 1") }
    try expect(#Predicate { $0.title.localizedStandardContains("E 1") }) {
      $0.title.localizedStandardContains("E 1")
    }
    try expect(#Predicate { names.contains($0.title) }) { names.contains($0.title) }
    try expect(#Predicate { (1...2).contains($0.stars) }) { (1...2).contains($0.stars) }
    try expect(#Predicate { $0.tags.contains { $0.kind > 4 } }) { $0.tags.contains { $0.kind > 4 } }
    try expect(#Predicate { $0.tags.allSatisfy { $0.kind > 4 } }) {
      $0.tags.allSatisfy { $0.kind > 4 }
    }
    try expect(#Predicate { $0.tags.filter { $0.kind < 6 }.count == 1 }) {
      $0.tags.filter { $0.kind < 6 }.count == 1
    }
    try expect(#Predicate { !$0.tags.isEmpty }) { !$0.tags.isEmpty }
    try expect(#Predicate { $0.tags.isEmpty == false }) { !$0.tags.isEmpty }
  }

  @Test func relationships() throws {
    let folder = folder
    let id = folder.persistentModelID
    try expect(#Predicate { $0.folder?.name == "Work" }) { $0.folder?.name == "Work" }
    try expect(#Predicate { $0.folder == nil }) { $0.folder == nil }
    try expect(#Predicate { $0.folder?.parent?.name == "Work" }) {
      $0.folder?.parent?.name == "Work"
    }
    try expect(#Predicate { $0.folder?.persistentModelID == id }) {
      $0.folder?.persistentModelID == id
    }
    try expect(#Predicate { $0.folder!.name == "Home" }) { $0.folder?.name == "Home" }
    let first = try #require(
      try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)])).first
    ).persistentModelID
    try expect(#Predicate { $0.persistentModelID == first }) { $0.persistentModelID == first }
  }

  @Test func propertiesOfCapturedValues() throws {
    struct Choice: Codable {
      struct Name: Codable { var text: String }
      var name: Name
      var weight: Weight?
    }
    let title = try #require(try context.fetch(FetchDescriptor<Note>()).first).title
    let choice = Choice(name: Choice.Name(text: title), weight: .heavy)
    try expect(#Predicate { $0.title == choice.name.text }) { $0.title == title }
    try expect(#Predicate { $0.weight == choice.weight }) { $0.weight == .heavy }
    let none: Choice? = nil
    try expect(#Predicate { $0.weight == none?.weight }) { $0.weight == nil }
  }

  @Test func enumerationsWithRawValues() throws {
    let angry = Mood.angry
    let heavy = Weight.heavy
    let some: [Mood] = [.calm, .angry]
    try expect(#Predicate { $0.mood == angry }) { $0.mood == .angry }
    try expect(#Predicate { $0.mood != angry }) { $0.mood != .angry }
    try expect(#Predicate { $0.mood.rawValue == "cross" }) { $0.mood == .angry }
    try expect(#Predicate { $0.weight == heavy }) { $0.weight == .heavy }
    try expect(#Predicate { $0.weight == nil }) { $0.weight == nil }
    try expect(#Predicate { $0.weight != nil }) { $0.weight != nil }
    try expect(#Predicate { some.contains($0.mood) }) { some.contains($0.mood) }
  }

  @Test func enumerationsWithoutRawValues() throws {
    let open = Phase.open
    let done = Phase.done
    try expect(#Predicate { $0.phase == open }) { $0.phase == .open }
    try expect(#Predicate { $0.phase != open }) { $0.phase != .open }
    try expect(#Predicate { $0.lastPhase == done }) { $0.lastPhase == .done }
    try expect(#Predicate { $0.lastPhase == nil }) { $0.lastPhase == nil }
  }

  @Test func structures() throws {
    try expect(#Predicate { $0.place?.city == "Rome" }) { $0.place?.city == "Rome" }
    try expect(#Predicate { $0.place!.city == "Oslo" }) { $0.place?.city == "Oslo" }
    try expect(#Predicate { $0.place == nil }) { $0.place == nil }
  }

  @Test func whatAStoreCannotBeAskedIsRefusedWithASentence() throws {
    let place = Place(city: "Rome")
    func refusal(_ predicate: Predicate<Note>) -> String? {
      do {
        _ = try context.fetch(FetchDescriptor(predicate: predicate))
        return nil
      } catch let error as SwiftDataError where error == .unsupportedPredicate {
        return error.reason
      } catch {
        return nil
      }
    }
    #expect(refusal(#Predicate { $0.headline == "A" })?.isEmpty == false)
    #expect(refusal(#Predicate { $0.isShown })?.contains("Note.isShown has no name") == true)
    #expect(refusal(#Predicate { $0.place == place })?.contains("whole") == true)
    #expect(refusal(#Predicate { $0.words.contains("a") })?.isEmpty == false)
  }

  @Test func sortingByNestedAndOptionalProperties() throws {
    let all = try context.fetch(
      FetchDescriptor<Note>(sortBy: [
        SortDescriptor(\.stars, order: .reverse), SortDescriptor(\.title),
      ])
    )
    let expected = all.sorted { ($1.stars, $0.title) < ($0.stars, $1.title) }
    #expect(all.map(\.title) == expected.map(\.title))
    let byFolder = try context.fetch(
      FetchDescriptor<Note>(sortBy: [SortDescriptor(\.folder?.name), SortDescriptor(\.title)])
    )
    #expect(
      byFolder.map { $0.folder?.name ?? "" } == byFolder.map { $0.folder?.name ?? "" }.sorted()
    )
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.headline)]))
    }
  }

  @Test func limitsOffsetsAndCounts() throws {
    var descriptor = FetchDescriptor<Note>(sortBy: [
      SortDescriptor(\.created), SortDescriptor(\.title),
    ])
    descriptor.fetchLimit = 3
    descriptor.fetchOffset = 2
    #expect(try context.fetch(descriptor).map(\.title) == ["note 10", "note 11", "note 2"])
    #expect(
      try context.fetchCount(FetchDescriptor<Note>(predicate: #Predicate { $0.stars == 0 })) == 3
    )
    #expect(try context.fetchIdentifiers(FetchDescriptor<Note>()).count == 12)
  }
}
