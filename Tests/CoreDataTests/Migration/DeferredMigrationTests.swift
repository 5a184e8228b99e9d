import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of the work that a migration leaves for later.
struct DeferredMigrationTests {
  @Test func `columns can be left for later, and go when there is time (111)`() throws {
    let upgrade = try Upgrade(LightweightMigrationTests.first, LightweightMigrationTests.fill)
    let second = LightweightMigrationTests.first.changing("Note") {
      $0.attributes.removeAll { ["title", "stars"].contains($0.name) }
    }
    let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
    let columns = {
      let connection = try Connection(path: upgrade.file.path, mode: .readOnly)
      let statement = try connection.statement("SELECT name FROM pragma_table_info('ZNOTE')")
      var names: [String] = []
      while try statement.step() { names.append(statement.text(0)) }
      return names.filter { ["ZTITLE", "ZSTARS"].contains($0) }.sorted()
    }
    try upgrade.work(with: second, [key: true]) { context in
      let coordinator = try #require(context.persistentStoreCoordinator)
      let store = try #require(coordinator.persistentStores.first)
      #expect(store.metadata[key] as? Bool == true)
      #expect(try columns() == ["ZSTARS", "ZTITLE"])
      context.make("Note", [:])
      try context.save()
      try coordinator.finishDeferredLightweightMigrationTask()
      #expect(try columns().count == 1)
      #expect(store.metadata[key] as? Bool == true)
      try coordinator.finishDeferredLightweightMigration()
      #expect(try columns() == [])
      #expect(store.metadata[key] == nil)
      try coordinator.finishDeferredLightweightMigration()
    }
    #expect(try upgrade.lines(second).filter { $0.hasPrefix("Note/4") }.isEmpty == false)
    try upgrade.expectShape(of: second)
  }

  @Test func `a column that was left does not come back as another attribute's (111)`() throws {
    let upgrade = try Upgrade(LightweightMigrationTests.first, LightweightMigrationTests.fill)
    let second = LightweightMigrationTests.first.changing("Note") {
      $0.attributes.removeAll { $0.name == "title" }
    }
    let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
    _ = try upgrade.lines(second, [key: true])
    let lines = try upgrade.lines(LightweightMigrationTests.first, [key: true])
    #expect(lines.contains("Note/1 title = nil"))
    try upgrade.work(with: LightweightMigrationTests.first) { context in
      try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
    }
    #expect(try upgrade.lines(LightweightMigrationTests.first).contains("Note/1 title = nil"))
  }
}
