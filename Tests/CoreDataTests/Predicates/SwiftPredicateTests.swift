import CoreData
import TestSupport
import Testing

/// `#Predicate` over generated classes, in every kind of store.
@Suite struct SwiftPredicateTests {
  private static func filled(_ context: NSManagedObjectContext) throws {
    let ideas = Folder(context: context)
    ideas.name = "Ideas"
    for (title, stars) in [("Äpfel", 1), ("swift", 4), ("x", 5)] {
      let note = Note(context: context)
      note.title = title
      note.stars = Int16(stars)
      note.isFavourite = stars == 4
      note.folder = stars > 3 ? ideas : nil
    }
    let list = Checklist(context: context)
    list.stars = 2
    try context.save()
  }

  static let predicates: [(Predicate<Note>, String, [Int16])] = {
    let wanted: [Int16] = [1, 5]
    let swift = "swift"
    return [
      (#Predicate { $0.stars > 3 && $0.title == "x" }, #"stars > 3 AND title == "x""#, [5]),
      (#Predicate { $0.folder?.name == "Ideas" }, #"folder.name == "Ideas""#, [4, 5]),
      (#Predicate { $0.folder == nil }, "folder == nil", [1, 2]),
      (#Predicate { $0.isFavourite }, "isFavourite == 1", [4]),
      (
        #Predicate { !$0.isFavourite && $0.title != nil },
        "(NOT isFavourite == 1) AND title != nil", [1, 5]
      ),
      (#Predicate { wanted.contains($0.stars) }, "stars IN {1, 5}", [1, 5]),
      (#Predicate { (2...4).contains($0.stars) }, "stars BETWEEN {2, 4}", [2, 4]),
      (
        #Predicate { $0.title?.localizedStandardContains("apf") == true },
        #"(NOT title == nil) AND title CONTAINS[cdl] "apf""#, [1]
      ),
      (
        #Predicate { $0.title?.starts(with: swift) ?? false },
        #"(NOT title == nil) AND title BEGINSWITH "swift""#, [4]
      ),
      (
        #Predicate { ($0.title ?? "x") == "x" }, #"TERNARY(title == nil, "x", title) == "x""#,
        [2, 5]
      ),
      (#Predicate { $0.stars * 2 + 1 == 9 }, "(stars * 2) + 1 == 9", [4]),
    ]
  }()

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a Swift predicate finds what its format finds`(kind: StoreKind) throws {
    let context = try NotesStack(kind).context()
    try context.performAndWait {
      try Self.filled(context)
      for (predicate, format, stars) in Self.predicates {
        let request = Note.fetchRequest()
        request.predicate = NSPredicate(predicate)
        #expect(request.predicate?.description == format)
        request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Note.stars))]
        #expect(try context.fetch(request).map(\.stars) == stars, "\(format)")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a class is asked for by its entity`(kind: StoreKind) throws {
    let context = try NotesStack(kind).context()
    try context.performAndWait {
      try Self.filled(context)
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(#Predicate<Note> { $0 is Checklist })
      let found = try context.fetch(request)
      #expect(found.map(\.stars) == [2])
      #expect(found.allSatisfy { request.predicate?.evaluate(with: $0) == true })
      request.predicate = NSPredicate(#Predicate<Note> { !($0 is Checklist) })
      #expect(try context.count(for: request) == 3)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a property of a captured value was refused as one of the entity`(kind: StoreKind) throws {
    struct Wish: Codable {
      var stars: Int16
      var title: String?
    }
    let context = try NotesStack(kind).context()
    try context.performAndWait {
      try Self.filled(context)
      let request = Note.fetchRequest()
      let wish = Wish(stars: 4, title: nil)
      request.predicate = NSPredicate(#Predicate<Note> { $0.stars == wish.stars })
      #expect(try context.fetch(request).map(\.stars) == [4])
      request.predicate = NSPredicate(#Predicate<Note> { $0.title == wish.title })
      #expect(try context.fetch(request).map(\.stars) == [2])
      let none: Wish? = nil
      request.predicate = NSPredicate(#Predicate<Note> { $0.title == none?.title })
      #expect(try context.fetch(request).map(\.stars) == [2])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a property of a subclass was no property of the entity`(kind: StoreKind) throws {
    let context = try NotesStack(kind).context()
    try context.performAndWait {
      try Self.filled(context)
      let list = Checklist(context: context)
      list.stars = 3
      list.itemCount = 3
      let request = Note.fetchRequest()
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        request.predicate = NSPredicate(
          #Predicate<Note> { (($0 as? Checklist)?.itemCount ?? 0) > 2 && $0.stars > 1 }
        )
        #expect(try context.fetch(request).map(\.stars) == [3])
        request.predicate = NSPredicate(#Predicate<Note> { ($0 as? Checklist)?.itemCount == 0 })
        #expect(try context.fetch(request).map(\.stars) == [2])
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a Swift sort descriptor sorts in the store`(kind: StoreKind) throws {
    let context = try NotesStack(kind).context()
    try context.performAndWait {
      try Self.filled(context)
      let request = Note.fetchRequest()
      request.sortDescriptors = [
        NSSortDescriptor(SortDescriptor(\Note.isFavourite.description, order: .reverse))
      ]
      #expect(request.sortDescriptors?.first?.key == "isFavourite")
      #expect(try context.fetch(request).first?.title == "swift")
      request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Note.title, order: .reverse))]
      #expect(try context.fetch(request).map(\.title) == ["Äpfel", "x", "swift", nil])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a Bool was no order of Swift's own descriptors`(kind: StoreKind) throws {
    let context = try NotesStack(kind).context()
    try context.performAndWait {
      try Self.filled(context)
      let request = Note.fetchRequest()
      request.sortDescriptors = [
        NSSortDescriptor(SortDescriptor(\Note.isFavourite, order: .reverse))
      ]
      #expect(request.sortDescriptors?.first?.key == "isFavourite")
      let found = try context.fetch(request)
      #expect(found.map(\.isFavourite) == [true, false, false, false])
      let (first, last) = (try #require(found.first), try #require(found.last))
      let forward = NSSortDescriptor(SortDescriptor(\Note.isFavourite))
      #expect(forward.compare(last, to: first) == .orderedAscending)
    }
  }
}

// MARK: - Names of key paths

extension Note {
  fileprivate var headline: String { title ?? "" }
  fileprivate var summary: String { (title ?? "") + (text ?? "") }
  fileprivate var place: String? { folder?.name }
}

@Suite struct KeyPathNameTests {
  @Test func `computed properties have the name of what they read`() throws {
    _ = try NotesStack()
    #expect(NSSortDescriptor(keyPath: \Note.headline, ascending: true).key == "title")
    #expect(NSSortDescriptor(keyPath: \Note.place, ascending: true).key == "folder.name")
    #expect(
      NSSortDescriptor(keyPath: \Note.folder?.parent?.name, ascending: true).key
        == "folder.parent.name"
    )
    #expect(NSSortDescriptor(keyPath: \Note.objectID, ascending: true).key == "objectID")
    #expect(NSExpression(forKeyPath: \Note.folder?.entity).keyPath == "folder.entity")
    #expect(NSExpression(forKeyPath: \Note.tags).keyPath == "tags")
  }

  /// A predicate on the stored property would find other objects.
  @Test func `a property that makes something else of what it read had its name`() throws {
    _ = try NotesStack().context()
    let keyPaths: [PartialKeyPath<Note>] = [
      \.isImportant, \.inverted, \.upper, \.hasFolder, \.weight, \.folder?.name?.count,
      \.tagCount, \.isYoung, \.level, \.mood,
    ]
    for keyPath in keyPaths { #expect(keyPath.name == nil, "\(keyPath)") }
    #expect(NSPredicate(#Predicate<Note> { $0.isImportant }) == nil)
  }

  /// As the README has it for entities without generated code, and as Apple's accessors are written.
  @Test func `a property written by hand over its key had no name`() throws {
    _ = try NotesStack().context()
    #expect((\Note.byKey as AnyKeyPath).name == "title")
    #expect((\Note.byPrimitiveKey as AnyKeyPath).name == "stars")
    #expect((\Note.folderByKey?.name as AnyKeyPath).name == "folder.name")
    #expect((\Note.dateOrNever as AnyKeyPath).name == "created")
    #expect((\Note.rating5 as AnyKeyPath).name == "stars")
    #expect((\Note.tone as AnyKeyPath).name == "title")
  }

  @Test func `a property that reads two others has none`() throws {
    _ = try NotesStack()
    #expect(NSSortDescriptor(keyPath: \Note.summary, ascending: true).key == nil)
    #expect(NSPredicate(#Predicate<Note> { $0.summary == "x" }) == nil)
  }
}

extension Note {
  fileprivate var isImportant: Bool { stars > 2 }
  fileprivate var inverted: Int16 { 10 - stars }
  fileprivate var upper: String { (title ?? "").uppercased() }
  fileprivate var hasFolder: Bool { folder != nil }
  fileprivate var weight: Int { Int(stars) * -1 }
  fileprivate var tagCount: Int { tags?.count ?? 0 }
  fileprivate var isYoung: Bool { created == nil }
  fileprivate var dateOrNever: Date { created ?? .distantPast }

  /// Enumerations: made of the value, and the value itself.
  fileprivate enum Rating: Int16 { case none, one, two, three, four, five }
  fileprivate enum Tone: String, CaseIterable { case low, high }
  fileprivate var level: Rating { stars > 3 ? .one : .none }
  fileprivate var mood: Tone { title == nil ? .low : .high }
  fileprivate var rating5: Rating { Rating(rawValue: stars) ?? .none }
  fileprivate var tone: Tone { Tone(rawValue: title ?? "") ?? .low }

  fileprivate var byKey: String? { value(forKey: "title") as? String }
  fileprivate var byPrimitiveKey: Int16 {
    willAccessValue(forKey: "stars")
    defer { didAccessValue(forKey: "stars") }
    return (primitiveValue(forKey: "stars") as? NSNumber)?.int16Value ?? 0
  }
  fileprivate var folderByKey: Folder? { value(forKey: "folder") as? Folder }
}
