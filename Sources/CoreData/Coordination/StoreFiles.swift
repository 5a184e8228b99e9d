import Foundation

/// The files of stores, as they can be looked at and moved without being opened as stores.
///
/// One case for each way in which a type has its file.
enum StoreFiles {
  case sqlite
  case whole(any StoreFormat)
  case memory
  case custom(NSPersistentStore.Type)

  /// Throws 134000 for a type that is not known.
  init(ofType type: String, at url: URL) throws {
    switch type {
    case NSSQLiteStoreType: self = .sqlite
    case NSXMLStoreType: self = .whole(XMLFormat())
    case NSBinaryStoreType: self = .whole(BinaryFormat())
    case NSInMemoryStoreType: self = .memory
    case _:
      guard let custom = CustomStores.storeClass(for: type) else {
        throw StoreFailure(.unknownType(type), path: url.path).error()
      }
      self = .custom(custom)
    }
  }

  /// The type of the store that a file looks like; throws 259 where it looks like none.
  static func type(ofFileAt url: URL) throws -> String {
    guard let content = try WholeFile(url: url, steps: FileSteps()).read() else {
      throw StoreFailure(.missingFile, path: url.path).error()
    }
    if content.starts(with: Data("SQLite format 3".utf8)) { return NSSQLiteStoreType }
    for format in [XMLFormat(), BinaryFormat()] as [any StoreFormat]
    where (try? format.metadata(from: content)) != nil {
      return Swift.type(of: format).type
    }
    throw WholeFileFailure(.damaged("looks like no type of store"), path: url.path).error
  }
}

// MARK: - Metadata

extension StoreFiles {
  func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any] {
    switch self {
    case .sqlite:
      return try SQLiteFile(at: url, options: options, isReadOnly: true).readMetadata()
    case .whole(let format):
      return try FormatProblem.translating(path: url.path) {
        try format.metadata(from: content(at: url))
      }
    case .memory:
      throw noFile(url)
    case .custom(let type):
      return try type.metadataForPersistentStore(with: url)
    }
  }

  func setMetadata(
    _ metadata: [String: Any]?,
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws {
    if case .custom(let type) = self {
      return try type.setMetadata(metadata, forPersistentStoreAt: url)
    }
    let new = try Self.completed(metadata, from: self.metadata(at: url, options))
    switch self {
    case .sqlite:
      try SQLiteFile(at: url, options: options).writeMetadata(new)
    case .whole(let format):
      let file = WholeFile(url: url, steps: FileSteps())
      try FormatProblem.translating(path: url.path) {
        let changed = try format.replacingMetadata(in: content(at: url), by: new)
        try file.stage(changed).commit()
      }
    case .memory, .custom:
      throw noFile(url)
    }
  }

  /// Metadata with what every store must say of itself: type, UUID and versions stay unless new ones
  /// are given.
  static func completed(_ new: [String: Any]?, from old: [String: Any]) -> [String: Any] {
    let kept = old.filter { key, _ in
      key.hasPrefix("NSStore") || key.hasPrefix("NSPersistence") || key.hasPrefix("_NS")
    }
    return kept.merging(new ?? [:]) { _, new in new }
  }

  private func content(at url: URL) throws -> Data {
    guard let content = try WholeFile(url: url, steps: FileSteps()).read() else {
      throw StoreFailure(.missingFile, path: url.path).error()
    }
    return content
  }

  private func noFile(_ url: URL) -> NSError {
    StoreFailure(.unsupportedRequest("a file, and stores in memory have none"), path: url.path)
      .error()
  }
}

// MARK: - Removing and replacing

extension StoreFiles {
  func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws {
    switch self {
    case .sqlite:
      let force = options?[NSPersistentStoreForceDestroyOption] as? NSNumber
      try SQLiteFile(at: url, options: options).destroy(forced: force?.boolValue ?? false)
    case .whole, .custom:
      guard FileManager.default.fileExists(atPath: url.path) else { return }
      try FileManager.default.removeItem(at: url)
    case .memory:
      break
    }
  }

  func replace(
    at url: URL,
    _ options: [AnyHashable: Any]?,
    with source: URL,
    _ sourceOptions: [AnyHashable: Any]?
  ) throws {
    switch self {
    case .sqlite:
      let origin = SQLiteFile(at: source, options: sourceOptions, isReadOnly: true)
      try SQLiteFile(at: url, options: options).replace(with: origin)
    case .whole(let format):
      let content = try content(at: source)
      _ = try FormatProblem.translating(path: source.path) { try format.metadata(from: content) }
      try WholeFile(url: url, steps: FileSteps()).stage(content, modeOf: source).commit()
    case .custom:
      try WholeFile(url: url, steps: FileSteps()).stage(content(at: source), modeOf: source)
        .commit()
    case .memory:
      throw noFile(url)
    }
  }
}
