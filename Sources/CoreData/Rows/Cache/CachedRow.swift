import Foundation

/// A row as it was last seen, or the note that it is gone.
struct CachedRow: Sendable {
  unowned(unsafe) let layout: EntityLayout
  /// Nil when the row was deleted.
  let snapshot: Snapshot?
  /// When it was written, or its reading began, by the cache's clock.
  private(set) var time: TimeInterval
  /// Whether it comes from a save: the store may have some of its values in fewer digits.
  let isWritten: Bool

  init(
    _ layout: EntityLayout,
    _ snapshot: Snapshot?,
    time: TimeInterval,
    isWritten: Bool = false
  ) {
    self.layout = layout
    self.snapshot = snapshot
    self.time = time
    self.isWritten = isWritten
  }

  var isGone: Bool { snapshot == nil }

  func isNewer(than other: CachedRow) -> Bool {
    guard let snapshot else { return other.snapshot != nil }
    return other.snapshot.map { snapshot.version > $0.version } ?? false
  }

  /// Whether another row does not take its place: the values of one version may differ too, as the store computes some,
  /// and as places in somebody's order change without a new version.
  func outlasts(_ other: CachedRow) -> Bool {
    isNewer(than: other) || time > other.time && !other.isNewer(than: self)
  }

  /// Notes that the store has this version of the row still; nil if it is another one, or was not read from there.
  mutating func foundAgain(
    of layout: EntityLayout,
    version: Int64,
    at time: TimeInterval
  ) -> Snapshot? {
    guard !isWritten, self.layout === layout, let snapshot, snapshot.version == version else {
      return nil
    }
    self.time = max(self.time, time)
    return snapshot
  }

  var size: Int { (snapshot?.size ?? 0) + Self.placeSize }

  /// Bytes that a row takes besides its values, about.
  static let placeSize = 64
}
