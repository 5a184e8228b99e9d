import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Whatever fails while a whole store with its history goes to a database or comes from one, for every n: the target has
/// nothing, or all of it, and the copy can be made again.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct CopyFaultTests {
  enum Way: CaseIterable, Sendable {
    case intoDatabase, fromDatabase
  }

  private static func write(in coordinator: NSPersistentStoreCoordinator) throws {
    let context = context(coordinator)
    try context.performAndWait {
      let folder = context.folder("Ideas")
      context.note("One", in: folder).addToTags(context.tag("swift"))
      let two = context.note("Two")
      try context.save()
      context.delete(two)
      folder.name = "Plans"
      try context.save()
    }
  }

  private static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext
  {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// The UUID of a store, its objects by their identities, and its history.
  private static func picture(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = context(coordinator)
    let objects = try context.performAndWait {
      try ["Note", "Folder", "Tag"].flatMap { name in
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        return try context.fetch(request).map {
          let name = $0.value(forKey: name == "Note" ? "title" : "name") as? String ?? "–"
          return "\($0.objectID.uriRepresentation().absoluteString) \(name)"
        }.sorted()
      }
    }
    let result = try coordinator.answer(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    let transactions = result.result as? [NSPersistentHistoryTransaction] ?? []
    return objects + transactions.flatMap(\.picture)
  }

  private static func opened(
    _ type: String,
    at place: URL
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try coordinator.addPersistentStore(
      ofType: type,
      configurationName: nil,
      at: place,
      options: HistoryStack.options
    )
    return coordinator
  }

  /// Copies the coordinator's store, over the wire where the target is a database.
  private static func copy(
    _ coordinator: NSPersistentStoreCoordinator,
    to place: URL,
    over wire: FaultyWire,
    _ way: Way
  ) throws {
    let store = try #require(coordinator.persistentStores.first)
    let copy = { (type: String) in
      _ = try coordinator.migratePersistentStore(
        store,
        to: place,
        type: NSPersistentStore.StoreType(rawValue: type),
        isWhole: true
      ) {
        Issue.record("\($0) was left out")
      }
    }
    switch way {
    case .intoDatabase: try wire.asType(copy)
    case .fromDatabase: try copy(NSSQLiteStoreType)
    }
  }

  /// One copy with a fault, on ground of its own; false behind the last fault that there is.
  private static func attempt(
    _ way: Way,
    _ fault: PostgreSQLFaultTests.Fault,
    _ number: Int
  ) throws
    -> Bool
  {
    let wire = FaultyWire()
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let source: NSPersistentStoreCoordinator
    let target: (type: String, place: URL)
    switch way {
    case .intoDatabase:
      source = try opened(NSSQLiteStoreType, at: file)
      target = (NSPostgreSQLStoreType, wire.place)
    case .fromDatabase:
      source = try wire.coordinator(options: HistoryStack.options)
      target = (NSSQLiteStoreType, file)
    }
    try write(in: source)
    let whole = try picture(source)
    fault.happens(at: number, of: wire)
    // The content shows whether it has failed.
    let isDone = (try? copy(source, to: target.place, over: wire, way)) != nil
    let hasHappened = fault.hasHappened(at: number, of: wire)
    wire.reset()
    let here = Comment(rawValue: "\(way), \(fault) \(number)")
    if !isDone {
      #expect(try picture(source) == whole, here)
      try copy(source, to: target.place, over: wire, way)
    }
    #expect(try picture(source) == whole, here)
    #expect(try picture(opened(target.type, at: target.place)) == whole, here)
    return hasHappened
  }

  // Ends servers and connections in each way.
  @Test(.enabled(if: Tries.areMany), arguments: Way.allCases, PostgreSQLFaultTests.Fault.allCases)
  func `a copy is whole or not there, and can be made again`(
    way: Way,
    fault: PostgreSQLFaultTests.Fault
  ) throws {
    var number = 1
    while try Self.attempt(way, fault, number) { number += Tries.step(2) }
    #expect(number > 5)
  }

  // MARK: The zone of a copy

  private static func fileWithNotes() throws -> NSPersistentStoreCoordinator {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let coordinator = try opened(NSSQLiteStoreType, at: file)
    try write(in: coordinator)
    return coordinator
  }

  @Test func `a copy whose server went away left an empty zone, and no other copy went there`()
    throws
  {
    let wire = FaultyWire()
    let source = try Self.fileWithNotes()
    let whole = try Self.picture(source)
    wire.before("INSERT INTO \"Z") {
      wire.closeDoor()
      wire.reset(breakingAt: 1)
    }
    #expect(throws: NSError.self) {
      try Self.copy(source, to: wire.place, over: wire, .intoDatabase)
    }
    wire.reset()
    wire.openDoor()
    try Self.copy(source, to: wire.place, over: wire, .intoDatabase)
    #expect(try Self.picture(source) == whole)
  }

  enum Rows: CaseIterable, Sendable {
    case taken, refused
  }

  @Test(arguments: Rows.allCases)
  func `a zone that another program had made meanwhile got the copy too, or went when that failed`(
    rows: Rows
  ) throws {
    let wire = FaultyWire()
    let place = wire.place
    wire.before("INSERT INTO z_zones") {
      let other = Self.context(try Self.opened(NSPostgreSQLStoreType, at: place))
      try other.performAndWait {
        other.note("theirs")
        try other.save()
      }
    }
    switch rows {
    case .taken: break
    case .refused: wire.refuseRows(with: "22003", times: 1)
    }
    let source = try Self.fileWithNotes()
    let error = #expect(throws: NSError.self) {
      try Self.copy(source, to: place, over: wire, .intoDatabase)
    }
    #expect(error?.code == CocoaError.fileWriteFileExists.rawValue)
    let other = Self.context(try Self.opened(NSPostgreSQLStoreType, at: place))
    #expect(try other.performAndWait { try other.titles() } == ["theirs"])
  }

  @Test func `whoever opened the zone of a copy before it was whole saw an empty store`() throws {
    let wire = FaultyWire()
    let name = "opening-\(UUID().uuidString)"
    let named = try #require(
      URL(string: wire.place.absoluteString + "&application_name=\(name)")
    )
    let source = try Self.fileWithNotes()
    let whole = try Self.picture(source)
    let seen = Mutex<[String]?>(nil)
    let isOpen = DispatchSemaphore(value: 0)
    wire.before("UPDATE z_history SET z_last = ") {
      Thread.detachNewThread {
        #expect(throws: Never.self) {
          let picture = try Self.picture(Self.opened(NSPostgreSQLStoreType, at: named))
          seen.withLock { $0 = picture }
        }
        isOpen.signal()
      }
      let waits = """
        SELECT 1 FROM pg_stat_activity WHERE application_name = '\(name)' AND wait_event_type = 'Lock'
        """
      try BoundedWait("The store has not opened, and waits for no lock").until {
        try seen.withLock { $0 != nil }
          || !PostgreSQLShell.rows(waits, at: PostgreSQLServer.shared.address).isEmpty
      }
    }
    try Self.copy(source, to: wire.place, over: wire, .intoDatabase)
    isOpen.wait()
    #expect(seen.withLock(\.self) == whole)
  }
}
