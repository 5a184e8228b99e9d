import CoreData
import Synchronization

/// Reports everything that is written to the store, by this program or another, to listeners.
///
/// ```
/// a save, anywhere ─▶ NSPersistentStoreRemoteChange ─▶ history since the last look ─▶ ChangeEvent
///                                                                                       ├▶ listener
///                                                                                       └▶ listener
/// ```
///
/// The notification only says that there is something; the store's history says what it was. So no event is ever lost:
/// a listener that comes back after a while gets the history since then, from the very queue that will report the next
/// events.
public final class Changes: Sendable {
  private let coordinator: NSPersistentStoreCoordinator
  /// Reads the history, one block at a time: that is the order of events.
  private let context: NSManagedObjectContext
  /// The contexts that follow changes of other programs; changes of this one they merge themselves.
  private let merging: [NSManagedObjectContext]
  private let watch = Mutex(Watch())

  private struct Watch {
    var last = HistoryPlace(store: "", number: 0)
    var first: Int64 = 0
    var listeners: [Int: AsyncStream<ChangeEvent>.Continuation] = [:]
    var nextListener = 0
    var isLookWaiting = false
    var isStopped = false
    var observer: ObserverToken?
    var whenForeign: (@Sendable (ForeignEdits) -> Void)?
    var whenMoved: (@Sendable () -> Void)?
  }

  init(_ controller: PersistenceController, merging: [NSManagedObjectContext]) {
    coordinator = controller.container.persistentStoreCoordinator
    context = controller.container.newBackgroundContext()
    context.name = PersistenceController.contextName("changes")
    self.merging = merging
  }

  /// Called when another program has written, with the notes whose text it has changed without
  /// counting a revision.
  func whenForeign(_ action: @escaping @Sendable (ForeignEdits) -> Void) {
    watch.withLock { $0.whenForeign = action }
  }

  /// Called when a folder went to the trash, or another program has put something into a folder, deleted a note for
  /// good or written in one: the one may have happened to the other.
  func whenMoved(_ action: @escaping @Sendable () -> Void) {
    watch.withLock { $0.whenMoved = action }
  }
}

// MARK: - Listening

extension Changes {
  /// The events from now on, or from a place in the history on.
  ///
  /// Where the history does not reach back to that place any more, the first event is
  /// ``ChangeEvent/reload(token:)``. A listener that does not listen for thousands of events is
  /// dropped; it can come back with the last token it has.
  public func events(after token: String? = nil) async throws -> AsyncStream<ChangeEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ChangeEvent.self,
      bufferingPolicy: .bufferingOldest(Self.patience)
    )
    try await context.perform { @Sendable [self] in
      // First everything that is there, so that what is told below is complete.
      try look()
      if let token { try replay(after: token, to: continuation) }
      let isOpen = watch.withLock { watch in
        if watch.isStopped { return false }
        let number = watch.nextListener
        watch.nextListener += 1
        watch.listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return true
      }
      if !isOpen { continuation.finish() }
    }
    return stream
  }

  /// The numbers of the transactions that were the last when the store was opened, and when it was last looked at.
  var span: (first: Int64, last: Int64) { watch.withLock { ($0.first, $0.last.number) } }

  /// How many listen.
  public var listenerCount: Int { watch.withLock { $0.listeners.count } }

  /// The place in the history after everything that was written so far.
  public func lastToken() async throws -> String {
    try await context.perform { @Sendable [self] in
      try look()
      return watch.withLock { $0.last.text }
    }
  }

  private func forget(_ number: Int) {
    watch.withLock { _ = $0.listeners.removeValue(forKey: number) }
  }

  private static let patience = 4096
}

// MARK: - Starting and stopping

extension Changes {
  /// Begins to follow the store.
  func start() throws {
    let identifier = coordinator.persistentStores.first?.identifier ?? ""
    let sign = String(identifier.filter(\.isHexDigit).prefix(8)).lowercased()
    let number = try context.performAndWait { try HistoryReader(context).lastNumber() }
    let observer = ObserverToken(
      NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange,
        object: coordinator,
        queue: nil
      ) { [weak self] _ in self?.lookSoon() }
    )
    watch.withLock { watch in
      watch.last = HistoryPlace(store: sign, number: number)
      watch.first = number
      watch.observer = observer
    }
  }

  /// Ends all streams.
  func stop() {
    let (listeners, observer) = watch.withLock { watch in
      watch.isStopped = true
      defer { (watch.listeners, watch.observer) = ([:], nil) }
      return (watch.listeners, watch.observer)
    }
    observer?.remove()
    for listener in listeners.values { listener.finish() }
  }

  /// One look for however many notifications come before it.
  private func lookSoon() {
    let isNew = watch.withLock { watch in
      defer { watch.isLookWaiting = true }
      return !watch.isLookWaiting && !watch.isStopped
    }
    guard isNew else { return }
    context.perform { [self] in
      watch.withLock { $0.isLookWaiting = false }
      // A look that fails says nothing; the next one begins at the same place.
      try? look()
    }
  }
}

// MARK: - Looking

extension Changes {
  /// Reads what came since the last look and tells it; on the context's queue.
  private func look() throws {
    let last = watch.withLock { $0.last }
    let transactions = try HistoryReader(context).transactions(after: last.number)
    guard let newest = transactions.last else { return }
    mergeForeign(transactions)
    if transactions.contains(where: \.mayMisplace) { watch.withLock { $0.whenMoved }?() }
    let events = try HistoryReader(context).events(of: transactions, store: last.store)
    let listeners = watch.withLock { watch in
      watch.last = HistoryPlace(store: last.store, number: newest.transactionNumber)
      return watch.listeners
    }
    for listener in listeners.values { Self.tell(listener, events) }
  }

  private static func tell(
    _ listener: AsyncStream<ChangeEvent>.Continuation,
    _ events: [ChangeEvent]
  ) {
    for event in events {
      if case .dropped = listener.yield(event) {
        listener.finish()
        return
      }
    }
  }

  private func replay(
    after token: String,
    to listener: AsyncStream<ChangeEvent>.Continuation
  ) throws {
    let last = watch.withLock { $0.last }
    guard let place = HistoryPlace(text: token), place.store == last.store,
      place.number <= last.number,
      try HistoryReader(context).reaches(back: place.number, last.number)
    else {
      listener.yield(.reload(token: last.text))
      return
    }
    let transactions = try HistoryReader(context).transactions(after: place.number)
    guard transactions.count < Self.patience / 2 else {
      listener.yield(.reload(token: last.text))
      return
    }
    Self.tell(listener, try HistoryReader(context).events(of: transactions, store: last.store))
  }

  private func mergeForeign(_ transactions: [NSPersistentHistoryTransaction]) {
    let foreign = transactions.filter { !PersistenceController.isOurs($0.contextName) }
    if foreign.isEmpty { return }
    for transaction in foreign {
      guard let ids = transaction.objectIDNotification().userInfo else { continue }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: merging)
    }
    watch.withLock { $0.whenForeign }?(ForeignEdits(foreign))
  }
}

extension NSPersistentHistoryTransaction {
  /// Whether something may lie in a trashed folder now that is not in the trash itself, or be deleted for good with words
  /// that were not seen.
  fileprivate var mayMisplace: Bool {
    let isOurs = PersistenceController.isOurs(contextName)
    return changes?.contains { isOurs ? $0.isTrashedFolder : $0.isMove } ?? false
  }
}

extension NSPersistentHistoryChange {
  /// Whether a folder was put into the trash in which others may be putting something.
  ///
  /// Nobody knows a new folder yet. An import adds many, hidden, and looking at all of them for each portion of the
  /// import would take the square of their number, while nobody else could write.
  fileprivate var isTrashedFolder: Bool {
    changedObjectID.entity.name == "Folder" && changeType == .update
      && changes([FolderProperties.trashedDate])
  }

  /// Whether a note or folder was put somewhere, was deleted for good, or was written in, which may bring it back.
  fileprivate var isMove: Bool {
    switch changedObjectID.entity.name {
    case "Note":
      changes([
        NoteProperties.folder, NoteProperties.trashedDate, NoteProperties.erasedDate,
        NoteProperties.modificationDate, NoteProperties.title, NoteProperties.documentDigest,
      ])
    case "Folder":
      changes([
        FolderProperties.parent, FolderProperties.trashedDate, FolderProperties.erasedDate,
      ])
    default: false
    }
  }

  private func changes(_ names: Set<String>) -> Bool {
    switch changeType {
    case .insert: true
    case .update: (updatedProperties ?? []).contains { names.contains($0.name) }
    case .delete: false
    @unknown default: true
    }
  }
}

/// The token that the notification centre wants back, once.
private final class ObserverToken: Sendable {
  private let token: Mutex<(any NSObjectProtocol)?>

  init(_ token: sending any NSObjectProtocol) {
    self.token = Mutex(token)
  }

  func remove() {
    token.withLock { token in
      if let token { NotificationCenter.default.removeObserver(token) }
      token = nil
    }
  }
}
