/// The remedy for a failure.
///
/// Most advice is the same for everybody. The author of a program does some things in another way than a user of the
/// tool `coredata`: these are cases, which ``sentence`` spells for the one and the tool for the other. An error of
/// Apple's kind carries such a case under ``userInfoKey``.
package indirect enum Advice: Hashable, Sendable {
  /// The same words for everybody.
  case words(String)
  /// A sentence that is the same for everybody, and the advice behind it.
  case preceded(by: String, Advice)
  /// The store does not contain a readable model; if it had one, its rows may be whole.
  case bringModel(rowsMayBeWhole: Bool)
  /// The store's metadata are lost, its rows may not be.
  case readRowsAlone
  /// The store has a format that is not known here.
  case readRowsAsTheyAre
  /// The store was made with another model than it was opened with.
  case openWithItsModel
  /// The store was opened for reading alone, because of an option or of the rights to its file.
  case openForWriting
  /// A program ended in the middle of a save, and the journal beside the store's file must be played back.
  case undoUnfinishedSave(String)
  /// Another program has the store.
  case waitForOtherProgram
  /// All connections to a server are in use.
  case endRequests
  /// A server cannot accept any more connections.
  case needFewerConnections
  /// A server did not answer in time.
  case askServerForLess
  /// The manner of a pooler in an address is unknown.
  case choosePooling
  /// A database has other zones than the one that was asked for.
  case nameZone
  /// Rows have changed since they were read, and must be read again; the text says how a program does that.
  case beginAnew(String)
  /// The time for a search was over.
  case searchLess
  /// A save failed as a whole; the text names what must be done first, if that is known.
  case saveAgain(first: Advice?)
  /// Values that must be unique exist already.
  case giveOtherValues
  /// The model that a store was made with is not to be found.
  case bringSourceModel
  /// A migration would lose some of the store.
  case confirmLoss
  /// The copy of the store that a migration makes first could not be made.
  case makeRoomForBackup
  /// Several errors were told as one.
  case mendEach
  /// A variable of a predicate does not have a value.
  case giveVariableValue
  /// The database cannot put objects in an order; the text names an alternative.
  case sortOtherwise(String)
}

extension Advice: ExpressibleByStringInterpolation {
  package init(stringLiteral words: String) {
    self = .words(words)
  }
}

extension Advice {
  /// Where the `userInfo` of an error has the advice that is not the same for everybody.
  package static let userInfoKey = "CoreDataAdvice"

  /// The advice for authors of programs; a part of a sentence if it follows a semicolon.
  package var phrase: String {
    let modelOrTables =
      "pen it with the application's model, or with "
      + "NSManagedObjectModel(contentsOfStoreAt:from: .tables), which reads the tables."
    return switch self {
    case .words(let words): words
    case .preceded(let words, let advice): "\(words) \(advice.sentence)"
    case .bringModel(rowsMayBeWhole: false): "O" + modelOrTables
    case .bringModel(rowsMayBeWhole: true): "The rows may be whole: o" + modelOrTables
    case .readRowsAlone:
      "Put back a copy that is whole. The rows may be: they can be read with "
        + "NSReadOnlyPersistentStoreOption and NSIgnorePersistentStoreVersioningOption together."
    case .readRowsAsTheyAre:
      "Use a newer version of the framework. To look at its rows as they are, open it "
        + "with NSReadOnlyPersistentStoreOption and NSIgnorePersistentStoreVersioningOption."
    case .openWithItsModel: "Open it with the version of the model it was made with."
    case .openForWriting:
      "Open the store without NSReadOnlyPersistentStoreOption, and from a file and folder that may be"
        + " written."
    case .undoUnfinishedSave:
      "Open the store once without NSReadOnlyPersistentStoreOption, from a file and folder that may be"
        + " written: that undoes the save."
    case .waitForOtherProgram:
      "Try again when the other program is done; NSPersistentStoreTimeoutOption says how long to wait."
    case .endRequests:
      "Let long requests end, or give NSPersistentStoreTimeoutOption more seconds, or"
        + " NSPostgreSQLConnectionLimitOption more connections."
    case .needFewerConnections:
      "Close some, give NSPostgreSQLConnectionLimitOption a smaller number, or raise max_connections;"
        + " of a pooler, max_client_conn."
    case .askServerForLess:
      "Check that it runs; or ask for less, or give NSPostgreSQLStatementTimeoutOption more seconds."
    case .choosePooling:
      "Write ?pooling=transaction or ?pooling=session in the address, or set one of the words as"
        + " NSPostgreSQLPoolingOption. Without either, it is session."
    case .nameZone:
      "Set NSPostgreSQLZoneOption to one that is there; or open the store for writing, which makes the zone."
    case .beginAnew(let words): words
    case .searchLess: "Ask for less, or for what an index can find; or give the search more time."
    case .saveAgain(let first):
      (first.map { $0.sentence + " " } ?? "")
        + "The changes are still in the context; mend the cause and save again."
    case .giveOtherValues:
      "Give the objects other values; or set the context's mergePolicy to "
        + "NSMergePolicy.mergeByPropertyObjectTrump, which writes new values onto the old object."
    case .bringSourceModel: "Add that version of the model to the program, in its .xcdatamodeld."
    case .confirmLoss:
      "Check that it is the right file, or use a newer version of the program. Where the model was"
        + " edited, take the edit back, add a model version to its .xcdatamodeld, and edit that one, so"
        + " that the program knows both; with CoreDataMigrationLossOption the store is migrated all the"
        + " same."
    case .makeRoomForBackup:
      "Make room on the disk, or set CoreDataMigrationBackupOption to false."
    case .mendEach: "Mend each of the errors under NSDetailedErrorsKey."
    case .giveVariableValue: "give it one with withSubstitutionVariables(_:)"
    case .sortOtherwise(let words): "\(words), or sort the objects after the fetch"
    }
  }

  /// The advice for authors of programs, as a sentence.
  package var sentence: String { Advice.sentence(phrase) }

  /// A part of a sentence made a whole one.
  package static func sentence(_ phrase: String) -> String {
    if phrase.isEmpty { return phrase }
    return phrase.prefix(1).uppercased() + phrase.dropFirst() + (phrase.hasSuffix(".") ? "" : ".")
  }
}
