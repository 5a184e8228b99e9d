import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// One byte is wrong, somewhere: there may be errors and odd values, but the program goes on.
@Suite(
  .enabled(
    if: StoreCopy.names.contains("SampleModel2_V2"),
    "needs ../shared/fixtures/stores"
  )
)
struct FlippedBytesTests {
  @Test(arguments: ["SampleModel2_V2", "Bookmarks_V3"], 0..<6)
  func `reading everything never stops the program`(name: String, part: Int) throws {
    let copy = try StoreCopy(name)
    let bytes = try Data(contentsOf: copy.file)
    var dice = Dice(seed: UInt64(part) + 1)
    for round in 0..<Tries.count(4, long: 500) {
      var damaged = bytes
      let place = Int.random(in: 0..<bytes.count, using: &dice)
      damaged[place] ^= UInt8.random(in: 1...255, using: &dice)
      try damaged.write(to: copy.file)
      // Holding guesses against hashes takes its time.
      look(at: copy, place, throughTables: round % 5 == 0)
    }
  }

  /// With the model that it was made with, with its own, and with the one derived from its tables.
  private func look(at copy: StoreCopy, _ place: Int, throughTables: Bool) {
    let options: [String: Any] = [
      NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
    ]
    attempt(place) { try copy.readEverything(options) }
    for source in throughTables ? [StoredModel.Choice.cache, .tables] : [.cache] {
      attempt(place) {
        let schema = try StoredModel(inStoreAt: copy.file, from: source).schema
        try StoreCopy(at: copy.file, schema: schema.withKnownTransformers).readEverything(options)
      }
    }
  }

  private func attempt(_ place: Int, _ body: () throws -> Void) {
    do {
      try body()
    } catch let error as NSError {
      #expect(error.domain == NSCocoaErrorDomain, "\(place): \(error)")
      #expect(error.localizedFailureReason != nil, "\(place): \(error)")
    }
  }

  @Test(arguments: ["SampleModel2_V2", "Moody", "LoopKit_V1"])
  func `a model's archive with a wrong byte is a model or an error`(name: String) throws {
    let archive = try ModelArchive.encode(StoreCopy(name).schema)
    var dice = Dice(seed: 11)
    var models = 0
    for _ in 0..<Tries.count(100, long: 300) {
      var damaged = archive
      let place = Int.random(in: 0..<archive.count, using: &dice)
      damaged[place] ^= UInt8.random(in: 1...255, using: &dice)
      guard let schema = try? ModelArchive.decode(damaged) else { continue }
      let problems = schema.problems + schema.formatProblems
      if problems.contains(where: { $0.severity == .error }) { continue }
      _ = schema.entityVersionHashes
      let model = NSManagedObjectModel(schema: schema.withKnownTransformers)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      #expect(!TablesWriter(TableMap(coordinator.layout.schema)).statements.isEmpty)
      models += 1
    }
    #expect(models > 0)
  }

  @Test func `an archived value with a wrong byte is a value or none`() throws {
    let values: [Any] = [
      "text", 1, 2.5, true, Date(timeIntervalSinceReferenceDate: 1), Data([1, 2, 3]), UUID(),
      URL(filePath: "/notes"), ["key": ["inner", 1], "other": NSNull()], NSSet(array: [1, "two"]),
    ]
    let transformer = NSSecureUnarchiveFromDataTransformer()
    let archive = try #require(transformer.reverseTransformedValue(values as NSArray) as? Data)
    let again = try #require(transformer.transformedValue(archive) as? NSArray)
    #expect(again.count == values.count)
    var dice = Dice(seed: 5)
    for _ in 0..<2000 {
      var damaged = archive
      let place = Int.random(in: 0..<archive.count, using: &dice)
      damaged[place] ^= UInt8.random(in: 1...255, using: &dice)
      _ = transformer.transformedValue(damaged)
    }
    for length in 0..<archive.count {
      #expect(transformer.transformedValue(archive.prefix(length)) == nil)
    }
  }
}
