import Foundation
import Synchronization

/// The answer of a program to the question whether its stores can serve requests.
///
/// See ``NSPersistentStoreCoordinator/healthReport(within:)``. A server answers with ``statusCode`` and the encoded
/// report at `/health`, as a load balancer or an orchestrator asks.
public struct HealthReport: Hashable, Sendable, Codable {
  /// A Boolean value that indicates whether every store can be read and, unless it was opened only to read, written.
  public let canServe: Bool
  /// A sentence for each problem, with a remedy; also of those that do not keep the program from serving, such as a
  /// volume that is almost full.
  public let reasons: [String]
  /// The health of each store, in the order of the coordinator's stores.
  public let stores: [StoreHealth]

  init(_ stores: [StoreHealth], hasStores: Bool) {
    self.stores = stores
    canServe = hasStores && stores.allSatisfy { $0.isReadable && $0.isWritable }
    reasons = hasStores ? stores.flatMap(\.warnings) : ["No store is open."]
  }

  /// The status of an answer over HTTP: 200 if the program can serve, otherwise 503.
  public var statusCode: Int { canServe ? 200 : 503 }
}

extension NSPersistentStoreCoordinator {
  /// Returns whether the coordinator's stores can serve requests, within a time.
  ///
  /// ```swift
  /// let report = await container.persistentStoreCoordinator.healthReport()
  /// print(report.statusCode, report.reasons)
  /// ```
  ///
  /// Each store is asked for its ``health(of:checksPages:)``, and for one row of each root entity, in the way in which a
  /// fetch reads it. So a store that another program has migrated is reported once this program's fetches fail. All
  /// stores are asked at the same time. A store that does not answer in time is reported as one that cannot be read,
  /// and is not asked again until it has answered.
  ///
  /// Call this method from any task. Threads of their own wait for the stores.
  ///
  /// - Parameter limit: How long to wait for the stores; five seconds by default.
  /// - Returns: The report; at the latest when the time is over.
  public func healthReport(within limit: Duration = .seconds(5)) async -> HealthReport {
    let stores = persistentStores
    let answers = await withTaskGroup(of: (Int, StoreHealth).self) { group in
      for (number, store) in stores.enumerated() {
        let examination = HealthExamination.of(store, self)
        group.addTask { (number, await examination.health(within: limit)) }
      }
      var answers: [Int: StoreHealth] = [:]
      for await (number, health) in group { answers[number] = health }
      return answers
    }
    return HealthReport(
      answers.sorted { $0.key < $1.key }.map(\.value),
      hasStores: !stores.isEmpty
    )
  }

  /// Returns the health of a store, and whether fetches of its entities work.
  fileprivate func examine(_ store: NSPersistentStore) -> StoreHealth {
    var health = health(of: store)
    guard health.isReadable else { return health }
    health.noteReading { _ in try readOneRow(ofEachEntityIn: store) }
    return health
  }

  private func readOneRow(ofEachEntityIn store: NSPersistentStore) throws {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = self
    try context.performAndWait {
      for entity in managedObjectModel.entities where entity.superentity == nil {
        guard store.holds(entity) else { continue }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.affectedStores = [store]
        request.fetchLimit = 1
        _ = try context.rows(of: request)
      }
    }
  }
}

extension NSPersistentStore {
  /// Whether objects of an entity may be in the store.
  fileprivate func holds(_ entity: NSEntityDescription) -> Bool {
    guard let model = persistentStoreCoordinator?.managedObjectModel,
      let entities = model.entities(forConfigurationName: configurationName)
    else { return true }
    return entities.contains { $0.name == entity.name }
  }
}

// MARK: - Waiting for a store

/// A question to one store, for whose answer several may wait.
private final class HealthExamination: Sendable {
  private static let running = Mutex<[ObjectIdentifier: HealthExamination]>([:])

  private let state = Mutex(State())

  private struct State {
    var health: StoreHealth?
    /// Those who wait, each on a thread of its own: others may have all threads of Dispatch and of Swift.
    var bells: [DispatchSemaphore] = []
  }

  /// The examination of a store that is under way, or a new one.
  static func of(
    _ store: NSPersistentStore,
    _ coordinator: NSPersistentStoreCoordinator
  ) -> HealthExamination {
    let id = ObjectIdentifier(store)
    let (examination, isNew) = running.withLock { running in
      if let known = running[id] { return (known, false) }
      let new = HealthExamination()
      running[id] = new
      return (new, true)
    }
    guard isNew else { return examination }
    let question = Handover((store, coordinator))
    Thread.detachNewThread {
      let (store, coordinator) = question.value
      examination.end(coordinator.examine(store))
      _ = running.withLock { $0.removeValue(forKey: id) }
      // Until here, no other store has this identifier.
      withExtendedLifetime(store) {}
    }
    return examination
  }

  private func end(_ health: StoreHealth) {
    let bells = state.withLock { state in
      state.health = health
      defer { state.bells = [] }
      return state.bells
    }
    for bell in bells { bell.signal() }
  }

  func health(within limit: Duration) async -> StoreHealth {
    let bell = DispatchSemaphore(value: 0)
    let known = state.withLock { state in
      if state.health == nil { state.bells.append(bell) }
      return state.health
    }
    if let known { return known }
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        _ = bell.wait(timeout: .now() + limit / .seconds(1))
        continuation.resume(returning: state.withLock { $0.health } ?? .silent(for: limit))
      }
    }
  }
}

extension StoreHealth {
  /// The health of a store that does not answer.
  fileprivate static func silent(for limit: Duration) -> StoreHealth {
    var health = StoreHealth()
    health.isReadable = false
    health.isWritable = false
    health.warnings = [
      """
      The store has not answered within \(limit.formatted(.units(allowed: [.seconds, .milliseconds], width: .wide))). See \
      whether its disk or its database server stands still.
      """
    ]
    return health
  }
}
