/// A place that somebody has given to an entity in a diagram: the left and upper edge of its box.
package struct DiagramPlace: Hashable, Sendable {
  package let x: Double
  package let y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

extension DiagramLayout {
  /// Moves boxes, and draws new lines to moved boxes.
  ///
  /// If a box is left of the origin or above it, the whole picture moves, so that everything is inside.
  mutating func move(to places: [String: DiagramPlace]) {
    var moved: Set<Int> = []
    for (index, box) in boxes.enumerated() {
      guard let place = places[box.name] else { continue }
      (boxes[index].frame.x, boxes[index].frame.y) = (place.x, place.y)
      moved.insert(index)
    }
    if moved.isEmpty { return }
    for index in routes.indices {
      let line = routes[index].line
      guard moved.contains(line.first.box) || moved.contains(line.second.box) else { continue }
      routes[index].points = straightWay(of: line)
    }
    shiftInside()
  }

  /// The way from the side of one box to the nearer side of another.
  private func straightWay(of line: DiagramLine) -> [DiagramRoute.Point] {
    let (first, second) = (boxes[line.first.box].frame, boxes[line.second.box].frame)
    let (from, to) = (first.y + line.first.offset, second.y + line.second.offset)
    if line.isLoop {
      let side = first.x + first.width
      return [
        .init(x: side, y: from), .init(x: side + Self.loop, y: from),
        .init(x: side + Self.loop, y: to), .init(x: side, y: to),
      ]
    }
    let isRightOf = second.x + second.width / 2 >= first.x + first.width / 2
    let start = isRightOf ? first.x + first.width : first.x
    let end = isRightOf ? second.x : second.x + second.width
    let middle = (start + end) / 2
    return [
      .init(x: start, y: from), .init(x: middle, y: from), .init(x: middle, y: to),
      .init(x: end, y: to),
    ]
  }

  private static var loop: Double { 24 }

  private mutating func shiftInside() {
    let corners = routes.flatMap(\.points)
    let left = min(0, (boxes.map(\.frame.x) + corners.map(\.x)).min() ?? 0)
    let top = min(0, (boxes.map(\.frame.y) + corners.map(\.y)).min() ?? 0)
    for index in boxes.indices {
      boxes[index].frame.x -= left
      boxes[index].frame.y -= top
    }
    routes = routes.map { $0.moved(x: -left, y: -top) }
    let right = boxes.map { $0.frame.x + $0.frame.width } + corners.map { $0.x - left }
    let bottom = boxes.map { $0.frame.y + $0.frame.height } + corners.map { $0.y - top }
    origin = DiagramPlace(x: origin.x + left, y: origin.y + top)
    width = right.max() ?? 0
    height = bottom.max() ?? 0
  }
}
