/// Places for the members of an ordered relationship, as numbers with room between them.
///
/// ```
/// stored      a 2048   b 3072   c 4096
/// c, a, b     c 1024   a 2048   b 3072      one new number
/// a, x, b     a 2048   x 2560   b 3072
/// ```
///
/// Members that are in order among themselves keep their numbers; the fewest possible get new ones. If there is not
/// enough room between two, all are numbered again.
package enum OrderPlaces {
  package static let first: Int64 = 2048
  package static let step: Int64 = 1024
  private static let greatest = Int64.max / 2

  /// A place for each member; `stored` has the place of each as it is, nil for a new one.
  static func places(for stored: [Int64?]) -> [Int64] {
    // A place without room behind it cannot be used.
    var places = stored.map { $0.flatMap { $0 <= greatest ? $0 : nil } }
    let kept = longestAscent(in: places)
    for index in places.indices where !kept.contains(index) { places[index] = nil }
    var result: [Int64] = []
    var index = 0
    while index < places.count {
      if let place = places[index] {
        result.append(place)
        index += 1
        continue
      }
      let run = places[index...].prefix { $0 == nil }.count
      let next = index + run < places.count ? places[index + run] : nil
      guard let fresh = fill(run, after: result.last, before: next) else {
        return evenPlaces(count: stored.count)
      }
      result += fresh
      index += run
    }
    return result
  }

  static func evenPlaces(count: Int) -> [Int64] {
    (0..<count).map { first + step * Int64($0) }
  }

  /// Evenly spaced places in a gap; `nil` if it is too small.
  private static func fill(_ count: Int, after last: Int64?, before next: Int64?) -> [Int64]? {
    guard let next else {
      let start = last.map { $0 + step } ?? first
      return (0..<count).map { start + step * Int64($0) }
    }
    let low = last ?? 0
    let width = (next - low) / Int64(count + 1)
    guard width > 0 else { return nil }
    return (1...count).map { low + width * Int64($0) }
  }

  /// The indices of a longest run of members whose places ascend.
  private static func longestAscent(in places: [Int64?]) -> Set<Int> {
    var tails: [Int] = []
    var before: [Int?] = Array(repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      guard let place, place > 0 else { continue }
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if places[tails[middle]] ?? 0 < place { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? tails[low - 1] : nil
      if low < tails.count { tails[low] = index } else { tails.append(index) }
    }
    var kept: Set<Int> = []
    var last = tails.last
    while let index = last {
      kept.insert(index)
      last = before[index]
    }
    return kept
  }
}
