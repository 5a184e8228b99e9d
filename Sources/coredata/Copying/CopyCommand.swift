import CoreData
import CoreDataCRuntime
import CoreDataModel
import Foundation
import Synchronization

/// `coredata copy`: a store at another place, whole, even while it is in use.
struct CopyCommand: Command {
  static let words = ["copy"]
  static let summary = "copy a store, even while it is in use, or convert it to another type"
  static let takesDatabases = true
  static let help = """
    coredata copy STORE DESTINATION [--force] [--compact] [--as sqlite|xml|binary]
                  [--model MODEL | --without-model] [--json]
    coredata copy STORE ADDRESS [--zone NAME] [--model MODEL] [--json]
    coredata copy ADDRESS DESTINATION [--zone NAME] [--force] [--as sqlite|xml|binary] [--json]

    Copies a store in a consistent state, even while other programs write to it: the database, including
    the contents of its write-ahead log, and the folder with external binary data. The copy is checked
    before it appears at DESTINATION. ADDRESS is that of a PostgreSQL database. Of a store with damaged
    pages, everything that can be read is copied; the command names the rest, and ends with status 1.

      --force            replace DESTINATION; no program may have it open
      --compact          leave out free pages and store each table contiguously; takes longer
      --as TYPE          convert to another type of store: sqlite, xml or binary; XML and binary
                         stores have no history, and XML stores give objects other numbers
    \(CoreDataCommand.modelOption)
      --json             print an object with "copy", "bytes", "type" and "missingFiles", the number of
                         values whose files were missing
    \(NamedStore.zoneHelp)

    A model is needed only to convert, that is, with --as and between a file and a database. It is the
    one inside the store; XML and binary stores contain none, and need --model.

    A file is copied into a zone that nobody has used yet, and a zone into a file. UUID, numbers of
    objects and history stay what they are, so that identities and tokens that somebody has kept mean
    the same as before. If the zone was in use once and was destroyed, all objects get new numbers, and
    the store a new UUID.

      coredata copy Notes.sqlite Backup.sqlite
      coredata copy Notes.sqlite postgresql://notes@db.example.org/notes --zone acme
      coredata copy Notes.sqlite Notes.xml --as xml
      coredata copy Notes.xml New.sqlite --as sqlite --model Notes.momd

    \(CoreDataCommand.exitStatuses)
    """

  private let source: URL
  private let destination: URL
  /// The database that is copied; nil for a file.
  private let database: DatabaseAddress?
  /// The database that gets the objects; nil for a file.
  private let target: DatabaseAddress?
  private let isForced: Bool
  private let isCompact: Bool
  /// Nil for the one that the store has.
  private let wanted: StoreFileType?
  private let model: ModelChoice
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    isForced = arguments.flag("--force")
    isCompact = arguments.flag("--compact")
    wanted = try arguments.choice(ifGiven: "--as", among: ["sqlite", "xml", "binary"])
      .flatMap(StoreFileType.init(rawValue:))
    model = try ModelChoice(&arguments)
    let zone = try arguments.value(ifGiven: "--zone")
    let words = (
      try arguments.operand("the path of a store"), try arguments.operand("the path of the copy")
    )
    // The zone is that of the one which is a database.
    let isDatabaseSource = DatabaseAddress.isAddress(words.0)
    let from = try NamedStore(words.0, zone: isDatabaseSource ? zone : nil, of: arguments)
    let to = try NamedStore(words.1, zone: isDatabaseSource ? nil : zone, of: arguments)
    (source, database) = from.parts
    (destination, target) = to.parts
    try arguments.finish()
    try from.refuse(model, of: arguments)
    if target != nil {
      if database != nil {
        throw arguments.mistake("one of the two must be a file; pg_dump copies databases")
      }
      if isForced || isCompact || wanted != nil {
        throw arguments.mistake("--force, --compact and --as are for copies that are files")
      }
    }
    if isCompact, let wanted, wanted != .sqlite {
      throw arguments.mistake(
        "--compact is for SQLite stores, and --as \(wanted.rawValue) makes another"
      )
    }
  }

  /// The values that the copy lacks, because their files are not beside the original.
  private let missing = LostValues()

  func run() throws {
    if database == nil { try OpenedStore.requireStore(source) }
    if target == nil { try requirePlace() }
    // A conversion takes damaged rows for what they seem, unless they cannot be read at all.
    let isConverted = target != nil || wanted.map { $0 != .sqlite } ?? false
    if isConverted, database == nil, SalvagedSource.isNeeded(for: source) { return try salvage() }
    do {
      try copy(from: source)
    } catch let refusal as Refusal {
      guard database == nil, SalvagedSource.isNeeded(for: source) else { throw refusal }
      try salvage()
    }
  }

  /// Copies what can be read of a damaged store.
  private func salvage() throws {
    let given: ModelSchema? = model.isFile ? try OpenedStore.model(model, of: source) : nil
    let salvaged = try refusing { try SalvagedSource(of: source, model: given) }
    try withExtendedLifetime(salvaged) { try copy(from: salvaged.url) }
    throw salvaged.refusal("copied")
  }

  private func copy(from source: URL) throws {
    if let target { return try copy(source, to: target) }
    let found = database == nil ? StoreFileType(of: source) : nil
    let type = wanted ?? found ?? .sqlite
    if isCompact, type != .sqlite {
      throw Refusal("--compact is for SQLite stores, and \(source.path) is \(type.words)")
    }
    if type != found {
      if found == .sqlite { missing.set(try missingFiles(of: source)) }
      try type == .sqlite ? convertToSQLite(source) : convert(source, to: type)
    } else if type == .sqlite {
      OpenedStore.warnOfLog(at: source)
      try copy(source)
    } else {
      try copyFile(source)
    }
    // The copy is made; only its size would be unknown.
    let attributes = try? FileManager.default.attributesOfItem(atPath: destination.path)
    let bytes = (attributes?[.size] as? NSNumber)?.intValue ?? 0
    let report: JSONValue = [
      "copy": .text(destination.path), "bytes": .integer(bytes), "type": .text(type.rawValue),
      "missingFiles": .integer(missing.count),
    ]
    let line = "copied to \(destination.relativePath.inOneLine), \(bytes.asBytes)"
    try Output.writing { try $0.line(printsJSON ? report.pretty : line) }
    try refuseMissing()
  }

  private func missingFiles(of store: URL) throws -> Set<String> {
    try refusing { try ExternalFiles.missingNames(ofStoreAt: store) }
  }

  private func refuseMissing() throws {
    if let name = missing.names.min() {
      throw Refusal(
        "\(missing.count.of("value is", "values are")) missing in the copy, because files that rows name are not in"
          + " the hidden folder \(ExternalFiles.supportFolderName(of: source)) beside the store, such as \(name);"
          + " everything else was copied. coredata check lists the rows"
      )
    }
  }

  /// The objects go in one transaction: the zone has all of them, or none.
  private func copy(_ source: URL, to target: DatabaseAddress) throws {
    if StoreFileType(of: source) == .sqlite { missing.set(try missingFiles(of: source)) }
    let store = try OpenedStore(at: source, model)
    try refusing { try convert(store, to: target.url, target.type, target.options) }
    let report: JSONValue = ["copy": .text(target.words), "type": "postgresql"]
    let line = "copied to \(target.words.inOneLine)"
    try Output.writing { try $0.line(printsJSON ? report.pretty : line) }
    try refuseMissing()
  }

  private func opened(_ source: URL) throws -> OpenedStore {
    try database.map { try OpenedStore($0) } ?? OpenedStore(at: source, model)
  }

  private func requirePlace() throws {
    if database != nil {
      try OpenedStore.requirePlace(destination, forFileNamed: "Notes.sqlite")
      return try OpenedStore.requireReplaceable(destination, isForced)
    }
    let places = [source, destination].map { $0.resolvingSymlinksInPath().standardizedFileURL.path }
    if places[0] == places[1] { throw Refusal("\(source.path) would be copied onto itself") }
    try OpenedStore.requirePlace(destination, forFileNamed: source.lastPathComponent)
    try OpenedStore.requireReplaceable(destination, isForced)
  }
}

// MARK: - Copying

extension CopyCommand {
  private func copy(_ source: URL) throws {
    let line = ProgressLine()
    Interrupt.listen()
    let isComplete = try writing {
      try FileCopy(of: source, to: destination, isCompact: isCompact, missing: missing.set)
        .perform { step, done, all in
          line.show(Self.words(for: step), done, of: all)
          return !Interrupt.isAsked
        }
    }
    line.erase()
    guard isComplete else { throw Refusal("interrupted; nothing was copied") }
  }

  private static func words(for step: FileCopy.Step) -> String {
    switch step {
    case .copying: "copying"
    case .compacting: "copying compactly"
    case .checking: "checking the copy"
    case .files: "copying large data"
    }
  }

  /// The new store is made under another name, and gets its own when it is complete.
  private func convert(_ source: URL, to type: StoreFileType) throws {
    let store = try opened(source)
    let line = ProgressLine()
    try finishing { place in
      if try export(store, to: place, type, line) { return }
      line.show("converting")
      try convert(store, to: place, type.type)
    }
    line.erase()
  }

  /// Writes the objects one after the other; `false` if that cannot be done with these two.
  private func export(
    _ store: OpenedStore,
    to place: URL,
    _ type: StoreFileType,
    _ line: ProgressLine
  ) throws -> Bool {
    guard let opened = store.coordinator.persistentStores.first else { return true }
    Interrupt.listen()
    do {
      let isWritten = try store.coordinator.export(opened, to: place, type: type.type) {
        line.show("converting", $0, of: $1)
        return !Interrupt.isAsked
      } leavingOut: {
        line.erase()
        complain(ofKeysLeftOut: $0)
      }
      // A copy that cannot be interrupted between steps is ended by the signal itself.
      if !isWritten { Interrupt.listenNoMore() }
      return isWritten
    } catch is StoreExport.Cancellation {
      throw Refusal("interrupted; nothing was copied")
    }
  }

  /// A database has files beside it that are called after it, and gets its name by being copied.
  private func convertToSQLite(_ source: URL) throws {
    let store = try opened(source)
    let unfinished = UnfinishedFile(of: destination)
    unfinished.removeThoseOfEndedPrograms()
    let folder = unfinished.url.appendingPathExtension("folder")
    try writing {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }
    // A file that cannot be removed does no harm: it has a name of its own.
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = folder.appendingPathComponent("store.sqlite")
    try writing { try convert(store, to: database, .sqlite) }
    try copy(database)
  }

  private func convert(
    _ store: OpenedStore,
    to place: URL,
    _ type: NSPersistentStore.StoreType,
    _ options: [AnyHashable: Any]? = nil
  ) throws {
    guard let opened = store.coordinator.persistentStores.first else { return }
    let coordinator = store.coordinator
    let new = try coordinator.migratePersistentStore(
      opened,
      to: place,
      options: options,
      type: type,
      isWhole: true,
      leavingOut: complain
    )
    try store.coordinator.remove(new)
  }

  private func complain(ofKeysLeftOut keys: [String: Int]) {
    for (name, count) in keys.sorted(by: { $0.key < $1.key }) {
      let objects = count == 1 ? "an object that is" : "\(count) objects that are"
      CoreDataCommand.complain("\(name): leads to \(objects) not there, which is left out")
    }
  }

  /// A file that is replaced whole whenever it is written can be copied as it is.
  private func copyFile(_ source: URL) throws {
    try finishing { try FileManager.default.copyItem(at: source, to: $0) }
  }

  /// Makes a part of the copy; an error of the framework's becomes a sentence for the terminal.
  ///
  /// Nothing but the copy is written, so that a full disk is the copy's, whichever unfinished file an error speaks of.
  private func writing<Result>(_ body: () throws -> Result) throws -> Result {
    try refusing {
      do {
        return try body()
      } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
        throw Refusal(
          "\(destination.path) cannot be written, because the disk is full; make room in"
            + " \(destination.deletingLastPathComponent().path), or name another place"
        )
      }
    }
  }

  private func finishing(_ make: (URL) throws -> Void) throws {
    let file = UnfinishedFile(of: destination)
    file.removeThoseOfEndedPrograms()
    let unfinished = file.url
    // There is nothing left where the copy has its name.
    defer { try? FileManager.default.removeItem(at: unfinished) }
    try writing { try make(unfinished) }
    guard rename(unfinished.path, destination.path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw Refusal("\(destination.path) cannot be written: \(reason)")
    }
  }
}

extension NamedStore {
  /// The URL, and the database if it is one.
  fileprivate var parts: (URL, DatabaseAddress?) {
    switch self {
    case .file(let url): (url, nil)
    case .database(let database): (database.url, database)
    }
  }
}

/// The names of the files that a copy lacks, which the thread that copies reports.
private final class LostValues: Sendable {
  private let found = Mutex(Set<String>())

  var names: Set<String> { found.withLock(\.self) }
  var count: Int { names.count }

  func set(_ names: Set<String>) { found.withLock { $0 = names } }
}

/// Whether somebody has typed Control-C, closed the terminal or ended the program, for work that tidies up before it ends.
private enum Interrupt {
  private static let asked = Atomic(false)

  static var isAsked: Bool { asked.load(ordering: .relaxed) }

  private static let signals = [SIGINT, SIGHUP, SIGTERM]

  static func listen() {
    for number in signals where !isIgnored(number) {
      signal(number) { _ in Interrupt.asked.store(true, ordering: .relaxed) }
    }
  }

  static func listenNoMore() {
    for number in signals where !isIgnored(number) { signal(number, SIG_DFL) }
  }

  /// The program's starter, such as `nohup`, may want it to go on.
  private static func isIgnored(_ number: Int32) -> Bool { coredata_ignores_signal(number) }
}
