public import CoreData
public import Vapor

extension Application {
  /// Makes a container known to the handlers, and closes its stores when the application ends.
  ///
  /// Adds a ``CoreDataMiddleware`` in front of those that are there, and `GET /health`, which answers with the
  /// container's health report: 200 if all stores can be read and written, otherwise 503.
  ///
  /// ```swift
  /// app.use(container)
  /// ```
  ///
  /// - Parameters:
  ///   - container: A container whose stores are loaded.
  ///   - healthPath: The path of the health report; `nil` for none.
  public func use(_ container: NSPersistentContainer, healthPath: PathComponent? = "health") {
    storage[ContainerKey.self] = container
    middleware.use(CoreDataMiddleware(), at: .beginning)
    lifecycle.use(StoreCloser())
    guard let healthPath else { return }
    get(healthPath) { request -> Response in
      let report = await request.container.persistentStoreCoordinator.healthReport()
      return try Response(report, status: report.statusCode, type: "application/json")
    }
  }

  /// The container that was made known with ``use(_:healthPath:)``.
  ///
  /// Stops the program if no container was made known.
  public var container: NSPersistentContainer {
    guard let container = storage[ContainerKey.self] else {
      preconditionFailure("call app.use(container) before the first request")
    }
    return container
  }
}

extension Request {
  /// The application's container.
  public var container: NSPersistentContainer { application.container }
}

/// The place of the container in the application's storage.
private struct ContainerKey: StorageKey {
  typealias Value = NSPersistentContainer
}

/// Closes the stores when the last handler has returned, so that a SQLite store is one file again.
private struct StoreCloser: LifecycleHandler {
  func shutdown(_ application: Application) {
    let coordinator = application.container.persistentStoreCoordinator
    for store in coordinator.persistentStores {
      do {
        try coordinator.remove(store)
      } catch {
        application.logger.warning("A store was not closed: \(error.localizedDescription)")
      }
    }
  }
}
