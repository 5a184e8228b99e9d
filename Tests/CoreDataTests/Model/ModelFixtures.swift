import CoreDataModel
import Foundation

/// Real models, beside the package, if they are present at all.
enum ModelFixtures {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/fixtures/models")

  static let arePresent = FileManager.default.fileExists(atPath: folder.path)

  static let names = ["BookmarksModel", "Moody", "SampleModel", "SampleModel3", "VersionedModel"]

  static func source(_ name: String) -> URL {
    folder.appending(path: "\(name).xcdatamodeld")
  }
}

/// A folder that is gone after the test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // A file that stays in the temporary folder does no harm.
    try? FileManager.default.removeItem(at: url)
  }
}
