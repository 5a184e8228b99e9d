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
/// The address is one that libpq takes, without a fragment. The first use of the constant makes the type known to
/// the framework.
public let NSPostgreSQLStoreType: String = {
  PostgreSQLStores.register { address throws(PostgreSQLError) in
    try LibPQConnection.open(address)
  }
  return PostgreSQLStores.type
}()

/// The option that names the zone of a store: the tenant whose objects it has.
///
/// Stores of different zones share tables, and none sees objects of another. The value is a text of up to 200 bytes;
/// without one the zone is called `default`.
public let NSPostgreSQLZoneOption = PostgreSQLStores.zoneOption

/// The option that says how a pooler in front of the server lends connections: `session`, which is the default, or
/// `transaction`.
public let NSPostgreSQLPoolingOption = PostgreSQLStores.poolingOption

extension NSPersistentStore.StoreType {
  /// The type of a store in a PostgreSQL database.
  public static let postgreSQL = Self(rawValue: NSPostgreSQLStoreType)
}
