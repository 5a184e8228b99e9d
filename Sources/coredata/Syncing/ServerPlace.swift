import CoreData
import CoreDataPostgreSQL
import CoreDataSQLite
import CoreDataSyncPostgreSQL
import CoreDataSyncServer
import Foundation

/// The place where a server keeps its data: a folder of this machine, or a database.
enum ServerPlace {
  case folder(URL)
  case database(DatabaseAddress)

  init(_ arguments: inout CommandArguments) throws {
    let address = try arguments.value(ifGiven: "--store")
    let folder = arguments.operand()
    guard let address else {
      if let folder, DatabaseAddress.isAddress(folder) {
        throw arguments.mistake("the address of a database stands behind --store, not alone")
      }
      self = .folder(URL(filePath: folder ?? "coredata-sync"))
      return
    }
    guard folder == nil else {
      throw arguments.mistake(
        "--store names a database that keeps everything; leave out the folder"
      )
    }
    guard DatabaseAddress.isAddress(address) else {
      throw arguments.mistake(
        "--store takes the address of a database, which begins with postgresql://"
      )
    }
    guard case .database(let database) = try NamedStore(address, zone: nil, of: arguments) else {
      throw arguments.mistake("--store takes the address of a database")
    }
    self = .database(database)
  }

  /// As people may read it.
  var name: String {
    switch self {
    case .folder(let folder): folder.path
    case .database(let database): database.words
    }
  }

  /// The command that looks after it.
  var words: String {
    switch self {
    case .folder: ServingCommand.folder.rawValue
    case .database: ServingCommand.database.rawValue
    }
  }
}

// MARK: - Opening

extension ServerPlace {
  /// The storage of a server that is there.
  func known() throws -> ServerStorage {
    switch self {
    case .folder(let folder):
      let file = Self.file(in: folder)
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw Refusal(
          """
          There is no server in \(folder.path): it has no file zones.sqlite. Name the folder of the server, or start one \
          there first.
          """
        )
      }
      return try Self.storage(in: folder)
    case .database(let database):
      return try Self.storage(
        in: database,
        makingTables: false,
        report: CoreDataCommand.complain
      )
    }
  }

  /// The storage of a server that begins, and the lock that keeps other servers away for as long as it is held.
  ///
  /// If the file is damaged and `salvages` is true, what can be read of it is put into a new one first.
  func opened(
    salvages: Bool = false,
    report: @escaping @Sendable (String) -> Void
  ) throws -> (ServerStorage, DatabaseLock?) {
    switch self {
    case .folder(let folder):
      try Self.make(folder)
      let lock = try Self.lock(of: folder)
      if salvages { try Self.salvage(Self.file(in: folder)) }
      return (try Self.storage(in: folder), lock)
    case .database(let database):
      return (try Self.storage(in: database, makingTables: true, report: report), nil)
    }
  }

  /// The message for people if the storage fails while a command uses it.
  func refusal(for error: SQLiteError) -> Refusal {
    switch self {
    case .folder(let folder): Refusal(error.sentence(ofServerAt: Self.file(in: folder)))
    case .database(let database): Refusal("The database \(database.words) cannot be used: \(error)")
    }
  }

  private static func salvage(_ file: URL) throws {
    do {
      let salvage = ZoneSalvage(of: file)
      let output = Output(endsWithReader: false)
      guard try salvage.isNeeded else {
        try output.line("\(file.path) is not damaged, and stays as it is.")
        return try output.flush()
      }
      for line in try salvage.perform().lines { try output.line(line) }
      try output.flush()
    } catch let error as SQLiteError {
      throw Refusal(error.sentence(ofServerAt: file))
    } catch let refusal as ServiceRefusal {
      throw Refusal(refusal.sentence)
    } catch let error as CocoaError {
      throw Refusal.salvaging(file, error)
    }
  }

  private static func file(in folder: URL) -> URL { folder.appending(path: "zones.sqlite") }

  /// Makes the folder of a server, unless it is there.
  private static func make(_ folder: URL) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
      !isFolder.boolValue
    {
      throw Refusal(
        "\(folder.path) is a file, and coredata serve keeps what it has in a folder. Choose another name."
      )
    }
    do {
      try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw Refusal.making(folder, error)
    }
  }

  private static func storage(in folder: URL) throws -> ServerStorage {
    let file = file(in: folder)
    do {
      return try ServerStorage(path: file.path)
    } catch let error as SQLiteError {
      throw Refusal(error.sentence(ofServerAt: file))
    } catch let refusal as ServiceRefusal {
      throw Refusal(refusal.sentence)
    }
  }

  private static func storage(
    in database: DatabaseAddress,
    makingTables makesTables: Bool,
    report: @escaping @Sendable (String) -> Void
  ) throws -> ServerStorage {
    do {
      return try ServerStorage.postgreSQL(
        at: database.url,
        makingTables: makesTables,
        report: report
      )
    } catch let error as PostgreSQLError {
      throw Refusal("The database \(database.words) cannot be used: \(error.message)".asSentence)
    }
  }

  /// Keeps other servers from the folder: two on one file would number changes of their own runs, and wake nobody who
  /// waits at the other.
  private static func lock(of folder: URL) throws -> DatabaseLock {
    let lock: DatabaseLock?
    do {
      lock = try DatabaseLock(at: folder.appending(path: "zones.lock").path)
    } catch {
      throw Refusal(
        """
        \(error.path) cannot be made (\(error.reason)). Make its folder writable, and see that its disk has room, or \
        choose another.
        """
      )
    }
    guard let lock else {
      throw Refusal(
        "Another coredata serve keeps the zones in \(folder.path). Stop it, or choose another folder."
      )
    }
    return lock
  }
}

extension ZoneSalvage.Outcome {
  /// The report for the server's owner.
  fileprivate var lines: [String] {
    var lines = [
      "The file was damaged. It is kept as \(kept), and what can be read of it is in a new file:"
    ]
    lines += zones.map { "  the zone \($0.name): \($0.cells.of("value", "values"))" }
    lines.append("  \(tokens.of("token", "tokens"))")
    if leftOut > 0 {
      lines.append(
        "  without \(leftOut.of("value", "values")) of zones whose names or seals are lost"
      )
    }
    lines.append("Devices read everything again, and send what they have and the server lacks.")
    return lines
  }
}

extension Refusal {
  fileprivate static func salvaging(_ file: URL, _ error: any Error) -> Refusal {
    Refusal(
      """
      \(file.path) cannot be salvaged: \(words(for: error).asSentence) See that its disk has room for two copies, and \
      that its folder can be written.
      """
    )
  }

  fileprivate static func making(_ folder: URL, _ error: any Error) -> Refusal {
    Refusal(
      """
      The folder \(folder.path) cannot be made: \(words(for: error).asSentence) Make the folder around it writable, and \
      see that its disk has room, or choose another.
      """
    )
  }
}
