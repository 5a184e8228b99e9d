import Foundation
import SwiftData
import Testing

struct IdentifierTests {
  @Test func identifiersAreOrderedByTheNumbersOfTheirRows() throws {
    let context = ModelContext(try notesContainer())
    let tags = (0..<12).map { Tag(name: "\($0)") }
    for tag in tags { context.insert(tag) }
    try context.save()
    let new = Tag(name: "new")
    context.insert(new)
    let numbers = tags.map(\.persistentModelID).sorted().map { id in
      Int(id.description.dropLast().split(separator: "/p").last ?? "") ?? 0
    }
    #expect(numbers == Array(1...12))
    #expect(tags.allSatisfy { $0.persistentModelID < new.persistentModelID })
    #expect(!(new.persistentModelID < new.persistentModelID))
  }

  @Test func anIdentifierIsMadeOfANumberOrOfItsText() throws {
    let context = ModelContext(try notesContainer())
    let tag = Tag(name: "a")
    context.insert(tag)
    try context.save()
    let id = tag.persistentModelID
    let store = try #require(id.storeIdentifier)
    for key in ["p1", "1"] {
      let made = try PersistentIdentifier.identifier(
        for: store,
        entityName: "Tag",
        primaryKey: key
      )
      #expect(made == id)
      #expect(context.model(for: made) === tag)
    }
    #expect(
      try PersistentIdentifier.identifier(for: store, entityName: "Tag", primaryKey: 1) == id
    )
    #expect(throws: SwiftDataError.unknownSchema) {
      try PersistentIdentifier.identifier(for: store, entityName: "Tag", primaryKey: "../x")
    }
  }

  @Test func theEditingStateHasTheAuthor() throws {
    let context = ModelContext(try notesContainer())
    let id = context.editingState.id
    context.editingState.author = "importer"
    #expect(context.author == "importer")
    #expect(context.editingState.id == id)
    #expect(ModelContext(context.container).editingState.id != id)
  }
}
