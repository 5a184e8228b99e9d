import CoreDataSync
package import CoreDataSyncCore

/// What a device has itself of the cells that a server tells of, and those whose payload the server lacks.
package protocol DeviceCells {
  /// The payload of a cell that the device has already, as it was written then; nil for others.
  ///
  /// Nothing else vouches for what the server says of such a cell: its life, stamp and base have to be the same.
  func payload(of key: CellKey, _ cell: Cell) throws -> [UInt8]?

  /// Keeps a cell as it came whose payload the server lacks, to ask for it again.
  ///
  /// - Returns: What the device has in its place, which stays for now, and which the server was told; nil where there is
  ///   nothing of that kind.
  func putAside(_ keyed: KeyedCell, as key: CellKey) throws -> Cell?

  /// Some of the cells that were put aside, as they came; those first that were not asked for longest.
  func cellsAside(limit: Int) throws -> [KeyedCell]
}

extension SyncSession: DeviceCells {}
