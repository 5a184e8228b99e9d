import CoreDataModel

/// Connected boxes in columns, so that each line goes from one column to the next.
///
/// The way is that of layered drawings: columns by the longest way from the left, places within a
/// column by where the neighbours are, heights that make lines straight, and then the lines, each on a
/// track of its own between two columns. A line that passes a column has a place there like a box.
struct DiagramColumns {
  var nodes: [Node] = []
  /// From one column to the next; long lines are chains of these.
  var links: [Link] = []
  var columns: [[Int]] = []
  /// The links that end at each node, and those that begin there.
  private(set) var arriving: [[Int]] = []
  private(set) var leaving: [[Int]] = []
  let lines: [DiagramLine]
  /// The nodes of each line from left to right, and whether it was turned round for that.
  var chains: [Chain] = []

  struct Node {
    /// Nil for the place where a line passes.
    var box: Int?
    var size: DiagramBox.Frame
    var column = 0
    var y = 0.0
  }

  struct Link {
    let left: Int
    let leftOffset: Double
    let right: Int
    let rightOffset: Double
  }

  struct Chain {
    let line: Int
    let isTurned: Bool
    var links: [Int]
  }

  init(boxes: [(box: Int, frame: DiagramBox.Frame)], lines: [DiagramLine]) {
    self.lines = lines
    nodes = boxes.map { Node(box: $0.box, size: $0.frame) }
    let places = Dictionary(boxes.indices.map { (boxes[$0].box, $0) }) { first, _ in first }
    assignColumns(places)
    connect(places)
    arriving = Array(repeating: [], count: nodes.count)
    leaving = arriving
    for (index, link) in links.enumerated() {
      arriving[link.right].append(index)
      leaving[link.left].append(index)
    }
    columns = Array(repeating: [], count: (nodes.map(\.column).max() ?? 0) + 1)
    for (index, node) in nodes.enumerated() { columns[node.column].append(index) }
  }

  func arranged() -> ArrangedColumns {
    var columns = self
    columns.order()
    columns.settle()
    return columns.routed()
  }
}

// MARK: - Columns

extension DiagramColumns {
  /// The longest way from the left decides; lines that would close a circle are ignored.
  private mutating func assignColumns(_ places: [Int: Int]) {
    var next: [[Int]] = Array(repeating: [], count: nodes.count)
    for line in lines where !line.isLoop {
      guard let from = places[line.first.box], let to = places[line.second.box] else { continue }
      next[from].append(to)
    }
    var ways = Ways(next: next)
    for (node, column) in ways.columns().enumerated() { nodes[node].column = column }
  }

  private struct Ways {
    var next: [[Int]]
    var isOpen: [Bool]
    var finished: [Int] = []
    var isFinished: [Bool]

    init(next: [[Int]]) {
      self.next = next
      isOpen = Array(repeating: false, count: next.count)
      isFinished = isOpen
    }

    mutating func columns() -> [Int] {
      var entries = Array(repeating: 0, count: next.count)
      for target in next.joined() { entries[target] += 1 }
      let starts = next.indices.sorted { (entries[$0], $0) < (entries[$1], $1) }
      for start in starts where !isFinished[start] { visit(start) }

      var columns = Array(repeating: 0, count: next.count)
      for node in finished.reversed() {
        for target in next[node] { columns[target] = max(columns[target], columns[node] + 1) }
      }
      // A box that no line leads to is placed right before the boxes that it leads to.
      for node in finished where entries[node] == 0 {
        if let nearest = next[node].map({ columns[$0] }).min() { columns[node] = nearest - 1 }
      }
      return columns
    }

    /// Visits in depth, with a list instead of recursion, and takes out links that lead back.
    private mutating func visit(_ start: Int) {
      var path: [(node: Int, place: Int, kept: Int)] = [(start, 0, 0)]
      isOpen[start] = true
      while let (node, place, kept) = path.last {
        guard place < next[node].count else {
          next[node].removeLast(next[node].count - kept)
          isOpen[node] = false
          isFinished[node] = true
          finished.append(node)
          path.removeLast()
          continue
        }
        let target = next[node][place]
        path[path.count - 1].place += 1
        if isOpen[target] { continue }
        next[node][kept] = target
        path[path.count - 1].kept += 1
        if !isFinished[target] {
          isOpen[target] = true
          path.append((target, 0, 0))
        }
      }
    }
  }

  /// The most places where lines pass columns.
  ///
  /// A picture that people can read has hundreds. In a model with more, lines go straight to their ends and may
  /// pass below boxes; otherwise, the work would grow with the product of lines and columns.
  private static var mostPassings: Int { 20_000 }

  /// Makes a chain of links for each line, with places where it passes columns.
  private mutating func connect(_ places: [Int: Int]) {
    let passings = lines.reduce(0) { count, line in
      guard let first = places[line.first.box], let second = places[line.second.box] else {
        return count
      }
      return count + max(0, Int((nodes[first].column - nodes[second].column).magnitude) - 1)
    }
    let arePassing = passings <= Self.mostPassings
    for (index, line) in lines.enumerated() where !line.isLoop {
      guard let first = places[line.first.box], let second = places[line.second.box] else {
        continue
      }
      let isTurned = nodes[first].column > nodes[second].column
      let (left, right) = isTurned ? (second, first) : (first, second)
      let (start, end) = isTurned ? (line.second, line.first) : (line.first, line.second)
      var chain = Chain(line: index, isTurned: isTurned, links: [])
      var last = (node: left, offset: start.offset)
      let next = nodes[left].column + 1
      for column in next..<(arePassing ? max(nodes[right].column, next) : next) {
        nodes.append(Node(box: nil, size: DiagramBox.Frame(width: 0, height: 0), column: column))
        let passing = nodes.count - 1
        chain.links.append(links.count)
        links.append(
          Link(left: last.node, leftOffset: last.offset, right: passing, rightOffset: 0)
        )
        last = (passing, 0)
      }
      chain.links.append(links.count)
      links.append(
        Link(left: last.node, leftOffset: last.offset, right: right, rightOffset: end.offset)
      )
      chains.append(chain)
    }
  }
}
