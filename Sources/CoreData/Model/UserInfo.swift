import Synchronization

/// What users keep with a description.
///
/// It is no part of the model that freezes, so that any thread may set it at any time.
final class UserInfo: Sendable {
  private let state = Mutex(Entries())

  /// Safety: behind the mutex; what the entries hold is the responsibility of whoever puts it there.
  private struct Entries: @unchecked Sendable {
    var entries: [AnyHashable: Any]? = [:]
  }

  var entries: [AnyHashable: Any]? {
    get { state.withLock { $0 }.entries }
    set {
      let new = Entries(entries: newValue)
      state.withLock { $0 = new }
    }
  }
}
