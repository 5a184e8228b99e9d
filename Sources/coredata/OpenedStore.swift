import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// A store that a command works on, with the model it is read by.
///
/// The model is the one given with `--model`, or the one that is in the file. Classes of entities are
/// those of programs that are not here, so that every object is an `NSManagedObject`.
struct OpenedStore {
  let url: URL
  let schema: ModelSchema
  let coordinator: NSPersistentStoreCoordinator

  /// A command that shows values wants the bytes of transformable ones: their classes are not here.
  ///
  /// A file that is opened for writing must not have triggers other than those that its model explains, unless the user
  /// wants them to run.
  init(
    at url: URL,
    _ choice: ModelChoice,
    isReadOnly: Bool = true,
    showsValues: Bool = false,
    readsObjects: Bool = false,
    runsTriggers: Bool = false,
    cachedKilobytes: Int = 8192
  ) throws {
    self.url = url
    try Self.requireStore(url)
    let type = StoreFileType(of: url)
    if type == .sqlite, !isReadOnly {
      try Self.refuseLogOfAnother(at: url)
      try Self.undoUnfinishedSave(of: url)
    }
    if type == .sqlite { Self.warnOfLog(at: url) }
    if type != .sqlite, !choice.isFile, !(type == .xml && choice.isTables) {
      throw Refusal(
        "\(url.relativePath) is \(type.words) of Core Data, which has no model in it.\n"
          + "Give the application's model with --model, or the SQLite store that it was made from"
          + (type == .xml && choice.mayBeTables
            ? ", or derive one from its objects with --without-model." : ".")
      )
    }
    schema = try Self.model(choice, of: url).withoutClasses.withoutArchivedDefaults
    if case .file(let model) = choice { try Self.requireFitting(schema, model, url) }
    if !isReadOnly, type == .sqlite {
      try StrangeCode.refuse(inStoreAt: url, schema, unless: runsTriggers)
    }
    // A SQLite store has bytes for those who ask for rows; objects and other stores know only values.
    let isOfBytes = readsObjects || showsValues && type != .sqlite
    coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(
        schema: isOfBytes ? schema.withBytesOfTransformables : schema
      )
    )
    var options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: Self.patience]
    // A program that lives for one question needs no large cache of pages.
    var pragmas = ["cache_size": "-\(cachedKilobytes)"]
    if isReadOnly {
      options[NSReadOnlyPersistentStoreOption] = true
      // An index of words is used if the store has one, and otherwise not made.
      if type == .sqlite { options[CoreDataTextSearchOption] = true }
    }
    // Readers of a history must see every change.
    if !isReadOnly, type == .sqlite {
      let facts = try refusing { try StoreFacts(at: url, counting: .zero) }
      if facts.history != nil { options[NSPersistentHistoryTrackingKey] = true }
      // The program that the store belongs to may need the journal that it has chosen.
      let journal = facts.database.journalMode
      if journal != "wal" {
        pragmas["journal_mode"] = journal
        pragmas["synchronous"] = "FULL"
      }
    }
    if type == .sqlite { options[NSSQLitePragmasOption] = pragmas }
    // A model made from the tables may differ in things that no column shows.
    if case .tables = choice { options[NSIgnorePersistentStoreVersioningOption] = true }
    try refusing {
      try coordinator.addPersistentStore(type: type.type, at: url, options: options)
    }
  }

  /// Seconds to wait for another program that writes; somebody waits for the tool.
  static let patience = 5.0

  static func model(_ choice: ModelChoice, of url: URL) throws -> ModelSchema {
    do {
      return try choice.model(forStoreAt: url).schema
    } catch let error as NSError where error.isOfModel && choice.canBeTables(of: url) {
      throw Refusal(
        (error.localizedFailureReason ?? error.localizedDescription)
          + "\nGive the application's model with --model, or read the tables alone with "
          + "--without-model."
      )
    } catch {
      return try refusing { throw error }
    }
  }

  static func requireFile(_ url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw Refusal("\(url.path): \(MissingFile.words(url.path))")
    }
    try refuseLog(url)
    StatementMemory.count(url)
  }

  /// Throws for a file that cannot be a store, before the command waits for the bytes of a pipe.
  static func requireStore(_ url: URL) throws {
    try requireFile(url)
    if let other = OtherFile(at: url) { throw Refusal(other.words(at: url)) }
  }

  /// Throws if a store cannot be written, before its changes are shown and somebody agrees to them.
  ///
  /// SQLite needs a journal in the folder, too.
  static func requireWritable(_ store: URL, _ consequence: String) throws {
    let folder = store.resolvingSymlinksInPath().deletingLastPathComponent()
    for place in [store, folder] where !FileManager.default.isWritableFile(atPath: place.path) {
      throw Refusal(
        "\(place.path): you do not have permission to write there, so \(consequence)"
      )
    }
  }

  /// Undoes an app's half-finished save, as SQLite does for a program that writes; one that only reads cannot.
  static func undoUnfinishedSave(of store: URL) throws {
    try refusing { try SQLiteFile(at: store, options: nil).undoUnfinishedSave() }
  }

  /// Throws for a store's log, or the log's index, that was named in place of the store.
  private static func refuseLog(_ file: URL) throws {
    let name = file.lastPathComponent
    guard let suffix = ["-wal", "-shm", "-journal"].first(where: name.hasSuffix) else { return }
    let store = file.deletingLastPathComponent()
      .appendingPathComponent(String(name.dropLast(suffix.count)))
    // A file that cannot be read says why when it is opened.
    let bytes = (try? FileHandle(forReadingFrom: file).read(upToCount: 6)) ?? Data()
    if bytes.starts(with: "SQLite".utf8) { return }
    if FileManager.default.fileExists(atPath: store.path) {
      throw Refusal(
        "\(file.path) belongs to the store \(store.lastPathComponent) beside it; name that file"
      )
    }
    if bytes.starts(with: [0x37, 0x7F, 0x06]) {
      throw Refusal(
        "\(file.path) is the log of a store \(store.lastPathComponent), which is not beside it;"
          + " copy both from where they came"
      )
    }
  }

  /// Says why a file cannot be written there, before anything is made; the name is an example.
  static func requirePlace(_ place: URL, forFileNamed name: String) throws {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    if files.fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue {
      let file = place.appendingPathComponent(name).relativePath
      throw Refusal("\(place.path) is a folder; name the file, such as \(file)")
    }
    let folder = place.deletingLastPathComponent().path
    if !files.fileExists(atPath: folder, isDirectory: &isFolder) || !isFolder.boolValue {
      throw Refusal("\(folder): there is no such folder")
    }
    if !files.isWritableFile(atPath: folder) {
      throw Refusal("\(folder): you do not have permission to write there")
    }
  }

  /// Says that something is there already, which only --force replaces, and only a file.
  static func requireReplaceable(_ place: URL, _ isForced: Bool) throws {
    let files = FileManager.default
    guard files.fileExists(atPath: place.path) else { return }
    if !isForced { throw Refusal("\(place.path) already exists; --force replaces it") }
    let target = place.resolvingSymlinksInPath().path
    let type = try refusing { try files.attributesOfItem(atPath: target)[.type] }
    if type as? FileAttributeType != .typeRegular {
      throw Refusal("\(place.path) is not a regular file and was not replaced; name another file")
    }
  }

  /// Throws a refusal that names the differing entities, before the store is opened, with advice.
  static func requireFitting(
    _ schema: ModelSchema,
    _ model: URL,
    _ store: URL,
    option: String = "--model"
  ) throws {
    guard let difference = StoreHashes(ofStoreAt: store).difference(from: schema) else { return }
    throw Refusal(words(forMisfit: difference, model, store, option: option))
  }

  static func words(
    forMisfit difference: String,
    _ model: URL,
    _ store: URL,
    option: String
  ) -> String {
    let inside = hasModel(store) ? ", or leave \(option) out to use the model inside the store" : ""
    return """
      \(store.path) was not made with the model \(model.relativePath): \(difference)
      Give the version of the model that the store was made with\(inside).
      """
  }

  private static func hasModel(_ store: URL) -> Bool {
    guard StoreFileType(of: store) == .sqlite else { return false }
    // A model that cannot be read cannot be used.
    return (try? StoredModel(inStoreAt: store)) != nil
  }

  /// A context of its own queue; commands work with its objects in `performAndWait`.
  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}

/// Does something of the framework's; an error of Apple's kind becomes a sentence for the terminal.
@discardableResult
func refusing<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as ModelError {
    throw error
  } catch let error as Refusal {
    throw error
  } catch let error as ModelObstacle {
    throw Refusal(error.description)
  } catch let error as NSError {
    throw Refusal(error.wordsOfTheTool)
  }
}

/// The words for a failure that no command has expected, in sentences if it has any.
func words(for error: any Error) -> String {
  // Errors of Swift's own kinds have only their description.
  guard type(of: error) is NSError.Type || error is CocoaError || error is POSIXError else {
    return "\(error)"
  }
  return (error as NSError).wordsOfTheTool
}

extension ModelChoice {
  fileprivate var isTables: Bool { if case .tables = self { true } else { false } }

  /// Whether the command could do with the tables alone.
  fileprivate var mayBeTables: Bool {
    if case .inStore(orTables: true) = self { true } else { false }
  }

  /// Whether reading the tables alone would be another choice.
  fileprivate func canBeTables(of store: URL) -> Bool {
    guard case .inStore(orTables: true) = self else { return false }
    // Why they cannot be is told to those who choose them.
    return (try? StoredModel(inStoreAt: store, from: .tables)) != nil
  }
}

extension NSError {
  fileprivate var isOfModel: Bool { code == CocoaError.fileReadCorruptFile.rawValue }
}
