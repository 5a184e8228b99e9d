/// The content of a cell.
package enum CellValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// A decimal number as text, with all of its digits.
  case decimal(String)
  case text(String)
  case bytes([UInt8])
  /// Seconds since 2001, with the bits that the store has.
  case date(Double)
  case uuid(SyncID)
  case address(String)
  /// The values of a composite attribute, by the numbers of its parts.
  case parts([Part])
  /// The target of a to-one relationship, and the place among its siblings.
  case reference(SyncID, place: String)
  /// The place of a member in an ordered set.
  case place(String)
  /// The entity of an object that is alive or was.
  case entity(String)

  package struct Part: Hashable, Sendable {
    package let property: PropertyID
    package let value: CellValue

    package init(_ property: PropertyID, _ value: CellValue) {
      self.property = property
      self.value = value
    }
  }

  package var reference: SyncID? {
    guard case .reference(let target, _) = self else { return nil }
    return target
  }

  package var place: String? {
    switch self {
    case .reference(_, let place), .place(let place): place
    case .null, .boolean, .integer, .real, .decimal, .text, .bytes, .date, .uuid, .address, .parts,
      .entity:
      nil
    }
  }
}
