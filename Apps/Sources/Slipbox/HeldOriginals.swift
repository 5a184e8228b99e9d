import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Synchronization

/// The large pictures and files that clients are taking, each in one file for all who take it.
///
/// A slow client shall keep no picture in memory, and a hundred of them no hundred copies on the disk. A sound or film stays
/// for a minute: its player asks for parts of it.
final class HeldOriginals: Sendable {
  private let folder: URL
  private let files = Mutex<[String: Held]>([:])
  /// The files that are played, the latest at the end.
  private let played = Mutex<[HeldFile]>([])

  private struct Held {
    weak var file: HeldFile?
  }

  init(in folder: URL) {
    self.folder = folder
  }

  /// Larger data waits in a file, in bytes.
  static let usualSize = 256 << 10

  /// Players ask for one piece after another, and jump: between two pieces the file stays this long.
  private static let patience = Duration.seconds(60)
  private static let mostPlayed = 4

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

  /// The answer to a guest, who is not told the tag, and in whose place more waits in a file.
  ///
  /// - Throws: The same as ``response(to:with:_:)``.
  func response(
    forGuest facts: OriginalPicture.Facts,
    _ data: () throws -> Data
  ) throws -> Response {
    try held(facts, above: Self.sizeForGuests, data)
  }

  /// Many guests may be slow at once.
  private static let sizeForGuests = 16 << 10

  private func content(
    to request: Request,
    _ facts: OriginalPicture.Facts,
    _ tag: String,
    _ data: () throws -> Data
  ) throws -> Response {
    if request.knows(tag) { return .data(Data(), contentType: facts.type) }
    return try held(facts, above: Self.usualSize, data)
  }

  private func held(
    _ facts: OriginalPicture.Facts,
    above size: Int,
    _ data: () throws -> Data
  ) throws -> Response {
    if let file = files.withLock({ $0[facts.tag]?.file }) {
      return .held(file, contentType: facts.type)
    }
    let data = try data()
    // Some browsers play only what comes in pieces, of which a file consists.
    guard data.count > size || facts.isPlayed else {
      return .data(data, contentType: facts.type)
    }
    let file = try HeldFile(data, in: folder)
    files.withLock { files in
      files = files.filter { $0.value.file != nil }
      files[facts.tag] = Held(file: file)
    }
    if facts.isPlayed { keepForAWhile(file) }
    return .held(file, contentType: facts.type)
  }

  private func keepForAWhile(_ file: HeldFile) {
    played.withLock { played in
      played = played.suffix(Self.mostPlayed - 1) + [file]
    }
    Task { [weak self, weak file] in
      // It throws if the program ends, with which the file goes.
      try? await Task.sleep(for: Self.patience)
      self?.forget(file)
    }
  }

  private func forget(_ file: HeldFile?) {
    played.withLock { played in played.removeAll { $0 === file } }
  }
}
