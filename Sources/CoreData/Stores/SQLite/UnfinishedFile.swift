import Foundation

/// A file that gets the name of another when it is complete.
///
/// ```
/// Copy.sqlite
/// .Copy.sqlite.unfinished-4711            by the process with this number
/// .Copy.sqlite.unfinished-4711.damaged    and a file that it needs until then
/// ```
package struct UnfinishedFile {
  private let file: URL

  package init(of file: URL) {
    self.file = file
  }

  private var beginning: String { ".\(file.lastPathComponent).unfinished-" }

  package var url: URL {
    file.deletingLastPathComponent().appendingPathComponent("\(beginning)\(getpid())")
  }

  /// Removes what programs have left that were ended in the middle.
  package func removeThoseOfEndedPrograms() {
    let folder = file.deletingLastPathComponent()
    // If the folder cannot be read, nothing can be removed either.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(beginning) {
      let digits = name.dropFirst(beginning.count).prefix { $0.isNumber }
      guard let process = pid_t(digits), process > 0, kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      // If this fails, the next call tries again.
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }
}
