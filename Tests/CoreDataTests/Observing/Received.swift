import CoreData
import Synchronization

/// The notifications of one name that a context has posted.
///
/// Safety: contexts of these tests post on the thread that tests them.
final class Received: @unchecked Sendable {
  private(set) var all: [[AnyHashable: Any]] = []
  /// The action when one comes.
  var answer: (Notification) -> Void = { _ in }
  private var token: (any NSObjectProtocol)?

  init(_ object: AnyObject, _ name: Notification.Name? = nil) {
    token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      [weak self] notification in
      self?.all.append(notification.userInfo ?? [:])
      self?.answer(notification)
    }
  }

  deinit {
    if let token { NotificationCenter.default.removeObserver(token) }
  }

  var last: [AnyHashable: Any]? { all.last }

  /// The sets of the last notification, by key.
  var sets: [String: Set<NSManagedObject>] {
    var sets: [String: Set<NSManagedObject>] = [:]
    for (key, value) in all.last ?? [:] {
      if let key = key as? String { sets[key] = value as? Set<NSManagedObject> }
    }
    return sets
  }

  /// The identities under a key of the last notification.
  func ids(_ key: String) -> Set<NSManagedObjectID>? { last?[key] as? Set<NSManagedObjectID> }
}
