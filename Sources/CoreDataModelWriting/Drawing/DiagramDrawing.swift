package import CoreDataModel

/// A model's diagram as a picture in SVG.
///
/// Colours follow the reader's choice of light and dark, and names are text that can be searched for.
package struct DiagramDrawing {
  private let layout: DiagramLayout
  private let title: String

  private static let margin = 32.0

  /// - Parameters:
  ///   - schema: The model.
  ///   - title: The title of the picture.
  ///   - places: The places of entities that somebody has moved.
  package init(_ schema: ModelSchema, title: String, places: [String: DiagramPlace] = [:]) {
    layout = DiagramLayout(schema, places: places)
    self.title = title
  }

  package var svg: String {
    let width = layout.width + 2 * Self.margin
    let height = layout.height + 2 * Self.margin
    let size = "\(width.svg) \(height.svg)"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" width="\(width.svg)" \
      height="\(height.svg)" role="img">
      <title>\(title.escapedForXML)</title>
      <style>
      \(Self.style)
      </style>
      <rect class="page" width="100%" height="100%"/>
      <g transform="translate(\(Self.margin.svg) \(Self.margin.svg))"\(origin)>
      \(layout.routes.map(\.svg).joined(separator: "\n"))
      \(layout.boxes.map(\.svg).joined(separator: "\n"))
      \(layout.routes.map(\.marks).joined(separator: "\n"))
      </g>
      </svg>

      """
  }

  /// The place of the corner in a picture with moved boxes, for pages that move them further.
  private var origin: String {
    let (x, y) = (layout.origin.x, layout.origin.y)
    return x == 0 && y == 0 ? "" : " data-x=\"\(x.svg)\" data-y=\"\(y.svg)\""
  }

  private static let style = """
    text { font-family: -apple-system, "Segoe UI", "Helvetica Neue", Arial, "Noto Sans", sans-serif; }
    .page { fill: #ffffff; }
    .box { fill: #ffffff; stroke: #c3cad6; stroke-width: 1; }
    .band { fill: #3f6fb5; }
    .abstract .band { fill: #8792a6; }
    .abstract .box { stroke-dasharray: 5 4; }
    .title { fill: #ffffff; font-size: 14px; font-weight: 600; }
    .abstract .title { font-style: italic; }
    .name { fill: #1f2733; font-size: 12px; }
    .detail { fill: #77839a; font-size: 11px; text-anchor: end; }
    .rule { stroke: #e3e7ee; stroke-width: 1; }
    .line { fill: none; stroke: #7a879c; stroke-width: 1.5; }
    .inherits { stroke: #a5907a; stroke-dasharray: 6 4; }
    .mark { fill: none; stroke: #56627a; stroke-width: 1.5; stroke-linecap: round; }
    .tip { fill: #56627a; stroke: #56627a; stroke-width: 1.5; stroke-linejoin: round; }
    .triangle { fill: #ffffff; stroke: #a5907a; stroke-width: 1.5; stroke-linejoin: round; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #16191f; }
      .box { fill: #20252e; stroke: #434c5c; }
      .band { fill: #34619f; }
      .abstract .band { fill: #59647a; }
      .name { fill: #e4e8ef; }
      .detail { fill: #8f9bb0; }
      .rule { stroke: #353d4a; }
      .line { stroke: #78859b; }
      .inherits { stroke: #a08b74; }
      .mark { stroke: #a3afc4; }
      .tip { fill: #a3afc4; stroke: #a3afc4; }
      .triangle { fill: #16191f; stroke: #a08b74; }
    }
    """
}

// MARK: - Boxes

extension DiagramBox {
  fileprivate var svg: String {
    let (width, height) = (frame.width.svg, frame.height.svg)
    let band = "M0 \(Measure.band.svg)V8a8 8 0 0 1 8-8H\((frame.width - 8).svg)a8 8 0 0 1 8 8"
    var parts = [
      "<g class=\"\(content.isAbstract ? "entity abstract" : "entity")\" "
        + "transform=\"translate(\(frame.x.svg) \(frame.y.svg))\">",
      "<rect class=\"box\" width=\"\(width)\" height=\"\(height)\" rx=\"8\"/>",
      "<path class=\"band\" d=\"\(band)v\((Measure.band - 8).svg)z\"/>",
      "<text class=\"title\" x=\"\(Measure.inset.svg)\" y=\"21\">\(content.title.escapedForXML)</text>",
    ]
    if let row = dividingRow {
      let y = (top(of: row) - Measure.margin).svg
      parts.append("<path class=\"rule\" d=\"M0.5 \(y)H\((frame.width - 0.5).svg)\"/>")
    }
    for (index, row) in content.rows.enumerated() {
      let y = (middle(of: index) + 4).svg
      parts.append(
        "<text class=\"name\" x=\"\(Measure.inset.svg)\" y=\"\(y)\">\(row.text.escapedForXML)</text>"
          + "<text class=\"detail\" x=\"\((frame.width - Measure.inset).svg)\" y=\"\(y)\">"
          + "\(row.detail.escapedForXML)</text>"
      )
    }
    return (parts + ["</g>"]).joined(separator: "\n")
  }
}

// MARK: - Lines

extension DiagramRoute {
  /// The way with round corners.
  fileprivate var svg: String {
    guard let first = points.first, let last = points.last else { return "" }
    var path = "M\(first.svg)"
    for index in points.indices.dropFirst().dropLast() {
      let (before, corner, after) = (points[index - 1], points[index], points[index + 1])
      let radius = min(7, corner.distance(to: before) / 2, corner.distance(to: after) / 2)
      let (start, end) = (
        corner.moved(towards: before, by: radius), corner.moved(towards: after, by: radius)
      )
      path += "L\(start.svg)Q\(corner.svg) \(end.svg)"
    }
    path += "L\(last.svg)"
    let kind = line.kind == .inheritance ? "line inherits" : "line"
    return "<path class=\"\(kind)\" d=\"\(path)\"/>"
  }

  /// The marks at both ends, above lines and boxes.
  fileprivate var marks: String {
    guard points.count > 1 else { return "" }
    let start = Self.mark(line.first.mark, at: points[0], from: points[1])
    let end = Self.mark(
      line.second.mark,
      at: points[points.count - 1],
      from: points[points.count - 2]
    )
    return [start, end].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func mark(_ mark: DiagramLine.Mark, at end: Point, from: Point) -> String {
    // Lines meet boxes from the left or from the right.
    let out = from.x < end.x ? -1.0 : 1.0
    func at(_ x: Double, _ y: Double) -> String { "\((end.x + out * x).svg) \((end.y + y).svg)" }
    switch mark {
    case .nothing: return ""
    case .one: return "<path class=\"mark\" d=\"M\(at(9, -5))L\(at(9, 5))\"/>"
    case .many:
      return "<path class=\"mark\" d=\"M\(at(0, -6))L\(at(12, 0))L\(at(0, 6))\"/>"
    case .arrow: return "<path class=\"tip\" d=\"M\(at(0, 0))L\(at(9, -4.5))L\(at(9, 4.5))z\"/>"
    case .triangle:
      return "<path class=\"triangle\" d=\"M\(at(0, 0))L\(at(12, -7))L\(at(12, 7))z\"/>"
    }
  }
}

extension DiagramRoute.Point {
  fileprivate var svg: String { "\(x.svg) \(y.svg)" }

  fileprivate func distance(to other: DiagramRoute.Point) -> Double {
    max((x - other.x).magnitude, (y - other.y).magnitude)
  }

  fileprivate func moved(towards other: DiagramRoute.Point, by length: Double) -> DiagramRoute.Point
  {
    let distance = distance(to: other)
    guard distance > 0 else { return self }
    return DiagramRoute.Point(
      x: x + (other.x - x) / distance * length,
      y: y + (other.y - y) / distance * length
    )
  }
}

extension Double {
  /// A number in a picture: to a tenth, without what need not be written.
  fileprivate var svg: String {
    let tenths = (self * 10).rounded() / 10
    return Int(exactly: tenths).map(String.init) ?? "\(tenths)"
  }
}
