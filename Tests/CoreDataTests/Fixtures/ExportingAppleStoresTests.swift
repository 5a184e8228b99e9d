import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Apple's own stores, written into files of other types object by object.
@Suite(.enabled(if: !StoreCopy.names.isEmpty, "needs ../shared/fixtures/stores"))
struct ExportingAppleStoresTests {
  /// XML stores keep no composite attributes.
  private static let names = StoreCopy.names.filter { !["ChefTime", "Cocktails"].contains($0) }

  @Test(arguments: names)
  func `the file is the one that a store has which was filled with the same objects`(
    name: String
  ) throws {
    let copy = try StoreCopy(name)
    let store = try copy.open()
    let exported = TestSupport.TemporaryFolder.file("Exported")
    var lost: [String: Int] = [:]
    let done = try copy.coordinator.export(store, to: exported, type: .xml) { lost = $0 }
    #expect(done)
    let migrated = TestSupport.TemporaryFolder.file("Migrated")
    var lostBefore: [String: Int] = [:]
    let new = try copy.coordinator.migratePersistentStore(
      store,
      to: migrated,
      type: .xml,
      isWhole: true
    ) { lostBefore = $0 }
    #expect(lost == lostBefore)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .xml,
      at: exported
    )
    let identifiers = [metadata[NSStoreUUIDKey] as? String, new.identifier]
    let texts = try zip([exported, migrated], identifiers).map { file, identifier in
      let text = try String(contentsOf: file, encoding: .utf8)
      return text.replacingOccurrences(of: try #require(identifier), with: "-")
    }
    let lines = texts.map { $0.split(separator: "\n") }
    let difference = zip(lines[0], lines[1]).first { $0 != $1 }
    #expect(difference == nil)
    #expect(lines[0].count == lines[1].count)
    #expect(lines[0].count > 20)
  }
}
