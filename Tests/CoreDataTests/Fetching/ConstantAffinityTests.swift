import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Constants are compared with an attribute as values of its type, as a database compares them with its
/// column.
@Suite struct ConstantAffinityTests {
  private static let model: ModelSchema = .model(
    .entity(
      "Flat",
      [
        .text("number"), .attribute("rooms", .integer16), .attribute("rent", .double),
        .attribute("price", .decimal), .attribute("isFree", .boolean), .attribute("built", .date),
        .attribute("page", .uri), .attribute("id", .uuid),
      ],
      [.one("house", "House", back: "flats")]
    ),
    .entity("House", [.text("name")], [.many("flats", "Flat", back: "house")])
  )

  private static func id(_ index: Int) -> String { "E621E1F8-C36C-495A-93FC-0C247A3E6E5\(index)" }

  private static func fill(_ context: NSManagedObjectContext) throws {
    let house = context.new("House", ["name": "7"])
    for (index, number) in ["1", "2", "12", "2.5", "x"].enumerated() {
      _ = context.new(
        "Flat",
        [
          "number": number, "rooms": index + 1, "rent": Double(index) + 0.5,
          "price": Decimal(index),
          "isFree": index == 0, "built": Date(timeIntervalSinceReferenceDate: Double(index * 100)),
          "page": URL(string: "flat:\(number)") as Any, "id": UUID(uuidString: id(index)) as Any,
          "house": index < 2 ? house : NSNull(),
        ].filter { !($0.value is NSNull) }
      )
    }
  }

  nonisolated(unsafe) private static let questions: [(String, [Any], [String])] = [
    ("number IN %@", [[1, 2]], ["1", "2"]),
    ("number IN %@", [Set([1, 12])], ["1", "12"]),
    ("number IN %@", [NSArray(array: [1, "x"])], ["1", "x"]),
    ("number IN %@", [["a": 2, "b": 12]], ["12", "2"]),
    ("number IN {1, 2.5}", [], ["1", "2.5"]),
    ("number IN %@", [Array(1...40)], ["1", "12", "2"]),
    ("NOT number IN %@", [[1, 2]], ["12", "2.5", "x"]),
    ("number == 12", [], ["12"]),
    ("12 == number", [], ["12"]),
    ("number != 12", [], ["1", "2", "2.5", "x"]),
    ("number == %@", [2.5], ["2.5"]),
    ("number == 1.0", [], []),
    ("number < 2", [], ["1", "12"]),
    ("number BETWEEN {1, 2}", [], ["1", "12", "2"]),
    ("%@ CONTAINS number", [[1, 2]], ["1", "2"]),
    ("rooms == '2'", [], ["2"]),
    ("rooms IN %@", [["1", "2", "y"]], ["1", "2"]),
    ("rooms > '3'", [], ["2.5", "x"]),
    ("rooms == 'x'", [], []),
    ("rent == '1.5'", [], ["2"]),
    ("price == ' 3 '", [], ["2.5"]),
    ("isFree == '1'", [], ["1"]),
    ("isFree == %@", [true], ["1"]),
    ("built > 200", [], ["2.5", "x"]),
    ("built == '100'", [], ["2"]),
    ("page == 'flat:2'", [], ["2"]),
    ("id == %@", [id(1)], ["2"]),
    ("%@ == id", [id(1)], ["2"]),
    ("id == 'e621e1f8-c36c-495a-93fc-0c247a3e6e52'", [], ["12"]),
    (
      "id == %@",
      [
        Data([
          0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E,
          0x53,
        ])
      ], ["2.5"]
    ),
    ("id == %@", [NSUUID(uuidString: id(3)) as Any], ["2.5"]),
    ("id IN %@", [[id(0), id(1).lowercased(), "x"]], ["1", "2"]),
    ("id IN {'e621e1f8-c36c-495a-93fc-0c247a3e6e54'}", [], ["x"]),
    ("id != %@", [id(0)], ["12", "2", "2.5", "x"]),
    ("ANY house.flats.id == %@", [id(0)], ["1", "2"]),
    ("house.name == 7", [], ["1", "2"]),
    ("ANY number IN {1, 2}", [], ["1", "2"]),
    ("ANY house.name == '7'", [], ["1", "2"]),
    ("ALL rooms > 3", [], ["2.5", "x"]),
    ("NONE rooms > 3", [], ["1", "12", "2"]),
    ("ANY house == nil", [], ["12", "2.5", "x"]),
    ("ANY house.flats.number == 2", [], ["1", "2"]),
    ("SUBQUERY(house.flats, $f, $f.number == 2).@count == 1", [], ["1", "2"]),
    ("house.flats.number CONTAINS 2", [], ["1", "2"]),
    ("number CONTAINS '2' AND rooms < 4", [], ["12", "2"]),
  ]

  private static func found(
    _ format: String,
    _ arguments: [Any],
    in context: NSManagedObjectContext
  ) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Flat")
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    return try context.fetch(request).compactMap { $0.textValue("number") }.sorted()
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `numbers found nothing among texts`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      try Self.fill(context)
      try context.save()
    }
    try stack.work { context in
      for (format, arguments, expected) in Self.questions {
        let found = try Self.found(format, arguments, in: context)
        #expect(found == expected, "\(format) \(arguments)")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `unsaved objects are found by the same constants`(_ kind: StoreKind) throws {
    try ModelStack(Self.model, kind).work { context in
      try Self.fill(context)
      for (format, arguments, expected) in Self.questions {
        let found = try Self.found(format, arguments, in: context)
        #expect(found == expected, "\(format) \(arguments)")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `batches take the same constants`(_ kind: StoreKind) throws {
    guard kind == .sqlite else { return }
    try ModelStack(Self.model, kind).work { context in
      try Self.fill(context)
      try context.save()
      let update = NSBatchUpdateRequest(entityName: "Flat")
      update.predicate = NSPredicate(format: "number IN %@", [1, 2])
      update.propertiesToUpdate = ["rooms": 9]
      update.resultType = .updatedObjectsCountResultType
      let result = try context.execute(update) as? NSBatchUpdateResult
      #expect(result?.result as? Int == 2)
    }
  }
}
