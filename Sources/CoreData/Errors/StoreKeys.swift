// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The words that stores are opened and described with; names and values are Apple's.

// MARK: - Types of stores

/// The type of stores in SQLite databases, of which only the requested rows are read.
public let NSSQLiteStoreType = "SQLite"
/// The type of stores in memory, whose contents are lost when the process ends.
public let NSInMemoryStoreType = "InMemory"
/// The type of stores in XML files, which are read and written as a whole.
public let NSXMLStoreType = "XML"
/// The type of stores in binary files, which are read and written as a whole.
public let NSBinaryStoreType = "Binary"

// MARK: - Options

/// The key of the option for whether a store is opened for reading only.
///
/// The default is `false`.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The key of the option for whether a store is opened even if it was created with another version
/// of the model.
///
/// The default is `false`.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// The key of the option for whether a store of another version of the model is migrated when it is
/// opened.
///
/// The default is `false`; in a new `NSPersistentStoreDescription` it is `true`.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// The key of the option for whether a migration may infer its mapping model.
///
/// The default is `false`; in a new `NSPersistentStoreDescription` it is `true`.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The key of the option for whether the file of a store is removed even if others are using it.
///
/// The default is `false`.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The key of the option for the time, in seconds, to wait for a store that others have locked.
///
/// The default is 240. A greater value than 600 counts as 600; with 0, the store does not wait.
///
/// For a store in a PostgreSQL database, this is the time that the server may take to open a connection, by default 10
/// seconds, and the time that a thread waits for a connection while others use them all, by default 60 seconds. A smaller
/// value than 2 counts as 2 there.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The key of the option for whether a SQLite file is compacted when it is opened.
///
/// The default is `false`.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The key of the option for whether SQLite gathers statistics about its indexes when the file is
/// opened, to choose among them.
///
/// The default is `false`.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The key of the option for whether a SQLite or PostgreSQL store keeps a persistent history of its changes.
///
/// The default is `false`.
///
/// Once a store has a history, it is opened for reading only without this option.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The key of the option for whether `NSPersistentStoreRemoteChange` is posted after each write to
/// a SQLite or PostgreSQL store.
///
/// The default is `false`.
///
/// Writes of other processes are included.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// The key of the option for the protection class of a store's files on iOS, a `FileProtectionType`.
///
/// Linux does not protect files while a device is locked. The option is ignored here; the first store that is opened
/// with it says so in the log. The permissions of the folder protect the files, or a file system that is encrypted.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// The key of the option for whether a binary store creates objects of all classes that its file names.
///
/// The option is accepted without effect: binary files of this package contain values and no objects of classes. Values
/// of transformable attributes are data, which their value transformers read.
public let NSBinaryStoreInsecureDecodingCompatibilityOption =
  "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// The key of the option for the classes of objects that a binary store may create, as a set.
///
/// The option is accepted without effect, as `NSBinaryStoreInsecureDecodingCompatibilityOption` is.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// The key of the option for the pragmas of SQLite connections, as a dictionary of names and
/// values.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The key of the option for whether a SQLite or PostgreSQL store keeps a word index, for predicates such as
/// `title CONTAINS[cdw] "crème"`.
///
/// With `true`, the index contains the words of all attributes of type String that are marked
/// "Index in Spotlight" in the model. If the index does not exist or does not match the model when
/// the store is opened, it is created; this reads every text once (about ten seconds for 100,000
/// notes of one page). From then on triggers in the file keep it up to date. With `false`, the
/// index is removed. Without the option, an existing index is kept up to date but not used. A store
/// that is opened for reading only uses an index that matches the model.
///
/// A PostgreSQL database keeps one index for all zones. Creating it takes minutes for 100,000 notes, and other
/// programs cannot save in the meantime. If the user may not create it, the store is opened without it.
///
/// `NSComparisonPredicate.Options.wordBased` describes what is found; the results are the same with
/// and without the index. Apple's framework does not have this option.
public let CoreDataTextSearchOption = "CoreDataTextSearchOption"

// MARK: - Metadata

/// The metadata key of the type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// The metadata key of the UUID of the store, as a string.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The metadata key of the version hashes of the model's entities, by entity name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The metadata key of the version of the algorithm that computed the version hashes.
public let NSStoreModelVersionHashesVersionKey = "NSStoreModelVersionHashesVersion"
/// The metadata key of the version identifiers of the model.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
