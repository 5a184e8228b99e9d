import CoreData
public import Foundation
public import Observation
import Synchronization

/// Counts the saves to a container's stores that concern chosen classes and authors, by whichever program.
///
/// ```swift
/// let observer = try HistoryObserver(of: container, models: [Note.self])
/// for await count in Observations({ observer.eventCounter }) { … }
/// ```
///
/// Safety: what changes is behind a mutex.
public final class HistoryObserver: Observable, Sendable {
  private let container: ModelContainer
  private let entities: Set<String>
  private let authors: Set<String>
  private let registrar = ObservationRegistrar()
  private let state: Mutex<State>

  private struct State {
    var count = 0
    var tokens: [DefaultHistoryToken] = []
    var last: DefaultHistoryToken?
    var observer: Handover<any NSObjectProtocol>?
  }

  /// Creates an observer.
  ///
  /// - Parameters:
  ///   - container: The container.
  ///   - models: The classes whose changes count; all if empty.
  ///   - authors: The authors whose saves count; all if empty.
  /// - Throws: The error of a store whose history cannot be read.
  public init(
    of container: ModelContainer,
    models: [any PersistentModel.Type] = [],
    authors: Set<String> = []
  ) throws {
    self.container = container
    entities = Set(models.map { ModelType.entityName(of: $0) })
    self.authors = authors
    let token = container.coordinator.currentPersistentHistoryToken(fromStores: nil)
    state = Mutex(State(last: token.map(DefaultHistoryToken.init)))
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: container.coordinator,
      queue: nil
    ) { [weak self] _ in self?.look() }
    let handover = Handover(observer)
    state.withLock { $0.observer = handover }
  }

  deinit {
    if let observer = state.withLock({ $0.observer }) {
      NotificationCenter.default.removeObserver(observer.value)
    }
  }

  /// The number of saves since the observer was created.
  public var eventCounter: Int {
    registrar.access(self, keyPath: \.eventCounter)
    return state.withLock { $0.count }
  }

  /// The places of those saves in the history, in order.
  public var historyTokens: [DefaultHistoryToken] {
    registrar.access(self, keyPath: \.eventCounter)
    return state.withLock { $0.tokens }
  }

  private func look() {
    let context = ModelContext(container)
    let last = state.withLock { $0.last }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: last?.coreDataToken)
    // If it cannot be read now, it is read with the next write.
    let result = try? context.objects.execute(request) as? NSPersistentHistoryResult
    let found = result?.result as? [NSPersistentHistoryTransaction] ?? []
    let concerned = found.filter(concerns).map { DefaultHistoryTransaction($0).token }
    let newest = found.reduce(into: last?.tokenValue ?? [:]) {
      $0[$1.storeID] = max($0[$1.storeID] ?? 0, $1.transactionNumber)
    }
    let note = {
      self.state.withLock { state in
        state.last = DefaultHistoryToken(newest)
        state.count += concerned.count
        state.tokens += concerned
      }
    }
    if concerned.isEmpty {
      note()
    } else {
      registrar.withMutation(of: self, keyPath: \.eventCounter, note)
    }
  }

  private func concerns(_ transaction: NSPersistentHistoryTransaction) -> Bool {
    if !authors.isEmpty, !authors.contains(transaction.author ?? "") { return false }
    if entities.isEmpty { return true }
    return (transaction.changes ?? []).contains {
      entities.contains($0.changedObjectID.entity.name ?? "")
    }
  }
}

extension DefaultHistoryToken {
  init(_ token: NSPersistentHistoryToken) { self.init(token.allNumbers) }
}

extension ModelContainer {
  /// The notification that a store of a container was changed, by whichever program; its object is a coordinator.
  public static let remoteChange = Notification.Name.NSPersistentStoreRemoteChange
}
