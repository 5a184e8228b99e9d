import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

/// Histories that Apple's framework has written.
@Suite(
  .enabled(if: !StoreCopy.namesWithHistory.isEmpty, "needs ../shared/fixtures/stores")
)
struct AppleHistoryTests {
  private func lines(_ query: SQLFragment, on connection: Connection) throws -> [String] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var lines: [String] = []
    while try statement.step() {
      let values = (0..<statement.columnCount).map { column in
        switch statement.value(column) {
        case .null: "-"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let text): text
        case .blob(let bytes): bytes.map { String($0, radix: 16) }.joined(separator: ".")
        }
      }
      lines.append(values.joined(separator: "|"))
    }
    return lines
  }

  private func dump(_ connection: Connection) throws -> [String: [String]] {
    var tables: [String: [String]] = [:]
    for name in try StoreTables.names(on: connection) {
      tables[name] = try lines("SELECT * FROM \(name: name) ORDER BY 1", on: connection)
    }
    return tables
  }

  private func history(
    _ copy: StoreCopy,
    _ context: NSManagedObjectContext
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return try #require(result?.result as? [NSPersistentHistoryTransaction])
  }

  @Test(arguments: StoreCopy.namesWithHistory)
  func `every transaction and change is what plain SQL says (97)`(name: String) throws {
    let copy = try StoreCopy(name)
    let plain = try Connection(path: copy.file.path)
    let transactions = try lines(
      """
      SELECT t.Z_PK, ZTIMESTAMP, a.ZNAME, b.ZNAME, c.ZNAME, p.ZNAME FROM ATRANSACTION t
      LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = ZAUTHORTS
      LEFT JOIN ATRANSACTIONSTRING b ON b.Z_PK = ZBUNDLEIDTS
      LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = ZCONTEXTNAMETS
      LEFT JOIN ATRANSACTIONSTRING p ON p.Z_PK = ZPROCESSIDTS ORDER BY t.Z_PK
      """,
      on: plain
    )
    let changes = try lines(
      """
      SELECT c.Z_PK, ZCHANGETYPE, Z_NAME, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS FROM ACHANGE c
      JOIN Z_PRIMARYKEY k ON k.Z_ENT = ZENTITY ORDER BY c.Z_PK
      """,
      on: plain
    )
    #expect(!transactions.isEmpty && !changes.isEmpty)
    try copy.open()
    let context = copy.context()
    try context.performAndWait {
      let read = try history(copy, context)
      let ours = read.map { transaction in
        let texts = [
          transaction.author, transaction.bundleID, transaction.contextName, transaction.processID,
        ]
        let time = transaction.timestamp.timeIntervalSinceReferenceDate
        return ([Optional("\(transaction.transactionNumber)"), "\(time)"] + texts)
          .map { $0 ?? "-" }.joined(separator: "|")
      }
      #expect(ours == transactions)
      let found = try read.flatMap { transaction in
        try #require(transaction.changes).map { change in
          let id = change.changedObjectID
          let place = id.uriRepresentation().lastPathComponent.dropFirst()
          let head: [String] = [
            "\(change.changeID)", "\(change.changeType.rawValue)", id.entity.name ?? "",
            String(place), "\(transaction.transactionNumber)",
          ]
          return (head + [try bits(of: change)]).joined(separator: "|")
        }
      }
      #expect(found == changes)
    }
  }

  /// The bytes that name the changed properties, made from the properties' names.
  private func bits(of change: NSPersistentHistoryChange) throws -> String {
    guard let properties = change.updatedProperties else { return "-" }
    #expect(!properties.isEmpty)
    let layout = change.changedObjectID.layout
    var slots = SlotSet()
    for property in properties {
      let slot = try #require(layout.slot(named: property.name))
      slots.insert(slot)
      if let entity = layout.slots[slot].end?.entitySlot { slots.insert(entity) }
    }
    return HistoryBits(layout).bytes(for: slots).map { String($0, radix: 16) }
      .joined(separator: ".")
  }

  @Test(arguments: StoreCopy.namesWithHistory)
  func `a save adds its rows and leaves the others byte for byte`(name: String) throws {
    let copy = try StoreCopy(name)
    try copy.open()
    let plain = try Connection(path: copy.file.path)
    let before = try dump(plain)
    let context = copy.context()
    context.transactionAuthor = "test"
    try context.performAndWait {
      let transaction = try #require(try history(copy, context).last)
      let ids = try #require(transaction.changes).map(\.changedObjectID)
      let id = try #require(ids.first { textAttribute(of: $0) != nil })
      let attribute = try #require(textAttribute(of: id))
      let object = try context.existingObject(with: id)
      object.setValue("changed", forKey: attribute)
      try context.save()
      let after = try dump(plain)
      for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
        let (old, new) = (before[table] ?? [], after[table] ?? [])
        #expect(Set(old).isSubset(of: new))
      }
      #expect(after["ATRANSACTION"]?.count == (before["ATRANSACTION"]?.count ?? 0) + 1)
      let added = try history(copy, context).filter { $0.author == "test" }
      #expect(added.map(\.transactionNumber) == [transaction.transactionNumber + 1])
      let changes = try #require(added.first?.changes)
      let own = try #require(changes.first { $0.changedObjectID == id })
      #expect(own.updatedProperties?.contains { $0.name == attribute } == true)
      #expect(
        (after["ACHANGE"]?.count ?? 0) == (before["ACHANGE"]?.count ?? 0) + changes.count
      )
      // All else but the row and the keys is as it was.
      let table = try #require(TableMap(copy.schema)[object.layout.name]).tableName
      let others = { (tables: [String: [String]]) in
        tables.filter { name, _ in
          name != table && name != "Z_PRIMARYKEY" && !name.hasPrefix("ATRANSACTION")
            && name != "ACHANGE"
        }
      }
      #expect(others(after) == others(before))
    }
  }

  /// An attribute that takes any text.
  private func textAttribute(of id: NSManagedObjectID) -> String? {
    id.layout.slots.prefix(id.layout.propertyCount).first { slot in
      slot.kind == .text && slot.isPersistent && !slot.isDerived
        && slot.attribute?.validations.isEmpty == true
    }?.name
  }

  @Test(arguments: StoreCopy.namesWithHistory)
  func `without the option it is read-only (97)`(name: String) throws {
    let copy = try StoreCopy(name)
    let store = try copy.open([NSPersistentHistoryTrackingKey: false])
    #expect(store.isReadOnly)
    let context = copy.context()
    let transactions = try context.performAndWait { try history(copy, context) }
    #expect(!transactions.isEmpty)
  }
}
