// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names follow Apple's for its own types of stores.

public import CoreData

/// The type of a store in a PostgreSQL database.
///
/// ```swift
/// let description = NSPersistentStoreDescription()
/// description.type = NSPostgreSQLStoreType
/// description.url = URL(string: "postgresql://notes@db.example.org/notes")
/// description.setOption("acme" as NSString, forKey: NSPostgreSQLZoneOption)
/// ```
///
/// The URL is a connection URI of libpq; several servers are named as `?host=one,other`. The first use of the
/// constant makes the type known to the framework; a type that is spelled out as text is unknown before.
public let NSPostgreSQLStoreType: String = {
  PostgreSQLStores.register { address throws(PostgreSQLError) in
    try LibPQConnection.open(address)
  }
  return PostgreSQLStores.type
}()

/// The option that names the zone of a store: the tenant whose objects it has.
///
/// Stores of different zones share tables, and none sees objects of another. The value is a text of 1 to 200 bytes
/// without U+0000; anything else is refused with 134080. Without the option the zone is called `default`.
public let NSPostgreSQLZoneOption = PostgreSQLStores.zoneOption

/// The option that says how a pooler in front of the server, such as PgBouncer, lends connections: `session`, which
/// is the default, or `transaction`.
///
/// With `transaction` no statement is compiled on the server for later use, because the next transaction may have
/// another connection. Nor can the server tell of changes: the store looks for remote changes in its history once a
/// second, and finds none where it keeps no history. Any other value is refused.
public let NSPostgreSQLPoolingOption = PostgreSQLStores.poolingOption

/// The option that names replicas of the store's server, at which blocks may read:
/// `container.read(from: .replica) { … }`.
///
/// ```swift
/// let replicas = ["postgresql://db2.example.org", "postgresql://db3.example.org"] as NSArray
/// description.setOption(replicas, forKey: NSPostgreSQLReplicasOption)
/// ```
///
/// The value is an array of up to 16 URLs or texts. User, password, database and settings such as `sslmode` are those
/// of the store's own address where a replica's has none. Anything else is refused with 134080.
///
/// Nothing is read at a replica unless a block asks for it, and nobody notices one that cannot be reached, that is
/// behind, or that is not a replica of the store's database: the store's own server answers instead, and the
/// program's log says why. Each replica may get as many connections as contexts can be pinned, 32.
public let NSPostgreSQLReplicasOption = PostgreSQLStores.replicasOption

extension NSPersistentStore.StoreType {
  /// The type of a store in a PostgreSQL database.
  public static let postgreSQL = Self(rawValue: NSPostgreSQLStoreType)
}
