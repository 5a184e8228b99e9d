import CoreData
import Foundation

/// The meaning of a server's refusals for the user of a store, and the advice.
extension PostgreSQLError {
  /// The operation that failed.
  package enum Act: Hashable, Sendable {
    case opening, reading, saving

    var failure: String {
      switch self {
      case .opening: "The store could not be opened."
      case .reading: "The store could not be read."
      case .saving: "The changes could not be saved."
      }
    }

    var code: Int {
      switch self {
      case .opening: NSPersistentStoreOpenError
      case .reading: NSPersistentStoreOperationError
      case .saving: NSPersistentStoreSaveError
      }
    }
  }

  func text(_ act: Act, path: String) -> FailureText {
    if isDuplicate, act == .saving {
      return FailureText(
        description: "An object with the same unique values exists already.",
        of: path,
        words,
        advice: "Give the object other values, or change the object that has them."
      )
    }
    if state == Self.zoneTakenState { return .taken(by: "store at \(path)") }
    let advice = advice(act)
    return FailureText(
      description: act.failure,
      of: path,
      reason(act),
      advice: act == .saving ? .saveAgain(first: advice) : advice
    )
  }

  /// The meaning of the error, with the server's own words.
  func reason(_ act: Act) -> String { meaning(act).map { "\($0.words) (\(words))" } ?? words }

  /// The advice for the failed operation.
  func advice(_ act: Act) -> Advice { meaning(act)?.advice ?? Self.usualAdvice(act) }

  private var words: String {
    let message = message.hasSuffix(".") ? String(message.dropLast()) : message
    return state.isEmpty ? message : "SQLSTATE \(state): \(message)"
  }

  private static func usualAdvice(_ act: Act) -> Advice {
    switch act {
    case .opening: "Check the address, the database and the rights of its user."
    case .reading, .saving: "Look into the server's log, which says more."
    }
  }

  private func meaning(_ act: Act) -> (words: String, advice: Advice)? {
    switch kind(act) {
    case "":
      ("the server does not answer", "Check that it runs and can be reached; then try again.")
    case "28P01", "28000":
      ("the server does not let this user in", "Check the user, the password and pg_hba.conf.")
    case "2BP01":
      (
        "views of others depend on what would change",
        "Remove those views first, and make them again afterwards; the server's log names them."
      )
    case "3D000": ("there is no such database", "Create it with createdb, or correct the address.")
    case Self.oldServerState:
      (
        "the server is too old for a store",
        "Bring it to a later version with pg_upgrade, on Debian pg_upgradecluster; or name another server in the address."
      )
    case Self.otherEncodingState:
      (
        "the database cannot keep all texts",
        "No database can be given another encoding: make a new one, with createdb --encoding UTF8 --template template0, and name it in the address. If the server has no locale for that, add --locale C.UTF-8."
      )
    case Self.backslashesState:
      (
        "the server reads texts in another way",
        "Set it for the user, with ALTER ROLE notes SET standard_conforming_strings = on; if the address sets it, take it out there."
      )
    case Self.noICU:
      (
        "the server was built without ICU, by which texts are put in order",
        "Use a server that has it, as those of Debian's packages do."
      )
    case "3F000":
      (
        "there is no schema to make tables in",
        "Create one, or name one that is there: ?options=-csearch_path%3Dnotes; its user needs the right USAGE on it."
      )
    case Self.temporaryTable:
      (
        "the user may not make temporary tables, in which this keeps what it works on",
        "Grant it the right on the database: GRANT TEMPORARY ON DATABASE notes TO its user."
      )
    case "42501":
      (
        "the user may not do that",
        "Grant it the rights on the schema and its tables; to make a store it needs CREATE."
      )
    case Self.changedTables:
      ("somebody has changed the tables", "Put back what the model needs, or restore a backup.")
    case Self.undefinedOwnFunction:
      (
        "an older version has made the database, and it lacks a function that we need",
        "Open the store once for writing, as a user who may make functions: then it is made."
      )
    case "25006":
      (
        "the server only reads: it follows another one, or has been told to",
        "Wait until one that writes has taken over; if the address has several hosts, end it with target_session_attrs=read-write."
      )
    case "53100": ("the server's disk is full", "Make room on the server.")
    case Self.noneFreeState:
      (
        "no connection became free",
        .endRequests
      )
    case Self.noneLentState:
      (
        "the pooler in front of the server had no connection to lend",
        "Let long requests and pinned contexts end, or give the pooler more connections, as default_pool_size does."
      )
    case Self.fullQueueState:
      (
        "the server has no room for one more notification: some session that listens is in a transaction for long",
        "End that session (SELECT pg_notification_queue_usage() tells how full it is); then try again."
      )
    case Self.overdueState:
      (
        "the server has not answered in time",
        .askServerForLess
      )
    case Self.refusedSettingState:
      (
        "the pooler in front of the server does not take a setting of the address",
        "Leave it out, and have the server set it for the user: ALTER ROLE notes SET search_path = notes."
      )
    case Self.poolerLoginState:
      (
        "the pooler in front of the server cannot log in there",
        "Check that the server runs, and the users that the pooler knows; its log says more."
      )
    case Self.badSettingState:
      (
        "the address has a setting that is not taken",
        "Correct it, or leave it out; settings stand behind the ? of the address."
      )
    case Self.unsecuredState:
      (
        "the way to the server is not as safe as the address demands",
        "Check sslmode and sslrootcert in the address, and the server's certificate."
      )
    case Self.refusedState:
      (
        "the server has refused the connection",
        "Look at what it says; check the user, the password and the settings of the address."
      )
    case Self.tooLargeState:
      (
        "a statement has more values than PostgreSQL takes at once",
        "Save less at a time, or keep such large values outside of the store."
      )
    case Self.unfitServerState:
      (
        "no server of the address is the one that it asks for",
        "Wait until one has taken over, or correct target_session_attrs."
      )
    case "57P03":
      ("the server takes no connections yet, or any more", "Wait until it has started.")
    case Self.goneMomentState:
      (
        "the moment to which the context is pinned is gone",
        .beginAnew(
          "Pin the context anew, with setQueryGenerationFrom(.current), or call read or write again."
        )
      )
    case Self.otherModelState:
      (
        "another program has migrated the database to another model",
        .beginAnew("Open the store again, with the version of the model that its tables have now.")
      )
    case Self.goneZoneState:
      (
        "another program has destroyed the zone of the store, or has given it another UUID",
        .beginAnew(
          "Open the store again: its zone is another one, and empty unless others have saved there."
        )
      )
    case Self.begunHistoryState:
      (
        "another program keeps a persistent history of the store now, and what is written would be missing there",
        .beginAnew("Open the store again, with NSPersistentHistoryTrackingKey set to true.")
      )
    case "26000":
      (
        "the server has forgotten a statement that it had compiled",
        "If a pooler lends connections for one transaction, end the address with ?pooling=transaction."
      )
    case "53300":
      (
        "the server has no connection left",
        .needFewerConnections
      )
    case Self.idleState:
      (
        "the server has ended a transaction in which nothing happened for too long",
        "Hand over the rows of a batch without long pauses, or raise idle_in_transaction_session_timeout."
      )
    case "25P04":
      (
        "the server lets no transaction last so long",
        "Do less at a time, or raise transaction_timeout."
      )
    case "57014": ("the server gave the statement up", "Ask for less, or raise statement_timeout.")
    case "55P03": ("another program keeps it locked", "Try again when the other program is done.")
    case "40001", "40P01": ("others write the same rows again and again", "Try again.")
    case "22021":
      ("a text has the character U+0000, which PostgreSQL cannot keep", "Remove it from the text.")
    case "22003":
      (
        "a computed number is too large or too close to zero for its type",
        "Compute with other numbers, or in memory."
      )
    case "54000":
      (
        "a value is longer than PostgreSQL takes, which is some 2,700 bytes in an index",
        "Shorten it, or take its attribute out of the model's indexes and constraints."
      )
    case "42P10", "42803", "42804":
      ("PostgreSQL does not sort or group so", "Sort and group by what the request fetches.")
    case "42883":
      (
        "PostgreSQL does not compute this of such values",
        "Fetch the values, and compute in memory."
      )
    case _ where isLoss:
      ("the connection to the server was lost", "Try again when the server is there.")
    case _: nil
    }
  }

  /// The state, or what it means more exactly.
  private func kind(_ act: Act) -> String {
    switch state {
    case "42883" where message.contains("coredata_"): Self.undefinedOwnFunction
    case "42P01", "42703", Self.changedColumnState: Self.changedTables
    // We have chosen the types of our own comparisons, results and values; those of a request are the program's.
    case "42804" where act != .reading, "42883" where act != .reading: Self.changedTables
    case "42501" where isOfTemporaryTable: Self.temporaryTable
    case "0A000" where message.contains("ICU is not supported"): Self.noICU
    case _: state
    }
  }

  /// Whether a table was refused that lives as long as a transaction.
  private var isOfTemporaryTable: Bool {
    sql?.contains("CREATE TEMPORARY TABLE") == true || message.contains("temporary tables")
  }

  private static let undefinedOwnFunction = "42883 coredata_"
  private static let changedTables = "changed tables"
  private static let temporaryTable = "42501 temporary"
  private static let noICU = "0A000 ICU"
}

// MARK: - Codes

extension PostgreSQLError {
  func code(_ act: Act) -> Int {
    switch kind(act) {
    case "23505" where act == .saving: NSManagedObjectConstraintMergeError
    case "28P01", "28000": CocoaError.fileReadNoPermission.rawValue
    case "3D000", "3F000": CocoaError.fileReadNoSuchFile.rawValue
    case "42501" where act == .reading: CocoaError.fileReadNoPermission.rawValue
    case "42501", Self.temporaryTable, "25006", Self.begunHistoryState:
      CocoaError.fileWriteNoPermission.rawValue
    case Self.changedTables, Self.undefinedOwnFunction: CocoaError.fileReadCorruptFile.rawValue
    case Self.otherModelState: NSPersistentStoreIncompatibleVersionHashError
    case "42P10", "42803", "42804", "42883": NSPersistentStoreUnsupportedRequestTypeError
    case Self.zoneTakenState: CocoaError.fileWriteFileExists.rawValue
    case "53100": CocoaError.fileWriteOutOfSpace.rawValue
    case "57014", "25P04", "55P03", "53300": NSPersistentStoreTimeoutError
    case Self.noneFreeState, Self.noneLentState, Self.overdueState: NSPersistentStoreTimeoutError
    case _: act.code
    }
  }
}
