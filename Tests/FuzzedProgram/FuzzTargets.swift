import Foundation

/// The readers that can be fed.
enum FuzzTargets {
  static let names = [
    "lists", "archives", "models", "sources", "mappings", "documents", "stores",
    "messages", "fields", "pages", "predicates",
  ]

  static func make(_ options: FuzzOptions) -> (any FuzzTarget)? {
    let seeds = FuzzSeeds(options.seeds)
    switch options.target {
    case "lists": return ListTarget(seeds)
    case "archives": return ArchiveTarget(seeds)
    case "models": return ModelTarget(seeds)
    case "sources": return SourceTarget(seeds)
    case "mappings": return MappingTarget(seeds)
    case "documents": return DocumentTarget()
    case "stores": return StoreTarget(seeds)
    case "messages": return MessageTarget()
    case "fields": return FieldTarget()
    case "pages": return PageTarget()
    case "predicates": return PredicateTarget()
    case _: return nil
    }
  }
}

/// Files to begin from, out of a folder that somebody has named.
struct FuzzSeeds {
  private let files: [URL]

  init(_ folder: URL?) {
    let found = folder.flatMap {
      FileManager.default.enumerator(at: $0, includingPropertiesForKeys: nil)
    }
    files = (found?.compactMap { $0 as? URL } ?? []).sorted { $0.path < $1.path }
  }

  /// Those that end so and are not too large to be read ten thousand times.
  func data(endingIn endings: String...) -> [Data] {
    files.filter { file in endings.contains { file.lastPathComponent.hasSuffix($0) } }
      .compactMap { try? Data(contentsOf: $0) }
      .filter { !$0.isEmpty && $0.count < 300_000 }
  }
}
