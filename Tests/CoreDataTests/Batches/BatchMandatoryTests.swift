import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Batch insertions of rows that lack a value which every row must have.
struct BatchMandatoryTests {
  private static let schema = ModelSchema.model(
    .entity("Folder", [.text("name").required(nil)], [.many("notes", "Note", back: "folder")]),
    .entity(
      "Note",
      [.text("title").required(nil), .attribute("stars", .integer16).required(.integer(3))],
      [.one("folder", "Folder", back: "notes").required]
    )
  )
  .withoutOwnClasses

  private func insert(
    _ stack: ModelStack,
    _ make: (NSEntityDescription) -> NSBatchInsertRequest
  ) throws -> NSError? {
    try stack.work { context in
      let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Note"])
      do {
        _ = try context.execute(make(entity))
        return nil
      } catch {
        return error as NSError
      }
    }
  }

  private func requests(
    _ rows: [[String: Any]]
  ) -> [(NSEntityDescription) -> NSBatchInsertRequest] {
    [
      { NSBatchInsertRequest(entity: $0, objects: rows) },
      { entity in
        var rows = rows[...]
        return NSBatchInsertRequest(entity: entity) { (dictionary: NSMutableDictionary) in
          guard let row = rows.popFirst() else { return true }
          for (key, value) in row { dictionary[key] = value }
          return false
        }
      },
      { entity in
        var rows = rows[...]
        return NSBatchInsertRequest(entity: entity) { (object: NSManagedObject) in
          guard let row = rows.popFirst() else { return true }
          for (key, value) in row { object.setValue(value is NSNull ? nil : value, forKey: key) }
          return false
        }
      },
    ]
  }

  @Test(arguments: storesWithBatches)
  func `a batch insertion without a mandatory value fails, and keeps nothing`(
    kind: StoreKind
  ) throws {
    let lacking: [[[String: Any]]] = [
      [["title": "a"], ["title": "b"], ["stars": 1]],
      [["title": "a"], ["title": NSNull()]],
      [["title": "a"], ["title": "b", "stars": NSNull()]],
    ]
    for (place, rows) in lacking.enumerated() {
      for request in requests(rows) {
        let stack = try ModelStack(Self.schema, kind)
        let error = try #require(try insert(stack, request))
        #expect(error.code == NSValidationMissingMandatoryPropertyError)
        #expect(
          error.userInfo[NSValidationKeyErrorKey] as? String == (place == 2 ? "stars" : "title")
        )
        #expect(error.localizedFailureReason?.contains("row \(rows.count)") == true)
        #expect(try stack.work { try $0.all("Note").count } == 0)
      }
    }
  }

  @Test(arguments: storesWithBatches)
  func `a default is a value, and relationships are not asked`(kind: StoreKind) throws {
    for request in requests([["title": "a"], ["title": "b"]]) {
      let stack = try ModelStack(Self.schema, kind)
      #expect(try insert(stack, request) == nil)
      #expect(try stack.work { try $0.all("Note").map { $0.numberValue("stars") } } == [3, 3])
    }
  }
}
