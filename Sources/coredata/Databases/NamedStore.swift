import CoreData
import CoreDataPostgreSQL
import Foundation

/// A store as it is named on the command line: a file, or a zone of a PostgreSQL database.
enum NamedStore {
  case file(URL)
  case database(DatabaseAddress)

  init(_ operand: String, zone: String?, of arguments: CommandArguments) throws {
    guard DatabaseAddress.isAddress(operand) else {
      if zone != nil { throw arguments.mistake("--zone is for PostgreSQL databases") }
      self = .file(URL(filePath: operand))
      return
    }
    guard let url = URL(string: operand) else {
      throw Refusal(
        """
        the address of the database is no URL; write characters such as @ and # in it as %40 and %23, and several \
        hosts with their ports as postgresql:///DATABASE?host=HOST,HOST&port=PORT,PORT
        """
      )
    }
    self = .database(DatabaseAddress(url: url, zone: zone))
  }

  static let zoneHelp = """
      --zone NAME        the zone of a PostgreSQL database, that is, the tenant whose objects are
                         meant; without it, the zone named default. If a pooler such as PgBouncer
                         lends connections for one transaction only, end the address with
                         ?pooling=transaction
    """

  /// Refuses options that files alone need.
  func refuse(_ model: ModelChoice, of arguments: CommandArguments) throws(Mistake) {
    guard case .database = self else { return }
    switch model {
    case .inStore: return
    case .file: throw arguments.mistake("--model is for files; a database has its model in it")
    case .tables:
      throw arguments.mistake("--without-model is for files; a database has its model in it")
    }
  }
}

/// A PostgreSQL database and a zone in it.
///
/// Output about it never has the password: leave it to `~/.pgpass` or `PGPASSWORD` if possible, because other users of
/// the machine can see command lines.
struct DatabaseAddress {
  let url: URL
  let zone: String?
  /// Makes the type known, too.
  let type = NSPersistentStore.StoreType.postgreSQL

  init(url: URL, zone: String?) {
    self.url = url
    self.zone = zone
  }

  var options: [AnyHashable: Any] {
    var options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: OpenedStore.patience]
    options[NSPostgreSQLZoneOption] = zone
    return options
  }

  /// As people may read it.
  var words: String {
    let place = StoreAddress.shown(url)
    return zone.map { "\(place) (zone \($0))" } ?? place
  }

  static func isAddress(_ word: some StringProtocol) -> Bool {
    word.hasPrefix("postgresql://") || word.hasPrefix("postgres://")
  }
}

extension String {
  /// The text without the passwords of addresses in it.
  var withoutPasswords: String {
    replacing(/postgres(ql)?:\/\/\S+/) { match in Self.withoutPassword(match.output.0) }
  }

  /// An address, with the marks of the sentence after it; if it has a password, they may be a part of that.
  private static func withoutPassword(_ word: Substring) -> String {
    let end = word.reversed().prefix { "'\"“”;,.".contains($0) }.count
    let (address, marks) = (String(word.dropLast(end)), word.suffix(end))
    guard let url = URL(string: address) else { return "postgresql://…" }
    let shown = StoreAddress.shown(url)
    return shown == address ? shown + marks : shown
  }
}

// MARK: - Opening

extension OpenedStore {
  /// Opens a database with the model that is in it; for writing, only a zone that is there.
  init(
    _ database: DatabaseAddress,
    isReadOnly: Bool = true,
    readsObjects: Bool = false
  ) throws {
    let found = try refusing {
      try PostgreSQLFacts.schema(at: database.url, options: database.options)
    }
    guard let found else {
      throw Refusal("\(database.words) has no store in it, or no model that can be read")
    }
    url = database.url
    schema = found.withoutClasses.withoutArchivedDefaults
    // Objects that are written have bytes for values whose classes are not here, also in a rehearsal.
    let isOfBytes = readsObjects || !isReadOnly
    let model = isOfBytes ? schema.withBytesOfTransformables : schema
    coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: model)
    )
    var options = database.options
    if isReadOnly {
      options[NSReadOnlyPersistentStoreOption] = true
      // An index of words is used where the database has one.
      options[CoreDataTextSearchOption] = true
    } else {
      let facts = try refusing { try PostgreSQLFacts(at: database.url, options: database.options) }
      // Readers of a history must see every change.
      if facts.lastTransaction != nil { options[NSPersistentHistoryTrackingKey] = true }
    }
    let coordinator = coordinator
    try refusing {
      try coordinator.addPersistentStore(type: database.type, at: database.url, options: options)
    }
  }
}
