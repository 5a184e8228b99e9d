import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of lightweight migration with large data in files beside the store.
struct LargeDataMigrationTests {
  private let inRows = LightweightMigrationTests.first
  private let inFiles = LightweightMigrationTests.first.changing("Note") {
    $0.change("image") { $0.allowsExternalBinaryDataStorage = true }
  }
  private let large = Data(repeating: 5, count: 200_000)

  @Test func `data may stand in files, and need not any more (108)`() throws {
    let upgrade = try Upgrade(inRows, LightweightMigrationTests.fill)
    try upgrade.work(with: inFiles) { context in
      #expect(try context.lines(inFiles).contains("Note/3 image = x'0708'"))
      context.make("Note", ["image": large])
      try context.save()
    }
    try upgrade.expectShape(of: inFiles)
    let folder = ExternalFiles.folder(besides: upgrade.file)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    try upgrade.work(with: inRows) { context in
      let images = try context.every("Note").compactMap { $0.value(forKey: "image") as? Data }
      #expect(images == [Data([7, 8]), large])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `values whose files were not copied with the store were gone without a word`() throws {
    let upgrade = try Upgrade(inFiles) {
      $0.make("Note", ["image": large])
      try $0.save()
      $0.make("Note", ["image": Data([7, 8])])
    }
    let folder = ExternalFiles.folder(besides: upgrade.file).deletingLastPathComponent()
    let aside = folder.deletingLastPathComponent().appendingPathComponent("aside")
    try FileManager.default.moveItem(at: folder, to: aside)
    let loss = "Note.image: 1 value, whose file is not in .Notes_SUPPORT, or too large to be read"
    #expect(try upgrade.preview(inRows).losses.map(\.description) == [loss])
    #expect(try upgrade.lines(inRows).contains("Note/2 image = x'0708'"))
    // The copy knows the file, which may be found yet.
    let copy = upgrade.file.appendingPathExtension("before-migration")
    try FileManager.default.moveItem(
      at: aside,
      to: ExternalFiles.folder(besides: copy).deletingLastPathComponent()
    )
    try Upgrade(of: copy).work(with: inFiles) { context in
      let images = try context.every("Note").compactMap { $0.value(forKey: "image") as? Data }
      #expect(images.contains(large))
    }
  }

  @Test func `files of values that go are removed, and the copy has them (108)`() throws {
    let upgrade = try Upgrade(inFiles) { $0.make("Note", ["image": large]) }
    let second = inFiles.changing("Note") { $0.attributes.removeAll { $0.name == "image" } }
    _ = try upgrade.lines(second)
    let folder = ExternalFiles.folder(besides: upgrade.file)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    let backup = Upgrade(of: upgrade.file.appendingPathExtension("before-migration"))
    try backup.work(with: inFiles) { context in
      let image = try context.every("Note")[0].value(forKey: "image") as? Data
      #expect(image == large)
    }
  }

  @Test func `a migration took the large data of a copy whose name differs in its ending alone`()
    throws
  {
    let upgrade = try Upgrade(inFiles) { $0.make("Note", ["image": large]) }
    let copy = upgrade.file.deletingPathExtension().appendingPathExtension("backup")
    try FileManager.default.copyItem(at: upgrade.file, to: copy)
    _ = try upgrade.lines(inRows)
    try Upgrade(of: copy).work(with: inFiles) { context in
      let image = try context.every("Note")[0].value(forKey: "image") as? Data
      #expect(image == large)
    }
  }
}
