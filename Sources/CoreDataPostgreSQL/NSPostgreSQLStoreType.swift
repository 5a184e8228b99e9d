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
/// The URL is a connection URI of libpq; several servers are named as `?host=one,other`. The first use of the constant
/// makes the type known to the framework: until then, the type spelled as text is unknown.
public let NSPostgreSQLStoreType: String = {
  PostgreSQLStores.register { address throws(PostgreSQLError) in
    try LibPQConnection.open(address)
  }
  return PostgreSQLStores.type
}()

/// The option that names the zone of a store: the tenant whose objects it has.
///
/// Stores of different zones share the tables of a database, and none sees the objects of another. The value is a text
/// of 1 to 200 bytes without U+0000; anything else is refused with 134080. Without the option the zone is called
/// `default`.
///
/// The tables are those of one model in one configuration, for all zones: a store of another configuration in the same
/// schema is refused with 134100. Give each configuration a schema of its own, as in
/// `?options=-csearch_path%3Dnotes`.
public let NSPostgreSQLZoneOption = PostgreSQLStores.zoneOption

/// The option that says how a pooler in front of the server, such as PgBouncer, lends connections: `session`, which
/// is the default, or `transaction`.
///
/// ```swift
/// description.setOption("transaction" as NSString, forKey: NSPostgreSQLPoolingOption)
/// ```
///
/// The parameter `pooling` of the address says the same: `postgresql://db.example.org/notes?pooling=transaction`.
///
/// With `transaction`, the store has no statement compiled on the server for later use, because its next transaction
/// may get another connection there. Nor can the server tell of changes: for remote change notifications the store
/// looks into its history once a second. A store that is to post them and keeps no history is refused with 134080.
///
/// A pinned context keeps one of the pooler's connections to the server, because its moment is one transaction. If all
/// of them are lent, a request fails with 134090 as soon as the pooler gives up, with PgBouncer after
/// `query_wait_timeout`.
///
/// Poolers refuse settings in the address, such as `options`, with which a session would begin. Have the server set
/// them: `ALTER ROLE notes SET search_path = notes`.
///
/// Without the option, a store behind such a pooler works too, but has to ask again whenever the server does not know a
/// statement. It hears of changes if it keeps a history, and not otherwise. A value that is none of the two, and an
/// option and an address that say different things, are refused with 134091.
public let NSPostgreSQLPoolingOption = PostgreSQLStores.poolingOption

/// The option that says how many seconds the store waits for an answer of the server, from 0.1 to 86400.
///
/// ```swift
/// description.setOption(30 as NSNumber, forKey: NSPostgreSQLStatementTimeoutOption)
/// ```
///
/// If the answer to a statement, or to several that are sent together, has not come by then, the request or the save
/// fails with 134090, `NSPersistentStoreTimeoutError`, and the connection is closed. So a server that stands still is
/// given up, which no setting of the server could do. A save keeps its changes in the context. If it was the commit
/// that was not answered, the store asks for up to a minute more what became of it, and throws an error that says so
/// where nobody knows.
///
/// Three things take as long as they take: a migration, the making of tables and indexes when a store is opened, and a
/// server that goes on working on a statement although nobody waits for it any more. Against the last, give the user a
/// time-out there as well: `ALTER ROLE notes SET statement_timeout = '30s'`, whose error has the same code.
///
/// Without the option, the store waits for as long as the connection lasts. A value that is no such number is refused
/// with 134091.
public let NSPostgreSQLStatementTimeoutOption = PostgreSQLStores.statementTimeoutOption

/// The option that names replicas of the store's server, at which blocks may read:
/// `container.read(from: .replica) { … }`.
///
/// ```swift
/// let replicas = ["postgresql://db2.example.org", "postgresql://db3.example.org"] as NSArray
/// description.setOption(replicas, forKey: NSPostgreSQLReplicasOption)
/// ```
///
/// The value is an array of up to 16 URLs or texts; anything else is refused with 134080. Where a replica's address has
/// no user, password, database or setting such as `sslmode`, those of the store's own address are taken.
///
/// Only blocks that ask for it read at a replica. If one cannot be reached, is behind, or is not a replica of the
/// store's database, the store's own server answers instead, and the program's log says why. The store opens up to 32
/// connections to each replica, as many as contexts can be pinned.
public let NSPostgreSQLReplicasOption = PostgreSQLStores.replicasOption

extension NSPersistentStore.StoreType {
  /// The type of a store in a PostgreSQL database.
  public static let postgreSQL = Self(rawValue: NSPostgreSQLStoreType)
}
