/// Places in an order, as texts: between any two there is room for another.
package enum Places {
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
  )

  /// A place behind `low` and before `high`, where an empty text is an open end.
  ///
  /// The jitter spreads the places that several devices give at once.
  package static func between(_ low: String, _ high: String, jitter: UInt64 = 30) -> String {
    let (low, high) = (Array(low.utf8), Array(high.utf8))
    let place =
      switch (low.isEmpty, high.isEmpty) {
      case (false, true): behind(low, jitter)
      case (true, false): before(high, jitter)
      case (true, true), (false, false): inside(low, high, jitter)
      }
    return String(decoding: place, as: UTF8.self)
  }

  private static func inside(_ low: [UInt8], _ high: [UInt8], _ jitter: UInt64) -> [UInt8] {
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
    return place
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
}

// MARK: - Open ends

extension Places {
  /// How many digits count at an open end, and by how much one place is at most behind another.
  ///
  /// So a person who adds one note after the other for years gets places of few letters.
  private static let width = 4
  private static let step: UInt64 = 1_000
  private static let numbers = (0..<width).reduce(1) { product, _ in product * digits.count }

  private static func behind(_ low: [UInt8], _ jitter: UInt64) -> [UInt8] {
    let full = low.prefix { $0 == digits.last }
    let next = number(low.dropFirst(full.count)) + 1 + Int(jitter % step)
    if next < numbers { return Array(full) + text(next) }
    return Array(full) + digits.suffix(1) + text(1 + Int(jitter % step))
  }

  private static func before(_ high: [UInt8], _ jitter: UInt64) -> [UInt8] {
    let empty = high.prefix { $0 == digits.first }
    let next = number(high.dropFirst(empty.count)) - 1 - Int(jitter % step)
    if next > 0 { return Array(empty) + text(next) }
    return Array(empty) + digits.prefix(1) + text(numbers - 1 - Int(jitter % step))
  }

  /// The number that the first letters are.
  private static func number(_ letters: ArraySlice<UInt8>) -> Int {
    let known = letters.prefix(width).reduce(0) { $0 * digits.count + number($1) }
    return (letters.count..<max(width, letters.count)).reduce(known) { number, _ in
      number * digits.count
    }
  }

  /// A number that is not zero as letters, the last of which is not the first digit: before that there is no room.
  private static func text(_ number: Int) -> [UInt8] {
    var (letters, rest) = ([UInt8](), number)
    for _ in 0..<width {
      letters.append(digits[rest % digits.count])
      rest /= digits.count
    }
    return letters.drop { $0 == digits.first }.reversed()
  }
}

// MARK: - Orders

extension Places {
  /// Places for members in this order, of which some have one already.
  ///
  /// As many as possible keep theirs.
  ///
  /// - Returns: The places by index, of those that need a new one.
  package static func moved(_ known: [String?], jitter: UInt64) -> [Int: String] {
    var kept = longestRise(known)[...]
    var moved: [Int: String] = [:]
    var (last, index) = ("", 0)
    while index < known.count {
      if kept.first == index, let place = known[index] {
        (last, index) = (place, index + 1)
        kept.removeFirst()
        continue
      }
      // A member without room before it now will not have room later, so each is looked at once.
      kept = kept.drop { !hasRoom(between: last, and: known[$0] ?? "") }
      let end = kept.first ?? known.count
      let new = spread(end - index, last, kept.first.flatMap { known[$0] } ?? "", jitter)
      for (place, index) in zip(new, index...) { moved[index] = place }
      (last, index) = (new.last ?? last, end)
    }
    return moved
  }

  /// So many places between two others, none of them much longer than these.
  private static func spread(
    _ count: Int,
    _ low: String,
    _ high: String,
    _ jitter: UInt64
  ) -> [String] {
    var places: [String] = []
    if high.isEmpty {
      for _ in 0..<count { places.append(between(places.last ?? low, "", jitter: jitter)) }
    } else if count > 0 {
      let before = count / 2
      let middle = between(low, high, jitter: jitter)
      places = spread(before, low, middle, jitter)
      places.append(middle)
      places += spread(count - before - 1, middle, high, jitter)
    }
    return places
  }

  /// The indices of the longest sequence whose places rise.
  private static func longestRise(_ known: [String?]) -> [Int] {
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
    var rise: [Int] = []
    var next = ends.last
    while let index = next {
      rise.append(index)
      next = previous[index]
    }
    return rise.reversed()
  }
}
