import Archives
import Foundation

@testable import SlipboxLibrary

/// Archives for tests.
enum Archive {
  static func of(_ files: [(path: String, data: Data)], date: Date = Date()) throws -> ImportSource
  {
    try ImportSource(
      archive: try written { archive in
        for file in files { try archive.add(file.path, file.data, date: date) }
      }
    )
  }

  static func of(_ files: KeyValuePairs<String, String>) throws -> ImportSource {
    try of(files.map { ($0.key, Data($0.value.utf8)) })
  }

  /// The archive that a block writes.
  static func written(_ write: (inout ZipWriter) throws -> Void) throws -> Data {
    let (url, descriptor) = try file()
    defer { unlink(url.path) }
    var archive = ZipWriter(descriptor)
    try write(&archive)
    try archive.finish()
    close(descriptor)
    return try Data(contentsOf: url)
  }

  static func everything(in library: Library) async throws -> Data {
    try await exported { try await library.exportAll(to: $0) }
  }

  /// The file that an export writes.
  static func exported(by export: (Int32) async throws -> Void) async throws -> Data {
    let (url, descriptor) = try file()
    defer { unlink(url.path) }
    try await export(descriptor)
    close(descriptor)
    return try Data(contentsOf: url)
  }

  private static func file() throws -> (URL, Int32) {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).zip")
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    return (url, descriptor)
  }

  /// A picture that can be read to its end.
  static let picture = SamplePicture.png
}
