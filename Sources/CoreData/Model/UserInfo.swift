import CoreDataPredicates
import Synchronization

/// What users keep with a description.
///
/// It is no part of the model that freezes, so that any thread may set it at any time.
final class UserInfo: Sendable {
  /// What the entries hold is the responsibility of whoever puts it there.
  private let kept = Mutex<Immutable<[AnyHashable: Any]?>>(Immutable([:]))

  var entries: [AnyHashable: Any]? {
    get { kept.withLock { $0 }.value }
    set {
      let new = Immutable(newValue)
      kept.withLock { $0 = new }
    }
  }
}
