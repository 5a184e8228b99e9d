/// The smallest thing that is kept in step: the latest known content of one field of one object.
///
/// Of two cells with one key the later one stays, everywhere: by epoch, then by stamp, then by content. That is a
/// maximum, so the order, the repetition and the grouping of arriving cells do not matter.
package struct Cell: Hashable, Sendable {
  /// The life of the object in which it was written: odd while alive, even when deleted.
  ///
  /// Cells of an earlier life are not seen, and do not come back when the object does.
  package var epoch: UInt16
  package var stamp: Stamp
  /// The moment of the cell that its writer replaced by this one; zero if there was none.
  ///
  /// A device with a later one knows that the writer had not seen it.
  package var base: UInt64
  /// The content as bytes, of which only the devices know the meaning.
  package var payload: [UInt8]

  package init(epoch: UInt16, stamp: Stamp, base: UInt64 = 0, payload: [UInt8]) {
    self.epoch = epoch
    self.stamp = stamp
    self.base = base
    self.payload = payload
  }

  /// Whether the other cell takes this one's place.
  package func loses(to other: Cell) -> Bool {
    if epoch != other.epoch { return epoch < other.epoch }
    if stamp != other.stamp { return stamp < other.stamp }
    return payload.lexicographicallyPrecedes(other.payload)
  }

  /// Whether neither writer had seen what the other wrote; this one is the later.
  package func isConcurrent(with earlier: Cell) -> Bool {
    epoch == earlier.epoch && base < earlier.stamp.moment
  }
}

/// A cell with its key: the form that goes over the wire.
package struct KeyedCell: Hashable, Sendable {
  package var key: CellKey
  package var cell: Cell

  package init(_ key: CellKey, _ cell: Cell) {
    self.key = key
    self.cell = cell
  }
}

// MARK: - What has lost

extension KeyedCell {
  /// A value as one that has lost unseen; nil of other cells.
  package var asLost: KeyedCell? {
    guard case .value(let property) = key.field else { return nil }
    return KeyedCell(CellKey(key.object, .lost(property, cell.stamp)), cell)
  }

  /// The value that this tells to have lost; nil of other cells.
  package var lostValue: KeyedCell? {
    guard case .lost(let property, _) = key.field else { return nil }
    return KeyedCell(CellKey(key.object, .value(property)), cell)
  }
}

extension Sequence<KeyedCell> {
  /// The objects that begin with these cells, with the stamps of their lives; others may make one with a natural identity.
  package var begunObjects: [SyncID: Stamp] {
    var begun: [SyncID: Stamp] = [:]
    for keyed in self
    where keyed.key.field == .life && keyed.cell.epoch == 1 && !keyed.key.object.isNatural {
      begun[keyed.key.object] = keyed.cell.stamp
    }
    return begun
  }
}
