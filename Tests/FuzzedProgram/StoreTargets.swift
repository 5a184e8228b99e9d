import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import CoreDataStoreCare
import Foundation

/// A store to begin from, with some objects of everything.
struct SeedStore {
  let folder: URL
  let file: URL
  let model: NSManagedObjectModel

  /// `type` as programs name it; the file is in a folder of its own.
  init(_ schema: ModelSchema, type: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appending(path: "Seed.store")
    model = NSManagedObjectModel(schema: schema.withoutClasses)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      type: NSPersistentStore.StoreType(rawValue: type),
      at: file,
      options: type == NSSQLiteStoreType
        ? [NSPersistentHistoryTrackingKey: true, NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
        : nil
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let folders = (0..<2).map { number in
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        folder.setValue("Folder \(number)", forKey: "name")
        return folder
      }
      for number in 0..<6 {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue("note \(number)", forKey: "title")
        note.setValue(number, forKey: "size")
        note.setValue(Date(timeIntervalSinceReferenceDate: 1e8), forKey: "created")
        note.setValue(["a", "b"], forKey: "keywords")
        note.setValue(UUID(), forKey: "identifier")
        note.setValue(URL(string: "https://example.org"), forKey: "link")
        note.setValue(Data(repeating: 1, count: number == 3 ? 200_000 : 20), forKey: "image")
        note.setValue(folders[number % 2], forKey: "folder")
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue("tag \(number)", forKey: "label")
        tag.setValue(Set([note]), forKey: "notes")
        tag.setValue(folders[0], forKey: "pinnedIn")
      }
      try context.save()
    }
    try coordinator.remove(store)
  }
}

extension ModelSchema {
  /// The same with the classes of nobody.
  var withoutClasses: ModelSchema {
    var schema = self
    for entity in schema.entities.indices { schema.entities[entity].className = "NSManagedObject" }
    return schema
  }
}

/// The actions of a program on a store that it was handed.
struct Visit {
  let file: URL
  let model: NSManagedObjectModel
  let type: String

  func make() {
    // Errors are right; the program only has to survive.
    try? visit()
  }

  private func visit() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let isDatabase = type == NSSQLiteStoreType
    try coordinator.addPersistentStore(
      type: NSPersistentStore.StoreType(rawValue: type),
      at: file,
      options: isDatabase
        ? [
          NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: 0.1,
          NSSQLitePragmasOption: ["journal_mode": "DELETE", "synchronous": "OFF"],
        ] : nil
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.performAndWait {
      for name in ["Note", "Folder", "Tag"] {
        try? read(name, in: context)
        context.reset()
      }
      try? write(in: context)
      context.rollback()
      if isDatabase { history(in: context) }
    }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private func read(_ name: String, in context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    request.fetchLimit = 50
    // An object that reads by itself cannot report an error, and stops the program as Apple's does.
    request.relationshipKeyPathsForPrefetching = relationships(of: name)
    request.returnsObjectsAsFaults = false
    for object in try context.fetch(request) {
      for (key, property) in object.entity.propertiesByName
      where !(property is NSFetchedPropertyDescription) {
        switch object.value(forKey: key) {
        case let members as NSOrderedSet: _ = members.count
        case let members as NSSet: _ = members.count
        case let value?: _ = "\(value)"
        case nil: break
        }
      }
    }
    request.predicate = NSPredicate(format: "SELF != nil")
    request.resultType = .countResultType
    _ = try context.count(for: request)
  }

  private func relationships(of entity: String) -> [String] {
    model.entitiesByName[entity]?.relationshipsByName.keys.sorted() ?? []
  }

  private func all(_ name: String, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    request.relationshipKeyPathsForPrefetching = relationships(of: name)
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }

  private func write(in context: NSManagedObjectContext) throws {
    let (notes, folders) = (try all("Note", in: context), try all("Folder", in: context))
    _ = try all("Tag", in: context)
    if let note = notes.first { note.setValue("changed", forKey: "title") }
    if let note = notes.dropFirst().first, let folder = folders.last {
      note.setValue(folder, forKey: "folder")
      folder.mutableOrderedSetValue(forKey: "pinned").removeAllObjects()
    }
    if let note = notes.last { context.delete(note) }
    let new = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    new.setValue("new", forKey: "title")
    new.setValue(folders.first, forKey: "folder")
    try context.save()
    for note in notes where !note.isDeleted { note.setValue("again", forKey: "title") }
    try context.save()
    guard type == NSSQLiteStoreType else { return }
    let batch = NSBatchUpdateRequest(entityName: "Note")
    batch.propertiesToUpdate = ["size": 5]
    _ = try context.execute(batch)
  }

  private func history(in context: NSManagedObjectContext) {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    let result = try? context.execute(request) as? NSPersistentHistoryResult
    for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
      for change in transaction.changes ?? [] {
        _ = (change.changedObjectID, change.tombstone, change.updatedProperties)
      }
    }
  }
}

/// XML and binary stores.
struct DocumentTarget: FuzzTarget {
  private let seeds: [(type: String, bytes: [UInt8])]
  private let file: URL
  private let model: NSManagedObjectModel

  init() {
    var seeds: [(type: String, bytes: [UInt8])] = []
    var place = FileManager.default.temporaryDirectory
    for type in [NSXMLStoreType, NSBinaryStoreType] {
      guard let store = try? SeedStore(SeedModel.plainSchema, type: type),
        let data = try? Data(contentsOf: store.file)
      else { fatalError("no \(type) store could be made") }
      seeds.append((type, [UInt8](data)))
      place = store.folder
    }
    self.seeds = seeds
    file = place.appending(path: "Damaged.store")
    model = NSManagedObjectModel(schema: SeedModel.plainSchema.withoutClasses)
  }

  func run(_ dice: inout Dice) {
    let seed = dice.one(of: seeds)
    let bytes: [UInt8]
    let head = seed.bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if seed.type == NSXMLStoreType {
      bytes = dice.once(in: 2) ? dice.respelled(seed.bytes) : dice.damaged(seed.bytes)
    } else if !dice.once(in: 3),
      let list = try? PropertyListValue(binary: Data(seed.bytes[head...]))
    {
      bytes = Array(seed.bytes[..<head]) + [UInt8](dice.changed(list).binary)
    } else {
      bytes = dice.damaged(seed.bytes)
    }
    guard (try? Data(bytes).write(to: file)) != nil else { return }
    _ = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: NSPersistentStore.StoreType(rawValue: seed.type),
      at: file
    )
    Visit(file: file, model: model, type: seed.type).make()
  }
}

/// SQLite stores, with damaged pages or with strange values, tables and triggers.
struct StoreTarget: FuzzTarget {
  private let seeds: [Data]
  private let file: URL
  private let model: NSManagedObjectModel

  init(_ others: FuzzSeeds) {
    guard let store = try? SeedStore(SeedModel.schema, type: NSSQLiteStoreType),
      let data = try? Data(contentsOf: store.file)
    else { fatalError("no store could be made") }
    seeds = [data] + others.data(endingIn: ".sqlite", ".storedata", ".db")
    file = store.folder.appending(path: "Damaged.sqlite")
    model = store.model
  }

  func run(_ dice: inout Dice) {
    let own = !dice.once(in: 4) || seeds.count == 1
    let seed = own ? seeds[0] : dice.one(of: seeds)
    for ending in ["", "-wal", "-shm", "-journal"] {
      // Most of them are not there.
      try? FileManager.default.removeItem(atPath: file.path + ending)
    }
    let damagesPages = dice.once(in: 3)
    let bytes = damagesPages ? dice.damaged([UInt8](seed)) : [UInt8](seed)
    guard (try? Data(bytes).write(to: file)) != nil else { return }
    if !damagesPages { change(&dice) }
    if dice.once(in: 8) { damageLog(&dice) }
    look()
    Visit(file: file, model: model, type: NSSQLiteStoreType).make()
    if dice.once(in: 3) { mend() }
  }

  private func look() {
    _ = try? StoreFacts(at: file, counting: .milliseconds(100))
    _ = try? StoreChecker(storeAt: file, model: nil).report()
    _ = try? StoreChecker(storeAt: file, model: model.currentSchema, isDeep: true).report()
    _ = try? StoredModel(inStoreAt: file, from: .tables)
  }

  private func mend() {
    var repair = StoreRepair(storeAt: file, model: model.currentSchema)
    repair.makesBackup = false
    repair.deletesBroken = true
    _ = try? repair.perform()
    let target = file.deletingLastPathComponent().appending(path: "Salvaged.sqlite")
    for ending in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: target.path + ending)
    }
    _ = try? StoreSalvage(storeAt: file, model: nil, to: target).perform()
  }
}

// MARK: - Strange values

extension StoreTarget {
  private func change(_ dice: inout Dice) {
    guard let connection = try? Connection(path: file.path, mode: .readWrite) else { return }
    for name in ["NSCoreDataNow"] {
      connection.define(name, argumentCount: 0, for: .schema) { _ in .real(0) }
    }
    for name in [
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataTriggerUpdateAffectedObjectValue",
    ] {
      connection.define(name, argumentCount: 5, for: .schema) { _ in .null }
    }
    let tables = columns(of: connection)
    guard !tables.isEmpty else { return }
    for _ in 0..<dice.number(1..<5) {
      // A change that SQLite does not take, such as a key that is there twice, is not made.
      try? connection.run(statement(tables, &dice))
    }
  }

  private func columns(of connection: Connection) -> [(table: String, columns: [String])] {
    guard
      let statement = try? connection.statement(
        """
        SELECT t.name, group_concat(c.name) FROM sqlite_master t, pragma_table_info(t.name) c \
        WHERE t.type = 'table' GROUP BY t.name ORDER BY t.name
        """
      )
    else { return [] }
    defer { statement.reset() }
    var tables: [(String, [String])] = []
    while (try? statement.step()) ?? false {
      tables.append((statement.text(0), statement.text(1).split(separator: ",").map(String.init)))
    }
    return tables
  }

  private func statement(
    _ tables: [(table: String, columns: [String])],
    _ dice: inout Dice
  ) -> SQLFragment {
    let (table, columns) = dice.one(of: tables)
    let column = dice.one(of: columns)
    let value = value(&dice)
    let row: SQLFragment =
      dice.once(in: 3) ? "" : " WHERE rowid = (SELECT MIN(rowid) FROM \(name: table))"
    switch dice.number(0..<24) {
    case 0: return "DELETE FROM \(name: table)\(row)"
    case 1: return "DROP TABLE \(name: table)"
    case 2: return "ALTER TABLE \(name: table) DROP COLUMN \(name: column)"
    case 3:
      return """
        CREATE TRIGGER \(name: "T\(dice.number(0..<99))") AFTER UPDATE ON \(name: table) BEGIN \
        DELETE FROM \(name: dice.one(of: tables).table); END
        """
    case 4:
      return """
        CREATE VIEW \(name: "V\(dice.number(0..<99))") AS WITH RECURSIVE c(x) AS \
        (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c
        """
    case 5:
      return
        "CREATE INDEX \(name: "I\(dice.number(0..<99))") ON \(name: table) (\(name: column) || 'x')"
    case 6: return "INSERT INTO \(name: table) DEFAULT VALUES"
    case 7:
      return """
        INSERT INTO \(name: table) (\(name: column)) SELECT \(name: column) FROM \(name: table)
        """
    case 8: return "ALTER TABLE \(name: table) RENAME TO \(name: "\(table)_")"
    case _: return "UPDATE OR IGNORE \(name: table) SET \(name: column) = \(value)\(row)"
    }
  }

  private func value(_ dice: inout Dice) -> SQLValue {
    switch dice.number(0..<8) {
    case 0, 1, 2, 3: .integer(dice.one(of: Nasty.integers))
    case 4: .real(dice.one(of: Nasty.reals))
    case 5: .text(dice.one(of: Nasty.texts))
    case 6: .null
    case _: .blob((0..<dice.number(0..<40)).map { _ in UInt8(dice.number(0..<256)) })
    }
  }

  /// A log that belongs to another file, or to none.
  private func damageLog(_ dice: inout Dice) {
    let bytes = dice.damaged([0x37, 0x7F, 0x06, 0x82] + [UInt8](repeating: 0, count: 200))
    try? Data(bytes).write(to: URL(fileURLWithPath: file.path + "-wal"))
  }
}
