import CoreDataModel

/// The space between two columns, where lines go up and down.
///
///     ├───╮
///     │   ├────┤     a net: all that leaves one place together
///     ├─╮ ╰────┤
///     │ ╰──────┤     another, on a track of its own
///
/// Nets have tracks one beside the other, in an order in which few of them cross and none run over each
/// other.
struct DiagramGap {
  private(set) var nets: [Net] = []

  struct Net {
    var lefts: [Double]
    var rights: [Double]

    var isStraight: Bool { (lefts + rights).allSatisfy { ($0 - lefts[0]).magnitude < 0.5 } }
    var top: Double { (lefts + rights).min() ?? 0 }
    var bottom: Double { (lefts + rights).max() ?? 0 }
  }

  static let track = 13.0
  private static let mostCompared = 200
  /// Room for the marks at the boxes.
  static let margin = 30.0

  /// Adds a net and gives its number.
  mutating func add(_ net: Net) -> Int {
    nets.append(net)
    return nets.count - 1
  }

  mutating func addRight(_ y: Double, to net: Int) {
    nets[net].rights.append(y)
  }

  /// The nets in the order of their tracks from left to right, without those that need none.
  ///
  /// One net after the other goes to the place between the others that costs least, until none moves. With very
  /// many nets, which nobody could follow in a picture, they stay in the order of their tops: comparing each with
  /// each would take minutes.
  func order() -> [Int] {
    let compared = nets.indices.filter { !nets[$0].isStraight }
      .map { (top: nets[$0].top, net: $0) }
      .sorted { $0 < $1 }
      .map(\.net)
    guard compared.count <= Self.mostCompared else { return compared }
    let costs = compared.map { left in
      compared.map { right in cost(left: nets[left], right: nets[right]) }
    }
    var order = Array(compared.indices)
    for _ in 0..<8 {
      var isSettled = true
      for net in order {
        guard let place = order.firstIndex(of: net) else { continue }
        order.remove(at: place)
        let best = cheapestPlace(for: net, among: order, from: place, costs)
        order.insert(net, at: best)
        if best != place { isSettled = false }
      }
      if isSettled { break }
    }
    return order.map { compared[$0] }
  }

  /// The place where a net costs least with the others; its own, when no other is better.
  private func cheapestPlace(
    for net: Int,
    among others: [Int],
    from place: Int,
    _ costs: [[Int]]
  ) -> Int {
    // First at the left of all; then each net that it passes comes before it.
    var cost = others.reduce(0) { $0 + costs[net][$1] }
    var all = [cost]
    for other in others {
      cost += costs[other][net] - costs[net][other]
      all.append(cost)
    }
    let least = all.min() ?? 0
    return all[place] == least ? place : all.firstIndex(of: least) ?? place
  }

  /// The cost of placing one net's track to the left of another's.
  private func cost(left: Net, right: Net) -> Int {
    let crossings =
      left.rights.count { $0 > right.top - 1 && $0 < right.bottom + 1 }
      + right.lefts.count { $0 > left.top - 1 && $0 < left.bottom + 1 }
    let overlaps = left.rights.count { y in right.lefts.contains { ($0 - y).magnitude < 4 } }
    return crossings + 20 * overlaps
  }
}
