/// Who stands above whom in a column, and how high.
extension DiagramColumns {
  /// Orders each column by the middle of its neighbours, back and forth, and keeps the order in which
  /// the fewest lines cross.
  mutating func order() {
    var best = (columns: columns, crossings: crossings())
    for sweep in 0..<12 where best.crossings > 0 {
      let isForth = sweep.isMultiple(of: 2)
      let indices = isForth ? Array(columns.indices) : columns.indices.reversed()
      for column in indices { orderColumn(column, byLeft: isForth) }
      let count = crossings()
      if count < best.crossings { best = (columns, count) }
    }
    columns = best.columns
  }

  private mutating func orderColumn(_ column: Int, byLeft: Bool) {
    let places = self.places()
    let middles = columns[column].map { node -> Double in
      let heights = links.compactMap { link -> Double? in
        if byLeft, link.right == node {
          return height(places[link.left], link.leftOffset, link.left)
        }
        if !byLeft, link.left == node {
          return height(places[link.right], link.rightOffset, link.right)
        }
        return nil
      }
      return heights.isEmpty ? places[node] : heights.reduce(0, +) / Double(heights.count)
    }
    columns[column] = zip(columns[column], middles).enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
      .map(\.element.0)
  }

  /// Each node's place in its column, as a number.
  private func places() -> [Double] {
    var places = Array(repeating: 0.0, count: nodes.count)
    for column in columns {
      for (place, node) in column.enumerated() { places[node] = Double(place) }
    }
    return places
  }

  private func height(_ place: Double, _ offset: Double, _ node: Int) -> Double {
    place + (nodes[node].size.height > 0 ? offset / (nodes[node].size.height + 1) : 0.5)
  }

  private func crossings() -> Int {
    let places = self.places()
    let ends = links.map { link in
      (
        column: nodes[link.left].column,
        left: height(places[link.left], link.leftOffset, link.left),
        right: height(places[link.right], link.rightOffset, link.right)
      )
    }
    var count = 0
    for (index, one) in ends.enumerated() {
      for other in ends[(index + 1)...] where one.column == other.column {
        if (one.left - other.left) * (one.right - other.right) < 0 { count += 1 }
      }
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
        let wishes = self.wishes(byLeft: round >= 16 ? nil : isForth)
        place(column, at: columns[column].map { wishes[$0] ?? nodes[$0].y })
      }
    }
    let top = nodes.map(\.y).min() ?? 0
    for node in nodes.indices { nodes[node].y = (nodes[node].y - top).rounded() }
  }

  /// The heights at which the lines of a node would be straight, on one side or on both.
  private func wishes(byLeft: Bool?) -> [Int: Double] {
    var wishes: [Int: [Double]] = [:]
    for link in links {
      let slope = nodes[link.left].y + link.leftOffset - nodes[link.right].y - link.rightOffset
      if byLeft != false { wishes[link.right, default: []].append(nodes[link.right].y + slope) }
      if byLeft != true { wishes[link.left, default: []].append(nodes[link.left].y - slope) }
    }
    // The middle wish makes one line straight, where the mean would bend them all.
    return wishes.mapValues { $0.sorted()[($0.count - 1) / 2] }
  }

  /// Gives the nodes of a column the heights next to their wishes that keep order and distance.
  private mutating func place(_ column: Int, at wishes: [Double]) {
    // Without the room that all above take, keeping order is all there is to it: neighbours that
    // would pass each other go together to the middle of their wishes.
    var groups: [(sum: Double, members: [Int])] = []
    var room = 0.0
    var rooms: [Double] = []
    for (place, node) in columns[column].enumerated() {
      if place > 0 { room += distance(from: columns[column][place - 1], to: node) }
      rooms.append(room)
      groups.append((wishes[place] - room, [place]))
      while groups.count > 1, mean(groups[groups.count - 2]) > mean(groups[groups.count - 1]) {
        let last = groups.removeLast()
        groups[groups.count - 1].sum += last.sum
        groups[groups.count - 1].members += last.members
      }
    }
    for group in groups {
      for place in group.members { nodes[columns[column][place]].y = mean(group) + rooms[place] }
    }
  }

  private func mean(_ group: (sum: Double, members: [Int])) -> Double {
    group.sum / Double(group.members.count)
  }

  private func distance(from upper: Int, to lower: Int) -> Double {
    let arePassing = nodes[upper].box == nil || nodes[lower].box == nil
    return nodes[upper].size.height + (arePassing ? Self.passingGap : Self.gap)
  }
}
