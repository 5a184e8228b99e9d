import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataModelChanges

/// Stores that Apple's framework made, migrated to later versions of their own models.
struct RealMigrationTests {
  private static let models = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../shared/fixtures/models")
    .standardizedFileURL

  /// A store, the file of its model, and the ends of the steps that can be inferred.
  struct Journey: CustomTestStringConvertible, Sendable {
    let store: String
    let destination: String
    let schema: ModelSchema

    var testDescription: String { "\(store) to \(destination)" }
  }

  private static let families = [
    ("Bookmarks", "BookmarksModel"), ("Moody", "Moody"), ("SampleModel_", "SampleModel"),
    ("SampleModel3", "SampleModel3"),
  ]

  /// Every pair of a store and a version of its model that can be inferred.
  static let journeys: [Journey] = withSources + withCaches

  /// Of one program only the stores are there; each has its version of the model in it.
  private static var withCaches: [Journey] {
    let copies = StoreCopy.names.filter { $0.hasPrefix("MigrationExample") }
      .compactMap { name in (try? StoreCopy(name)).map { (name, $0.schema) } }
    return copies.flatMap { name, source in
      copies.filter { _, schema in
        let comparison = ModelComparison(from: source, to: schema)
        return comparison.needsMigration && comparison.obstacles.isEmpty
      }
      .map { Journey(store: name, destination: $0.0, schema: $0.1) }
    }
  }

  private static let withSources: [Journey] = families.flatMap { prefix, name -> [Journey] in
    let url = models.appending(path: "\(name).xcdatamodeld")
    guard let source = try? ModelSource(contentsOf: url) else { return [] }
    let versions = CompiledModel(source).versions
    return StoreCopy.names.filter { $0.hasPrefix(prefix) }.flatMap { store -> [Journey] in
      guard let copy = try? StoreCopy(store) else { return [] }
      return versions.filter { version in
        let comparison = ModelComparison(from: copy.schema, to: version.schema)
        return comparison.needsMigration && comparison.obstacles.isEmpty
      }
      .map { Journey(store: store, destination: $0.name, schema: $0.schema) }
    }
  }

  @Test(arguments: journeys)
  func `every row of a real store is there after it was migrated (108)`(journey: Journey) throws {
    let copy = try StoreCopy(journey.store)
    let comparison = ModelComparison(from: copy.schema, to: journey.schema)
    let old = copy.schema.classless
    Transformers.register(for: journey.schema)
    let before = try Upgrade.work(with: old, at: copy.file) { context in
      try Values(context, old.entities.map(\.name))
    }
    let upgrade = Upgrade(of: copy.file)
    let after = try upgrade.work(with: journey.schema) { context in
      try Values(context, journey.schema.entities.map(\.name))
    }
    for match in comparison.entities {
      guard let source = match.sourceName else { continue }
      #expect(after.keys[match.destinationName] == before.keys[source], "\(match.destinationName)")
      for property in match.properties {
        guard case .attribute(let attribute) = property.destination.property,
          attribute.derivationExpression == nil, attribute.defaultValue == nil,
          let name = property.source?.name
        else { continue }
        for key in before.keys[source] ?? [] {
          let (was, is_) = (
            before.values["\(source)/\(key).\(name)"],
            after.values["\(match.destinationName)/\(key).\(attribute.name)"]
          )
          #expect(was == is_, "\(match.destinationName)/\(key).\(attribute.name)")
        }
      }
    }
    let shape = try FileShape(Connection(path: copy.file.path))
    try shape.check(against: TableMap(journey.schema, existingTables: shape.tableNames))
    #expect(try Connection(path: copy.file.path).text("PRAGMA integrity_check") == "ok")
    try upgrade.work(with: journey.schema) { context in
      for object in try context.every(journey.schema.entities[0].name) { context.delete(object) }
      try? context.save()
      #expect(checkInvariants(of: context) == [])
    }
  }

  @Test func `the step from Moody to Moody 2 can be inferred (108)`() {
    let moody = Self.journeys.filter { $0.store == "Moody" }.map(\.destination)
    #expect(moody.isEmpty || moody.contains("Moody 2"))
  }

  /// The values of a store's objects, by entity and key.
  private struct Values {
    var keys: [String: [Int64]] = [:]
    var values: [String: String] = [:]

    init(_ context: NSManagedObjectContext, _ entities: [String]) throws {
      for entity in entities {
        for object in try context.every(entity) {
          let key = object.objectID.key.number
          keys[entity, default: []].append(key)
          for line in ObjectLines(object: object).lines {
            let parts = line.split(separator: " = ", maxSplits: 1)
            let name = parts[0].split(separator: " ").last.map(String.init) ?? ""
            values["\(entity)/\(key).\(name)"] = String(parts.last ?? "")
          }
        }
      }
    }
  }
}
