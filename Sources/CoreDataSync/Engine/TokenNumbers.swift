package import CoreData

/// The transactions that the tokens of a history mean, by number.
///
/// Apple's framework does not reveal them. A driver of the engine on a framework that does hands this in. Without it, a
/// store that was put back, and whose history was purged, is known by its mark only.
package struct TokenNumbers {
  /// The number of the last transaction that a token knows of the store with an identifier.
  let number: (NSPersistentHistoryToken, String) -> Int64?
  /// The token, further back or on in that store.
  let moved: (NSPersistentHistoryToken, Int64, String) -> NSPersistentHistoryToken

  package init(
    number: @escaping (NSPersistentHistoryToken, String) -> Int64?,
    moved: @escaping (NSPersistentHistoryToken, Int64, String) -> NSPersistentHistoryToken
  ) {
    self.number = number
    self.moved = moved
  }
}
