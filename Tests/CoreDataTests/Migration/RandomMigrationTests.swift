import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Models that change at random: the store holds what plain values hold that change in the same way.
struct RandomMigrationTests {
  private static let seeds: [UInt64] = {
    // More of them, or others: COREDATA_SEEDS=200-400
    let range = ProcessInfo.processInfo.environment["COREDATA_SEEDS"]?.split(separator: "-")
      .compactMap { UInt64($0) }
    guard let range, range.count == 2 else { return Array(Tries.seeds(6, long: 400)) }
    return Array(range[0]...range[1])
  }()

  @Test(arguments: seeds)
  func `a migrated store holds what the model's changes make of plain values (108)`(
    seed: UInt64
  ) throws {
    var dice = Dice(seed: seed)
    var plain = PlainStore(&dice)
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let upgrade = Upgrade(of: file)
    try upgrade.work(with: plain.schema) { try plain.grow($0, &dice) }
    for round in 0..<4 {
      plain.begin()
      var edits: [String] = []
      for _ in 0..<Int.random(in: 1...4, using: &dice) { edits.append(plain.edit(&dice)) }
      let place: Comment = "seed \(seed), round \(round): \(edits)"
      let lines = try upgrade.work(with: plain.schema) { try plain.read($0) }
      try #require(lines == plain.lines, place)
      try upgrade.expectShape(of: plain.schema)
      try upgrade.work(with: plain.schema) { context in
        try plain.grow(context, &dice)
        #expect(checkInvariants(of: context) == [], place)
      }
      let grown = try upgrade.work(with: plain.schema) { try plain.read($0) }
      try #require(grown == plain.lines, place)
    }
  }
}

// MARK: - In a context

extension PlainStore {
  /// Makes an object of every entity, links some, and saves; the plain values do the same.
  mutating func grow(_ context: NSManagedObjectContext, _ dice: inout Dice) throws {
    var found: [String: NSManagedObject] = [:]
    for entity in entities {
      for object in try context.every(entity.name) {
        found[object.value(forKey: "key") as? String ?? ""] = object
      }
    }
    for entity in entities {
      for _ in 0..<2 {
        let key = "k\(objects.count)-\(Int.random(in: 0..<100_000, using: &dice))"
        let object = context.make(entity.name, ["key": key])
        var plain = Object(entity: entity.name)
        for attribute in lineage(entity.name).flatMap(\.attributes) {
          let number = Int.random(in: 10..<100, using: &dice)
          object.setValue(attribute.isNumber ? number : "\(number)", forKey: attribute.name)
          plain.values[attribute.name] = "\(number)"
        }
        found[key] = object
        objects[key] = plain
      }
    }
    for place in links.indices {
      let (from, to) = (keys(of: links[place].there.entity), keys(of: links[place].target))
      for _ in 0..<4 {
        guard let first = from.randomElement(using: &dice),
          let second = to.randomElement(using: &dice)
        else { continue }
        let pair = Pair(from: first, to: second)
        guard links[place].admits(pair), let object = found[first], let other = found[second] else {
          continue
        }
        links[place].pairs.insert(pair)
        object.link(other, by: links[place].there.name)
      }
    }
    try context.save()
  }

  /// The store's content, in the words of `lines`.
  func read(_ context: NSManagedObjectContext) throws -> [String] {
    var lines: [String] = []
    for entity in entities {
      for object in try context.every(entity.name) {
        let key = object.value(forKey: "key") as? String ?? "nil"
        let values = lineage(entity.name).flatMap(\.attributes)
          .map { "\($0.name)=\(object.value(forKey: $0.name).map { "\($0)" } ?? "nil")" }.sorted()
        lines.append("\(key): \(entity.name) \(values.joined(separator: " "))")
        for name in object.entity.relationshipsByName.keys {
          for other in object.linked(by: name) {
            lines.append("\(name): \(key) → \(other.value(forKey: "key") as? String ?? "nil")")
          }
        }
      }
    }
    return lines.sorted()
  }
}

extension NSManagedObject {
  fileprivate func link(_ other: NSManagedObject, by name: String) {
    guard let relationship = entity.relationshipsByName[name] else { return }
    if relationship.isOrdered {
      mutableOrderedSetValue(forKey: name).add(other)
    } else if relationship.isToMany {
      mutableSetValue(forKey: name).add(other)
    } else {
      setValue(other, forKey: name)
    }
  }
}
