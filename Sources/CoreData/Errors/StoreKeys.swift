// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The words that stores are opened and described with; names and values are Apple's.

// MARK: - Types of stores

public let NSSQLiteStoreType = "SQLite"
public let NSInMemoryStoreType = "InMemory"
public let NSXMLStoreType = "XML"
public let NSBinaryStoreType = "Binary"

// MARK: - Options

public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Whether a store's file is removed although others are using it.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// Seconds to wait for a store that someone else is using.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Whether a SQLite file is made as small as it can be when it is opened.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Whether SQLite looks at its indexes when the file is opened, to choose better among them.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Whether a SQLite store keeps a history of what is written to it.
///
/// Once a file has one, it can be written with this option only; without, it is opened read-only.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Whether `NSPersistentStoreRemoteChange` is posted for each write to a SQLite store, also by other
/// processes.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// A dictionary of SQLite's pragmas, names and values as strings.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Whether a SQLite store keeps an index of the words in texts, for `title CONTAINS[cdw] "crème"`;
/// it is ours, Apple has none.
///
/// With `true` the attributes of type String that are marked "Index in Spotlight" in the model are in
/// it. It is made when the store is opened and it is missing or does not fit, which reads every text
/// once (some ten seconds for 100,000 notes of a page), and kept by triggers in the file, whoever
/// writes. With `false` it is removed. Without the option it stays and is kept, and is not used. A
/// store that is opened read-only uses it if it fits.
///
/// `NSComparisonPredicate.Options.wordBased` tells what is found, which is the same with and without.
public let CoreDataTextSearchOption = "CoreDataTextSearchOption"

// MARK: - Metadata

public let NSStoreTypeKey = "NSStoreType"
public let NSStoreUUIDKey = "NSStoreUUID"
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
public let NSStoreModelVersionHashesVersionKey = "NSStoreModelVersionHashesVersion"
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
