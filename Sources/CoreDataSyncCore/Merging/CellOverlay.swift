/// Cells that are merged into others, before they are kept.
package final class CellOverlay: CellSource {
  package let base: any CellSource
  package let schema: SyncSchema
  /// The cells that are later than those of the base.
  package private(set) var changes: [CellKey: Cell] = [:]
  private var objects: [SyncID: ObjectCells] = [:]
  private var loaded: [SyncID: ObjectCells?] = [:]
  private var addedReferrers: [SyncID: Set<SyncID>] = [:]
  private var addedHolders: [UniqueClaim: Set<SyncID>] = [:]
  private let hasClaims: Bool

  package init(on base: any CellSource, _ schema: SyncSchema) {
    self.base = base
    self.schema = schema
    hasClaims = schema.entities.values.contains { !$0.constraints.isEmpty }
  }

  /// The objects of which a cell has changed.
  package var touched: Set<SyncID> { Set(objects.keys) }

  /// How much is kept in memory: cells that were changed, and objects that were only read.
  package var size: Int { changes.count + loaded.count }
}

// MARK: - Merging

extension CellOverlay {
  /// Takes a cell if it is later than the one that is known; says which it has replaced.
  @discardableResult
  package func merge(_ key: CellKey, _ cell: Cell) throws -> Merged {
    let known = try cells(of: key.object)?[key.field]
    if let known, !known.loses(to: cell) { return known == cell ? .same : .lost(to: known) }
    try replace(key, by: cell)
    return .won(over: known)
  }

  /// Puts a cell in the place of whatever is there.
  package func replace(_ key: CellKey, by cell: Cell) throws {
    if objects[key.object] == nil {
      objects[key.object] = try cells(of: key.object) ?? ObjectCells()
      // Cells that nobody else holds are changed in place.
      loaded[key.object] = nil
    }
    objects[key.object]?.replace(key.field, by: cell)
    changes[key] = cell
    note(key, cell)
  }

  package enum Merged {
    case won(over: Cell?)
    case lost(to: Cell)
    case same
  }

  private func note(_ key: CellKey, _ cell: Cell) {
    if let target = key.field.target ?? CellValue.reference(in: cell.payload) {
      addedReferrers[target, default: []].insert(key.object)
    }
    guard hasClaims, let cells = objects[key.object] else { return }
    for claim in schema[cells.entity]?.claims(of: cells) ?? [] {
      addedHolders[claim, default: []].insert(key.object)
    }
  }
}

// MARK: - Reading

extension CellOverlay {
  package func cells(of object: SyncID) throws -> ObjectCells? {
    if let changed = objects[object] { return changed }
    if let known = loaded[object] { return known }
    let cells = try base.cells(of: object)
    loaded[object] = .some(cells)
    return cells
  }

  package func referrers(of object: SyncID) throws -> Set<SyncID> {
    try base.referrers(of: object).union(addedReferrers[object] ?? [])
  }

  package func holders(of claim: UniqueClaim) throws -> Set<SyncID> {
    let all = try base.holders(of: claim).union(addedHolders[claim] ?? [])
    return try all.filter { id in
      guard let cells = try cells(of: id), let rules = schema[cells.entity] else { return false }
      return rules.claims(of: cells).contains(claim)
    }
  }
}
