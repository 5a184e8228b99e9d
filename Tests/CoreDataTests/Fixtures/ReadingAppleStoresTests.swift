import Foundation
import Testing

@testable import CoreData

@Suite(.enabled(if: !StoreCopy.names.isEmpty, "needs ../shared/fixtures/stores"))
struct ReadingAppleStoresTests {
  @Test(arguments: StoreCopy.names)
  func `every property of every row is what plain SQL says`(name: String) throws {
    let copy = try StoreCopy(name)
    try copy.open()
    let connection = try StoreCopy.plainSQL(name)
    let tables = TableMap(copy.schema, existingTables: try StoreTables.names(on: connection))
    let plain = PlainRows(connection: connection, tables: tables)
    let context = copy.context()
    try context.performAndWait {
      for layout in copy.coordinator.layout.entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
        request.includesSubentities = false
        let ours = try context.fetch(request).flatMap { ObjectLines(object: $0).lines }
        let theirs = try plain.lines(of: layout)
        #expect(Set(ours).symmetricDifference(theirs).sorted().prefix(10) == [])
        #expect(ours.count == theirs.count)
      }
    }
  }

  @Test func `there is something to read in them`() throws {
    var rows = 0
    for name in StoreCopy.names {
      let copy = try StoreCopy(name)
      try copy.open()
      let context = copy.context()
      rows += try context.performAndWait {
        try copy.coordinator.layout.entities.reduce(0) { sum, layout in
          let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
          request.includesSubentities = false
          return try sum + context.count(for: request)
        }
      }
    }
    #expect(rows > 500)
  }

  @Test(arguments: StoreCopy.names)
  func `opening read-only changes and creates nothing`(name: String) throws {
    let copy = try StoreCopy(name)
    let before = try copy.folderContents()
    do {
      try copy.open([NSReadOnlyPersistentStoreOption: true])
      let context = copy.context()
      try context.performAndWait {
        for layout in copy.coordinator.layout.entities {
          _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: layout.name))
        }
      }
      let during = try copy.folderContents()
      // A write-ahead log that is there can only be read through its shared memory.
      let needsSharedMemory = before.keys.contains { $0.hasSuffix("-wal") }
      #expect(during.filter { !(needsSharedMemory && $0.key.hasSuffix("-shm")) } == before)
    }
  }
}
