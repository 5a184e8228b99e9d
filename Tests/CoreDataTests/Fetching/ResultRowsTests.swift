import CoreDataModel
import Foundation
import TestSupport
import Testing

import class CoreData.NSExpression

@testable import CoreData

/// Rows of values, which dictionaries of the same request are compared with.
@Suite struct ResultRowsTests {
  private struct Line: Decodable, Equatable {
    let title: String
    let stars: Int
    let rating: Double
    let views: Int64?
    let created: Date
    let uuid: UUID
    let price: Decimal
    let image: Data?
    let link: URL?
    let isFavourite: Bool
  }

  private func filled(_ kind: StoreKind) throws -> NotesStack {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      let folders = ["Home", "Work"].map { context.folder($0) }
      for number in 0..<5 {
        let note = context.note("note \(number)", in: number == 4 ? nil : folders[number % 2])
        note.stars = Int16(number)
        note.views = number == 2 ? nil : NSNumber(value: number * 100)
        note.rating = Double(number) / 2
        note.price = NSDecimalNumber(decimal: Decimal(number) / 4)
        note.created = Date(timeIntervalSinceReferenceDate: Double(number) * 100)
        note.isFavourite = number > 3
        note.uuid = DifferentialValues.code(number)
        note.link = number == 1 ? URL(string: "https://example.com/a") : nil
        note.image = number == 1 ? Data([1, 2]) : nil
        note.keywords = number == 1 ? ["a", "b"] : nil
      }
      try context.save()
    }
    return stack
  }

  private func request(_ properties: Any...) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    if !properties.isEmpty { request.propertiesToFetch = properties }
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return request
  }

  private func dictionaries(
    _ request: NSFetchRequest<Note>,
    _ context: NSManagedObjectContext
  ) throws -> [NSDictionary] {
    let request = request.retyped(NSDictionary.self)
    request.resultType = .dictionaryResultType
    return try context.fetch(request)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `rows have the values of dictionaries, by name and as a dictionary`(
    kind: StoreKind
  ) throws {
    try filled(kind).work { context throws in
      for request in [request(), request("title", "folder", "folder.name", "views", "image")] {
        let (rows, wanted) = (try context.rows(of: request), try dictionaries(request, context))
        #expect(rows.count == 5)
        #expect(rows.map(\.dictionary) == wanted)
        #expect(rows.dictionaries == wanted)
        for (row, dictionary) in zip(rows, wanted) {
          for name in rows.names {
            let (one, other) = (row[name].map { $0 as AnyObject }, dictionary[name])
            #expect(
              NSDictionary(object: one ?? NSNull(), forKey: "it" as NSString)
                == NSDictionary(
                  object: other.map { $0 as AnyObject } ?? NSNull(),
                  forKey: "it" as NSString
                ),
              "\(name)"
            )
          }
        }
        #expect(rows[0]["no column"] == nil)
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a column is read by the key path of its property, and as a type`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      let rows = try context.rows(
        of: request(
          "title",
          "stars",
          "views",
          "rating",
          "price",
          "created",
          "isFavourite",
          "folder",
          "folder.name"
        )
      )
      let row = rows[3]
      #expect(row[\.title] == "note 3")
      #expect(row[\.stars] == 3)
      #expect(row[\.views] == 300)
      #expect(row[\.rating] == 1.5)
      #expect(row[\.price] == 0.75)
      #expect(row[\.created] == Date(timeIntervalSinceReferenceDate: 300))
      #expect(!row[\.isFavourite])
      #expect(rows[4][\.isFavourite])
      let objects = try context.fetch(request())
      #expect(row[\.folder] == objects[3].folder?.objectID)
      #expect(row[\.folder?.name] == "Work")
      #expect(rows[4][\.folder] == nil)
      #expect(rows[2][\.views] == nil)
      #expect(row["stars", as: Int.self] == 3)
      #expect(row["stars", as: UInt64.self] == 3)
      #expect(row["views", as: Int8.self] == nil, "300 has no room in eight bits")
      #expect(row["stars", as: NSNumber.self] == 3)
      #expect(row["isFavourite", as: Bool.self] == false)
      #expect(row["rating", as: Double.self] == 1.5)
      #expect(row["title", as: Int.self] == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `rows are decoded as a type`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      let lines = try context.values(of: request(), as: Line.self)
      #expect(lines.count == 5)
      #expect(
        lines[1]
          == Line(
            title: "note 1",
            stars: 1,
            rating: 0.5,
            views: 100,
            created: Date(timeIntervalSinceReferenceDate: 100),
            uuid: DifferentialValues.code(1),
            price: 0.25,
            image: Data([1, 2]),
            link: URL(string: "https://example.com/a"),
            isFavourite: false
          )
      )
      #expect(lines[2].views == nil)
      #expect(try context.values(of: request("title"), as: String.self).first == "note 0")
      let problem = #expect(throws: DecodingError.self) {
        try context.values(of: request("title", "stars"), as: Line.self)
      }
      guard case .keyNotFound(let key, let details)? = problem else {
        Issue.record("\(problem as Any)")
        return
      }
      #expect(key.stringValue == "rating")
      #expect(details.debugDescription.contains("title, stars"))
      #expect(throws: DecodingError.self) {
        try context.values(of: request("title"), as: Int.self)
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a report by groups is read from rows`(kind: StoreKind) throws {
    try filled(kind).work { context throws in
      let sum = NSExpressionDescription()
      sum.name = "stars in all"
      sum.expression = NSExpression(format: "sum:(stars)")
      sum.expressionResultType = .integer64AttributeType
      let request = request("folder.name", sum)
      request.propertiesToGroupBy = ["folder.name"]
      request.sortDescriptors = [NSSortDescriptor(key: "folder.name", ascending: true)]
      let report = try context.rows(of: request).map { row in
        "\(row["folder.name", as: String.self] ?? "-") \(row["stars in all", as: Int.self] ?? -1)"
      }
      #expect(report == ["- 4", "Home 2", "Work 4"])
    }
  }

  @Test func `rows are read on another thread, when their context is gone`() async throws {
    let rows = try {
      let stack = try filled(.sqlite)
      return try stack.work { context throws in
        try context.rows(of: request("title", "image", "keywords"))
      }
    }()
    let (titles, image) = await Task.detached {
      (rows.map { $0[\.title] ?? "" }, rows[1][\.image])
    }.value
    #expect(titles == (0..<5).map { "note \($0)" })
    #expect(image == Data([1, 2]))
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a composite attribute is a dictionary in its row`(kind: StoreKind) throws {
    var place = AttributeSchema.attribute("place", .composite)
    place.elements = [.attribute("latitude", .double), .text("city")]
    let model = ModelSchema.model(.entity("Spot", [.text("name"), place]))
    try ModelStack(model, kind).work { context in
      _ = context.new("Spot", ["name": "a", "place": ["latitude": 52.5, "city": "Berlin"]])
      _ = context.new("Spot", ["name": "b"])
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Spot")
      request.propertiesToFetch = ["place", "name"]
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let rows = try context.rows(of: request)
      #expect(rows.names == ["place", "name"])
      let place = rows[0]["place"] as? [String: Any]
      #expect(place?["latitude"] as? Double == 52.5)
      #expect(place?["city"] as? String == "Berlin")
      #expect(rows[1]["place"] == nil)
      #expect(rows[1]["name", as: String.self] == "b")
    }
  }
}
