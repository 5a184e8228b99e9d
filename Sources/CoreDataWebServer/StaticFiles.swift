import Foundation

/// A folder whose files are pages, scripts and pictures for everybody.
///
/// Only what lies in it is answered: no piece of an address may hide (`.git`), contain a slash or
/// lead out by a symbolic link.
struct StaticFiles: Sendable {
  private let prefix: [String]
  private let folder: URL
  private let index: String

  init(under prefix: String, from folder: URL, index: String) {
    self.prefix = prefix.split(separator: "/").map(String.init)
    self.folder = folder.resolvingSymlinksInPath()
    self.index = index
  }

  /// The file for an address, if there is one.
  func file(for segments: [String]) -> URL? {
    guard segments.starts(with: prefix) else { return nil }
    let pieces = segments.dropFirst(prefix.count)
    guard pieces.dropLast().allSatisfy(\.isPlainName) else { return nil }
    let name = pieces.last.flatMap { $0.isEmpty ? nil : $0 } ?? index
    guard name.isPlainName else { return nil }
    let url = pieces.dropLast().reduce(folder) { $0.appendingPathComponent($1) }
      .appendingPathComponent(name)
    return url.isRegularFile && isInside(url.resolvingSymlinksInPath()) ? url : nil
  }

  private func isInside(_ url: URL) -> Bool {
    url.path.hasPrefix(folder.path.hasSuffix("/") ? folder.path : folder.path + "/")
  }
}

extension String {
  fileprivate var isPlainName: Bool {
    !isEmpty && !hasPrefix(".") && !utf8.contains(UInt8(ascii: "/")) && !utf8.contains(0)
  }
}

extension URL {
  var isRegularFile: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
