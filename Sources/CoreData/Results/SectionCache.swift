import CoreDataPredicates
import Foundation

/// The sections of results, remembered in a file from one run of the program to the next.
///
/// ```
/// $XDG_CACHE_HOME/<program>/CoreData/Sections/<name>.json
///   fingerprint  entity, predicate, order, section key path, stores and how these files stood
///   sections     names and counts
/// ```
///
/// A memory of something else is not used, and one that is used is proved by the objects; so the worst
/// that a lost or stale file does is to make a fetch slower. That is also why writing may fail.
struct SectionCache {
  private let file: URL

  private struct Content: Codable {
    let fingerprint: [String]
    let sections: [KnownSection]
  }

  init(named name: String) {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-_")
    let safe = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "unnamed"
    file = Self.folder.appendingPathComponent("\(safe).json")
  }

  func sections(for fingerprint: [String]) -> [KnownSection]? {
    // A file that cannot be read is ignored: the sections are counted.
    guard let data = FileManager.default.contents(atPath: file.path),
      let content = try? JSONDecoder().decode(Content.self, from: data),
      content.fingerprint == fingerprint
    else { return nil }
    return content.sections
  }

  func keep(_ sections: [KnownSection], for fingerprint: [String]) {
    let folder = file.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let content = Content(fingerprint: fingerprint, sections: sections)
      try JSONEncoder().encode(content).write(to: file, options: .atomic)
    } catch {
      // An older file would be refused for its fingerprint; without one the next run counts again.
    }
  }

  func delete() {
    // If the file stays, its fingerprint shows that it is stale.
    try? FileManager.default.removeItem(at: file)
  }

  static func deleteAll() {
    // There may be none.
    try? FileManager.default.removeItem(at: folder)
  }
}

// MARK: - Place

extension SectionCache {
  /// Another folder, for tests.
  @TaskLocal static var otherFolder: URL?

  /// `$XDG_CACHE_HOME/<program>`, usually `~/.cache/<program>`, by the rules of the platform.
  private static var folder: URL {
    if let otherFolder { return otherFolder }
    let given = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"]
      .map { URL(fileURLWithPath: $0, isDirectory: true) }
    let home = FileManager.default.homeDirectoryForCurrentUser
    return (given ?? home.appendingPathComponent(".cache", isDirectory: true))
      .appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
      .appendingPathComponent("CoreData/Sections", isDirectory: true)
  }
}

// MARK: - Fingerprint

extension SectionCache {
  /// The facts that the sections depend on; `nil` if they cannot be found.
  ///
  /// A store in memory, a server and a parent with unsaved changes do not show when they have changed, and a pinned
  /// context sees other rows than the files have. Then the ends of sections would be the only proof, and they prove
  /// nothing if the order does not keep sections together.
  static func fingerprint(of rule: ResultsRule, in context: NSManagedObjectContext) -> [String]? {
    guard context.parent == nil, context.queryGenerationToken == nil else { return nil }
    let request = rule.request
    var parts = [
      request.entityName ?? "",
      request.predicate.map { "\($0.tree)" } ?? "",
      (request.sortDescriptors ?? []).map { "\($0.term)" }.joined(separator: ", "),
      "\(request.includesSubentities) \(request.fetchOffset) \(request.fetchLimit)",
    ]
    if case .keyPath(let path) = rule.sectioning { parts.append(path) }
    for store in request.affectedStores ?? context.persistentStoreCoordinator?.persistentStores
      ?? []
    {
      guard let stamp = stamp(of: store) else { return nil }
      parts.append("\(store.identifier ?? "") \(stamp)")
    }
    return parts
  }

  /// How the files of a store stood when they were last written: sizes and times; nil for a store without a file.
  private static func stamp(of store: NSPersistentStore) -> String? {
    // The URL of a store in memory is only a name.
    guard store.type != NSInMemoryStoreType, let url = store.url, url.isFileURL,
      let file = try? FileManager.default.attributesOfItem(atPath: url.path),
      file[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return [url.path, url.path + "-wal"].map { path in
      // A missing file does not have a size or a time.
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let time = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
      let size = (attributes?[.size] as? NSNumber)?.int64Value
      return "\(size ?? 0) \(time ?? 0)"
    }
    .joined(separator: " ")
  }
}
