import CoreData
import Pictures
import Synchronization

/// The thumbnails, and pages of PDFs, that were made last.
///
/// A thumbnail is never stored: it can be made again from the picture at any time. The key is the
/// identity of the attachment, which is never given again; another picture is another attachment.
final class ThumbnailShelf: Sendable {
  struct Key: Hashable, Sendable {
    let attachment: NSManagedObjectID
    let size: Int
    /// The page of a PDF, from 1 on; 0 for a picture.
    var page = 0
  }

  private struct Contents {
    var thumbnails: [Key: Data] = [:]
    /// The last used at the end.
    var order: [Key] = []
    var byteCount = 0
    /// The pictures that cannot be read, and why: a picture that is damaged stays so.
    var failures: [NSManagedObjectID: PictureError] = [:]
  }

  private let contents = Mutex(Contents())
  private let capacity: Int

  init(capacity: Int = 8 << 20) {
    self.capacity = capacity
  }

  subscript(key: Key) -> Data? {
    contents.withLock { contents in
      guard let data = contents.thumbnails[key] else { return nil }
      contents.order.removeAll { $0 == key }
      contents.order.append(key)
      return data
    }
  }

  /// Why there is no thumbnail of a picture, if that is known.
  func failure(of attachment: NSManagedObjectID) -> PictureError? {
    contents.withLock { $0.failures[attachment] }
  }

  /// Keeps in mind that a picture cannot be read, unless that may pass.
  func keep(_ error: PictureError, for attachment: NSManagedObjectID) {
    switch error {
    case .noHelper, .unreadable: return
    case .unknownKind, .tooManyBytes, .tooManyPixels, .damaged, .tooDear: break
    }
    contents.withLock { contents in
      if contents.failures.count >= Self.mostFailures { contents.failures.removeAll() }
      contents.failures[attachment] = error
    }
  }

  private static let mostFailures = 10_000

  func keep(_ data: Data, for key: Key) {
    contents.withLock { contents in
      if contents.thumbnails.updateValue(data, forKey: key) == nil {
        contents.order.append(key)
        contents.byteCount += data.count
      }
      while contents.byteCount > capacity, contents.order.count > 1 {
        let oldest = contents.order.removeFirst()
        contents.byteCount -= contents.thumbnails.removeValue(forKey: oldest)?.count ?? 0
      }
    }
  }
}
