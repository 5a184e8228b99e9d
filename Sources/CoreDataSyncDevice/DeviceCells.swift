import CoreDataSync
package import CoreDataSyncCore

/// The device's own cells in the places of those that a server sends, and the cells whose payload the server lacks.
package protocol DeviceCells {
  /// The payload of a cell that the device has already, as it was written then; nil for others.
  ///
  /// Nothing else vouches for the server's version of such a cell: its life, stamp and base have to be the same.
  func payload(of key: CellKey, _ cell: Cell) throws -> [UInt8]?

  /// Keeps a cell as it came whose payload the server lacks, to ask for it again.
  ///
  /// - Returns: The device's own cell in its place, which stays for now, and which the server has; `nil` if there is
  ///   none.
  func putAside(_ keyed: KeyedCell, as key: CellKey) throws -> Cell?

  /// Some of the cells that were put aside, as they came; those first that were not asked for longest.
  func cellsAside(limit: Int) throws -> [KeyedCell]
}

extension SyncSession: DeviceCells {}
