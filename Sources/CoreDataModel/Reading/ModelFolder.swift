import Foundation

/// A model on the disk: one file, or a folder with a file or folder for each version.
protocol ModelFolder {
  /// The ending of the name of a folder with versions, such as `momd`.
  static var ending: String { get }
  /// The ending of a version's name, such as `mom`.
  static var versionEnding: String { get }
  /// The words for such a model in messages.
  static var words: String { get }
  var url: URL { get }
}

extension ModelFolder {
  /// Whether the model is a folder with versions.
  var hasVersions: Bool { url.pathExtension == Self.ending }

  /// Returns the names of the versions in the order in which a person counts, or the name of the
  /// model itself if it is one file.
  static func versionNames(in url: URL) throws(ModelError) -> [String] {
    guard url.pathExtension == ending else {
      return [url.deletingPathExtension().lastPathComponent]
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      let sentence = "\(words) cannot be read: \(error.localizedDescription)"
      throw ModelError(ModelProblem(file: url.lastPathComponent, message: sentence))
    }
    let end = ".\(versionEnding)"
    let versions = names.filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count)) }
    guard !versions.isEmpty else {
      let sentence = "\(words) has no version: no \(end) in the folder"
      throw ModelError(ModelProblem(file: url.lastPathComponent, message: sentence))
    }
    return versions.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }
}
