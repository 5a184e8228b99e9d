import CoreDataModel
import Foundation
import TestSupport
import Testing

import class CoreData.NSExpression

@testable import CoreData

/// Composite attributes in dictionaries: they have the same values there as objects give by key.
@Suite struct CompositeDictionaryTests {
  private static let model: ModelSchema = {
    var place = AttributeSchema.attribute("place", .composite)
    var address = AttributeSchema.attribute("address", .composite)
    address.elements = [.text("street"), .text("city")]
    place.elements = [
      .attribute("latitude", .double), .attribute("floor", .integer16), address,
      .attribute("words", .transformable),
    ]
    return .model(.entity("Note", [.text("title"), place], [.one("next", "Note")]))
  }()

  private static var berlin: [String: Any] {
    ["latitude": 52.5, "address": ["street": "Allee", "city": "Berlin"]]
  }
  private static var bonn: [String: Any] {
    ["latitude": 52.5, "floor": 2, "address": ["city": "Bonn"], "words": ["a", "b"]]
  }

  private static func filled(_ kind: StoreKind) throws -> ModelStack {
    let stack = try ModelStack(model, kind)
    try stack.work { context in
      let one = context.new("Note", ["title": "a", "place": berlin])
      _ = context.new("Note", ["title": "b", "place": bonn, "next": one])
      _ = context.new("Note", ["title": "c", "place": berlin])
      _ = context.new("Note", ["title": "d"])
      try context.save()
    }
    return stack
  }

  private func request(_ properties: Any...) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    if !properties.isEmpty { request.propertiesToFetch = properties }
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return request
  }

  private func place(_ found: Any?, _ key: String = "place") -> [String: Any]? {
    (found as? NSDictionary)?[key] as? [String: Any]
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a composite attribute in a dictionary was one of its elements (51)`(
    _ kind: StoreKind
  ) throws {
    try Self.filled(kind).work { context in
      for properties in [["place", "title"], []] {
        let request = request()
        if !properties.isEmpty { request.propertiesToFetch = properties }
        let found = try context.fetch(request)
        #expect(found.map { $0["title"] as? String } == ["a", "b", "c", "d"])
        #expect(found[0].allKeys.count == 2)
        #expect(place(found[0])?.count == 2)
        #expect(place(found[0])?["latitude"] as? Double == 52.5)
        #expect(
          place(found[0])?["address"] as? [String: String] == ["street": "Allee", "city": "Berlin"]
        )
        #expect(place(found[1])?["floor"] as? Int16 == 2)
        #expect(place(found[1])?["address"] as? [String: String] == ["city": "Bonn"])
        #expect(place(found[1])?["words"] as? [String] == ["a", "b"])
        #expect(found[3]["place"] == nil)
        for (record, note) in zip(found, try context.all("Note")) {
          let values = note.value(forKey: "place") as? [String: Any]
          #expect(place(record)?.keys.sorted() == values?.keys.sorted())
        }
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a composite within a composite was an array in memory (51)`(_ kind: StoreKind) throws {
    try Self.filled(kind).work { context in
      let computed = NSExpressionDescription()
      computed.name = "where"
      computed.expression = NSExpression(forKeyPath: "place")
      let found = try context.fetch(
        request(
          "place.address",
          "place.address.city",
          "next.place",
          "place.words",
          computed
        )
      )
      #expect(
        found[0]["place.address"] as? [String: String] == ["street": "Allee", "city": "Berlin"]
      )
      #expect(found[0]["place.address.city"] as? String == "Berlin")
      #expect(found[0]["next.place"] == nil)
      #expect(place(found[1], "next.place")?["latitude"] as? Double == 52.5)
      #expect(found[1]["place.words"] as? [String] == ["a", "b"])
      #expect(place(found[1], "where")?["floor"] as? Int == 2)
      #expect(found[3].allKeys.isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `rows with equal composites were no group of their own (51, 64, 65)`(
    _ kind: StoreKind
  ) throws {
    try Self.filled(kind).work { context in
      let count = NSExpressionDescription()
      count.name = "count"
      count.expression = NSExpression(format: "count:(SELF)")
      count.expressionResultType = .integer64AttributeType
      let grouped = request("place", "place.address.city", count)
      grouped.propertiesToGroupBy = ["place"]
      grouped.sortDescriptors = [NSSortDescriptor(key: "place.address.city", ascending: true)]
      let groups = try context.fetch(grouped)
      #expect(groups.map { $0["count"] as? Int } == [1, 2, 1])
      #expect(groups.map { $0["place.address.city"] as? String } == [nil, "Berlin", "Bonn"])
      #expect(groups.map { place($0)?["latitude"] as? Double } == [nil, 52.5, 52.5])
      grouped.havingPredicate = NSPredicate(format: "count:(SELF) > 1")
      #expect(try context.fetch(grouped).count == 1)
      let distinct = request("place")
      distinct.returnsDistinctResults = true
      distinct.sortDescriptors = [NSSortDescriptor(key: "place.address.city", ascending: false)]
      let cities = try context.fetch(distinct).map { place($0)?["address"] as? [String: String] }
      #expect(cities.map { $0?["city"] } == ["Bonn", "Berlin", nil])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `an order by a composite attribute is refused (51)`(_ kind: StoreKind) throws {
    try Self.filled(kind).work { context in
      let request = request("place")
      request.sortDescriptors = [NSSortDescriptor(key: "place", ascending: true)]
      #expect(errorCode { try context.fetch(request) } == 134091)
      request.propertiesToGroupBy = ["place"]
      #expect(errorCode { try context.fetch(request) } == 134091)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `an object that came with a composite attribute read nil for it (51, 63)`(
    _ kind: StoreKind
  ) throws {
    let stack = try Self.filled(kind)
    stack.coordinator.persistentStores.first?.rowCache.removeAll()
    try stack.work { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.propertiesToFetch = ["place"]
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let notes = try context.fetch(request)
      #expect(
        notes.map { $0.value(forKeyPath: "place.latitude") as? Double } == [52.5, 52.5, 52.5, nil]
      )
      #expect(notes.map { $0.textValue("title") } == ["a", "b", "c", "d"])
      #expect(notes[1].value(forKeyPath: "place.words") as? [String] == ["a", "b"])
    }
  }
}
