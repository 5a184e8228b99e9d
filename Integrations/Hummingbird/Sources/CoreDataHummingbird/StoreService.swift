public import CoreData
public import Hummingbird
public import ServiceLifecycle

/// Closes the stores of a container when the application ends, so that a SQLite store is one file again.
///
/// ```swift
/// let app = Application(router: router, services: [StoreService(container)])
/// ```
public struct StoreService: Service {
  private let container: NSPersistentContainer

  /// Creates the service.
  ///
  /// - Parameter container: A container whose stores are loaded.
  public init(_ container: NSPersistentContainer) {
    self.container = container
  }

  /// Waits for the end of the application, and closes the stores.
  ///
  /// - Throws: An error of a store that cannot be closed.
  public func run() async throws {
    try await gracefulShutdown()
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}

extension Router {
  /// Adds `GET /health`, which answers 200 if all stores of a container can be read and written, otherwise 503.
  ///
  /// - Parameters:
  ///   - container: A container whose stores are loaded.
  ///   - path: The path of the report.
  public func addHealth(of container: NSPersistentContainer, at path: RouterPath = "health") {
    get(path) { _, _ -> Response in
      let report = await container.persistentStoreCoordinator.healthReport()
      return try Response(report, status: report.statusCode, type: "application/json")
    }
  }
}
