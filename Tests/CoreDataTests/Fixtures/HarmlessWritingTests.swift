import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of writing into Apple's stores, row by row: only changes are written, and nothing else.
@Suite(
  .enabled(
    if: !StoreCopy.names.isEmpty && SQLiteShell.isPresent,
    "needs ../shared/fixtures/stores and the sqlite3 tool"
  )
)
struct HarmlessWritingTests {
  /// The changes of a save in the file, apart from the history that a store may keep of it: that is one transaction,
  /// and only added to.
  private func changes(
    in copy: StoreCopy,
    _ body: (NSManagedObjectContext) throws -> Void
  ) throws -> (changes: [String], after: FileSnapshot) {
    let before = try FileSnapshot(copy.file)
    let context = copy.context()
    try context.performAndWait {
      try body(context)
      try context.save()
    }
    let after = try FileSnapshot(copy.file)
    #expect(try SQLiteShell.run("PRAGMA integrity_check;", on: copy.file.path) == ["ok"])
    let (history, changes) = after.changes(since: before).splitByHistory
    let keepsHistory = StoreCopy.namesWithHistory.contains(copy.name) && !changes.isEmpty
    #expect(history.filter { $0.hasPrefix("+ATRANSACTION/") }.count == (keepsHistory ? 1 : 0))
    #expect(history.contains { $0.hasPrefix("+ACHANGE/") } == keepsHistory)
    return (changes, after)
  }

  private func place(
    _ object: NSManagedObject,
    in copy: StoreCopy
  ) throws -> (
    row: String, map: EntityMap
  ) {
    let map = try #require(TableMap(copy.schema)[object.layout.name])
    return ("\(map.tableName)/\(object.objectID.key.number)", map)
  }

  /// Objects of each entity that has any, with an attribute that takes any text.
  private func objects(
    in context: NSManagedObjectContext,
    of copy: StoreCopy
  ) throws -> [(object: NSManagedObject, attribute: String)] {
    try copy.coordinator.layout.entities.compactMap { layout in
      let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
      request.includesSubentities = false
      request.fetchLimit = 1
      guard let object = try context.fetch(request).first,
        let attribute = layout.slots.prefix(layout.propertyCount).first(where: { slot in
          slot.kind == .text && slot.isPersistent
            && slot.attribute?.validations.isEmpty == true
            && slot.attribute?.derivationExpression == nil
        })
      else { return nil }
      return (object, attribute.name)
    }
  }

  @Test(arguments: StoreCopy.names)
  func `a changed attribute is one column and the version of one row`(name: String) throws {
    let copy = try StoreCopy(name)
    try copy.open()
    var count = 0
    while true {
      var expected: [String] = []
      var version: (row: String, before: Int)?
      let place = count
      let (changes, after) = try self.changes(in: copy) { context in
        let all = try objects(in: context, of: copy)
        guard place < all.count else { return }
        let (object, attribute) = all[place]
        let (row, map) = try self.place(object, in: copy)
        guard case .attribute(let column) = map[attribute] else { return }
        expected = ["\(row): \(["Z_OPT", column].sorted().joined(separator: " "))"]
        version = (row, Int(object.record.pointee.snapshot?.version ?? 0))
        object.setValue("changed \(place)", forKey: attribute)
        object.fillRequiredAttributes(transient: true)
      }
      guard let version else { break }
      #expect(changes == expected)
      #expect(after[version.row, "Z_OPT"] == "\(version.before + 1)")
      count += 1
    }
    #expect(count > 0)
  }

  @Test(arguments: StoreCopy.names)
  func `an insertion is a row and the last key of its tree`(name: String) throws {
    let copy = try StoreCopy(name)
    try copy.open()
    let before = try FileSnapshot(copy.file)
    for layout in copy.coordinator.layout.entities where !layout.isAbstract {
      let map = try #require(TableMap(copy.schema)[layout.name])
      let counter = "Z_PRIMARYKEY/\(map.rootNumber)"
      let last = try #require(before[counter, "Z_MAX"].flatMap(Int.init))
      var inserted: NSManagedObjectID?
      do {
        let (changes, after) = try self.changes(in: copy) { context in
          let object = NSEntityDescription.insertNewObject(
            forEntityName: layout.name,
            into: context
          )
          object.fillRequiredAttributes(transient: false)
          object.fillRequiredAttributes(transient: true)
          do {
            try context.save()
          } catch {
            context.rollback()
            throw error
          }
          inserted = object.objectID
        }
        let key = try #require(inserted).key.number
        let row = "\(map.tableName)/\(key)"
        #expect(changes == ["+\(row)", "\(counter): Z_MAX"])
        #expect(key > last)
        #expect(after[counter, "Z_MAX"] == "\(key)")
        #expect(after[row, "Z_OPT"] == "1")
        #expect(after[row, "Z_ENT"] == "\(map.number)")
      } catch let error as CocoaError
        where 1550..<1700 ~= error.code.rawValue || error.code.rawValue == 133_021
      {
        // Some entities demand relationships, or values that no other has, which are not made up here.
        continue
      }
    }
  }

  @Test(arguments: StoreCopy.names)
  func `a deletion takes its row, and the keys that led to it`(name: String) throws {
    let copy = try StoreCopy(name)
    try copy.open()
    let tables = TableMap(copy.schema)
    let keys = Set(
      tables.tables.flatMap(\.columns).filter { $0.role != .value }.map(\.name)
        + tables.tables.flatMap(\.derivedColumns).map(\.column)
    )
    for layout in copy.coordinator.layout.entities {
      var deleted: String?
      do {
        let (changes, _) = try self.changes(in: copy) { context in
          let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
          request.includesSubentities = false
          guard let object = try context.fetch(request).last else { return }
          deleted = try self.place(object, in: copy).row
          context.delete(object)
        }
        guard let deleted else { continue }
        #expect(changes.contains("-\(deleted)"))
        for change in changes where !change.hasPrefix("-") {
          let columns = change.split(separator: " ").dropFirst().map(String.init)
          #expect(!columns.isEmpty && Set(columns).isSubset(of: keys.union(["Z_OPT"])), "\(change)")
          #expect(!change.hasPrefix("Z_"))
        }
      } catch let error as CocoaError where 1550..<1700 ~= error.code.rawValue {
        // Objects that others need cannot be deleted.
        continue
      }
    }
  }

  @Test(arguments: StoreCopy.names.filter { $0.hasPrefix("Bookmarks") })
  func `a member that moves in an order is one number, and two versions`(name: String) throws {
    let copy = try StoreCopy(name)
    try copy.open()
    var rows: (moved: String, owner: String)?
    let (changes, after) = try self.changes(in: copy) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "BookmarkEntity")
      request.predicate = NSPredicate(format: "children.@count > 2")
      let folder = try #require(try context.fetch(request).first)
      let children = folder.mutableOrderedSetValue(forKey: "children")
      let last = try #require(children.lastObject as? NSManagedObject)
      rows = (try self.place(last, in: copy).row, try self.place(folder, in: copy).row)
      children.remove(last)
      children.insert(last, at: 1)
    }
    let (row, owner) = try #require(rows)
    // An object whose relationship has changed has changed: its version says so.
    #expect(changes == ["\(owner): Z_OPT", "\(row): Z_FOK_PARENT Z_OPT"].sorted())
    let orders = after.rows(of: "ZBOOKMARKENTITY")
      .filter { after[$0, "ZPARENT"] == after[row, "ZPARENT"] }
      .compactMap { after[$0, "Z_FOK_PARENT"].flatMap(Int.init) }
    #expect(Set(orders).count == orders.count)
    // In the middle between its neighbours, as Apple's framework puts it.
    let sorted = orders.sorted()
    let middle = try #require(after[row, "Z_FOK_PARENT"].flatMap(Int.init))
    #expect(sorted.firstIndex(of: middle) == 1)
    #expect(middle == (sorted[0] + sorted[2]) / 2)
  }

  @Test(arguments: StoreCopy.names)
  func `tables and rows of others stay as they are, whatever is written`(name: String) throws {
    let copy = try StoreCopy(name)
    _ = try SQLiteShell.run(
      """
      CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZENTITYID INTEGER, ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR);
      INSERT INTO ANSCKRECORDMETADATA VALUES (1, 17001, 1, 1, 1, 'A');
      CREATE TABLE AWHATEVER (one, two);
      INSERT INTO AWHATEVER VALUES (1, x'00'), (NULL, 'two');
      CREATE TABLE notes_of_somebody (title);
      INSERT INTO notes_of_somebody VALUES ('mine');
      CREATE INDEX somebodys_index ON notes_of_somebody (title);
      INSERT INTO Z_PRIMARYKEY VALUES (17001, 'NSCKRecordMetadata', 0, 1);
      """,
      on: copy.file.path
    )
    try copy.open()
    let (changes, _) = try self.changes(in: copy) { context in
      for (object, attribute) in try objects(in: context, of: copy) {
        object.setValue("changed", forKey: attribute)
        object.fillRequiredAttributes(transient: true)
      }
    }
    let entityTables = Set(TableMap(copy.schema).tables.map(\.name))
    #expect(!changes.isEmpty)
    for change in changes {
      #expect(entityTables.contains(String(change.prefix { $0 != "/" })), "\(change)")
    }
  }
}

// MARK: - Metadata

extension HarmlessWritingTests {
  @Test(arguments: StoreCopy.names)
  func `metadata that are set are set, and all others keep their values`(name: String) throws {
    let copy = try StoreCopy(name)
    let store = try copy.open()
    let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: copy.file
    )
    let (changes, _) = try self.changes(in: copy) { context in
      var metadata = copy.coordinator.metadata(for: store)
      metadata["org.example.seen"] = Date(timeIntervalSinceReferenceDate: 1)
      copy.coordinator.setMetadata(metadata, for: store)
      for (object, attribute) in try objects(in: context, of: copy).prefix(1) {
        object.setValue("changed", forKey: attribute)
        object.fillRequiredAttributes(transient: true)
      }
    }
    #expect(changes.filter { $0.hasPrefix("Z_") } == ["Z_METADATA/1: Z_PLIST"])
    var after = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: copy.file
    )
    #expect(
      after.removeValue(forKey: "org.example.seen") as? Date
        == Date(timeIntervalSinceReferenceDate: 1)
    )
    #expect(NSDictionary(dictionary: after) == NSDictionary(dictionary: before))
  }

  @Test(arguments: StoreCopy.names)
  func `metadata set without a store are set, and all others keep their values`(
    name: String
  ) throws {
    let copy = try StoreCopy(name)
    let before = try FileSnapshot(copy.file)
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: copy.file
    )
    let old = NSDictionary(dictionary: metadata)
    metadata["org.example.count"] = 3
    try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: copy.file)
    #expect(try FileSnapshot(copy.file).changes(since: before) == ["Z_METADATA/1: Z_PLIST"])
    var after = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: copy.file
    )
    #expect(after.removeValue(forKey: "org.example.count") as? Int == 3)
    #expect(NSDictionary(dictionary: after) == old)
  }
}

extension NSManagedObject {
  /// Gives every attribute that has to have a value one; the classes that compute those that are not
  /// stored are not here.
  func fillRequiredAttributes(transient: Bool) {
    for slot in layout.slots.prefix(layout.propertyCount) {
      guard let attribute = slot.attribute, attribute.isTransient == transient,
        !attribute.isOptional,
        attribute.derivationExpression == nil
      else { continue }
      let value: Any? =
        switch slot.kind {
        case .text: "new \(UUID().uuidString)"
        case .integer, .real, .boolean: 1
        case .decimal: NSDecimalNumber(value: 1)
        case .date: Date(timeIntervalSinceReferenceDate: 1)
        case .uuid: UUID()
        case .uri: URL(string: "https://example.org")
        case .data, .externalData, .transformable: Data([1])
        case .object, .composite, .toOne, .toMany, .orderedToMany, .fetched: nil
        }
      if let value { setValue(value, forKey: slot.name) }
    }
  }
}

extension [String] {
  /// Rows that were added to a history, with the counters of its tables, and all else.
  fileprivate var splitByHistory: (history: [String], others: [String]) {
    let places =
      ["+ACHANGE/", "+ATRANSACTION/", "+ATRANSACTIONSTRING/"]
      + (16_001...16_003).map { "Z_PRIMARYKEY/\($0):" }
    let isHistory = { (change: String) in places.contains { change.hasPrefix($0) } }
    return (filter(isHistory), filter { !isHistory($0) })
  }
}
