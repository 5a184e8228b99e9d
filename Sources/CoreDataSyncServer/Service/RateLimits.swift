import Synchronization

/// How much a server takes from one token in a second.
///
/// A bucket that fills again: room that was not used for a while may be used at once.
package final class RateLimits: Sendable {
  private let rate: Double
  private let room: Double
  private let buckets = Mutex<[Int64: Bucket]>([:])

  private struct Bucket {
    var left: Double
    var time: UInt64
  }

  /// So many requests in a second, and so many at once.
  package init(perSecond rate: Double = 200, atOnce room: Double = 1_000) {
    self.rate = rate
    self.room = room
  }

  /// Whether a request may be answered now; the time is in milliseconds.
  package func takes(_ key: Int64, at time: UInt64) -> Bool {
    buckets.withLock { buckets in
      if buckets.count > 10_000 { buckets.removeAll() }
      var bucket = buckets[key] ?? Bucket(left: room, time: time)
      let seconds = time > bucket.time ? Double(time - bucket.time) / 1000 : 0
      bucket.left = min(room, bucket.left + seconds * rate)
      // A clock that went back counts from there, or nobody would be answered until it is as late again.
      bucket.time = time
      defer { buckets[key] = bucket }
      guard bucket.left >= 1 else { return false }
      bucket.left -= 1
      return true
    }
  }
}
