import CoreData
import TestSupport
import Testing

/// Keys that the model does not have.
@Suite struct UnknownKeyTests {
  @Test(
    arguments: StoreKind.with(.everyRequest),
    [
      "nope == 1", "folder.nope == 1", "ANY tags.nope == 1", "folder.parent.nope == nil",
      "SUBQUERY(tags, $t, $t.nope == 1).@count > 0", "tags.@count > 0 AND nope == 1",
    ]
  )
  func `an unknown key in a predicate stopped the program in memory`(
    kind: StoreKind,
    format: String
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.note("1", in: context.folder("F")).addToTags(context.tag("t"))
      try context.save()
    }
    try stack.work { context in
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: format)
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
      let told = "\(error?.userInfo ?? [:])"
      let namesKey = told.contains("has no property \"nope\"")
      #expect(namesKey, "\(told)")
    }
  }

  @Test(
    arguments: StoreKind.with(.everyRequest),
    [
      "folder.@count == 1", "@count == 1", "SELF.@count == 1", "FUNCTION(SELF, 'nope') == 1",
      "FETCH(nil, nil, NO) == 1",
    ]
  )
  func `a predicate that no object can answer stopped the program in memory`(
    kind: StoreKind,
    format: String
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.note("1", in: context.folder("F"))
      try context.save()
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: format)
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an order by the count of a single object stopped the program in memory`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      for title in ["1", "2"] { context.note(title, in: context.folder("F")) }
      try context.save()
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "folder.@count", ascending: true)]
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `SELF as a key stopped the program in memory`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let note = context.note("1")
      context.note("2")
      try context.save()
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "%K == %@", "SELF", note)
      #expect(try context.fetch(request) == [note])
    }
  }

  @Test(
    arguments: StoreKind.with(.everyRequest),
    ["nope == 1", "max:(nope) > 1", "folder.nope == 'x'", "stars > 1 OR nope != nil"]
  )
  func `an unknown key in having stopped the program in memory`(
    kind: StoreKind,
    format: String
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.note("1", in: context.folder("F"))
      try context.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["stars"]
      request.propertiesToGroupBy = ["stars"]
      request.havingPredicate = NSPredicate(format: format)
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
      let told = "\(error?.userInfo ?? [:])"
      #expect(told.contains("has no property \"nope\""), "\(told)")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an order by what is computed of groups stopped the program`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.note("1")
      try context.save()
      let count = NSExpressionDescription()
      count.name = "howMany"
      count.expression = NSExpression(format: "count:(title)")
      count.expressionResultType = .integer64AttributeType
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["stars", count]
      request.propertiesToGroupBy = ["stars"]
      request.sortDescriptors = [NSSortDescriptor(key: "howMany", ascending: false)]
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
      let told = "\(error?.userInfo ?? [:])"
      #expect(told.contains("has no property \"howMany\""))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an unknown key in an order stopped the program in memory`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.note("1")
      try context.save()
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "folder.nope", ascending: true)]
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
    }
  }
}
