// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The words that stores are opened and described with; names and values are Apple's.

// MARK: - Types of stores

public let NSSQLiteStoreType = "SQLite"
public let NSInMemoryStoreType = "InMemory"

// MARK: - Options

public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Seconds to wait for a store that someone else is using.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// A dictionary of SQLite's pragmas, names and values as strings.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"

// MARK: - Metadata

public let NSStoreTypeKey = "NSStoreType"
public let NSStoreUUIDKey = "NSStoreUUID"
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
public let NSStoreModelVersionHashesVersionKey = "NSStoreModelVersionHashesVersion"
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
