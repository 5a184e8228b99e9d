/// Places in an order, as texts: between any two there is room for another.
package enum Places {
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
  )

  /// A place behind `low` and before `high`, where an empty text is an open end.
  ///
  /// The jitter spreads the places that several devices give at once.
  package static func between(_ low: String, _ high: String, jitter: UInt64 = 30) -> String {
    let low = Array(low.utf8)
    let high = Array(high.utf8)
    var place: [UInt8] = []
    var isBounded = !high.isEmpty
    for index in 0... {
      let from = index < low.count ? number(low[index]) : 0
      // Behind a place that ends in the first digit nothing is bounded any more.
      if index >= high.count { isBounded = false }
      let to = isBounded ? number(high[index]) : digits.count
      if to - from > 1 {
        place.append(digits[from + 1 + Int(jitter % UInt64(to - from - 1))])
        break
      }
      place.append(digits[min(from, digits.count - 1)])
      if to > from { isBounded = false }
    }
    return String(decoding: place, as: UTF8.self)
  }

  /// Places from outside may have other letters, which count as the last digit.
  private static func number(_ letter: UInt8) -> Int {
    digits.firstIndex(of: letter) ?? digits.count - 1
  }

  /// Whether there is room between two places.
  package static func hasRoom(between low: String, and high: String) -> Bool {
    if high.isEmpty { return true }
    guard low < high else { return false }
    let between = between(low, high, jitter: 0)
    return low < between && between < high
  }

  /// Places for members that stand in this order, of which some have one already.
  ///
  /// As many as possible keep theirs.
  ///
  /// - Returns: The places by index, of those that need a new one.
  package static func moved(_ known: [String?], jitter: UInt64) -> [Int: String] {
    let kept = longestRise(known)
    var moved: [Int: String] = [:]
    var last = ""
    for index in known.indices {
      if kept.contains(index), let place = known[index], place > last {
        last = place
        continue
      }
      let next = known.indices.dropFirst(index + 1)
        .first { kept.contains($0) && hasRoom(between: last, and: known[$0] ?? "") }
      last = between(last, next.flatMap { known[$0] } ?? "", jitter: jitter)
      moved[index] = last
    }
    return moved
  }

  /// The indices of the longest sequence whose places rise.
  private static func longestRise(_ known: [String?]) -> Set<Int> {
    var ends: [Int] = []
    var previous: [Int: Int] = [:]
    for (index, place) in known.enumerated() {
      // Between other letters than ours there may be no room.
      guard let place, !place.isEmpty, place.utf8.allSatisfy(digits.contains) else { continue }
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if (known[ends[middle]] ?? "") < place { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var rise: Set<Int> = []
    var next = ends.last
    while let index = next {
      rise.insert(index)
      next = previous[index]
    }
    return rise
  }
}
