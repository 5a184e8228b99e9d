import CoreDataModel
import Foundation
import Testing

@testable import CoreData

/// A store that Apple's Core Data made stays one: we change what we are asked to, and nothing else.
@Suite(
  .enabled(
    if: !StoreCopy.names.isEmpty && SQLiteShell.isPresent,
    "needs ../shared/fixtures/stores and the sqlite3 tool"
  )
)
struct WritingAppleStoresTests {
  private func dump(_ copy: StoreCopy) throws -> [String] {
    try SQLiteShell.run(".dump", on: copy.file.path)
  }

  /// The lines of one dump that the other lacks, as the tables' names alone.
  private func changedTables(_ before: [String], _ after: [String]) -> [String: Int] {
    let lines = Set(before).symmetricDifference(after)
    let tables = lines.compactMap { line -> String? in
      guard line.hasPrefix("INSERT INTO ") else { return "?" }
      let table = String(line.dropFirst(12).prefix { $0 != " " })
      return isOfHistory(table, line) ? nil : table
    }
    return Dictionary(tables.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// The lines of a history are tested elsewhere.
  private func isOfHistory(_ table: String, _ line: String) -> Bool {
    let tables = HistoryTables.Entity.allCases
    return tables.contains { $0.table == table }
      || tables.contains { line.contains("INTO Z_PRIMARYKEY VALUES(\($0.rawValue),") }
  }

  @Test(arguments: StoreCopy.names)
  func `opening for writing changes no row`(name: String) throws {
    let copy = try StoreCopy(name)
    let before = try dump(copy)
    try copy.open()
    let context = copy.context()
    try context.performAndWait { try context.save() }
    #expect(try dump(copy) == before)
  }

  @Test(arguments: StoreCopy.names)
  func `an update changes one row`(name: String) throws {
    let copy = try StoreCopy(name)
    try copy.open()
    let before = try dump(copy)
    let context = copy.context()
    try context.performAndWait {
      let object = try #require(try firstObject(in: context, of: copy))
      let attribute = try #require(textAttribute(of: object))
      object.setValue("changed", forKey: attribute)
      try context.save()
      let table = try #require(TableMap(copy.schema)[object.layout.name]).tableName
      // One line less, one line more.
      #expect(changedTables(before, try dump(copy)) == [table: 2])
    }
    #expect(try SQLiteShell.run("PRAGMA integrity_check;", on: copy.file.path) == ["ok"])
  }

  @Test(arguments: StoreCopy.names)
  func `a new object gets the next key, and a deleted one leaves no trace but its key`(
    name: String
  ) throws {
    let copy = try StoreCopy(name)
    try copy.open()
    let before = try dump(copy)
    let context = copy.context()
    try context.performAndWait {
      let layout = try #require(try firstObject(in: context, of: copy)).layout
      let object = NSEntityDescription.insertNewObject(forEntityName: layout.name, into: context)
      for slot in layout.slots.prefix(layout.propertyCount) {
        guard let value = requiredValue(for: slot) else { continue }
        object.setValue(value, forKey: slot.name)
      }
      do {
        try context.save()
      } catch let error as CocoaError where 1550..<1700 ~= error.code.rawValue {
        // Some entities demand relationships, which are not made up here.
        return
      }
      let added = Set(try dump(copy)).subtracting(before).filter { !$0.contains("Z_PRIMARYKEY") }
      #expect(changedTables([], Array(added)).values.reduce(0, +) == 1)
      context.delete(object)
      try context.save()
      let changed = changedTables(before, try dump(copy))
      #expect(changed == ["Z_PRIMARYKEY": 2])
    }
    #expect(try SQLiteShell.run("PRAGMA integrity_check;", on: copy.file.path) == ["ok"])
  }

  private func firstObject(
    in context: NSManagedObjectContext,
    of copy: StoreCopy
  ) throws -> NSManagedObject? {
    for layout in copy.coordinator.layout.entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
      request.includesSubentities = false
      request.fetchLimit = 1
      if let object = try context.fetch(request).first, textAttribute(of: object) != nil {
        return object
      }
    }
    return nil
  }

  /// An attribute that takes any text.
  private func textAttribute(of object: NSManagedObject) -> String? {
    object.layout.slots.first { slot in
      guard let attribute = slot.attribute, slot.kind == .text else { return false }
      return slot.isPersistent && attribute.validations.isEmpty
        && attribute.derivationExpression == nil
    }?.name
  }

  private func requiredValue(for slot: Slot) -> Any? {
    guard slot.isPersistent, let attribute = slot.attribute, !attribute.isOptional else {
      return nil
    }
    return switch slot.kind {
    case .text: "new \(UUID().uuidString)"
    case .integer, .real, .boolean: 1
    case .decimal: NSDecimalNumber(value: 1)
    case .date: Date(timeIntervalSinceReferenceDate: 1)
    case .uuid: UUID()
    case .uri: URL(string: "https://example.org")
    case .data, .externalData, .transformable: Data([1])
    case .object, .composite, .toOne, .toMany, .orderedToMany, .fetched: nil
    }
  }
}
