import CoreDataModel

/// The ways of lines, once the boxes have their places.
extension DiagramColumns {
  func routed() -> ArrangedColumns {
    var gaps = Array(repeating: DiagramGap(), count: columns.count)
    let nets = linkNets(in: &gaps)
    let loops = loopNets(in: &gaps)
    let orders = gaps.map { $0.order() }
    let widths = columns.map { column in column.map { nodes[$0].size.width }.max() ?? 0 }
    let gapWidths = gaps.indices.map { index -> Double in
      let isLast = index == gaps.count - 1
      if gaps[index].nets.isEmpty { return isLast ? 0 : 2 * DiagramGap.margin }
      let tracks = Double(max(0, orders[index].count - 1)) * DiagramGap.track
      return isLast ? DiagramGap.margin + tracks : 2 * DiagramGap.margin + tracks
    }
    var lefts: [Double] = []
    var x = 0.0
    for column in columns.indices {
      lefts.append(x)
      x += widths[column] + gapWidths[column]
    }
    let tracks = Tracks(orders: orders, lefts: zip(lefts, widths).map { $0 + $1 })
    var routes = chains.map { chain in
      route(of: chain, nets: nets, tracks: tracks, lefts: lefts, widths: widths)
    }
    routes += loops.map { loop in
      let end = tracks.x(of: loop.net, in: loop.column)
      let start = lefts[loop.column] + widths[loop.column]
      let (first, second) = (lines[loop.line].first, lines[loop.line].second)
      let y = nodes[loop.node].y
      return DiagramRoute(
        line: lines[loop.line],
        points: [
          .init(x: start, y: y + first.offset), .init(x: end, y: y + first.offset),
          .init(x: end, y: y + second.offset), .init(x: start, y: y + second.offset),
        ]
      )
    }
    let frames = nodes.compactMap { node in
      node.box.map { box in
        (
          box: box,
          frame: DiagramBox.Frame(
            x: lefts[node.column],
            y: node.y,
            width: widths[node.column],
            height: node.size.height
          )
        )
      }
    }
    return ArrangedColumns(
      frames: frames,
      routes: routes.filter { !$0.points.isEmpty },
      width: x,
      height: nodes.map { $0.y + $0.size.height }.max() ?? 0
    )
  }

  private struct Tracks {
    /// The place of each net's track, gap by gap.
    let places: [[Int: Int]]
    /// Where each gap begins.
    let lefts: [Double]

    init(orders: [[Int]], lefts: [Double]) {
      places = orders.map { nets in
        Dictionary(uniqueKeysWithValues: nets.enumerated().map { ($0.element, $0.offset) })
      }
      self.lefts = lefts
    }

    func x(of net: Int, in gap: Int) -> Double {
      let place = places[gap][net] ?? 0
      return lefts[gap] + DiagramGap.margin + Double(place) * DiagramGap.track
    }
  }

  private struct Loop {
    let line: Int
    let node: Int
    let column: Int
    let net: Int
  }

  private struct Place: Hashable {
    let node: Int
    let offset: Double
  }

  /// The net of each link; links from one place share theirs.
  private func linkNets(in gaps: inout [DiagramGap]) -> [Int] {
    var known: [Place: Int] = [:]
    return links.map { link in
      let gap = nodes[link.left].column
      let right = nodes[link.right].y + link.rightOffset
      let place = Place(node: link.left, offset: link.leftOffset)
      if let net = known[place] {
        gaps[gap].addRight(right, to: net)
        return net
      }
      let left = nodes[link.left].y + link.leftOffset
      let net = gaps[gap].add(DiagramGap.Net(lefts: [left], rights: [right]))
      known[place] = net
      return net
    }
  }

  private func loopNets(in gaps: inout [DiagramGap]) -> [Loop] {
    let places = Dictionary(
      nodes.indices.compactMap { node in nodes[node].box.map { ($0, node) } }
    ) { first, _ in first }
    return lines.indices.filter { lines[$0].isLoop }.compactMap { index in
      let line = lines[index]
      guard let node = places[line.first.box] else { return nil }
      let (column, y) = (nodes[node].column, nodes[node].y)
      let net = gaps[column].add(
        DiagramGap.Net(lefts: [y + line.first.offset, y + line.second.offset], rights: [])
      )
      return Loop(line: index, node: node, column: column, net: net)
    }
  }

  private func route(
    of chain: Chain,
    nets: [Int],
    tracks: Tracks,
    lefts: [Double],
    widths: [Double]
  ) -> DiagramRoute {
    var points: [DiagramRoute.Point] = []
    for index in chain.links {
      let link = links[index]
      let column = nodes[link.left].column
      let start = nodes[link.left].y + link.leftOffset
      let end = nodes[link.right].y + link.rightOffset
      let track = tracks.x(of: nets[index], in: column)
      points.append(.init(x: lefts[column] + widths[column], y: start))
      if (start - end).magnitude >= 0.5 {
        points += [.init(x: track, y: start), .init(x: track, y: end)]
      }
      points.append(.init(x: lefts[nodes[link.right].column], y: end))
    }
    return DiagramRoute(
      line: lines[chain.line],
      points: chain.isTurned ? points.reversed() : points
    )
  }
}
