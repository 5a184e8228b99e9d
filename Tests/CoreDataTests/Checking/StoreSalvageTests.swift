import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// The readable part of a damaged file is in a new store, and losses are reported.
@Suite struct StoreSalvageTests {
  private func target(for store: SoundStore) -> URL {
    store.file.deletingLastPathComponent().appendingPathComponent("Saved.sqlite")
  }

  @Test func `a sound store is copied whole, with its files`() throws {
    let store = try SoundStore()
    let target = target(for: store)
    let outcome = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    #expect(outcome.isComplete)
    #expect(outcome.report.findings.map(\.words) == [])
    let differences = try SoundStore(file: target).picture()
      .differences(from: store.picture())
    #expect(differences == [])
    #expect(ExternalFiles.names(besides: target) == ExternalFiles.names(besides: store.file))
  }

  @Test func `everything but a table that cannot be read is saved`() throws {
    let store = try SoundStore()
    let sound = try store.picture()
    _ = try store.breakPage(of: "ZBIN")
    let bytes = try Data(contentsOf: store.file)
    let target = target(for: store)
    let outcome = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    #expect(!outcome.isComplete)
    let lost = outcome.tables.filter { !$0.lost.isEmpty || !$0.isReadable }
    #expect(lost.map(\.name) == ["ZBIN"])
    let saved = try SoundStore(file: target).picture()
    #expect(sound.filter { saved[$0.key] == nil }.keys.sorted() == ["ZBIN 1", "ZBIN 2"])
    #expect(try Data(contentsOf: store.file) == bytes)
    // Notes were in a bin that is lost; a repair mends that.
    #expect(outcome.report.findings.map(\.check) == [.danglingKey, .danglingKey])
    #expect(try SoundStore(file: target).repair().perform().after.findings == [])
  }

  @Test(arguments: 1...6)
  func `rows around a broken page are saved`(_ seed: UInt64) throws {
    let store = try ManyNotes()
    let page = try store.breakLeaf(Int(seed))
    let target = store.file.deletingLastPathComponent().appendingPathComponent("Saved.sqlite")
    let outcome = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    let table = try #require(outcome.tables.first { $0.name == "ZNOTE" })
    let lost = table.lost.map(\.count).reduce(0, +)
    #expect(table.copied + table.partial + lost == ManyNotes.count, "page \(page)")
    #expect(lost > 0 && lost < 60 && table.lost.count == 1)
    try ModelStack(ManyNotes.schema, file: target)
      .work { context in
        let notes = try context.all("Note")
        #expect(notes.count == table.copied + table.partial)
        #expect(notes.allSatisfy { $0.textValue("title")?.hasPrefix("Note") == true })
        let new = context.new("Note", ["title": "Note new"])
        try context.save()
        #expect(new.objectID.key.number == Int64(ManyNotes.count + 1))
      }
  }

  @Test func `of a row whose large value cannot be read the others are saved`() throws {
    let store = try ManyNotes(bodyOfFirst: String(repeating: "long ", count: 8000))
    try store.breakOverflow()
    let target = store.file.deletingLastPathComponent().appendingPathComponent("Saved.sqlite")
    let outcome = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    let table = try #require(outcome.tables.first { $0.name == "ZNOTE" })
    #expect(table.partial == 1 && table.lost.isEmpty)
    try ModelStack(ManyNotes.schema, file: target)
      .work { context in
        let first = try #require(try context.all("Note").first)
        #expect(first.textValue("title") == "Note 1")
        #expect(first.value(forKey: "body") == nil)
      }
  }

  @Test func `a file that is cut off gives what is left of it`() throws {
    let store = try ManyNotes()
    let length = try Data(contentsOf: store.file).count
    let handle = try FileHandle(forUpdating: store.file)
    try handle.truncate(atOffset: UInt64(length - 3 * 4096))
    try handle.close()
    let target = store.file.deletingLastPathComponent().appendingPathComponent("Saved.sqlite")
    let salvage = StoreSalvage(storeAt: store.file, model: ManyNotes.schema, to: target)
    let outcome = try salvage.perform()
    let table = try #require(outcome.tables.first { $0.name == "ZNOTE" })
    #expect(table.copied > ManyNotes.count / 2)
    #expect(!outcome.isComplete)
  }

  @Test func `large data stayed of a salvage that found its name taken at the end`() throws {
    let store = try SoundStore()
    let target = target(for: store)
    let other = Data("of somebody else".utf8)
    var salvage = StoreSalvage(storeAt: store.file, model: nil, to: target)
    salvage.progress = { _ in
      _ = FileManager.default.createFile(atPath: target.path, contents: other)
    }
    let ready = salvage
    let error = #expect(throws: NSError.self) { try ready.perform() }
    #expect(error?.code == CocoaError.fileWriteFileExists.rawValue)
    #expect(try Data(contentsOf: target) == other)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: target.deletingLastPathComponent().path
    )
    #expect(names.sorted() == [".Notes_SUPPORT", "Notes.sqlite", "Saved.sqlite"])
  }

  @Test func `copies of large data are removed without what was there before`() throws {
    let store = try SoundStore()
    let target = target(for: store)
    let folder = ExternalFiles.folder(besides: target)
    let names = ExternalFiles.names(besides: store.file)
    let first = try #require(names.sorted().first)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("before".utf8).write(to: folder.appendingPathComponent(first))
    let copies = try SupportFolder(of: target)
      .take(from: SupportFolder(of: store.file), isReplaced: false)
    #expect(ExternalFiles.names(besides: target) == names)
    copies.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [first])
  }

  @Test func `nothing is written over a file, and nothing is left of one that cannot be made`()
    throws
  {
    let store = try SoundStore()
    #expect(throws: NSError.self) {
      try StoreSalvage(storeAt: store.file, model: nil, to: store.file).perform()
    }
    try Data("no database, whatever it was".utf8).write(to: store.file)
    let target = target(for: store)
    #expect(throws: NSError.self) {
      try StoreSalvage(storeAt: store.file, model: SoundStore.schema, to: target).perform()
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: store.file.deletingLastPathComponent().path
    )
    #expect(!names.contains { $0.hasPrefix("Saved") })
  }
}

/// A table of many pages.
private struct ManyNotes {
  let file: URL
  static let count = 600
  static let schema = ModelSchema.model(.entity("Note", [.text("title"), .text("body")]))
    .withoutOwnClasses

  init(bodyOfFirst: String? = nil) throws {
    let stack = try ModelStack(Self.schema)
    try stack.work { context in
      for number in 1...Self.count {
        let body = number == 1 ? bodyOfFirst : nil
        _ = context.new(
          "Note",
          ["title": "Note \(number)", "body": body ?? String(repeating: "x", count: 120)]
        )
        if number == 1 { try context.save() }
      }
      try context.save()
    }
    file = try #require(stack.file)
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    try Connection(path: file.path).run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Fills a leaf of the table with zeros.
  func breakLeaf(_ number: Int) throws -> Int {
    let pages = try self.pages { $0.first == 13 && $0.contains(Data("Note 2".utf8)) }
    let page = try #require(pages.dropFirst(number % pages.count).first)
    try overwrite(page)
    return page
  }

  /// Cuts the chain of pages of the long body, so that it leads to no page.
  func breakOverflow() throws {
    let text = Data("long long long ".utf8)
    let page = try #require(try pages { $0.first == 0 && $0.contains(text) }.first)
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(page) * 4096)
    try handle.write(contentsOf: Data([0x7F, 0xFF, 0xFF, 0xFF]))
    try handle.close()
  }

  private func overwrite(_ page: Int) throws {
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(page) * 4096)
    try handle.write(contentsOf: Data(count: 4096))
    try handle.close()
  }

  private func pages(_ isWanted: (Data) -> Bool) throws -> [Int] {
    let bytes = try Data(contentsOf: file)
    return (1..<bytes.count / 4096).filter { isWanted(Data(bytes[$0 * 4096..<($0 + 1) * 4096])) }
  }
}

extension Data {
  fileprivate func contains(_ text: Data) -> Bool { range(of: text) != nil }
}
