import Foundation

/// Stores whose files are read and written whole.
struct WholeFileKind<Format: StoreFormat>: KindOfStore {
  var type: String { Format.type }

  func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    try coordinator.openUpgrading(place) {
      try WholeFileStore<Format>.open(place, for: coordinator)
    }
  }

  func recognizes(_ content: Data) -> Bool {
    // Whatever cannot be read is not of this format.
    (try? Format().metadata(from: content)) != nil
  }

  func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any] {
    try FormatProblem.translating(path: url.path) {
      try Format().metadata(from: KindsOfStores.content(at: url))
    }
  }

  func setMetadata(
    _ metadata: [String: Any]?,
    at url: URL,
    _ options: [AnyHashable: Any]?
  ) throws {
    let new = KindsOfStores.completed(metadata, from: try self.metadata(at: url, options))
    let file = WholeFile(url: url, steps: FileSteps())
    try FormatProblem.translating(path: url.path) {
      let changed = try Format().replacingMetadata(in: KindsOfStores.content(at: url), by: new)
      try file.stage(changed).commit()
    }
  }

  func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws {
    try WholeFile(url: url, steps: FileSteps()).remove()
  }

  func replace(
    at url: URL,
    _ options: [AnyHashable: Any]?,
    with source: URL,
    _ sourceOptions: [AnyHashable: Any]?
  ) throws {
    let content = try KindsOfStores.content(at: source)
    _ = try FormatProblem.translating(path: source.path) { try Format().metadata(from: content) }
    try WholeFile(url: url, steps: FileSteps()).stage(content, modeOf: source).commit()
  }
}

extension WholeFileKind: ExportingKind {
  func write(_ export: StoreExport, to file: WholeFile) throws {
    let format = Format()
    try FormatProblem.translating(path: file.path) {
      try format.check(export.model)
      let new = WholeFileStore<Format>.newMetadata(export.model.schema, export.configuration)
      let contents = try export.contents(new, sharesKeys: Format.sharesKeys)
      try file.stage(modeOf: export.original) {
        try format.write(contents, in: export.model, to: &$0)
      }.commit()
    }
  }
}
