import CoreData
import TestSupport
import Testing

/// Places in histories, and histories that are cut off.
@Suite struct HistoryTokenTests {
  private let stack: HistoryStack

  init() throws {
    stack = try HistoryStack()
    for title in ["One", "Two", "Three", "Four"] { try stack.save { $0.note(title) } }
  }

  private func purge(_ request: NSPersistentHistoryChangeRequest) throws {
    #expect(try stack.result(nil, request) as? Bool == true)
  }

  private var numbers: [Int64] {
    get throws { try stack.transactions().map(\.transactionNumber) }
  }

  @Test func `a token survives an archive (98)`() throws {
    let token = try #require(stack.token)
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: NSPersistentHistoryToken.self,
      from: data
    )
    #expect(read == token)
    #expect(read?.hash == token.hash)
    #expect(token.copy() as? NSPersistentHistoryToken == token)
    #expect(try stack.transactions(after: read).isEmpty)
    try stack.save { $0.note("Five") }
    #expect(try stack.picture(after: read) == ["5 insert Note/5"])
  }

  @Test func `tokens of one place are equal, wherever they come from (98)`() throws {
    let transactions = try stack.transactions()
    let other = try HistoryStack(file: stack.file)
    #expect(transactions.last?.token == stack.token)
    #expect(other.token == stack.token)
    #expect(transactions.first?.token != stack.token)
    #expect(try other.transactions().map(\.token) == transactions.map(\.token))
  }

  @Test func `a save tells its place in the history (98)`() throws {
    let context = stack.context()
    let (saves, ids) = (
      Received(context, .NSManagedObjectContextDidSave),
      Received(context, .NSManagedObjectContextDidSaveObjectIDs)
    )
    try context.performAndWait {
      context.note("Five")
      try context.save()
    }
    for received in [saves, ids] {
      let token = received.last?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
      #expect(token == stack.token)
    }
    let plain = try NotesStack(.sqlite)
    try plain.work { context in
      let saves = Received(context, .NSManagedObjectContextDidSave)
      context.note("One")
      try context.save()
      #expect(saves.last?[NSPersistentHistoryTokenKey] == nil)
    }
  }

  @Test func `history is purged up to a token, a transaction or a date`() throws {
    let transactions = try stack.transactions()
    try purge(.deleteHistory(before: transactions[1].token))
    #expect(try numbers == [2, 3, 4])
    try purge(.deleteHistory(before: transactions[2]))
    #expect(try numbers == [3, 4])
    try purge(.deleteHistory(before: transactions[3].timestamp))
    #expect(try stack.picture() == ["4 insert Note/4"])
    try purge(.deleteHistory(before: Date.distantPast))
    #expect(try numbers == [4])
    try purge(.deleteHistory(before: Date.distantFuture))
    #expect(try numbers == [])
    try stack.save { $0.note("Five") }
    #expect(try stack.picture() == ["5 insert Note/5"])
    let count = NSPersistentHistoryChangeRequest.deleteHistory(
      before: nil as NSPersistentHistoryToken?
    )
    #expect(try stack.result(.count, count) as? Int == 1)
    #expect(try numbers == [])
  }

  @Test func `a token of purged history has expired (98)`() throws {
    let transactions = try stack.transactions()
    try purge(.deleteHistory(before: transactions[2].token))
    let request = { NSPersistentHistoryChangeRequest.fetchHistory(after: transactions[0].token) }
    for type in [NSPersistentHistoryResultType.statusOnly, .count, .objectIDs, .changesOnly] {
      #expect(
        errorCode { try stack.result(type, request()) } == NSPersistentHistoryTokenExpiredError
      )
    }
    let error = #expect(throws: CocoaError.self) { try stack.transactions(request()) }
    #expect(error?.code.rawValue == 134_301)
    let reason = try #require((error as NSError?)?.localizedFailureReason)
    #expect(reason.contains("transaction 1 ") && reason.contains("before transaction 3 "))
    // Nothing that came after the second is gone.
    #expect(try stack.transactions(after: transactions[1].token).count == 2)
    // The beginning is the oldest that is there.
    #expect(try numbers == [3, 4])
    try purge(.deleteHistory(before: Date.distantFuture))
    #expect(errorCode { try stack.transactions(after: transactions[2].token) } == 134_301)
    #expect(try stack.transactions(after: transactions[3].token).isEmpty)
  }

  @Test func `a token from later than the history has expired, too (98)`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let older = try HistoryStack(file: file)
    try stack.coordinator.replacePersistentStore(
      at: file,
      withPersistentStoreFrom: stack.file,
      type: .sqlite
    )
    try stack.save { $0.note("Five") }
    let again = try HistoryStack(file: file)
    #expect(again.token?.isEqual(stack.token) == false)
    #expect(errorCode { try again.transactions(after: stack.token) } == 134_301)
    withExtendedLifetime(older) {}
  }

  @Test func `a store that is read-only keeps its history`() throws {
    let reader = try HistoryStack(file: stack.file, [NSReadOnlyPersistentStoreOption: true])
    #expect(try reader.transactions().count == 4)
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
    #expect(
      errorCode { try reader.result(nil, request) } == CocoaError.fileWriteNoPermission.rawValue
    )
    #expect(try numbers.count == 4)
  }

  @Test func `keys of purged history are not given again`() throws {
    try purge(.deleteHistory(before: nil as NSPersistentHistoryTransaction?))
    #expect(try stack.token == HistoryStack(file: stack.file).token)
    try stack.save { $0.note("Five") }
    let transaction = try #require(try stack.transactions().first)
    #expect(transaction.transactionNumber == 5)
    #expect(transaction.changes?.first?.changeID == 5)
  }
}

/// Histories of several stores.
@Suite struct SeveralHistoriesTests {
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
  private let stores: [NSPersistentStore]
  private let context = NSManagedObjectContext(.privateQueue)

  init() throws {
    stores = try ["A", "B"].map { [coordinator] name in
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: TestSupport.TemporaryFolder.file("\(name).sqlite"),
        options: HistoryStack.options
      )
    }
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for store in [stores[0], stores[1], stores[0]] { try save(in: store) }
    }
  }

  private func save(in store: NSPersistentStore) throws {
    context.assign(context.note("Note"), to: store)
    try context.save()
  }

  private func transactions(
    after token: NSPersistentHistoryToken?,
    in affected: [NSPersistentStore]? = nil
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    request.affectedStores = affected
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return try #require(result?.result as? [NSPersistentHistoryTransaction])
  }

  @Test func `they are told in the order of time (98)`() throws {
    try context.performAndWait {
      let all = try transactions(after: nil)
      let places = all.map { [$0.storeID, "\($0.transactionNumber)"] }
      let (a, b) = (stores[0].identifier ?? "", stores[1].identifier ?? "")
      #expect(places == [[a, "1"], [b, "1"], [a, "2"]])
      #expect(try transactions(after: nil, in: [stores[1]]).map(\.storeID) == [b])
    }
  }

  @Test func `the last token knows all of them (98)`() throws {
    try context.performAndWait {
      let all = try transactions(after: nil)
      #expect(all.last?.token == coordinator.currentPersistentHistoryToken(fromStores: stores))
      #expect(all.last?.token == coordinator.currentPersistentHistoryToken(fromStores: []))
      let one = coordinator.currentPersistentHistoryToken(fromStores: [stores[1]])
      #expect(one != all.last?.token)
      try save(in: stores[1])
      #expect(try transactions(after: all.last?.token).count == 1)
      // Of a store that the token does not know, everything.
      #expect(try transactions(after: one).count == 3)
    }
  }

  @Test func `a token that followed a date did not know of the other store's history before it`()
    throws
  {
    try context.performAndWait {
      let all = try transactions(after: nil)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: all[1].timestamp)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let found = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(found.map(\.storeID) == [stores[0].identifier ?? ""])
      #expect(found.last?.token == all.last?.token)
      #expect(try transactions(after: found.last?.token).isEmpty)
    }
  }

  @Test func `the transaction of a change did not know of the other store's history before it`()
    throws
  {
    try context.performAndWait {
      let all = try transactions(after: nil)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      request.resultType = .changesOnly
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let changes = try #require(result?.result as? [NSPersistentHistoryChange])
      #expect(changes.compactMap { $0.transaction?.token } == all.map(\.token))
      #expect(try transactions(after: changes.last?.transaction?.token).isEmpty)
    }
  }

  @Test func `one save in both is a transaction in each`() throws {
    try context.performAndWait {
      let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
      let saves = Received(context, .NSManagedObjectContextDidSave)
      for store in stores { context.assign(context.note("Both"), to: store) }
      try context.save()
      #expect(try Set(transactions(after: token).map(\.storeID)).count == 2)
      let saved = saves.last?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
      #expect(saved == coordinator.currentPersistentHistoryToken(fromStores: nil))
    }
  }

  @Test func `an order over several stores is refused with a sentence`() throws {
    try context.performAndWait {
      let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
      fetch.sortDescriptors = [NSSortDescriptor(key: "author", ascending: true)]
      let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
      let error = #expect(throws: CocoaError.self) { try context.execute(request) }
      #expect(error?.code == .persistentStoreUnsupportedRequestType)
      request.affectedStores = [stores[0]]
      _ = try context.execute(request)
      fetch.sortDescriptors = nil
      fetch.fetchLimit = 2
      let limited = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
      let result = try context.execute(limited) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 2)
    }
  }

  @Test func `a limit held for each of several stores, where changes or objects were asked for`()
    throws
  {
    try context.performAndWait {
      let transactions = try #require(NSPersistentHistoryTransaction.fetchRequest)
      let changes = try #require(NSPersistentHistoryChange.fetchRequest)
      for fetch in [transactions, changes] {
        fetch.fetchLimit = 2
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = .changesOnly
        let found = try context.execute(request) as? NSPersistentHistoryResult
        let ids = (found?.result as? [NSPersistentHistoryChange])?.map(\.changedObjectID) ?? []
        #expect(ids.compactMap(\.persistentStore) == stores)
        request.resultType = .objectIDs
        let objects = try context.execute(request) as? NSPersistentHistoryResult
        #expect(objects?.result as? [NSManagedObjectID] == ids)
        request.resultType = .count
        let count = try context.execute(request) as? NSPersistentHistoryResult
        #expect((count?.result as? NSNumber)?.intValue == 2)
      }
    }
  }

  @Test
  func `a limit of changes held for each of several stores, where transactions were asked for`()
    throws
  {
    try context.performAndWait {
      for store in stores {
        for _ in 0..<2 { context.assign(context.note("Two"), to: store) }
        try context.save()
      }
      let changes = try #require(NSPersistentHistoryChange.fetchRequest)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: changes)
      let (a, b) = (stores[0].identifier ?? "", stores[1].identifier ?? "")
      for (limit, places) in [
        (2, [[a, "1"], [b, "1"]]), (4, [[a, "1"], [b, "1"], [a, "2"], [a, "3"]]),
      ] {
        changes.fetchLimit = limit
        request.fetchRequest = changes
        request.resultType = .transactionsAndChanges
        let found = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = try #require(found?.result as? [NSPersistentHistoryTransaction])
        #expect(transactions.map { [$0.storeID, "\($0.transactionNumber)"] } == places)
        #expect(transactions.compactMap { $0.changes?.count } == places.map { _ in 1 })
        request.resultType = .transactionsOnly
        let only = try context.execute(request) as? NSPersistentHistoryResult
        let bare = try #require(only?.result as? [NSPersistentHistoryTransaction])
        #expect(bare == transactions)
        #expect(bare.allSatisfy { $0.changes == nil })
      }
    }
  }

  @Test func `a configuration's store has the history of its entities`() throws {
    let model = CodedModel.model(
      CodedModel.entity("Note", NSManagedObject.self, CodedModel.attribute("title")),
      CodedModel.entity("Tag", NSManagedObject.self, CodedModel.attribute("name"))
    )
    model.setEntities(model.entities.filter { $0.name == "Note" }, forConfigurationName: "N")
    model.setEntities(model.entities.filter { $0.name == "Tag" }, forConfigurationName: "T")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    for configuration in ["N", "T"] {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: configuration,
        at: TestSupport.TemporaryFolder.file("\(configuration).sqlite"),
        options: HistoryStack.options
      )
    }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for entity in ["Note", "Tag", "Tag"] {
        _ = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      }
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      let pictures = try coordinator.persistentStores.map { store in
        request.affectedStores = [store]
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let found = result?.result as? [NSPersistentHistoryTransaction]
        return found?.flatMap(\.picture)
      }
      #expect(pictures == [["1 insert Note/1"], ["1 insert Tag/1", "1 insert Tag/2"]])
    }
  }
}
