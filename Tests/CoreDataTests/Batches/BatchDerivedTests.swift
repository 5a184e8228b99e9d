import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Derived attributes follow batches as they follow saves.
struct BatchDerivedTests {
  /// ```
  /// Folder   name                                 noteCount notes.@count   starSum notes.@sum.stars
  /// Note     title stars folder tags   searchTitle canonical:(title)   folderName folder.name
  ///          tagCount tags.@count      modified now()
  /// Tag      name notes
  /// ```
  private static let model: NSManagedObjectModel = {
    let (folder, note, tag) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    folder.name = "Folder"
    note.name = "Note"
    tag.name = "Tag"
    folder.properties = [
      attribute("name", .string), derived("noteCount", .integer64, "notes.@count"),
      derived("starSum", .integer64, "sum:(notes.stars)"),
    ]
    note.properties = [
      attribute("title", .string), attribute("stars", .integer64),
      derived("searchTitle", .string, "canonical:(title)"),
      derived("loudTitle", .string, "uppercase:(title)"),
      derived("folderName", .string, "folder.name"), derived("tagCount", .integer64, "tags.@count"),
      derived("modified", .date, "now()"),
    ]
    tag.properties = [attribute("name", .string)]
    relate(note, "folder", 1, folder, "notes", 0)
    relate(note, "tags", 0, tag, "notes", 0)
    note.uniquenessConstraints = [["title"]]
    let model = NSManagedObjectModel()
    model.entities = [folder, note, tag]
    return model
  }()

  private static func attribute(
    _ name: String,
    _ type: NSAttributeDescription.AttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    return attribute
  }

  private static func derived(
    _ name: String,
    _ type: NSAttributeDescription.AttributeType,
    _ format: String
  ) -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.derivationExpression = NSExpression(format: format)
    return attribute
  }

  private static func relate(
    _ one: NSEntityDescription,
    _ name: String,
    _ count: Int,
    _ other: NSEntityDescription,
    _ back: String,
    _ backCount: Int
  ) {
    let (there, here) = (NSRelationshipDescription(), NSRelationshipDescription())
    (there.name, there.destinationEntity, there.maxCount) = (name, other, count)
    (here.name, here.destinationEntity, here.maxCount) = (back, one, backCount)
    there.inverseRelationship = here
    here.inverseRelationship = there
    one.properties.append(there)
    other.properties.append(here)
  }

  private func stack(_ kind: StoreKind) throws -> (NotesStack, [NSManagedObjectID]) {
    let stack = try NotesStack(model: Self.model, kind)
    return try stack.work { context in
      let ids = try context.insert("Folder", [["name": "Ideas"], ["name": "Home"]])
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      try context.insert(
        "Note",
        [
          ["title": "Café", "stars": 2, "folder": ids[0]],
          ["title": "Ärger", "stars": 3, "folder": ids[0]],
        ]
      )
      for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
        note.mutableSetValue(forKey: "tags").add(tag)
      }
      try context.save()
      return (stack, ids)
    }
  }

  private func pictures(
    _ stack: NotesStack,
    _ entity: String,
    _ names: String...
  ) throws -> [String] {
    try stack.work { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map { object in
        names.map { object.value(forKey: $0).map { "\($0)" } ?? "–" }.joined(separator: " ")
      }.sorted()
    }
  }

  @Test(arguments: storesWithBatches)
  func `inserted rows have derived values, and others follow them (50)`(
    _ kind: StoreKind
  ) throws {
    let (stack, _) = try stack(kind)
    #expect(
      try pictures(stack, "Note", "searchTitle", "loudTitle", "folderName", "tagCount")
        == ["arger ÄRGER Ideas 1", "cafe CAFÉ Ideas 1"]
    )
    #expect(
      try pictures(stack, "Folder", "name", "noteCount", "starSum") == ["Home 0 0", "Ideas 2 5"]
    )
    try stack.work { context in
      let note = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first
      )
      let modified = try #require(note.value(forKey: "modified") as? Date)
      #expect(abs(modified.timeIntervalSinceNow) < 60)
    }
  }

  @Test(arguments: storesWithBatches)
  func `updates of rows change what is derived from them (50)`(_ kind: StoreKind) throws {
    let (stack, ids) = try stack(kind)
    try stack.work { context in
      try context.update(
        "Note",
        ["folder": ids[1], "title": NSExpression(format: "uppercase(title)"), "stars": 4],
        where: NSPredicate(format: "title == 'Café'")
      )
      try context.update("Folder", ["name": "Öde"], where: NSPredicate(format: "name == 'Home'"))
      let found = NSFetchRequest<NSManagedObject>(entityName: "Note")
      found.predicate = NSPredicate(format: "title BEGINSWITH[cd] 'cafe'")
      #expect(try context.count(for: found) == 1)
    }
    #expect(
      try pictures(stack, "Note", "searchTitle", "loudTitle", "folderName")
        == ["arger ÄRGER Ideas", "cafe CAFÉ Öde"]
    )
    #expect(
      try pictures(stack, "Folder", "name", "noteCount", "starSum") == ["Ideas 1 3", "Öde 1 4"]
    )
  }

  @Test(arguments: storesWithBatches)
  func `an upsert moves a row, and both folders know (50)`(_ kind: StoreKind) throws {
    let (stack, ids) = try stack(kind)
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    _ = try context.performAndWait {
      try context.insert(
        "Note",
        [["title": "Café", "folder": ids[1], "stars": 1], ["title": "new"]]
      )
    }
    #expect(
      try pictures(stack, "Folder", "name", "noteCount", "starSum") == ["Home 1 1", "Ideas 1 3"]
    )
    #expect(
      try pictures(stack, "Note", "title", "folderName") == ["Café Home", "new –", "Ärger Ideas"]
    )
  }

  @Test(arguments: storesWithBatches)
  func `deletions are counted (50)`(_ kind: StoreKind) throws {
    let (stack, _) = try stack(kind)
    try stack.work { try $0.delete("Note", where: NSPredicate(format: "title == 'Café'")) }
    #expect(
      try pictures(stack, "Folder", "name", "noteCount", "starSum") == ["Home 0 0", "Ideas 1 3"]
    )
    try stack.work { try $0.delete("Tag") }
    #expect(try pictures(stack, "Note", "title", "tagCount") == ["Ärger 0"])
    try stack.work { try $0.delete("Folder") }
    #expect(try pictures(stack, "Note", "title", "folderName") == ["Ärger –"])
    try expectNothingDangles(in: stack)
  }

  @Test func `a derived attribute cannot be set`() throws {
    let (stack, _) = try stack(.sqlite)
    try stack.work { context throws in
      #expect(words { try context.insert("Note", [["searchTitle": "x"]]) }.contains("is derived"))
      #expect(words { try context.update("Note", ["tagCount": 3]) }.contains("is derived"))
    }
  }
}
