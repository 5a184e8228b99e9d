import ChildPrograms
import CoreData
import CoreDataSyncCore
import CoreDataSyncHTTP
import CoreDataSyncServer
import Foundation

@testable import SyncSimulation

/// A server in this process, at a port of its own.
final class LocalServer {
  let folder: URL
  private(set) var service: SyncService
  private var server: HTTPServer?
  private let kept: KeptPort
  var port: Int { kept.number }
  private let serve: (SyncService, Int) throws -> HTTPServer

  init(
    room: BodyRoom = BodyRoom(),
    headTime: Duration = .seconds(30),
    bodyTime: Duration = .seconds(60),
    connectionsForToken: Int = 128
  ) throws {
    serve = { service, port in
      try HTTPServer(
        service,
        port: port,
        connectionsForToken: connectionsForToken,
        headTime: headTime,
        bodyTime: bodyTime,
        room: room
      )
    }
    folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    service = try Self.service(in: folder)
    kept = try KeptPort()
    server = try serve(service, kept.number)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func service(in folder: URL) throws -> SyncService {
    try SyncService(
      path: folder.appending(path: "zones.sqlite").path,
      era: UInt64.random(in: 1...UInt64.max),
      isDurable: false,
      clock: { UInt64(Date().timeIntervalSince1970 * 1000) }
    )
  }

  func stop() {
    server?.stop()
    server = nil
  }

  /// Serves again, at the same port; with the content of another folder, if one is given.
  func start(in other: URL? = nil) throws {
    service = try Self.service(in: other ?? folder)
    server = try serve(service, port)
  }

  /// An address with a new token, perhaps of a proxy before the server.
  func address(_ role: TokenRole = .write, over proxy: UnreliableProxy? = nil) throws -> String {
    let token = try service.tokens.make(zone: "Notes", role, label: "test", at: 0)
    let port = proxy?.port ?? port
    return SyncAddress(server: "http://127.0.0.1:\(port)", zone: "Notes", token: token).description
  }

  /// A container with a store of its own.
  func container(
    _ name: String,
    address: String,
    model: NSManagedObjectModel = SimulatedModel.model,
    pageCache: String? = nil
  ) throws -> NSPersistentCloudKitContainer {
    let container = NSPersistentCloudKitContainer(name: name, managedObjectModel: model)
    let description = container.persistentStoreDescriptions[0]
    description.url = folder.appending(path: "\(name).sqlite")
    description.cloudKitContainerOptions?.syncAddress = address
    description.cloudKitContainerOptions?.deviceName = "the \(name)"
    if let pageCache {
      description.setValue(pageCache as NSString, forPragmaNamed: "cache_size")
    }
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }
}

extension NSPersistentContainer {
  /// Makes a folder, or gives another title to one.
  func title(_ title: String, of key: String) throws {
    let context = newBackgroundContext()
    try context.performAndWait {
      let known = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
        .first { $0.value(forKey: "key") as? String == key }
      let folder =
        known ?? NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue(key, forKey: "key")
      folder.setValue(title, forKey: "title")
      try context.save()
    }
  }

  /// The titles of all folders by their keys.
  var titles: [String: String] {
    get throws {
      let context = newBackgroundContext()
      return try context.performAndWait {
        var titles: [String: String] = [:]
        for folder in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")) {
          let key = folder.value(forKey: "key") as? String ?? "?"
          titles[key] = folder.value(forKey: "title") as? String
        }
        return titles
      }
    }
  }
}

/// Lets so much time pass that what is saved then is later on any device.
///
/// A device takes the time of an answer for the server's, and is behind it by as long as the answer was on its way.
func isLater() async throws { try await Task.sleep(for: .seconds(2)) }

/// Waits until something is so; says whether it came to be.
func comes(within seconds: Double = 120, _ condition: () throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < end {
    if try condition() { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  // Other tests may have kept this one from looking.
  return try condition()
}
