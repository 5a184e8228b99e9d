/// The subject of a cell.
package struct CellKey: Hashable, Sendable {
  package let object: SyncID
  package let field: Field

  package init(_ object: SyncID, _ field: Field) {
    self.object = object
    self.field = field
  }

  package enum Field: Hashable, Sendable {
    /// Whether the object is alive, and its entity.
    case life
    /// An attribute, or the target of a to-one relationship, with the place there.
    case value(PropertyID)
    /// One occurrence of a member in an unordered set: an occurrence added at `dot` is removed by the same key.
    case member(PropertyID, SyncID, dot: Stamp)
    /// The place of a member in an ordered set.
    case place(PropertyID, SyncID)
    /// A value that had lost, at the time of its stamp, to one whose writer had not seen it: for the conflicts.
    ///
    /// Only servers send such cells, and devices do not keep them.
    case lost(PropertyID, Stamp)
  }
}

extension CellKey: Comparable {
  package static func < (left: CellKey, right: CellKey) -> Bool {
    left.object == right.object ? left.field < right.field : left.object < right.object
  }
}

extension CellKey.Field: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: (UInt8, PropertyID, SyncID, Stamp) {
    switch self {
    case .life: (0, PropertyID(number: 0), .smallest, .zero)
    case .value(let property): (1, property, .smallest, .zero)
    case .member(let property, let target, let dot): (2, property, target, dot)
    case .place(let property, let target): (3, property, target, .zero)
    case .lost(let property, let stamp): (4, property, .smallest, stamp)
    }
  }

  /// The object at the other end, where the field itself names one.
  package var target: SyncID? {
    switch self {
    case .life, .value, .lost: nil
    case .member(_, let target, _), .place(_, let target): target
    }
  }
}
