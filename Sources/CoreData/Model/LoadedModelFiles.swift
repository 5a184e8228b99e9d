import Foundation
import Synchronization

/// The model files that this program has read, in whose folders earlier versions of a model may be.
enum LoadedModelFiles {
  private static let files = Mutex<[URL]>([])

  /// The one that was read last comes first.
  static var all: [URL] { files.withLock { $0.reversed() } }

  /// Of a version in a `.momd` it is the folder with all versions.
  static func note(_ url: URL) {
    let folder = url.deletingLastPathComponent()
    let file = folder.pathExtension == "momd" ? folder : url
    files.withLock { files in
      files.removeAll { $0 == file }
      files.append(file)
    }
  }
}
