import CoreData
import CoreDataModel
import Foundation

/// The report of `coredata inspect`: the file's facts, and how they go together with a model.
struct StoreReport {
  let facts: StoreFacts
  let model: Model
  let origin: FrameworkVersion?
  /// The difference between the model and the metadata; `nil` if they agree.
  let difference: String?

  enum Model {
    case found(ChosenModel)
    /// The reason for the absence, as in "the file has no model in it".
    case missing(String)
  }

  init(at url: URL, _ choice: ModelChoice, counting: Duration) throws {
    facts = try StoreFacts(at: url, counting: counting)
    origin = (facts.metadata["NSPersistenceFrameworkVersion"] as? NSNumber)
      .map { FrameworkVersion(number: $0.intValue) }
    model = try Self.model(choice, of: url)
    difference =
      if case .found(let model) = model, !model.isGuessed {
        StoreHashes(ofStoreAt: url).difference(from: model.schema)
      } else { nil }
  }

  private static func model(_ choice: ModelChoice, of url: URL) throws -> Model {
    switch choice {
    case .file, .tables:
      return .found(try choice.model(forStoreAt: url))
    case .inStore:
      do {
        return .found(try choice.model(forStoreAt: url))
      } catch let error as NSError {
        return .missing(error.reasonAlone)
      }
    }
  }
}

// MARK: - Model and rows

extension StoreReport {
  /// An entity with its place in the tree of inheritance.
  struct Entry {
    let entity: StoreFacts.Entity
    let name: String
    let isAbstract: Bool
    let depth: Int
    /// The rows of the entity and of all below it; `nil` if it lacks a table.
    let total: RowCount?
  }

  /// Each entity above its subentities.
  var entries: [Entry] {
    var entries: [Entry] = []
    func add(below parent: Int, _ depth: Int) {
      // A file whose entities go round in a circle does not end otherwise.
      guard depth <= facts.entities.count else { return }
      for entity in facts.entities where entity.superNumber == parent {
        let schema = self.schema(of: entity)
        entries.append(
          Entry(
            entity: entity,
            name: schema?.name ?? entity.name,
            isAbstract: schema?.isAbstract ?? false,
            depth: depth,
            total: total(of: entity, depth)
          )
        )
        add(below: entity.number, depth + 1)
      }
    }
    add(below: 0, 0)
    return entries
  }

  private func total(of entity: StoreFacts.Entity, _ depth: Int) -> RowCount? {
    guard let own = entity.count, depth <= facts.entities.count else { return entity.count }
    return facts.entities.filter { $0.superNumber == entity.number }
      .compactMap { total(of: $0, depth + 1) }.reduce(own, +)
  }

  /// After a migration the file may have an entity's old name; numbers are those of the model.
  private func schema(of entity: StoreFacts.Entity) -> EntitySchema? {
    // The numbers of another model's entities say nothing of these.
    guard case .found(let model) = model, difference == nil else { return nil }
    if let known = model.schema.entity(named: entity.name) { return known }
    return TableMap(model.schema)[number: entity.number]
      .flatMap { model.schema.entity(named: $0.name) }
  }

  /// The keys that an app has put into the metadata.
  var appKeys: [(key: String, value: JSONValue)] {
    facts.metadata.filter { key, _ in
      !key.hasPrefix("NSStore") && !key.hasPrefix("NSPersistence") && !key.hasPrefix("_NS")
    }
    .sorted { $0.key < $1.key }.map { ($0.key, JSONValue(describing: $0.value)) }
  }

  var uuid: String? { facts.metadata[NSStoreUUIDKey] as? String }

  /// Whether the store has a model in it by which `coredata check` would look at its rows.
  var hasOwnModel: Bool {
    // The reason why it cannot be read is in the line about the model.
    (try? StoredModel(inStoreAt: facts.url)) != nil
  }

  /// The developer's names of the version of the model that the store was made with, those that say something.
  var versionIdentifiers: [String] {
    let list = facts.metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []
    return list.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
  }

  var hashesVersion: Int? {
    (facts.metadata[NSStoreModelVersionHashesVersionKey] as? NSNumber)?.intValue
  }

  /// The part of the write-ahead log that SQLite does not read; `nil` if the log is not damaged.
  var logDamage: String? {
    guard let log = facts.log, log.isDamaged else { return nil }
    if log.isHeaderDamaged { return "its beginning is damaged, and nothing of it is read" }
    if log.damagedCount > 0 {
      return "\(log.damagedCount) of \(log.frameCount) frames fail their checksum, and "
        + (log.readCount == 0 ? "nothing is read" : "only the first \(log.readCount) are read")
    }
    return "it ends inside a frame: it was cut off"
  }

  /// In a line, and whether all is well.
  var health: (isGood: Bool, sentence: String) {
    let health = healthOfFile
    guard logDamage != nil else { return health }
    return (false, "\(health.sentence); the newest data is missing because the -wal is damaged")
  }

  private var healthOfFile: (isGood: Bool, sentence: String) {
    guard facts.hasReadableMetadata else {
      return (false, "its metadata cannot be read: what it was made with is not known")
    }
    if !facts.entities.isEmpty, StoreHashes(ofStoreAt: facts.url).hashes.isEmpty {
      return (false, "its metadata has no version hashes that can be read: nothing opens the store")
    }
    return switch (model, difference) {
    case (.missing(let reason), _):
      (false, "the metadata can be read, but \(reason)")
    case (.found, let difference?):
      (false, "the metadata and the model can be read, and do not agree: \(difference.dropLast())")
    case (.found(let model), nil) where model.isGuessed:
      (true, "the metadata and the tables can be read")
    case (.found, nil):
      (true, "the metadata and the model can be read, and agree")
    }
  }
}
