package import CoreDataModel

/// The places of the boxes and lines of a model's diagram.
///
///     ┌────────┐     ┌──────┐
///     │ Folder ├────<┤ Note │     connected entities in columns, from one to many and from the
///     └────────┘     └──┬───┘     superentity to its subentities
///     ┌─────┐ ┌──────┐
///     │ Log │ │ Flag │            unconnected entities in rows below
///     └─────┘ └──────┘
///
/// Boxes never overlap and lines never pass below a box. The same model gives the same picture.
package struct DiagramLayout: Hashable, Sendable {
  var boxes: [DiagramBox]
  var routes: [DiagramRoute] = []
  var width = 0.0
  var height = 0.0
  /// The place of the left upper corner: not zero if somebody has moved a box beyond it.
  var origin = DiagramPlace(x: 0, y: 0)

  private static let gap = 44.0

  package init(_ schema: ModelSchema) {
    let schema = schema.canonical
    boxes = schema.entities.map(DiagramBox.init)
    let lines = DiagramLine.lines(of: schema, between: boxes)
    let parts = Self.parts(of: boxes.count, lines: lines).map { part in
      DiagramColumns(boxes: part.boxes.map { ($0, boxes[$0].frame) }, lines: part.lines).arranged()
    }
    pack(parts)
  }

  /// - Parameters:
  ///   - schema: The model.
  ///   - places: The places of entities that somebody has moved; lines to them go the straight way.
  package init(_ schema: ModelSchema, places: [String: DiagramPlace]) {
    self.init(schema)
    if !places.isEmpty { move(to: places) }
  }

  /// The boxes that lines connect, directly or by others; the largest part first.
  private static func parts(
    of count: Int,
    lines: [DiagramLine]
  ) -> [(boxes: [Int], lines: [DiagramLine])] {
    var part = Array(0..<count)
    func root(_ box: Int) -> Int {
      var box = box
      while part[box] != box {
        part[box] = part[part[box]]
        box = part[box]
      }
      return box
    }
    for line in lines {
      let (first, second) = (root(line.first.box), root(line.second.box))
      part[max(first, second)] = min(first, second)
    }
    let linesOfParts = Dictionary(grouping: lines) { root($0.first.box) }
    return Dictionary(grouping: 0..<count, by: root)
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .map { ($0.value, linesOfParts[$0.key] ?? []) }
  }

  /// Puts the parts beside and below each other, about as wide as a page.
  private mutating func pack(_ parts: [ArrangedColumns]) {
    let area = parts.reduce(0) { $0 + ($1.width + Self.gap) * ($1.height + Self.gap) }
    let page = max(parts.map(\.width).max() ?? 0, (area * 1.6).squareRoot())
    var (x, y, shelf) = (0.0, 0.0, 0.0)
    for part in parts {
      if x > 0, x + part.width > page {
        (x, y, shelf) = (0, y + shelf + Self.gap, 0)
      }
      for (box, frame) in part.frames {
        boxes[box].frame = frame
        boxes[box].frame.x += x
        boxes[box].frame.y += y
      }
      routes += part.routes.map { $0.moved(x: x, y: y) }
      width = max(width, x + part.width)
      shelf = max(shelf, part.height)
      height = max(height, y + part.height)
      x += part.width + Self.gap
    }
  }
}

/// A line with the corners of its way.
struct DiagramRoute: Hashable, Sendable {
  let line: DiagramLine
  var points: [Point]

  struct Point: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  func moved(x: Double, y: Double) -> DiagramRoute {
    var route = self
    for index in points.indices {
      route.points[index].x += x
      route.points[index].y += y
    }
    return route
  }
}

/// A part of a diagram with its own origin.
struct ArrangedColumns {
  var frames: [(box: Int, frame: DiagramBox.Frame)]
  var routes: [DiagramRoute]
  var width: Double
  var height: Double
}
