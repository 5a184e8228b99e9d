import CoreDataPredicates
import Synchronization

/// Values that users keep with a description.
///
/// It does not freeze with the model, so that any thread may set it at any time.
final class UserInfo: Sendable {
  /// The user is responsible for the values of the entries.
  private let kept = Mutex<Immutable<[AnyHashable: Any]?>>(Immutable([:]))

  var entries: [AnyHashable: Any]? {
    get { kept.withLock { $0 }.value }
    set {
      let new = Immutable(newValue)
      kept.withLock { $0 = new }
    }
  }
}
