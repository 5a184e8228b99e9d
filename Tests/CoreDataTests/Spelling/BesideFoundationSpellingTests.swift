import CoreData
import Foundation
import Observation
import TestSupport
import Testing

/// How people write, in a file that imports Foundation and CoreData: it compiles, and it runs.
@Suite struct BesideFoundationSpellingTests {
  final class Plain: NSManagedObject {}

  final class Titled: NSManagedObject {
    convenience init(title: String, context: NSManagedObjectContext) {
      self.init(context: context)
      setValue(title, forKey: "title")
    }
  }

  class OwnInitializer: NSManagedObject {
    convenience init(context: NSManagedObjectContext) {
      self.init(entity: OwnInitializer.entity(), insertInto: context)
    }
  }

  /// A class that says itself that it can be observed.
  final class Watched: NSManagedObject, Observable {}

  @Observable final class Model {
    var title = ""
  }

  // MARK: Expressions and predicates

  private let key: NSExpression = NSExpression(forKeyPath: "stars")
  private var optional: NSComparisonPredicate?
  private let compound: NSCompoundPredicate = .init(andPredicateWithSubpredicates: [])

  private func comparison(
    _ left: NSExpression,
    _ type: NSComparisonPredicate.Operator
  ) -> NSPredicate {
    NSComparisonPredicate(
      leftExpression: left,
      rightExpression: NSExpression(forConstantValue: 3),
      modifier: .direct,
      type: type,
      options: [.caseInsensitive]
    )
  }

  @Test func `the names of predicates and expressions can be written as types`() throws {
    let predicate = comparison(key, .greaterThan)
    #expect(predicate is NSComparisonPredicate)
    let parts = try #require(predicate as? NSComparisonPredicate)
    #expect(parts.leftExpression.keyPath == "stars")
    let all: [NSPredicate] = [predicate, NSPredicate(format: "title != nil")]
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: all)
    #expect(both.predicateFormat == "stars >[c] 3 AND title != nil")
    #expect((both as NSPredicate) is NSCompoundPredicate)
    #expect(both.copy() as? NSCompoundPredicate == both)
    let expressions: [NSExpression] = [key, NSExpression(format: "stars * 2")]
    #expect(expressions.map(\.description) == ["stars", "stars * 2"])
    let type: NSCompoundPredicate.LogicalType = .or
    #expect(NSCompoundPredicate(type: type, subpredicates: all).compoundPredicateType == .or)
    let description = NSExpressionDescription()
    description.expression = NSExpression(forFunction: "max:", arguments: [key])
    #expect(description.expression?.description == "max:(stars)")
    #expect(compound == NSPredicate(value: true))
  }

  private func matching(_ format: String, _ arguments: any CVarArg...) -> NSPredicate {
    NSPredicate(format: format, arguments: getVaList(arguments))
  }

  @Test func `formats take lists of arguments in every way`() {
    #expect(matching("a == %@ AND b > %d", "x", 2).description == #"a == "x" AND b > 2"#)
    let list = withVaList(["x"]) { NSPredicate(format: "a == %@", arguments: $0) }
    #expect(list.description == #"a == "x""#)
    let array = NSPredicate(format: "a == %@ AND b == %@", argumentArray: ["x", 2])
    #expect(array.description == #"a == "x" AND b == 2"#)
  }

  // MARK: Classes that are known at run time

  private func make<Object: NSManagedObject>(in context: NSManagedObjectContext) -> Object {
    Object(context: context)
  }

  private func make<Object: NSManagedObject>(
    _ type: Object.Type,
    in context: NSManagedObjectContext
  ) -> Object {
    type.init(context: context)
  }

  @Test func `an object of a generic class is made with its context`() throws {
    let context = try NotesStack(.memory).context()
    context.performAndWait {
      let note: Note = make(in: context)
      note.title = "a"
      #expect(note.entity.name == "Note" && context.insertedObjects.contains(note))
      #expect(make(Folder.self, in: context).entity.name == "Folder")
      let types: [NSManagedObject.Type] = [Tag.self, Checklist.self]
      #expect(types.map { $0.init(context: context).entity.name } == ["Tag", "Checklist"])
      let maker: (NSManagedObjectContext) -> Note = Note.init(context:)
      #expect(maker(context).isInserted)
    }
  }

  private func all<Object: NSManagedObject>(
    _ type: Object.Type,
    in context: NSManagedObjectContext
  ) throws -> [Object] {
    try context.fetch(NSFetchRequest<Object>(entityName: Object.description()))
  }

  @Test func `a class did not say its name, which programs use as the entity's`() throws {
    let context = try NotesStack(.memory).context()
    try context.performAndWait {
      let note = context.note("a")
      let notes = try all(Note.self, in: context)
      #expect(notes == [note])
      let tags = NSEntityDescription.entity(forEntityName: Tag.description(), in: context)
      #expect(tags?.name == "Tag")
      #expect(Titled.description() == "Titled")
      #expect(note.description.hasPrefix("<Note: "))
    }
  }

  @Test func `no entity was found by the name that Foundation gives its class`() throws {
    let context = try NotesStack(.memory).context()
    try context.performAndWait {
      let name = NSStringFromClass(Note.self)
      let note = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      let notes = try context.fetch(NSFetchRequest<Note>(entityName: name))
      #expect(notes == [note])
      #expect(NSEntityDescription.entity(forEntityName: name, in: context) == note.entity)
      let plain = NSStringFromClass(NSManagedObject.self)
      #expect(NSEntityDescription.entity(forEntityName: plain, in: context) == nil)
    }
  }

  @Test func `a loop with autorelease pools did not compile`() throws {
    let context = try NotesStack(.memory).context()
    try context.performAndWait {
      for title in ["a", "b"] {
        autoreleasepool { _ = context.note(title) }
        try autoreleasepool { try context.save() }
      }
      let titles = try autoreleasepool { () -> [String] in
        context.reset()
        return try context.titles()
      }
      #expect(titles.sorted() == ["a", "b"])
      #expect(throws: CocoaError.self) { try autoreleasepool { throw CocoaError(.coreData) } }
    }
  }

  class Coordinator: NSPersistentStoreCoordinator, @unchecked Sendable {}

  final class Counting: NSPersistentStoreCoordinator, @unchecked Sendable {
    let count = 1

    override init(managedObjectModel model: NSManagedObjectModel) {
      super.init(managedObjectModel: model)
    }
  }

  private func coordinator<Made: NSPersistentStoreCoordinator>(
    _ type: Made.Type,
    _ model: NSManagedObjectModel
  ) -> Made {
    Made(managedObjectModel: model)
  }

  @Test func `a coordinator has subclasses, which are made with a model`() throws {
    let model = NSManagedObjectModel()
    #expect(Coordinator(managedObjectModel: model).managedObjectModel === model)
    #expect(coordinator(Coordinator.self, model).persistentStores.isEmpty)
    #expect(coordinator(Counting.self, model).count == 1)
    let type: NSPersistentStoreCoordinator.Type = Counting.self
    #expect(type.init(managedObjectModel: model) is Counting)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = Coordinator(managedObjectModel: model)
    #expect(context.persistentStoreCoordinator is Coordinator)
  }

  // MARK: Transformers

  final class Reversed: ValueTransformer {
    let marker: String

    init(marker: String) {
      self.marker = marker
      super.init()
    }

    override class func transformedValueClass() -> AnyClass { NSString.self }
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { marker + $0 } }
  }

  final class WithInit: ValueTransformer {
    override init() { super.init() }
  }

  @Test func `a transformer has the initializers that it wants`() {
    #expect(Reversed(marker: "!").transformedValue("a") as? String == "!a")
    #expect(WithInit().transformedValue(1) as? Int == 1)
    let name = NSValueTransformerName(rawValue: "BesideFoundationSpellingTests.Reversed")
    ValueTransformer.setValueTransformer(Reversed(marker: "?"), forName: name)
    #expect(ValueTransformer(forName: name)?.transformedValue("a") as? String == "?a")
  }

  // MARK: Sets

  @Test func `a set of Foundation's becomes one of Swift's`() throws {
    let context = try NotesStack(.memory).context()
    context.performAndWait {
      let folder = context.folder("F")
      let notes = [context.note("a", in: folder), context.note("b", in: folder)]
      let set: NSSet? = folder.notes
      #expect(Set<Note>(set) == Set(notes) && set as? Set<Note> == Set(notes))
      #expect(set.map(Set<Note>.init)?.count == 2)
      #expect(Set<Note>(NSSet(array: notes)).count == 2)
    }
  }

  @Test func `collections answer to keys and take values by key`() throws {
    let context = try NotesStack(.memory).context()
    context.performAndWait {
      let folder = context.folder("F")
      for (title, stars) in [("a", 2), ("b", 5)] as [(String, Int16)] {
        context.note(title, in: folder).stars = stars
      }
      guard let set = folder.notes else { return }
      #expect(set.value(forKeyPath: "@max.stars") as? Int == 5)
      #expect(set.value(forKeyPath: "@sum.stars") as? Int == 7)
      #expect(set.value(forKeyPath: "@avg.stars") as? Double == 3.5)
      #expect(set.value(forKeyPath: "@count") as? Int == 2)
      #expect(set.value(forKey: "title") as? Set<String> == ["a", "b"])
      let list = NSArray(
        array: set.sortedArray(using: [NSSortDescriptor(key: "title", ascending: true)])
      )
      #expect(list.value(forKey: "title") as? [String] == ["a", "b"])
      #expect(list.value(forKeyPath: "folder.name") as? [String] == ["F", "F"])
      #expect(list.value(forKeyPath: "@distinctUnionOfObjects.folder.name") as? [String] == ["F"])
      list.setValue(4, forKey: "stars")
      #expect(list.value(forKey: "stars") as? [Int] == [4, 4])
      set.setValue("G", forKeyPath: "folder.name")
      #expect(folder.name == "G")
      let ordered = NSOrderedSet(array: list.map { $0 })
      #expect(ordered.value(forKeyPath: "@min.stars") as? Int == 4)
      ordered.setValue(nil, forKey: "title")
      #expect(list.value(forKey: "title") as? [NSNull] == [NSNull(), NSNull()])
    }
    let dictionary = NSMutableDictionary()
    dictionary.setValue(3, forKey: "stars")
    dictionary.setValue(NSMutableDictionary(), forKey: "inner")
    dictionary.setValue("x", forKeyPath: "inner.title")
    #expect(dictionary.value(forKey: "stars") as? Int == 3)
    #expect(dictionary.value(forKeyPath: "inner.title") as? String == "x")
    dictionary.setValue(nil, forKey: "stars")
    #expect(dictionary["stars"] == nil)
    let rows = NSMutableArray(array: [NSMutableDictionary(), NSMutableDictionary()])
    rows.setValue(1, forKey: "n")
    #expect(rows.value(forKeyPath: "@sum.n") as? Int == 2)
  }
}
