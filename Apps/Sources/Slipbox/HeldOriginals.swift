import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Synchronization

/// The large pictures and files that clients are taking, each in one file for all who take it.
///
/// A slow client shall keep no picture in memory, and a hundred of them no hundred copies on the disk.
final class HeldOriginals: Sendable {
  private let folder: URL
  private let files = Mutex<[String: Held]>([:])

  private struct Held {
    weak var file: HeldFile?
  }

  init(in folder: URL) {
    self.folder = folder
  }

  /// Larger data waits in a file, in bytes.
  static let usualSize = 256 << 10

  /// The answer with a picture or file, whose bytes are not read for a client that has them, nor if another client
  /// is taking them.
  ///
  /// - Throws: The errors of `data`, and a `Problem` with status 507 if there is no room for the file.
  func response(
    to request: Request,
    with facts: OriginalPicture.Facts,
    _ data: () throws -> Data
  ) throws -> Response {
    let tag = "\"\(facts.tag)\""
    return try content(to: request, facts, tag, data)
      .with("ETag", tag).with("Cache-Control", "private, no-cache")
  }

  private func content(
    to request: Request,
    _ facts: OriginalPicture.Facts,
    _ tag: String,
    _ data: () throws -> Data
  ) throws -> Response {
    if request.knows(tag) { return .data(Data(), contentType: facts.type) }
    if let file = files.withLock({ $0[facts.tag]?.file }) {
      return .held(file, contentType: facts.type)
    }
    let data = try data()
    guard data.count > Self.usualSize else { return .data(data, contentType: facts.type) }
    let file = try HeldFile(data, in: folder)
    files.withLock { files in
      files = files.filter { $0.value.file != nil }
      files[facts.tag] = Held(file: file)
    }
    return .held(file, contentType: facts.type)
  }
}
