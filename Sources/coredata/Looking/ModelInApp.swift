import CoreDataModel
import Foundation

/// The compiled model in an app, as an `.app` folder or an `.ipa` file has it.
///
/// ```
/// Notes.ipa ─▶ Payload/Notes.app/Notes.momd ─▶ a folder of its own, which is removed with the program
/// ```
struct ModelInApp {
  /// A `.momd` or a `.mom`.
  let model: URL
  /// The folder with what was unpacked; `nil` if nothing was.
  private let unpacked: URL?

  private static let greatestCount = 100_000
  private static let greatestBytes = 256 << 20

  static func isApp(_ file: URL) -> Bool { ["app", "ipa"].contains(file.pathExtension) }

  /// Finds the model.
  ///
  /// - Throws: A `Refusal` if the app does not have exactly one.
  init(at file: URL) throws {
    if file.pathExtension == "ipa" {
      let folder = try Self.unpack(file)
      unpacked = folder
      model = try Self.onlyModel(in: folder, file)
    } else {
      unpacked = nil
      model = try Self.onlyModel(in: file, file)
    }
  }

  /// Removes what was unpacked.
  func remove() {
    // The system removes what stays in its folder for temporary files.
    if let unpacked { try? FileManager.default.removeItem(at: unpacked) }
  }

  private static func onlyModel(in folder: URL, _ app: URL) throws -> URL {
    let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [URL] = []
    var count = 0
    while let url = walk?.nextObject() as? URL {
      count += 1
      if count > greatestCount {
        throw Refusal("\(app.lastPathComponent) has more than \(greatestCount) files")
      }
      guard ["momd", "mom"].contains(url.pathExtension) else { continue }
      if url.pathExtension == "momd" { walk?.skipDescendants() }
      found.append(url)
    }
    guard let model = found.first else {
      throw Refusal("\(app.lastPathComponent) has no model of Core Data in it")
    }
    guard found.count == 1 else {
      let names = found.map { $0.lastPathComponent }.sorted().joined(separator: ", ")
      throw Refusal(
        "\(app.lastPathComponent) has several models: \(names); unpack it, and name one of them"
      )
    }
    return model
  }

  /// Unpacks the models of an archive into a folder that only this user can read.
  private static func unpack(_ file: URL) throws -> URL {
    let archive = try ZipArchive(contentsOf: file)
    let files = FileManager.default
    let folder = files.temporaryDirectory
      .appending(path: "coredata-studio-\(UUID().uuidString)", directoryHint: .isDirectory)
    var bytes = 0
    do {
      try files.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: 0o700)]
      )
      for entry in archive.entries {
        guard let parts = place(of: entry.name) else { continue }
        bytes += entry.size
        if bytes > greatestBytes {
          throw Refusal("\(file.lastPathComponent) has models of more than 256 MB")
        }
        let place = parts.reduce(folder) { $0.appending(path: $1) }
        try files.createDirectory(
          at: place.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        try archive.data(of: entry).write(to: place)
      }
    } catch {
      // The failure is the one to report.
      try? files.removeItem(at: folder)
      throw error
    }
    return folder
  }

  /// The last parts of a model's path in an archive; `nil` for other files, and for names that lead elsewhere.
  private static func place(of name: String) -> [String]? {
    let parts = name.split(separator: "/").map(String.init)
    guard let last = parts.last, !parts.contains(".."), !name.hasSuffix("/"), !name.utf8.contains(0)
    else { return nil }
    if let model = parts.firstIndex(where: { $0.hasSuffix(".momd") }), model == parts.count - 2 {
      return Array(parts[model...])
    }
    return last.hasSuffix(".mom") ? [last] : nil
  }
}
