import CoreData
import Foundation
import Synchronization

/// Brings what is saved in one context of a container to the others that are used by one thread at a time.
///
/// Such a context takes it when it is used the next time. Those of the main actor and of model actors merge on their
/// queues, by themselves.
final class ContextMail: Sendable {
  private let state = Mutex(State())

  private struct State {
    var boxes: [Handover<WeakBox>] = []
    var observers: [Handover<any NSObjectProtocol>] = []
    /// The context of the main queue, which takes changes of other programs there.
    weak var main: NSManagedObjectContext?
  }

  private struct WeakContext {
    weak let context: NSManagedObjectContext?
  }

  private struct WeakBox {
    weak let box: Mailbox?
  }

  /// The changes that one context has not taken yet.
  final class Mailbox: Sendable {
    private let waiting = Mutex<[Handover<[AnyHashable: Any]>]>([])
    /// The context that saves are not brought back to.
    let owner: ObjectIdentifier

    init(of context: NSManagedObjectContext) { owner = ObjectIdentifier(context) }

    func put(_ changes: Handover<[AnyHashable: Any]>) { waiting.withLock { $0.append(changes) } }

    func take() -> [Handover<[AnyHashable: Any]>] {
      waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
    }
  }

  deinit {
    for observer in state.withLock({ $0.observers }) {
      NotificationCenter.default.removeObserver(observer.value)
    }
  }

  /// A mailbox for a context.
  func box(for context: NSManagedObjectContext) -> Mailbox {
    let box = Mailbox(of: context)
    state.withLock { state in
      state.boxes.removeAll { $0.value.box == nil }
      state.boxes.append(Handover(WeakBox(box: box)))
    }
    return box
  }

  /// Brings changes of other programs to a context of the main queue, too.
  func serve(_ context: NSManagedObjectContext) {
    let context = Handover(context)
    state.withLock { $0.main = context.value }
  }

  func listen(to coordinator: NSPersistentStoreCoordinator) {
    let saves = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSaveObjectIDs,
      object: nil,
      queue: nil
    ) { [weak self, weak coordinator] notification in
      guard let context = notification.object as? NSManagedObjectContext,
        context.persistentStoreCoordinator === coordinator
      else { return }
      self?.distribute(notification.userInfo ?? [:], savedBy: ObjectIdentifier(context))
    }
    let remote = RemoteMail(coordinator)
    let writes = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: coordinator,
      queue: nil
    ) { [weak self, weak coordinator] notification in
      guard let self, let coordinator, hasReaders else { return }
      let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
      for changes in remote.changes(in: coordinator, token) { distributeForeign(changes) }
    }
    let observers = [Handover(saves), Handover(writes)]
    state.withLock { $0.observers = observers }
  }

  private var hasReaders: Bool {
    state.withLock { $0.main != nil || $0.boxes.contains { $0.value.box != nil } }
  }

  private func distributeForeign(_ changes: [AnyHashable: Any]) {
    let handover = Handover(changes)
    for box in state.withLock({ $0.boxes.compactMap(\.value.box) }) { box.put(handover) }
    // Nobody is kept by changes that wait for the main queue.
    let waiting = Handover(WeakContext(context: state.withLock { Handover($0.main) }.value))
    DispatchQueue.main.async {
      guard let main = waiting.value.context else { return }
      main.performAndWait {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: handover.value, into: [main])
      }
    }
  }

  private func distribute(_ changes: [AnyHashable: Any], savedBy saver: ObjectIdentifier) {
    let changes = Handover(changes)
    let boxes = state.withLock { $0.boxes.compactMap(\.value.box) }
    for box in boxes where box.owner != saver { box.put(changes) }
  }
}
