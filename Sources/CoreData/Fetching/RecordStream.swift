import CoreDataModel
import CoreDataPredicates
import Foundation

/// The values that a plan asks for, handed over one record after the other.
///
/// A fetch gives everything at once; this holds one record at a time, however many there are, and is one
/// statement.
///
/// ```swift
/// let stream = RecordStream(columns, of: rows, in: coordinator)
/// try stream.read { record in … }
/// ```
package struct RecordStream {
  private let plan: RecordPlan
  private let store: NSPersistentStore

  /// `nil` if the coordinator does not have a store.
  package init?(
    _ columns: [RecordColumn],
    of rows: FetchPlan,
    in coordinator: NSPersistentStoreCoordinator
  ) {
    guard let store = coordinator.persistentStores.first else { return nil }
    plan = RecordPlan(source: rows, columns: columns)
    self.store = store
  }

  /// Hands over each record, on this thread.
  ///
  /// Throws a `PredicateCompilationError` for what the store's SQL cannot express.
  package func read(_ body: (Record) throws -> Void) throws {
    if let backend = store.backend as? any StreamingStore {
      try backend.forEachRecord(of: plan, body)
    } else {
      for record in try StoreView(store).records(for: plan) { try body(record) }
    }
  }
}

// MARK: - Columns

extension RecordColumn {
  /// The value at the end of a path of names; of an object its key.
  ///
  /// `nil` for paths to many values, as a composite attribute has, and to properties that no store keeps. A
  /// transformed value comes as its bytes: the transformer is that of another program.
  package init?(_ path: [String], from layout: EntityLayout) {
    let form: RecordForm
    switch RecordPath(path, from: layout).end {
    case .attribute(let owner, let slot) where owner.slots[slot].kind == .transformable:
      form = .computed(.undefined)
    case .attribute(let owner, let slot): form = .attribute(owner, slot: slot)
    case .object(let destination): form = .identity(destination)
    case .computed: form = .computed(.undefined)
    case .composite, .many, .unstored, .unknown: return nil
    }
    self.init(
      name: path.joined(separator: "."),
      expression: path.isEmpty ? .evaluatedObject : .path(.evaluatedObject, path),
      form: form
    )
  }
}

// MARK: - Members

extension NSPersistentStoreCoordinator {
  /// Hands over the keys of a to-many relationship's objects, in its order if it has one.
  package func forEachMember(
    of owner: StoredKey,
    _ relationship: String,
    _ body: (StoredKey) throws -> Void
  ) throws {
    guard let store = persistentStores.first, let layout = layout[owner.entity],
      let slot = layout.slot(named: relationship)
    else { return }
    let plan = MemberPlan(layout, at: slot)
    if let backend = store.backend as? any StreamingStore {
      try backend.forEachMember(of: [owner.primaryKey], for: plan) { try body($1) }
    } else {
      for row in try StoreView(store).members(of: owner.primaryKey, for: plan) {
        try body(StoredKey(entity: row.layout.name, primaryKey: row.primaryKey))
      }
    }
  }

  /// The bytes in a file beside the first store; `nil` if the file is missing.
  package func externalData(named name: String) -> Data? {
    persistentStores.first?.externalData(named: name)
  }

  package func sizeOfExternalData(named name: String) -> Int? {
    persistentStores.first?.url.flatMap { ExternalFiles.size(named: name, besides: $0) }
  }
}
