import Foundation

/// Explains why there is nothing to read at a path.
package enum MissingFile {
  /// A sentence for a path that is a symbolic link to a missing file; `nil` if it is not one.
  static func link(at path: String) -> String? {
    target(of: path).map { "\(path) is a symbolic link to \($0), and there is no file." }
  }

  /// The same as the words behind a path.
  package static func words(_ path: String) -> String {
    target(of: path).map { "it is a symbolic link to \($0), and there is no file" }
      ?? "there is no such file"
  }

  /// The target of a symbolic link to a missing file.
  private static func target(of path: String) -> String? {
    if FileManager.default.fileExists(atPath: path) { return nil }
    // `nil` if the path is not a link, or cannot be read.
    return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }
}
