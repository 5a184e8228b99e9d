import CoreDataModel
import Testing

@testable import CoreDataModelCompiler

struct ClassGeneratorTests {
  @Test func `class definition writes two files, category one, manual none`() throws {
    let files = try ClassGenerator(.notes, module: "Library").files()
    #expect(
      files.map(\.name) == [
        "Checklist+CoreDataClass.swift", "Checklist+CoreDataProperties.swift",
        "Folder+CoreDataProperties.swift",
        "Note+CoreDataClass.swift", "Note+CoreDataProperties.swift",
        "Page+CoreDataClass.swift", "Page+CoreDataProperties.swift",
      ]
    )
  }

  @Test func `a class file holds the class and its superclass`() throws {
    let text = try text(of: "Checklist+CoreDataClass.swift", in: .notes)
    #expect(
      text == """
        // Made from Library.xcdatamodeld by the CoreDataModels plugin.
        // Do not edit: the next build writes it anew. Change the model instead.

        nonisolated public class Checklist: Note {}

        """
    )
  }

  @Test func `a properties file holds request, properties, accessors and identity`() throws {
    let text = try text(of: "Note+CoreDataProperties.swift", in: .notes)
    #expect(text == Self.noteProperties)
  }

  @Test func `a subclass inherits slots and identity, and escapes keywords`() throws {
    let text = try text(of: "Checklist+CoreDataProperties.swift", in: .notes)
    #expect(
      text == """
        // Made from Library.xcdatamodeld by the CoreDataModels plugin.
        // Do not edit: the next build writes it anew. Change the model instead.

        public import CoreData

        nonisolated extension Checklist {
          @nonobjc public class func fetchRequest() -> NSFetchRequest<Checklist> {
            NSFetchRequest<Checklist>(entityName: "Checklist")
          }

          public var `default`: Bool {
            get { self[slot: ManagedSlot(6, 0xebada5168620c5fe, "default")] }
            set { self[slot: ManagedSlot(6, 0xebada5168620c5fe, "default")] = newValue }
          }
        }

        """
    )
  }

  @Test func `files join into one under their names`() throws {
    let files = try ClassGenerator(.with(.page), module: "Library").files()
    let joined = SwiftFile(joining: files, named: "Library+CoreDataModel.swift")
    #expect(joined.name == "Library+CoreDataModel.swift")
    let marks = joined.body.split(separator: "\n").filter { $0.hasPrefix("// MARK: - ") }
    #expect(
      marks == ["// MARK: - Page+CoreDataClass.swift", "// MARK: - Page+CoreDataProperties.swift"]
    )
    #expect(joined.text(from: "Library.xcdatamodeld").split(separator: "public import").count == 2)
  }

  private func text(of name: String, in schema: ModelSchema) throws -> String {
    let files = try ClassGenerator(schema, module: "Library").files()
    return try #require(files.first { $0.name == name }).text(from: "Library.xcdatamodeld")
  }
}

// MARK: - Typed sets

extension ClassGeneratorTests {
  @Test func `an unordered relationship is a set of a class if the model asks for it`() throws {
    let folder = EntitySchema("Folder", .categoryExtension) {
      $0.relationships = [.toMany("pages", "Page"), .toMany("order", "Page", ordered: true)]
      $0.userInfo = ["CoreData.collections": "Set"]
    }
    let text = try text(of: "Folder+CoreDataProperties.swift", in: .with(folder, .page))
    #expect(text.contains("public var pages: Swift.Set<Page> {\n"))
    #expect(text.contains("[members: Page.self] = newValue }"))
    #expect(text.contains("addToPages(_ value: Page)"))
    #expect(text.contains("addToPages(_ values: Swift.Set<Page>)"))
    #expect(!text.contains("(_ values: NSSet)"))
    // An ordered relationship is not a set of Swift.
    #expect(text.contains("public var order: NSOrderedSet? {"))
  }
}

// MARK: - Which type a property has

extension ClassGeneratorTests {
  static let scalars: [(AttributeType, String)] = [
    (.integer16, "slot Int16"), (.integer32, "slot Int32"), (.integer64, "slot Int64"),
    (.double, "slot Double"), (.float, "slot Float"), (.boolean, "slot Bool"),
    (.date, "timeInterval TimeInterval"), (.string, "slot String?"),
    (.decimal, "decimal NSDecimalNumber?"),
  ]

  static let objects: [(AttributeType, String)] = [
    (.integer16, "slot NSNumber?"), (.integer32, "slot NSNumber?"),
    (.integer64, "slot NSNumber?"), (.double, "slot NSNumber?"), (.float, "slot NSNumber?"),
    (.boolean, "slot NSNumber?"), (.date, "slot Date?"), (.decimal, "decimal NSDecimalNumber?"),
    (.string, "slot String?"), (.binaryData, "slot Data?"), (.uuid, "slot UUID?"),
    (.uri, "slot URL?"), (.undefined, "object NSObject?"), (.transformable, "object NSObject?"),
    (.objectID, "object NSManagedObjectID?"), (.composite, "object [String: Any]?"),
  ]

  @Test(arguments: scalars)
  func `a scalar attribute has a Swift number`(type: AttributeType, expected: String) {
    let property = PropertyType(of: AttributeSchema(name: "value", type: type, scalar: true))
    #expect("\(property.access) \(property.spelling)" == expected)
  }

  @Test(arguments: objects)
  func `any other attribute is optional`(type: AttributeType, expected: String) {
    let property = PropertyType(of: AttributeSchema(name: "value", type: type, scalar: false))
    #expect("\(property.access) \(property.spelling)" == expected)
  }

  @Test(arguments: [("[String]", "[String]?"), (".Colour", "Colour?"), ("", "NSObject?")])
  func `a transformable attribute has its class`(className: String, expected: String) {
    var attribute = AttributeSchema(name: "colour", type: .transformable)
    attribute.customClassName = className
    #expect(PropertyType(of: attribute).spelling == expected)
  }
}

// MARK: - Which class an entity has

extension ClassGeneratorTests {
  @Test(
    arguments: [
      ("", "NSManagedObject"), ("NSManagedObject", "NSManagedObject"), ("Note", "Note"),
      (".Note", "Note"), ("Library.Note", "Note"), ("Sharing.Note", "Sharing.Note"),
      (".Protocol", "`Protocol`"),
    ]
  )
  func `a class is spelled for the module at hand`(className: String, expected: String) {
    #expect(ClassName(className, in: "Library").spelling == expected)
  }

  @Test func `a class may be called other than its entity`() throws {
    var note = EntitySchema.page
    note.className = ".PageObject"
    let files = try ClassGenerator(.with(note), module: "Library").files()
    #expect(files.map(\.name).first == "PageObject+CoreDataClass.swift")
    #expect(files[1].body.contains(#"NSFetchRequest<PageObject>(entityName: "Page")"#))
  }

  @Test func `an entity without a class gets none, and others see a managed object`() throws {
    var page = EntitySchema.page
    page.className = ""
    var note = EntitySchema.note
    note.relationships = [.init(name: "cover", destinationName: "Page")]
    note.fetchedProperties = []
    let files = try ClassGenerator(.with(note, page), module: "Library").files()
    #expect(files.map(\.name) == ["Note+CoreDataClass.swift", "Note+CoreDataProperties.swift"])
    #expect(files[1].body.contains("public var cover: NSManagedObject? {"))
  }

  @Test func `below an entity without a class, a class missed its identity`() throws {
    var note = EntitySchema.note
    note.className = ""
    note.superentityName = "Page"
    let files = try ClassGenerator(.with(.checklist, note, .page, .folder, .tag), module: "Library")
      .files()
    let checklist = try #require(files.first { $0.name == "Checklist+CoreDataClass.swift" })
    #expect(checklist.body == "nonisolated public class Checklist: NSManagedObject {}")
    let properties = try #require(files.first { $0.name == "Checklist+CoreDataProperties.swift" })
    #expect(properties.body.hasSuffix("nonisolated extension Checklist: Identifiable {}"))
  }

  @Test func `an entity Set took the place of Swift's sets`() throws {
    let set = EntitySchema("Set", .classDefinition)
    let exercise = EntitySchema("Exercise", .classDefinition) {
      $0.relationships = [.toMany("sets", "Set")]
    }
    let files = try ClassGenerator(.with(exercise, set), module: "Library").files()
    let properties = try #require(files.first { $0.name == "Exercise+CoreDataProperties.swift" })
    #expect(properties.body.contains("func addToSets(_ value: Set) {"))
    #expect(properties.body.contains("func addToSets(_ values: Swift.Set<Set>) {"))
  }

  @Test func `a destination of another module is imported`() throws {
    var tag = EntitySchema.tag
    tag.className = "Tagging.Tag"
    var note = EntitySchema.note
    note.relationships = [.toMany("tags", "Tag")]
    let files = try ClassGenerator(.with(note, tag), module: "Library").files()
    #expect(files[1].imports == ["CoreData", "Tagging"])
    #expect(files[1].body.contains("func addToTags(_ value: Tagging.Tag) {"))
  }
}

// MARK: - What cannot be written

extension ClassGeneratorTests {
  @Test func `a class of another module is refused`() {
    var page = EntitySchema.page
    page.className = "Sharing.Page"
    #expect(
      message(.with(page)) == """
        entity 'Page': class 'Sharing.Page' cannot be written into module 'Library'; set the \
        entity's module to Current Product Module, or its code generation to Manual/None
        """
    )
  }

  @Test func `one class for two entities is refused`() {
    var sheet = EntitySchema("Sheet", .categoryExtension)
    sheet.className = "Page"
    #expect(
      message(.with(.page, sheet)) == """
        entities 'Page' and 'Sheet' would both write class 'Page'; give one of them another \
        class, or set its code generation to Manual/None
        """
    )
  }

  @Test func `a name that Swift cannot spell is refused`() {
    let page = EntitySchema("Page", .classDefinition) {
      $0.attributes = [.init(name: "page-number", type: .integer16)]
    }
    #expect(
      message(.with(page))
        == "entity 'Page': property 'page-number' is not a name that Swift code can use; rename it"
    )
  }

  @Test func `a property that hides one of every object is refused`() {
    let page = EntitySchema("Page", .classDefinition) {
      $0.attributes = [.init(name: "description", type: .string)]
    }
    #expect(
      message(.with(page)) == """
        entity 'Page': property 'description' has the name of a member of NSManagedObject; \
        rename it, or set the entity's code generation to Manual/None
        """
    )
  }

  @Test func `a destination that is not in the model is refused`() {
    #expect(
      message(.with(.folder)) == """
        entity 'Folder': 'notes' leads to entity 'Note', which the model does not have; choose \
        another destination
        """
    )
  }

  private func message(_ schema: ModelSchema) -> String? {
    do throws(GenerationError) {
      _ = try ClassGenerator(schema, module: "Library").files()
      return nil
    } catch {
      return error.description
    }
  }
}

// MARK: - The whole picture

extension ClassGeneratorTests {
  private static let noteProperties = """
    // Made from Library.xcdatamodeld by the CoreDataModels plugin.
    // Do not edit: the next build writes it anew. Change the model instead.

    public import CoreData

    nonisolated extension Note {
      @nonobjc public class func fetchRequest() -> NSFetchRequest<Note> {
        NSFetchRequest<Note>(entityName: "Note")
      }

      public var title: String? {
        get { self[slot: ManagedSlot(5, 0xda31296c0c1b6029, "title")] }
        set { self[slot: ManagedSlot(5, 0xda31296c0c1b6029, "title")] = newValue }
      }

      public var stars: Int16 {
        get { self[slot: ManagedSlot(3, 0xee5d94ad45ad2006, "stars")] }
        set { self[slot: ManagedSlot(3, 0xee5d94ad45ad2006, "stars")] = newValue }
      }

      public var folder: Folder? {
        get { self[toOne: ManagedSlot(0, 0xaf33177cdfa85f9d, "folder")] }
        set { self[toOne: ManagedSlot(0, 0xaf33177cdfa85f9d, "folder")] = newValue }
      }

      public var pages: NSOrderedSet? {
        get { self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].orderedSet }
        set { self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].orderedSet = newValue }
      }

      public var tags: NSSet? {
        get { self[toMany: ManagedSlot(4, 0xd91c3bef076f8580, "tags")].set }
        set { self[toMany: ManagedSlot(4, 0xd91c3bef076f8580, "tags")].set = newValue }
      }

      public var related: [Note] {
        self[fetched: ManagedSlot(2, 0x402a34baab36d078, "related")]
      }
    }

    // MARK: Generated accessors for pages

    nonisolated extension Note {
      public func insertIntoPages(_ value: Page, at idx: Int) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].insert(value, at: idx)
      }

      public func removeFromPages(at idx: Int) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].remove(at: idx)
      }

      public func insertIntoPages(_ values: [Page], at indexes: NSIndexSet) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].insert(values, at: indexes)
      }

      public func removeFromPages(at indexes: NSIndexSet) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].remove(at: indexes)
      }

      public func replacePages(at idx: Int, with value: Page) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].replace(at: idx, with: value)
      }

      public func replacePages(at indexes: NSIndexSet, with values: [Page]) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].replace(at: indexes, with: values)
      }

      public func addToPages(_ value: Page) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].add(value)
      }

      public func removeFromPages(_ value: Page) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].remove(value)
      }

      public func addToPages(_ values: NSOrderedSet) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].add(values)
      }

      public func removeFromPages(_ values: NSOrderedSet) {
        self[ordered: ManagedSlot(1, 0xab01daa76a48769f, "pages")].remove(values)
      }
    }

    // MARK: Generated accessors for tags

    nonisolated extension Note {
      public func addToTags(_ value: Tag) {
        self[toMany: ManagedSlot(4, 0xd91c3bef076f8580, "tags")].add(value)
      }

      public func removeFromTags(_ value: Tag) {
        self[toMany: ManagedSlot(4, 0xd91c3bef076f8580, "tags")].remove(value)
      }

      public func addToTags(_ values: NSSet) {
        self[toMany: ManagedSlot(4, 0xd91c3bef076f8580, "tags")].add(values)
      }

      public func removeFromTags(_ values: NSSet) {
        self[toMany: ManagedSlot(4, 0xd91c3bef076f8580, "tags")].remove(values)
      }

      public func addToTags(_ values: Swift.Set<Tag>) {
        self[toMany: ManagedSlot(4, 0xd91c3bef076f8580, "tags")].add(values as NSSet)
      }

      public func removeFromTags(_ values: Swift.Set<Tag>) {
        self[toMany: ManagedSlot(4, 0xd91c3bef076f8580, "tags")].remove(values as NSSet)
      }
    }

    nonisolated extension Note: Identifiable {}

    """
}
