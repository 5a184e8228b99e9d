import CoreDataSyncCore

/// One object of a store, as text.
struct GraphObject {
  let line: String
  /// Its identity on all devices.
  let identity: SyncID?
  let key: String?
  let texts: [String: String]
  /// Its attributes, and the texts that they show.
  let values: [PropertyID: String?]
  /// Its references, and their targets.
  let ends: [PropertyID: SyncID?]
  let links: Set<Oracle.Link>
  let label: String?
}

extension GraphObject: Hashable, Comparable {
  static func < (left: GraphObject, right: GraphObject) -> Bool { left.line < right.line }
}
