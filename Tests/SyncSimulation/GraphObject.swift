import CoreDataSyncCore

/// One object of a store, as text.
struct GraphObject {
  let line: String
  /// Its identity on all devices.
  let identity: SyncID?
  let key: String?
  let texts: [String: String]
  /// The attributes that it has, and what they show.
  let values: [PropertyID: String?]
  /// The references that it has, and where they lead.
  let ends: [PropertyID: SyncID?]
  let links: Set<Oracle.Link>
  let label: String?
}

extension GraphObject: Hashable, Comparable {
  static func < (left: GraphObject, right: GraphObject) -> Bool { left.line < right.line }
}
