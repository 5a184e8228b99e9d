import Foundation

/// Why there is nothing to read where a path leads.
package enum MissingFile {
  /// A sentence where the path is a symbolic link that leads nowhere; nil where it is none.
  static func link(at path: String) -> String? {
    target(of: path).map { "\(path) is a symbolic link to \($0), and there is no file." }
  }

  /// The same as the words behind a path.
  package static func words(_ path: String) -> String {
    target(of: path).map { "it is a symbolic link to \($0), and there is no file" }
      ?? "there is no such file"
  }

  /// What a symbolic link says that leads nowhere.
  private static func target(of path: String) -> String? {
    if FileManager.default.fileExists(atPath: path) { return nil }
    // What is no link, or cannot be read, has nothing to say.
    return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }
}
