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
/// The URL is a connection URI of libpq; several servers are named as `?host=one,other`.
///
/// The tables are in the first existing schema of the user's `search_path`. If that schema has the user's name and no
/// store, and a later one has a store, opening fails with 134080.
public let NSPostgreSQLStoreType: String = {
  PostgreSQLPlugin.register()
  return PostgreSQLStores.type
}()

/// The class that the framework finds by its name when a store of this type is opened.
final class PostgreSQLPlugin: StoreKindPlugin {
  static func register() {
    PostgreSQLStores.register { address throws(PostgreSQLError) in
      try LibPQConnection.open(address)
    }
  }
}

/// The option that names the zone of a store, for example the tenant whose objects it contains.
///
/// Stores of different zones share the tables of a database, and none sees the objects of another. The value is a text
/// of 1 to 200 bytes without U+0000; anything else is refused with 134080. Without the option, the zone is called
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
/// With `transaction`, the store prepares no statements on the server, because its next transaction may get another
/// connection. The server cannot announce changes either: for remote change notifications the store looks into its
/// history once a second. A store that is to post them and keeps no history is refused with 134080.
///
/// A pinned context keeps one of the pooler's connections to the server, because its moment is one transaction. If all
/// connections are in use, a request fails with 134090 as soon as the pooler gives up, with PgBouncer after
/// `query_wait_timeout`.
///
/// Poolers refuse settings in the address that begin a session, such as `options`. Set them at the server:
/// `ALTER ROLE notes SET search_path = notes`.
///
/// Without the option, a store behind such a pooler works, too, but sends a statement again whenever the server does not
/// know it. It notices changes of others only if it keeps a history. Another value, and an option that contradicts the
/// address, are refused with 134091.
public let NSPostgreSQLPoolingOption = PostgreSQLStores.poolingOption

/// The option that says how many seconds the store waits for an answer of the server, from 0.1 to 86400.
///
/// ```swift
/// description.setOption(30 as NSNumber, forKey: NSPostgreSQLStatementTimeoutOption)
/// ```
///
/// If the answer to a statement, or to several that are sent together, has not come in this time, the request or the
/// save fails with 134090, `NSPersistentStoreTimeoutError`, and the connection is closed. This also helps against a
/// server that hangs, which no setting of the server does. After a failed save, the changes are still in the context.
/// If the commit was not answered, the store asks for up to a minute more whether it was done; if that cannot be found
/// out, the error says so.
///
/// The option does not apply to migrations, and not to tables and indexes that are made when a store is opened. The server
/// may go on working on a statement for which the store no longer waits. To end it there, set a time-out for the user:
/// `ALTER ROLE notes SET statement_timeout = '30s'`. Its error has the same code; migrations, and tables that are made, are
/// free of it too.
///
/// Without the option, the store waits for as long as the connection lasts, because a limit would also end long batches. A
/// connection to a machine that is gone is given up after a minute, and a health report does not wait longer than its own
/// limit. Any other value is refused with 134091.
public let NSPostgreSQLStatementTimeoutOption = PostgreSQLStores.statementTimeoutOption

/// The option that names replicas of the store's server, at which blocks may read:
/// `container.read(from: .replica) { … }`.
///
/// ```swift
/// let replicas = ["postgresql://db2.example.org", "postgresql://db3.example.org"] as NSArray
/// description.setOption(replicas, forKey: NSPostgreSQLReplicasOption)
/// ```
///
/// The value is an array of up to 16 URLs or texts; anything else is refused with 134080. If a replica's address lacks
/// a user, password, database or setting such as `sslmode`, those of the store's own address are taken.
///
/// Only blocks that ask for it read at a replica. If one cannot be reached, is behind, or is not a replica of the
/// store's database, the store's own server answers instead, and the program's log says why. The store opens up to 32
/// connections to each replica, as many as contexts can be pinned; with ``NSPostgreSQLConnectionLimitOption``, other
/// numbers apply.
public let NSPostgreSQLReplicasOption = PostgreSQLStores.replicasOption

/// The option that says how many connections to its server a store may have, from 8 to 1000.
///
/// ```swift
/// description.setOption(20 as NSNumber, forKey: NSPostgreSQLConnectionLimitOption)
/// ```
///
/// One connection is for the keys of new objects, one for remote changes and, with replicas, one to four for questions to
/// the store's own server. A fifth of the others, but at least two, is for saves, batches and contexts that are not pinned,
/// and the rest is for pinned contexts and for blocks of `read` and `write`. The store opens at most as many for pinned
/// contexts to each replica, too; these do not count.
///
/// Connections are opened when they are needed. If all of a kind are in use, the next request or save waits until one is
/// given back, a minute or as `NSPersistentStoreTimeoutOption` says, and then fails with 134090.
///
/// Without the option, a store has at most 42 connections, and up to 4 more with replicas. Any other value is refused with
/// 134091.
public let NSPostgreSQLConnectionLimitOption = PostgreSQLStores.connectionLimitOption

/// The option that names a schema in which the store makes views of its zone, for programs that know SQL.
///
/// ```swift
/// description.setOption("notes_views" as NSString, forKey: NSPostgreSQLViewsOption)
/// ```
///
/// There is a view for each entity, called as in the model but in the way of SQL, such as `note` with `created_at`, and
/// one for each many-to-many relationship, such as `note_tags`. The page <doc:Servers> lists the types.
///
/// When the store is opened for writing, the views are made if they are missing or not those of the database's model. A
/// migration makes them again in its transaction, whether or not the program that migrates has this option. If the schema
/// is missing, it is made; if it has other tables or views, or those of another zone, the store is not opened, with
/// 134080. A value that is not a text of 1 to 63 bytes, or that begins with `pg_`, is refused with 134080.
///
/// Without the option, views that are there stay; `coredata views --remove` removes them.
public let NSPostgreSQLViewsOption = PostgreSQLStores.viewsOption

extension NSPersistentStore.StoreType {
  /// The type of a store in a PostgreSQL database.
  public static let postgreSQL = Self(rawValue: NSPostgreSQLStoreType)
}
