import Foundation
import TestSupport
import Testing

import class CoreData.NSExpression

@testable import CoreData

/// Tests of the request itself, and of its execution.
@Suite struct NSFetchRequestTests {
  @Test func `a copy asks for the same, and is changed by itself`() throws {
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.predicate = NSPredicate(format: "stars > 1")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.fetchLimit = 1
    request.fetchOffset = 2
    request.fetchBatchSize = 3
    request.includesSubentities = false
    request.includesPendingChanges = false
    request.includesPropertyValues = false
    request.returnsObjectsAsFaults = false
    request.returnsDistinctResults = true
    request.shouldRefreshRefetchedObjects = true
    request.relationshipKeyPathsForPrefetching = ["folder"]
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["stars"]
    request.propertiesToGroupBy = ["stars"]
    request.havingPredicate = NSPredicate(format: "stars > 2")
    let copy = try #require(request.copy() as? NSFetchRequest<NSDictionary>)
    #expect(copy == request)
    #expect(copy.hash == request.hash)
    let changes: [(NSFetchRequest<NSDictionary>) -> Void] = [
      { $0.predicate = nil }, { $0.sortDescriptors = nil }, { $0.fetchLimit = 0 },
      { $0.fetchOffset = 0 }, { $0.fetchBatchSize = 0 }, { $0.includesSubentities = true },
      { $0.includesPendingChanges = true }, { $0.includesPropertyValues = true },
      { $0.returnsObjectsAsFaults = true }, { $0.returnsDistinctResults = false },
      { $0.shouldRefreshRefetchedObjects = false }, { $0.havingPredicate = nil },
      { $0.relationshipKeyPathsForPrefetching = nil }, { $0.resultType = [] },
      { $0.propertiesToFetch = nil }, { $0.propertiesToGroupBy = nil }, { $0.affectedStores = [] },
      { $0.entity = NotesStack.model.entitiesByName["Tag"] },
    ]
    for (index, change) in changes.enumerated() {
      let other = try #require(request.copy() as? NSFetchRequest<NSDictionary>)
      change(other)
      #expect(other != request, "change \(index)")
    }
  }

  @Test func `names of properties stayed names, although the entity was set`() throws {
    let entity = try #require(NotesStack.model.entitiesByName["Note"])
    let request = NSFetchRequest<NSDictionary>()
    request.entity = entity
    request.propertiesToGroupBy = ["stars", "folder.name"]
    request.propertiesToFetch = ["title"]
    #expect(
      request.propertiesToGroupBy?.first as? NSPropertyDescription
        === entity.propertiesByName["stars"]
    )
    #expect(request.propertiesToGroupBy?.last as? String == "folder.name")
    #expect((request.propertiesToFetch as? [NSAttributeDescription])?.map(\.name) == ["title"])
    let named = NSFetchRequest<NSDictionary>(entityName: "Note")
    named.propertiesToGroupBy = ["stars"]
    #expect(named.propertiesToGroupBy as? [String] == ["stars"])
  }

  @Test func `a conjunction of nothing is no predicate (72)`() {
    let request = Note.fetchRequest()
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [])
    #expect(request.predicate == nil)
    request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: [])
    #expect(request.predicate != nil)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an offset below zero stopped the program, or was counted`(kind: StoreKind) throws {
    try NotesStack(kind).work { context throws in
      for title in ["a", "b", "c"] { context.note(title) }
      try context.save()
      let request = Note.fetchRequest()
      request.fetchOffset = -2
      #expect(try context.fetch(request).count == 3)
      #expect(try context.count(for: request) == 3)
      context.note("d")
      #expect(try context.fetch(request).count == 4)
      #expect(try context.count(for: request) == 4)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a count is a number, or a result of one number (71)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context throws in
      for title in ["a", "b", "c"] { context.note(title) }
      try context.save()
      context.note("d")
      let request = NSFetchRequest<NSNumber>(entityName: "Note")
      request.resultType = .countResultType
      #expect(try context.fetch(request) == [4])
      #expect(try context.count(for: request) == 4)
      request.includesPendingChanges = false
      #expect(try context.fetch(request) == [3])
      request.fetchLimit = 2
      #expect(try context.fetch(request) == [2])
      request.includesPendingChanges = true
      request.fetchOffset = 3
      #expect(try context.fetch(request) == [1])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `transient properties are in no store (44)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context throws in
      for title in ["a", "b"] { context.note(title) }
      try context.save()
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "title == 'a' AND scratch == nil")
      #expect(errorCode { try context.fetch(request) } == 134091)
      request.predicate = nil
      request.sortDescriptors = [NSSortDescriptor(key: "scratch", ascending: true)]
      #expect(errorCode { try context.fetch(request) } == 134091)
    }
  }

  // MARK: Executing

  @Test(arguments: StoreKind.allCases)
  func `a request is executed in the context whose block it is in (73)`(kind: StoreKind) throws {
    let (one, two) = (try NotesStack(kind).context(), try NotesStack(kind).context())
    try one.performAndWait {
      one.note("one")
      try two.performAndWait {
        two.note("two")
        let titles = try Note.fetchRequest().execute().map(\.title)
        #expect(titles == ["two"])
      }
      let titles = try Note.fetchRequest().execute().map(\.title)
      #expect(titles == ["one"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `asynchronous blocks have a context, too (73)`(kind: StoreKind) async throws {
    let context = try NotesStack(kind).context()
    let titles = try await context.perform {
      context.note("one")
      return try Note.fetchRequest().execute().map(\.title)
    }
    #expect(titles == ["one"])
  }

  @Test @MainActor func `contexts of the main queue take turns (73)`() throws {
    let contexts = try (0..<2).map { number in
      let context = NSManagedObjectContext(.mainQueue)
      context.persistentStoreCoordinator = try NotesStack().coordinator
      context.note("\(number)")
      return context
    }
    for (number, context) in contexts.enumerated() {
      try context.performAndWait {
        let titles = try Note.fetchRequest().execute().map(\.title)
        #expect(titles == ["\(number)"])
      }
    }
  }

  @Test func `the only context of the main queue needs no block (73)`() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = try NotesStack().coordinator
        context.note("one")
        guard try Note.fetchRequest().execute().count == 1 else { fatalError("not found") }
      }
      exit(0)
    }
  }

  @Test func `a request without a context stops the program (73)`() async {
    await #expect(processExitsWith: .failure) {
      let stack = try NotesStack()
      _ = try withExtendedLifetime(stack) { try Note.fetchRequest().execute() }
    }
  }

  // MARK: Requests of the model

  @Test func `templates are filled and stay as they are (75)`() throws {
    let model = try #require(NotesStack.model.copy() as? NSManagedObjectModel)
    let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    template.predicate = NSPredicate(format: "title == $TITLE AND stars > $STARS")
    template.fetchBatchSize = 5
    template.relationshipKeyPathsForPrefetching = ["folder"]
    model.setFetchRequestTemplate(template, forName: "titled")
    let request = try #require(
      model.fetchRequestFromTemplate(
        withName: "titled",
        substitutionVariables: ["TITLE": NSNull(), "STARS": 3]
      )
    )
    #expect(request.predicate?.spelling == "title == nil AND stars > 3")
    #expect(request.fetchBatchSize == 5)
    #expect(request.relationshipKeyPathsForPrefetching == ["folder"])
    #expect(
      model.fetchRequestTemplate(forName: "titled")?.predicate?.spelling
        == "title == $TITLE AND stars > $STARS"
    )
    #expect(model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil)
  }

  @Test func `a variable without a value stops the program (75)`() async {
    await #expect(processExitsWith: .failure) {
      let model = NSManagedObjectModel()
      let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      template.predicate = NSPredicate(format: "title == $TITLE")
      model.setFetchRequestTemplate(template, forName: "titled")
      _ = model.fetchRequestFromTemplate(withName: "titled", substitutionVariables: [:])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a fetched property is an array, kept until its object is refreshed (76)`(
    kind: StoreKind
  )
    throws
  {
    try NotesStack(kind).work { context throws in
      let folder = context.folder("Ideas")
      context.note("first", in: folder).isFavourite = true
      context.note("other", in: folder)
      try context.save()
      func titles() -> [String?] {
        (folder.value(forKey: "favourites") as? [Note])?.map(\.title) ?? []
      }
      #expect(titles() == ["first"])
      context.note("second", in: folder).isFavourite = true
      try context.save()
      #expect(titles() == ["first"])
      context.refresh(folder, mergeChanges: true)
      #expect(titles() == ["first", "second"])
      context.refresh(folder, mergeChanges: false)
      #expect(titles() == ["first", "second"])
      let request = Folder.fetchRequest()
      request.predicate = NSPredicate(format: "favourites.@count > 0")
      #expect(errorCode { try context.fetch(request) } == 134091)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a predicate can ask for what another request finds`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let log = StatementLog(stack.coordinator)
    try stack.work { context throws in
      let folders = ["Home", "Work"].map { context.folder($0) }
      for number in 0..<6 { context.note("\(number)", in: folders[number % 2]) }
      try context.save()
      let inner = NSFetchRequest<any NSFetchRequestResult>(entityName: "Folder")
      inner.predicate = NSPredicate(format: "name == 'Work'")
      func found(_ format: String) throws -> [String?] {
        let fetch = NSFetchRequestExpression.expression(
          forFetch: NSExpression(forConstantValue: inner),
          context: NSExpression(forConstantValue: context),
          countOnly: false
        )
        let request = Note.fetchRequest()
        request.predicate = NSPredicate(format: format, fetch)
        return try context.fetch(request).map(\.title)
      }
      var titles: [String?] = []
      let statements = try log.during { titles = try found("folder IN %@") }
      #expect(titles == ["1", "3", "5"])
      if kind.isSQLite { #expect(statements.count == 2) }
      inner.resultType = .dictionaryResultType
      inner.propertiesToFetch = ["name"]
      #expect(try found("folder.name IN %@") == ["1", "3", "5"])
    }
  }
}
