import Foundation
import TestSupport
import Testing

import class CoreData.NSExpression

@testable import CoreData

/// A store in memory and one in SQLite have to give the same dictionaries in the same order.
@Suite struct DifferentialDictionaryTests {
  @Test(arguments: [11, 12, 13] as [UInt64])
  func `a thousand requests give the same dictionaries in both kinds of stores (61, 64, 65)`(
    seed: UInt64
  ) throws {
    let desk = try DifferentialDesk(seed: seed)
    var random = SeededGenerator(state: seed &* 7919)
    var differences: [String] = []
    var sizes: Set<Int> = []
    let contexts = [desk.memory, desk.other].map { $0.context() }
    for _ in 0..<340 {
      let question = Question(&random)
      let answers = try contexts.map { context in
        try context.performAndWait { try question.answer(in: context) }
      }
      sizes.insert(answers[0].count)
      if answers[0] != answers[1] {
        let place = zip(answers[0], answers[1]).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        differences.append(
          """
          \(question)
          memory \(answers[0].count): \(answers[0].dropFirst(place).prefix(3))
          SQLite \(answers[1].count): \(answers[1].dropFirst(place).prefix(3))
          """
        )
      }
    }
    #expect(
      differences.isEmpty,
      "\(differences.count): \(differences.prefix(6).joined(separator: "\n"))"
    )
    // The test is worth nothing if most requests find nothing.
    #expect(sizes.count > 12, "\(sizes)")
  }
}

/// One request for dictionaries, as text.
private struct Question: CustomStringConvertible {
  var properties: [String]
  var groups: [String] = []
  var having: String?
  var isDistinct = false
  var predicate: String?
  var sort: [(key: String, ascending: Bool)] = []
  var limit = 0
  var offset = 0
  var entity = "Note"

  static let plain = [
    "title", "stars", "views", "rating", "price", "created", "isFavourite", "link", "uuid",
    "folder", "folder.name", "folder.parent", "folder.parent.name", "pinnedIn.name", "folder.cover",
  ]
  static let groupable = [
    "title", "stars", "isFavourite", "folder", "folder.name", "folder.parent.name", "created",
  ]
  static let computed = [
    "tags.@count", "stars * 2 + 1", "uppercase:(title)", "length:(title)", "folder.notes.@count",
    "folder.notes.@max.stars", "tags.@min.name", "TERNARY(stars > 2, title, text)", "SELF", "7",
    "SUBQUERY(tags, $t, $t.name != nil).@count",
  ]
  static let aggregates = [
    "count:(SELF)", "count:(title)", "sum:(stars)", "average:(stars)", "min:(stars)",
    "max:(created)", "min:(title)", "count:(folder)", "sum:(tags.@count)", "@count", "@max.stars",
    "max:(stars) - min:(stars)", "sum:(stars * 3)", "count:(folder.name)", "max:(link)",
    "'constant'",
  ]

  init(_ random: inout SeededGenerator) {
    properties = []
    switch random.index(below: 4) {
    case 0:
      groups = Self.draw(Self.groupable, 1 + random.index(below: 2), &random)
      properties = groups + Self.draw(Self.aggregates, 1 + random.index(below: 3), &random)
      if random.chance(1, of: 2) { having = "count:(SELF) > \(random.index(below: 5))" }
      if random.chance(1, of: 4) {
        having = "max:(stars) > min:(stars) AND $c\(groups.count) != nil"
      }
      if random.chance(1, of: 2) {
        sort = [(random.one(of: groups), random.chance(1, of: 2))].filter { $0.0 != "folder" }
      }
    case 1:
      properties = Self.draw(Self.aggregates, 2 + random.index(below: 3), &random)
    case 2:
      properties = Self.draw(Self.groupable, 1 + random.index(below: 3), &random)
      isDistinct = true
      if random.chance(1, of: 2) {
        sort = [(random.one(of: properties), random.chance(1, of: 2))].filter { $0.0 != "folder" }
      }
    case _:
      properties = Self.draw(Self.plain, 1 + random.index(below: 5), &random)
      properties += Self.draw(Self.computed, random.index(below: 3), &random)
      if random.chance(1, of: 2) {
        sort = [
          (random.one(of: ["title", "stars", "folder.name", "created"]), random.chance(1, of: 2))
        ]
      }
    }
    if random.chance(1, of: 3) {
      predicate = random.one(of: [
        "stars > 2", "title != nil", "ANY tags.name != nil", "folder.name != nil", "stars > 99",
      ])
    }
    if random.chance(1, of: 4) { entity = "Checklist" }
    if random.chance(1, of: 4) { limit = 1 + random.index(below: 9) }
    if random.chance(1, of: 5) { offset = random.index(below: 4) }
  }

  private static func draw(
    _ names: [String],
    _ count: Int,
    _ random: inout SeededGenerator
  ) -> [String] {
    var drawn: [String] = []
    for _ in 0..<count {
      let name = random.one(of: names)
      if !drawn.contains(name) { drawn.append(name) }
    }
    return drawn
  }

  var description: String {
    """
    \(isDistinct ? "distinct " : "")\(properties) of \(entity) where \(predicate ?? "-") by \(sort) \
    groups \(groups) having \(having ?? "-") limit \(limit) offset \(offset)
    """
  }

  func answer(in context: NSManagedObjectContext) throws -> [String] {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties.enumerated().map { index, property in
      if Self.plain.contains(property) { return property }
      let description = NSExpressionDescription()
      description.name = "c\(index)"
      description.expression = NSExpression(format: property)
      return description
    }
    if !groups.isEmpty { request.propertiesToGroupBy = groups }
    request.havingPredicate = having.map { NSPredicate(format: $0) }
    request.returnsDistinctResults = isDistinct
    request.predicate = predicate.map { NSPredicate(format: $0) }
    request.sortDescriptors = sort.map { NSSortDescriptor(key: $0.key, ascending: $0.ascending) }
    request.fetchLimit = limit
    request.fetchOffset = offset
    return try context.fetch(request).map { dictionary in
      dictionary.allKeys.map { "\($0)" }.sorted()
        .map { "\($0): \(Self.spelled(dictionary[$0]))" }.joined(separator: ", ")
    }
  }

  /// The value and its type; identities without the store they are in.
  private static func spelled(_ value: Any?) -> String {
    switch value {
    case let id as NSManagedObjectID: "\(id.entity.name ?? "") \(id.key.number)"
    case let date as Date: "date \(date.timeIntervalSinceReferenceDate)"
    case let number as NSDecimalNumber: "decimal \(number)"
    // SQLite keeps no sign of zero.
    case let number as NSNumber where number.doubleValue == 0: "zero"
    case let number as NSNumber: "\(String(cString: number.objCType)) \(number)"
    case let text as String: "text \(Array(text.utf8))"
    case let value?: "\(type(of: value)) \(value)"
    case nil: "nothing"
    }
  }
}
