import CoreData

/// Batch insertions against plain SQLite statements that bind the same values.
///
///     Scripts/benchmark batches [count] [rounds]
///
/// Both make each row's values as they go, so that neither holds more than one row. The bar is 1.5.
struct BatchInsertion {
  let count: Int
  let rounds: Int
  let model: NSManagedObjectModel

  func run() throws {
    print("\(count) rows of 10 attributes and 4 indexes, \(rounds) rounds; least / median")
    var objects = Comparison(name: "batch insert, handler of objects")
    var dictionaries = Comparison(name: "batch insert, handler of dictionaries")
    var prepared = Comparison(name: "batch insert, array of a tenth")
    var memory: [String] = []
    for _ in 0..<rounds {
      let before = Memory.allocated
      objects.plain.append(try .of { try plain(count) })
      dictionaries.plain.append(objects.plain[objects.plain.count - 1])
      objects.ours.append(try sample(objectRequest))
      dictionaries.ours.append(try sample(dictionaryRequest))
      let tenth = (1...max(count / 10, 1)).map(dictionary)
      prepared.plain.append(try .of { try plain(tenth.count) })
      prepared.ours.append(
        try sample { NSBatchInsertRequest(entityName: "Item", objects: tenth) }
      )
      memory.append("\((Memory.allocated - before) / 1024) KB")
    }
    for comparison in [objects, dictionaries, prepared] { print(comparison.line) }
    print("kept after each round: \(memory.joined(separator: ", "))")
    print(String(format: "process %.0f MB at most", Memory.peak))
  }

  private func sample(_ request: () -> NSBatchInsertRequest) throws -> Sample {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let file = folder.appendingPathComponent("ours.sqlite")
    try coordinator.addPersistentStore(type: .sqlite, at: file)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    let request = request()
    return try .of { _ = try context.execute(request) }
  }

  private func plain(_ count: Int) throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let plain = PlainSQLite(path: folder.appendingPathComponent("plain.sqlite").path)
    plain.makeTables()
    var number = 0
    plain.insert {
      number += 1
      return number > count ? nil : Self.plainItem(number)
    }
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

// MARK: - The rows

extension BatchInsertion {
  private func objectRequest() -> NSBatchInsertRequest {
    var number = 0
    return NSBatchInsertRequest(entityName: "Item") { (object: NSManagedObject) in
      number += 1
      guard number <= count, let item = object as? Item else { return true }
      item.date = Date(timeIntervalSinceReferenceDate: Double(number))
      item.d1 = Double(number) / 3
      item.d2 = Double(number) / 7
      item.flag = number % 2 == 0
      item.i1 = Int64(number * 31 % 1000)
      item.i2 = Int32(number)
      item.i3 = Int16(truncatingIfNeeded: number)
      item.name = "item \(number)"
      item.note = "a note that is about fifty bytes long, number \(number)"
      item.title = "the title of item \(number)"
      return false
    }
  }

  private func dictionaryRequest() -> NSBatchInsertRequest {
    var number = 0
    return NSBatchInsertRequest(entityName: "Item") { (row: NSMutableDictionary) in
      number += 1
      if number > count { return true }
      row["date"] = Date(timeIntervalSinceReferenceDate: Double(number))
      row["d1"] = Double(number) / 3
      row["d2"] = Double(number) / 7
      row["flag"] = number % 2 == 0
      row["i1"] = number * 31 % 1000
      row["i2"] = number
      row["i3"] = Int16(truncatingIfNeeded: number)
      row["name"] = "item \(number)"
      row["note"] = "a note that is about fifty bytes long, number \(number)"
      row["title"] = "the title of item \(number)"
      return false
    }
  }

  private func dictionary(_ number: Int) -> [String: Any] {
    [
      "date": Date(timeIntervalSinceReferenceDate: Double(number)), "d1": Double(number) / 3,
      "d2": Double(number) / 7, "flag": number % 2 == 0, "i1": number * 31 % 1000, "i2": number,
      "i3": Int16(truncatingIfNeeded: number), "name": "item \(number)",
      "note": "a note that is about fifty bytes long, number \(number)",
      "title": "the title of item \(number)",
    ]
  }

  private static func plainItem(_ number: Int) -> PlainSQLite.PlainItem {
    let item = PlainSQLite.PlainItem()
    item.number = Int64(number)
    item.date = Double(number)
    item.d1 = Double(number) / 3
    item.d2 = Double(number) / 7
    item.flag = number % 2 == 0
    item.i1 = Int64(number * 31 % 1000)
    item.i2 = Int32(number)
    item.i3 = Int16(truncatingIfNeeded: number)
    item.name = "item \(number)"
    item.note = "a note that is about fifty bytes long, number \(number)"
    item.title = "the title of item \(number)"
    return item
  }
}
