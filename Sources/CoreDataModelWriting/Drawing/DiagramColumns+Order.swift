import CoreDataModel

/// The vertical order of a column's boxes, and their heights.
extension DiagramColumns {
  /// Orders each column by the middle of its neighbours, back and forth, and keeps the order in which
  /// the fewest lines cross.
  mutating func order() {
    var best = (columns: columns, crossings: crossings())
    var places = self.places()
    for sweep in 0..<12 where best.crossings > 0 {
      let isForth = sweep.isMultiple(of: 2)
      let indices = isForth ? Array(columns.indices) : columns.indices.reversed()
      for column in indices { orderColumn(column, byLeft: isForth, &places) }
      let count = crossings()
      if count < best.crossings { best = (columns, count) }
    }
    columns = best.columns
  }

  private mutating func orderColumn(_ column: Int, byLeft: Bool, _ places: inout [Double]) {
    let middles = columns[column].map { node -> Double in
      let heights =
        byLeft
        ? arriving[node].map { height(places, links[$0].left, links[$0].leftOffset) }
        : leaving[node].map { height(places, links[$0].right, links[$0].rightOffset) }
      return heights.isEmpty ? places[node] : heights.reduce(0, +) / Double(heights.count)
    }
    columns[column] = zip(columns[column], middles).enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
      .map(\.element.0)
    for (place, node) in columns[column].enumerated() { places[node] = Double(place) }
  }

  /// Each node's place in its column, as a number.
  private func places() -> [Double] {
    var places = Array(repeating: 0.0, count: nodes.count)
    for column in columns {
      for (place, node) in column.enumerated() { places[node] = Double(place) }
    }
    return places
  }

  /// The place of a node with the share of its height at which a line meets it.
  private func height(_ places: [Double], _ node: Int, _ offset: Double) -> Double {
    let height = nodes[node].size.height
    return places[node] + (height > 0 ? offset / (height + 1) : 0.5)
  }

  private func crossings() -> Int {
    let places = self.places()
    return columns.reduce(0) { count, column in
      let ends = column.flatMap { leaving[$0] }
        .map { links[$0] }
        .map { link in
          (
            left: height(places, link.left, link.leftOffset),
            right: height(places, link.right, link.rightOffset)
          )
        }
      return count + Self.inversions(of: ends.sorted { $0 < $1 }.map(\.right))
    }
  }

  /// The number of pairs in which a smaller number follows a greater one.
  private static func inversions(of numbers: [Double]) -> Int {
    // Runs of sorted numbers are merged, and each number passes the greater ones that were before it.
    var (sorted, merged) = (numbers, numbers)
    var count = 0
    var length = 1
    while length < sorted.count {
      for start in stride(from: 0, to: sorted.count, by: 2 * length) {
        let middle = min(start + length, sorted.count)
        let end = min(middle + length, sorted.count)
        var (left, right) = (start, middle)
        for place in start..<end {
          if right == end || left < middle && sorted[left] <= sorted[right] {
            merged[place] = sorted[left]
            left += 1
          } else {
            merged[place] = sorted[right]
            right += 1
            count += middle - left
          }
        }
      }
      swap(&sorted, &merged)
      length *= 2
    }
    return count
  }
}

// MARK: - Heights

extension DiagramColumns {
  private static let gap = 34.0
  private static let passingGap = 18.0

  /// Moves boxes up and down until lines are as straight as they get.
  mutating func settle() {
    for column in columns.indices { place(column, at: columns[column].map { _ in 0 }) }
    for round in 0..<24 {
      let isForth = round.isMultiple(of: 2)
      let indices = isForth ? Array(columns.indices) : columns.indices.reversed()
      for column in indices {
        let wishes = columns[column].map { wish(of: $0, byLeft: round >= 16 ? nil : isForth) }
        place(column, at: wishes)
      }
    }
    let top = nodes.map(\.y).min() ?? 0
    for node in nodes.indices { nodes[node].y = (nodes[node].y - top).rounded() }
  }

  /// The height at which a line of a node would be straight, of the lines on one side or on both.
  private func wish(of node: Int, byLeft: Bool?) -> Double {
    var wishes: [Double] = []
    if byLeft != false {
      wishes += arriving[node].map { links[$0] }
        .map { nodes[$0.left].y + $0.leftOffset - $0.rightOffset }
    }
    if byLeft != true {
      wishes += leaving[node].map { links[$0] }
        .map { nodes[$0.right].y + $0.rightOffset - $0.leftOffset }
    }
    // The middle wish makes one line straight, where the mean would bend them all.
    return wishes.isEmpty ? nodes[node].y : wishes.sorted()[(wishes.count - 1) / 2]
  }

  /// Gives the nodes of a column the heights next to their wishes that keep order and distance.
  private mutating func place(_ column: Int, at wishes: [Double]) {
    // Without the room that all above take, keeping order is all there is to it: neighbours that
    // would pass each other go together to the middle of their wishes.
    var groups: [(sum: Double, members: Range<Int>)] = []
    var room = 0.0
    var rooms: [Double] = []
    for (place, node) in columns[column].enumerated() {
      if place > 0 { room += distance(from: columns[column][place - 1], to: node) }
      rooms.append(room)
      groups.append((wishes[place] - room, place..<place + 1))
      while groups.count > 1, mean(groups[groups.count - 2]) > mean(groups[groups.count - 1]) {
        let last = groups.removeLast()
        groups[groups.count - 1].sum += last.sum
        let first = groups[groups.count - 1].members.lowerBound
        groups[groups.count - 1].members = first..<last.members.upperBound
      }
    }
    for group in groups {
      for place in group.members { nodes[columns[column][place]].y = mean(group) + rooms[place] }
    }
  }

  private func mean(_ group: (sum: Double, members: Range<Int>)) -> Double {
    group.sum / Double(group.members.count)
  }

  private func distance(from upper: Int, to lower: Int) -> Double {
    let arePassing = nodes[upper].box == nil || nodes[lower].box == nil
    return nodes[upper].size.height + (arePassing ? Self.passingGap : Self.gap)
  }
}
