import CoreDataModel
import CoreDataModelCompiler
import CoreDataSwiftCode
import Testing

/// Members without a possible accessor: an error at the line, with a remedy.
struct RefusalTests {
  static let refusals: [(String, String)] = [
    ("var note: Colour?", "the type 'Colour' is not declared in this target"),
    ("var pair: (Int, Int)", "its type is a tuple; declare a property that computes it"),
    ("var act: () -> Void", "its type is a function; declare a property that computes it"),
    ("var notes: NSMutableSet", "change it with mutableSetValue(forKey:)"),
    ("var box: Box<Int>?", "'Box' is a generic type; declare a class or struct that holds it"),
    ("var own: Hidden?", "'Hidden' is private to its file; make it internal"),
    ("static var all: [String]", "a class has no managed properties; remove 'static'"),
    ("var title", "it needs a type, as in 'var title: String?'"),
    ("var both: any NSCoding & NSCopying", "its type is of several protocols; choose one"),
    (
      "func rename(_ name: String)",
      "called as Xcode calls it, such as 'addToTags(_:)'; write a body"
    ),
    ("func addToTags(_ value: NSManagedObject) throws", "it throws or waits; write its body"),
    ("var loop: Loop", "its type aliases lead in a circle"),
  ]

  @Test(arguments: refusals)
  func `what cannot be served is an error at its line`(member: String, reason: String) throws {
    let file = Self.file(
      """
      import CoreData
      struct Box<Element> {}
      private struct Hidden {}
      typealias Loop = [Loop]
      class Note: NSManagedObject {
        @NSManaged \(member)
      }
      """
    )
    let error = try #require(file.errors.first)
    #expect(error.hasPrefix("Note.swift:6:3: error: '"))
    #expect(error.contains("' cannot be managed: "))
    #expect(error.contains(reason), "\(error)")
    #expect(file.symbols == [])
  }

  static let misfits: [(String, String)] = [
    (
      "var title: Int16",
      "the model has it as String, which 'Int16' cannot hold; declare it as String"
    ),
    ("var stars: String?", "the model has it as Integer 16, which 'String?' cannot hold"),
    ("var folder: String?", "a relationship to 'Folder', which 'String?' cannot hold"),
    (
      "var pages: NSSet?",
      "an ordered to-many relationship, which 'NSSet?' cannot hold; declare it as NSOrderedSet"
    ),
    (
      "var tags: [Note]",
      "a to-many relationship, which '[Note]' cannot hold; declare it as NSSet or Set<…>"
    ),
    ("var primitiveTITLE: String?", "entity 'Note' has no property 'TITLE' whose primitive value"),
    ("func addToLabels(_ value: Note)", "the model has no relationship 'labels'"),
    ("func addToTitle(_ value: Note)", "'title' is no to-many relationship in the model"),
  ]

  @Test(arguments: misfits)
  func `a type that the model contradicts is an error at its line`(
    member: String,
    reason: String
  ) throws {
    let file = Self.file("class Note: NSManagedObject {\n  @NSManaged \(member)\n}")
    let error = try #require(file.errors.first)
    #expect(error.hasPrefix("Note.swift:2:3: error: "))
    #expect(error.contains(reason), "\(error)")
  }

  @Test func `a property that the model lacks is a warning`() {
    let file = Self.file("class Note: NSManagedObject {\n  @NSManaged var colour: String?\n}")
    #expect(file.errors == [])
    #expect(
      file.warnings == [
        """
        Note.swift:2:3: warning: entity 'Note' has no property 'colour'; to use it stops the program; \
        add it to the model, or remove it from the class
        """
      ]
    )
    #expect(file.symbols.count == 2)
  }

  @Test
  func `a property of a private class is an error, and none of a class for Apple's systems is`() {
    let file = Self.file(
      """
      private class Draft: NSManagedObject { @NSManaged var title: String? }
      #if canImport(UIKit)
      class Drawing: NSManagedObject { @NSManaged var image: UIImage? }
      #endif
      @NSManaged var outside: String?
      """
    )
    #expect(file.errors.count == 2)
    #expect(file.errors.first?.contains("its class is private to its file") == true)
    #expect(file.errors.last?.contains("it does not stand in a class") == true)
  }

  private static func file(_ source: String) -> ManagedFile {
    let file = SwiftSourceFile(Array(source.utf8), path: "Note.swift")
    var types = TypeDirectory(module: "Notes")
    types.add(file.declarations, of: "Notes")
    var models = ManagedModels()
    if !source.contains("import CoreData") { models.add(.writtenNotes, of: "Notes") }
    return ManagedFile(of: [file], types: types, models: models)
  }
}

extension ModelSchema {
  fileprivate static var writtenNotes: Self {
    var note = EntitySchema(name: "Note")
    note.className = "Note"
    note.attributes = [
      AttributeSchema(name: "title", type: .string),
      AttributeSchema(name: "stars", type: .integer16),
    ]
    note.relationships = ["folder", "pages", "tags"].map {
      var relationship = RelationshipSchema(
        name: $0,
        destinationName: $0 == "folder" ? "Folder" : "Note"
      )
      relationship.maxCount = $0 == "folder" ? 1 : 0
      relationship.isOrdered = $0 == "pages"
      return relationship
    }
    var folder = EntitySchema(name: "Folder")
    folder.className = "Folder"
    return ModelSchema(entities: [note, folder])
  }
}
