import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// Tests of a store's metadata: by it programs know whether they may open the store.
@Suite struct MetadataCheckTests {
  private let store: SoundStore

  init() throws { store = try SoundStore() }

  private func metadata() throws -> [String: Any] {
    let connection = try Connection(path: store.file.path, mode: .readOnly)
    let statement = try connection.statement("SELECT Z_PLIST FROM Z_METADATA")
    defer { statement.reset() }
    #expect(try statement.step())
    return try #require(StoreMetadata.dictionary(from: Data(statement.blobBytes(0))))
  }

  private func change(_ body: (inout [String: Any]) -> Void) throws {
    var list = try metadata()
    body(&list)
    let bytes = SQLValue.blob([UInt8](try StoreMetadata.binary(of: list)))
    try Connection(path: store.file.path).run("UPDATE Z_METADATA SET Z_PLIST = \(bytes)")
  }

  /// Ways in which version hashes are not valid.
  enum Hashes: CaseIterable {
    case text, short, long, oneOfMany, missing, noDictionary, empty

    func spoil(_ list: inout [String: Any]) {
      var hashes: [String: Any] = SoundStore.schema.entityVersionHashes
      switch self {
      case .text: hashes = hashes.mapValues { _ in "a text" }
      case .short: hashes["Note"] = Data([1, 2, 3])
      case .long: hashes["Note"] = Data(count: 33)
      case .oneOfMany: hashes["Note"] = 7
      case .missing, .noDictionary, .empty: hashes = [:]
      }
      list[NSStoreModelVersionHashesKey] = hashes
      if self == .missing { list[NSStoreModelVersionHashesKey] = nil }
      if self == .noDictionary { list[NSStoreModelVersionHashesKey] = [1, 2] }
    }

    var sentence: String {
      let reason =
        switch self {
        case .text: "6 version hashes are not data of 32 bytes"
        case .short, .long, .oneOfMany: "1 version hash is not data of 32 bytes"
        case .missing, .noDictionary: "the version hashes are missing, or are no dictionary"
        case .empty: "there are no version hashes, but entities in the model"
        }
      return "Z_METADATA: \(reason) (NSStoreModelVersionHashes): nothing opens the store"
    }
  }

  @Test(arguments: Hashes.allCases)
  func `a store whose version hashes are none was called sound`(hashes: Hashes) throws {
    try change {
      hashes.spoil(&$0)
      $0["mine"] = "kept"
    }
    #expect(throws: NSError.self) { try ModelStack(SoundStore.schema, file: store.file) }
    let report = try store.report()
    #expect(report.findings.map(\.words) == [hashes.sentence])
    #expect(!report.isSound && report.hasCheckedRows)
    let outcome = try store.repair().perform()
    #expect(outcome.after.findings.map(\.words) == [])
    let mended = try metadata()
    #expect(mended["mine"] as? String == "kept")
    #expect(
      mended[NSStoreModelVersionHashesKey] as? [String: Data]
        == SoundStore.schema.entityVersionHashes
    )
    let stack = try ModelStack(SoundStore.schema, file: store.file)
    let notes = try stack.work { try $0.all("Note").count }
    #expect(notes == 8)
  }

  @Test func `entities whose hashes are none are named`() throws {
    try change {
      $0[NSStoreModelVersionHashesKey] = ["Note": "a", "Tag": Data([1]), "Bin": Data(count: 32)]
    }
    let findings = try store.report().findings
    let finding = try #require(findings.first { $0.check == .metadata })
    #expect(finding.examples == .names(["Note", "Tag"]) && finding.count == 2)
    // The hash that can be read is of another model: the rest of this one would be a guess.
    #expect(finding.remedy == nil)
    #expect(findings.contains { $0.sentence.hasPrefix("the rows were not checked") })
    #expect(try store.repair().perform().performed.isEmpty)
  }

  @Test func `a type that is no text, and hashes that are none, are mended together`() throws {
    try change {
      $0[NSStoreTypeKey] = 7
      $0[NSStoreModelVersionHashesKey] = "none"
    }
    let findings = try store.report().findings
    #expect(findings.count == 2 && Set(findings.map(\.remedy)).count == 1)
    #expect(
      findings.contains { $0.sentence == "the store's type (NSStoreType) is no text" },
      "\(findings.map(\.words))"
    )
    #expect(try store.repair().perform().after.findings == [])
    #expect(try metadata()[NSStoreTypeKey] as? String == NSSQLiteStoreType)
  }

  @Test func `a store of a format to come was called sound, and nothing opened it`() throws {
    try change { $0[NSStoreModelVersionHashesVersionKey] = 4 }
    #expect(throws: NSError.self) { try ModelStack(SoundStore.schema, file: store.file) }
    let finding = try #require(try store.report().findings.first)
    #expect(
      finding.words == "Z_METADATA: it has hashes of the version 4, which is not known here: "
        + "nothing opens the store"
    )
    #expect(finding.remedy == nil && finding.advice?.contains("--salvage") == true)
    #expect(try store.repair().perform().performed.isEmpty)
  }
}
