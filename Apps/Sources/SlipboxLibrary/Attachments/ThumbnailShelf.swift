import CoreData
import Pictures
import Synchronization

/// The thumbnails that were made last.
///
/// A thumbnail is never stored: it can be made anew from the picture at any time. The key is the
/// identity of the attachment, which is never given again; another picture is another attachment.
final class ThumbnailShelf: Sendable {
  struct Key: Hashable, Sendable {
    let attachment: NSManagedObjectID
    let size: Int
  }

  private struct State {
    var thumbnails: [Key: Data] = [:]
    /// The last used at the end.
    var order: [Key] = []
    var byteCount = 0
    /// What cannot be read, and why: a picture that is damaged stays so.
    var failures: [NSManagedObjectID: PictureError] = [:]
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int = 8 << 20) {
    self.capacity = capacity
  }

  subscript(key: Key) -> Data? {
    state.withLock { state in
      guard let data = state.thumbnails[key] else { return nil }
      state.order.removeAll { $0 == key }
      state.order.append(key)
      return data
    }
  }

  /// Why there is no thumbnail of a picture, if that is known.
  func failure(of attachment: NSManagedObjectID) -> PictureError? {
    state.withLock { $0.failures[attachment] }
  }

  /// Keeps in mind that a picture cannot be read, unless that may pass.
  func keep(_ error: PictureError, for attachment: NSManagedObjectID) {
    switch error {
    case .noHelper, .unreadable: return
    case .unknownKind, .tooManyBytes, .tooManyPixels, .damaged, .tooDear: break
    }
    state.withLock { state in
      if state.failures.count >= Self.mostFailures { state.failures.removeAll() }
      state.failures[attachment] = error
    }
  }

  private static let mostFailures = 10_000

  func keep(_ data: Data, for key: Key) {
    state.withLock { state in
      if state.thumbnails.updateValue(data, forKey: key) == nil {
        state.order.append(key)
        state.byteCount += data.count
      }
      while state.byteCount > capacity, state.order.count > 1 {
        let oldest = state.order.removeFirst()
        state.byteCount -= state.thumbnails.removeValue(forKey: oldest)?.count ?? 0
      }
    }
  }
}
