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

    var isStraight: Bool { (lefts + rights).allSatisfy { abs($0 - lefts[0]) < 0.5 } }
    var top: Double { (lefts + rights).min() ?? 0 }
    var bottom: Double { (lefts + rights).max() ?? 0 }
  }

  static let track = 13.0
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
  func order() -> [Int] {
    var order = nets.indices.filter { !nets[$0].isStraight }
      .sorted { (nets[$0].top, $0) < (nets[$1].top, $1) }
    guard order.count > 1 else { return order }
    var cost = self.cost(of: order)
    for _ in 0..<order.count {
      let before = cost
      for place in order.indices {
        for other in order.indices where other != place {
          var changed = order
          changed.insert(changed.remove(at: place), at: other)
          let changedCost = self.cost(of: changed)
          if changedCost < cost { (order, cost) = (changed, changedCost) }
        }
      }
      if cost == before || cost == 0 { break }
    }
    return order
  }

  private func cost(of order: [Int]) -> Int {
    var cost = 0
    for (place, left) in order.enumerated() {
      for right in order[(place + 1)...] { cost += self.cost(left: nets[left], right: nets[right]) }
    }
    return cost
  }

  /// What it costs that one net has its track to the left of another's.
  private func cost(left: Net, right: Net) -> Int {
    let crossings =
      left.rights.count { $0 > right.top - 1 && $0 < right.bottom + 1 }
      + right.lefts.count { $0 > left.top - 1 && $0 < left.bottom + 1 }
    let overlaps = left.rights.count { y in right.lefts.contains { abs($0 - y) < 4 } }
    return crossings + 20 * overlaps
  }
}
