import CoreData
import CoreDataModel
import Foundation

/// The stores in PostgreSQL databases, which the module `CoreDataPostgreSQL` makes known.
package enum PostgreSQLStores {
  package static let type = StoreAddress.postgreSQLType
  package static let zoneOption = StoreAddress.zoneOption
  package static let poolingOption = "NSPostgreSQLPooling"
  package static let replicasOption = "NSPostgreSQLReplicas"
  package static let statementTimeoutOption = "NSPostgreSQLStatementTimeout"
  package static let connectionLimitOption = "NSPostgreSQLConnectionLimit"
  package static let viewsOption = "NSPostgreSQLViews"

  /// Makes the kind known, with what opens connections.
  package static func register(
    _ open: @escaping @Sendable (PostgreSQLAddress) throws(PostgreSQLError) -> any PostgreSQLWire
  ) {
    KindsOfStores.register(PostgreSQLKind(door: PostgreSQLDoor(open: open)))
  }
}

/// Stores in PostgreSQL databases.
struct PostgreSQLKind: KindOfStore {
  let door: PostgreSQLDoor

  var type: String { PostgreSQLStores.type }

  func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    try coordinator.openUpgrading(place) {
      try PostgreSQLStore.open(place, through: door, for: coordinator)
    }
  }

  /// The metadata of the tables, whether or not the zone exists.
  func versionMetadata(of place: StorePlace) throws -> [String: Any]? {
    guard let url = place.url,
      let tables = try database(at: url, place.options).tablesModel()
    else { return nil }
    guard let metadata = StoreMetadata.dictionary(from: tables.metadata) else {
      throw StoreFailure(.damagedMetadata, path: StoreAddress.shown(url)).error()
    }
    return metadata
  }

  func storedModel(of place: StorePlace) -> ModelSchema? {
    // If a database cannot be asked, its model is not found; opening it reports the error.
    place.url.flatMap { try? database(at: $0, place.options).tablesModel() }?.schema
  }

  func migrate(
    _ place: StorePlace,
    from source: ModelSchema?,
    to destination: NSManagedObjectModel
  ) throws -> Bool {
    // A migration takes as long as it takes.
    let address = try PostgreSQLAddress(place.url, options: place.options).withoutStatementLimit
    try PostgreSQLMigration(place, at: address, through: door, to: destination.layout)
      .perform(from: source)
    return true
  }

  func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any] {
    try database(at: url, options).metadata()
  }

  func setMetadata(
    _ metadata: [String: Any]?,
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws {
    let database = try database(at: url, options)
    try database.setMetadata(KindsOfStores.completed(metadata, from: try database.metadata()))
  }

  /// A database has a store for each zone.
  func meanSameStore(_ one: [AnyHashable: Any]?, _ other: [AnyHashable: Any]?) -> Bool {
    zone(one) == zone(other)
  }

  private func zone(_ options: [AnyHashable: Any]?) -> String {
    options?[PostgreSQLStores.zoneOption] as? String ?? StoreAddress.defaultZone
  }

  /// Takes the rows of the zone away; those of other zones, and the tables, stay.
  func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws {
    try database(at: url, options).destroyZone()
  }

  /// Takes nothing away: a zone that is copied is made in the transaction that writes it, and another one that is
  /// there by now is another program's.
  func takeBackCopy(at url: URL, _ options: [AnyHashable: Any]?) throws {}

  func replace(
    at url: URL,
    _ options: [AnyHashable: Any]?,
    with source: URL,
    _ sourceOptions: [AnyHashable: Any]?
  ) throws {
    let path = StoreAddress.shown(url)
    let request = "replacing it with another store, which PostgreSQL's own tools do"
    throw StoreFailure(.unsupportedRequest(request), path: path).error()
  }

  /// A zone is there as soon as somebody has opened it for use, or has copied a store there.
  func isThere(at url: URL, _ options: [AnyHashable: Any]?) throws -> Bool {
    try database(at: url, options).hasZone()
  }

  /// The kind, if the module that has libpq has made it known.
  static func registered() throws -> PostgreSQLKind {
    guard let kind = KindsOfStores.known(PostgreSQLStores.type) as? PostgreSQLKind else {
      throw StoreFailure(.unknownType(PostgreSQLStores.type), path: "").error()
    }
    return kind
  }

  func database(
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws -> PostgreSQLDatabase {
    let address = try PostgreSQLAddress(url, options: options)
    return PostgreSQLDatabase(PostgreSQLPool(address, through: door, limit: 1))
  }
}
