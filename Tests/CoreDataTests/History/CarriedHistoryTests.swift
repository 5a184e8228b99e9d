import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// A whole store that goes to another place: its UUID, its keys and its history go with it.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct CarriedHistoryTests {
  private static let ways: [(StoreKind, StoreKind)] = [
    (.sqlite, .postgreSQL), (.postgreSQL, .sqlite), (.sqlite, .sqlite), (.postgreSQL, .postgreSQL),
  ]

  /// Takes the one store to a new place of a kind.
  private func move(_ coordinator: NSPersistentStoreCoordinator, to kind: StoreKind) throws {
    let store = try #require(coordinator.persistentStores.first)
    try coordinator.migratePersistentStore(
      store,
      to: kind.place(),
      type: NSPersistentStore.StoreType(rawValue: kind.type),
      isWhole: true
    ) {
      Issue.record("\($0) was left out")
    }
  }

  /// Three saves of two authors and a batch; the last note is deleted.
  private func write(in stack: HistoryStack) throws {
    try stack.save(author: "ada") { context in
      let folder = context.folder("Ideas")
      context.note("One", in: folder).addToTags(context.tag("swift"))
      context.note("Two")
    }
    try stack.save(author: "bob") { context in
      for note in try context.fetch(Note.fetchRequest()) {
        if note.title == "One" { note.title = "Uno" } else { context.delete(note) }
      }
    }
    let context = stack.context("batch")
    try context.performAndWait { () throws in
      try context.insert("Note", [["title": "Three"], ["title": "Four"]])
      try context.delete("Note", where: NSPredicate(format: "title == 'Four'"))
    }
  }

  private func lines(_ stack: HistoryStack) throws -> [String] {
    let transactions = try stack.transactions().map { transaction in
      let time = transaction.timestamp.timeIntervalSinceReferenceDate
      let names = [
        transaction.author, transaction.contextName, transaction.bundleID, transaction.processID,
      ]
      return "\(transaction.transactionNumber) \(time) \(names)"
    }
    let changes = try stack.transactions().flatMap { $0.changes ?? [] }
      .map { "\($0.changeID) \($0.picture)" }
    return transactions + changes
  }

  /// The URIs of all objects, in order.
  private func addresses(_ stack: HistoryStack) throws -> [String] {
    try stack.notes.work { context in
      try ["Note", "Folder", "Tag"].flatMap { name in
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        return try context.fetch(request).map { $0.objectID.uriRepresentation().absoluteString }
      }.sorted()
    }
  }

  @Test(arguments: ways)
  func `a copy had no history, and other keys than the store`(
    from: StoreKind,
    to: StoreKind
  ) throws {
    let stack = try HistoryStack(kind: from)
    try write(in: stack)
    let (history, objects) = (try lines(stack), try addresses(stack))
    let token = try stack.transactions()[1].token
    let since = try stack.picture(after: token)
    try move(stack.coordinator, to: to)
    #expect(stack.notes.store.type == to.type)
    #expect(try lines(stack) == history)
    #expect(try addresses(stack) == objects)
    #expect(try stack.picture(after: token) == since)
    #expect(!since.isEmpty)
  }

  @Test(arguments: ways)
  func `what is saved in a copy goes on where the store was`(
    from: StoreKind,
    to: StoreKind
  ) throws {
    let stack = try HistoryStack(kind: from)
    try write(in: stack)
    let last = try #require(try stack.transactions().last?.transactionNumber)
    let known = Set(try stack.transactions().flatMap { $0.changes ?? [] }.map(\.changeID))
    let token = stack.token
    let old = try stack.save { context -> NSManagedObjectID in
      let note = context.note("Five")
      try context.save()
      context.delete(note)
      return note.objectID
    }
    _ = try stack.coordinator.answer(.deleteHistory(before: stack.token))
    try move(stack.coordinator, to: to)
    let new = try stack.save { context -> NSManagedObjectID in
      let note = context.note("Six")
      try context.save()
      return note.objectID
    }
    #expect(new.uriRepresentation() != old.uriRepresentation())
    #expect(new.key.number > old.key.number)
    let transactions = try stack.transactions()
    #expect(transactions.map(\.transactionNumber).suffix(1) == [last + 3])
    #expect(known.isDisjoint(with: transactions.flatMap { $0.changes ?? [] }.map(\.changeID)))
    let error = #expect(throws: NSError.self) { try stack.transactions(after: token) }
    #expect(error?.code == NSPersistentHistoryTokenExpiredError)
  }

  @Test(arguments: ways)
  func `a copy of a store without a history has none either, and is called the same`(
    from: StoreKind,
    to: StoreKind
  ) throws {
    let stack = try from.stack()
    try stack.saved { $0.note("One") }
    let identifier = stack.store.identifier
    try move(stack.coordinator, to: to)
    #expect(stack.store.identifier == identifier)
    #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    #expect(try stack.work { try $0.titles() } == ["One"])
  }

  @Test func `a zone whose keys were given before gives other ones, in its history too`() throws {
    let place = StoreKind.postgreSQL.place()
    let former = try HistoryStack(kind: .postgreSQL, at: place)
    try former.save { $0.note("Former") }
    try former.coordinator.remove(former.notes.store)
    try former.coordinator.destroyPersistentStore(at: place, ofType: StoreKind.postgreSQL.type)

    let stack = try HistoryStack(kind: .sqlite)
    try write(in: stack)
    let store = stack.notes.store
    try stack.coordinator.migratePersistentStore(
      store,
      to: place,
      type: NSPersistentStore.StoreType(rawValue: StoreKind.postgreSQL.type),
      isWhole: true
    ) { _ in }
    #expect(stack.notes.store.identifier != store.identifier)
    let picture = try stack.picture()
    #expect(picture.contains { $0.contains("delete Note/") })
    let named = try stack.transactions().flatMap { $0.changes ?? [] }
      .map { $0.changedObjectID.uriRepresentation().absoluteString }
    #expect(Set(try addresses(stack)).isSubset(of: Set(named)))
    #expect(try stack.notes.work { try $0.titles().sorted() } == ["Three", "Uno"])
  }

  @Test(arguments: [StoreKind.sqlite, .postgreSQL])
  func `a copy had objects of which its history did not know, as others wrote meanwhile`(
    from: StoreKind
  ) throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let stack = try HistoryStack(kind: from, at: file)
    try stack.save { context in for number in 1...300 { context.note("\(number)") } }
    let other = try HistoryStack(kind: from, at: file)
    let isOver = Mutex(false)
    defer { isOver.withLock { $0 = true } }
    let hasEnded = DispatchSemaphore(value: 0)
    // A queue may not have a thread for it, if waiting tests have them all.
    Thread.detachNewThread {
      defer { hasEnded.signal() }
      while !isOver.withLock({ $0 }) {
        do {
          try other.save { context in
            context.note("more")
            _ = context.folder("more")
          }
        } catch {
          Issue.record(error)
          return
        }
      }
    }
    for _ in 0..<1_000 {
      if try other.transactions().count > 4 { break }
      usleep(10_000)
    }
    try move(stack.coordinator, to: from == .sqlite ? .postgreSQL : .sqlite)
    isOver.withLock { $0 = true }
    hasEnded.wait()
    #expect(try other.transactions().count > 4)
    let inserted = try stack.transactions().flatMap { $0.changes ?? [] }
      .map { $0.changedObjectID.uriRepresentation().absoluteString }
    #expect(try addresses(stack) == inserted.sorted())
  }
}

// MARK: - What deletions leave

extension CarriedHistoryTests {
  @Test(arguments: ways)
  func `values that a deletion has left are left in a copy, of every type`(
    from: StoreKind,
    to: StoreKind
  ) throws {
    let kept = [
      CodedModel.attribute("title"), CodedModel.attribute("count", .integer32AttributeType),
      CodedModel.attribute("when", .dateAttributeType),
      CodedModel.attribute("ratio", .doubleAttributeType),
      CodedModel.attribute("isOpen", .booleanAttributeType),
      CodedModel.attribute("id", .UUIDAttributeType),
      CodedModel.attribute("bytes", .binaryDataAttributeType),
      CodedModel.attribute("price", .decimalAttributeType),
      CodedModel.attribute("link", .URIAttributeType),
    ]
    for attribute in kept {
      attribute.preservesValueInHistoryOnDeletion = true
      attribute.isOptional = true
    }
    let entity = CodedModel.entity("Note")
    entity.properties = kept
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CodedModel.model(entity))
    try from.add(to: coordinator, at: from.place(), options: HistoryStack.options)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let values: [[String: Any]] = [
      [
        "title": "Öne \\x41", "count": Int32.min,
        "when": Date(timeIntervalSinceReferenceDate: 1000.1000000000001), "ratio": 1e300,
        "isOpen": true, "id": UUID(), "bytes": Data([0, 1, 255]),
        "price": NSDecimalNumber(string: "1.25"),
        "link": URL(string: "https://example.org/ä?q=1") as Any,
      ],
      ["price": NSDecimalNumber(string: "12345678901234567890.12345"), "bytes": Data()],
      ["price": NSDecimalNumber(string: "-7"), "ratio": -0.1],
      [:],
    ]
    try context.performAndWait {
      let notes = values.map { values -> NSManagedObject in
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValuesForKeys(values)
        return note
      }
      try context.save()
      for note in notes { context.delete(note) }
      try context.save()
    }
    let before = try tombstones(in: context)
    #expect(before.count == values.count)
    try move(coordinator, to: to)
    #expect(try tombstones(in: context) == before)
    // A file keeps the digits that a real can carry.
    let digits = from == .postgreSQL ? "12345678901234567890.12345" : "1.25"
    #expect(before.contains { $0.contains("price=\(digits)") })
  }

  /// The tombstone of each deletion, as a line.
  private func tombstones(in context: NSManagedObjectContext) throws -> [String] {
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?
      )
      request.resultType = .changesOnly
      let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
      let changes = try #require(result.result as? [NSPersistentHistoryChange])
      return changes.filter { $0.changeType == .delete }
        .map { change in
          let values = change.tombstone ?? [:]
          return values.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
        }
    }
  }
}
