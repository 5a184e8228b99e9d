package import CoreDataModel

/// A model's diagram in the language of Mermaid, which renders in many places that show Markdown.
///
///     classDiagram
///       class Note {
///         title String?
///       }
///       Folder "1" -- "*" Note : notes / folder
package struct MermaidDiagram {
  private let schema: ModelSchema

  package init(_ schema: ModelSchema) {
    self.schema = schema.canonical
  }

  package var text: String {
    let boxes = schema.entities.map(DiagramBox.init)
    let lines = DiagramLine.lines(of: schema, between: boxes)
    return
      (["classDiagram", "  direction LR"] + boxes.flatMap(Self.entity)
      + lines.map { Self.line($0, boxes) })
      .joined(separator: "\n") + "\n"
  }

  private static func entity(_ box: DiagramBox) -> [String] {
    let name = name(box.name)
    let rows = box.content.rows.map { "    \(inert($0.text)) \(inert($0.detail))" }
    let mark = box.content.isAbstract ? ["    <<abstract>>"] : []
    guard !rows.isEmpty || !mark.isEmpty else { return ["  class \(name)"] }
    return ["  class \(name) {"] + mark + rows + ["  }"]
  }

  private static func line(_ line: DiagramLine, _ boxes: [DiagramBox]) -> String {
    let (first, second) = (name(boxes[line.first.box].name), name(boxes[line.second.box].name))
    guard line.kind == .relationship else { return "  \(first) <|-- \(second)" }
    let names = [label(line.first, boxes), label(line.second, boxes)].compactMap(\.self)
    let arrow = names.count == 1 ? "-->" : "--"
    let start = line.first.mark.cardinality.map { "\"\($0)\" " } ?? ""
    let end = line.second.mark.cardinality.map { "\"\($0)\" " } ?? ""
    return "  \(first) \(start)\(arrow) \(end)\(second) : \(names.joined(separator: " / "))"
  }

  /// The relationship at whose row a line ends.
  private static func label(_ end: DiagramLine.End, _ boxes: [DiagramBox]) -> String? {
    let box = boxes[end.box]
    return box.row(near: end.offset).map { inert(box.content.rows[$0].name) }
  }

  private static func name(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
    }
    return isPlain ? name : "`\(name.replacing("`", with: "'"))`"
  }

  /// Text without what would end a line or a block.
  private static func inert(_ text: String) -> String {
    String(text.map { $0.isNewline || "{};:~\"".contains($0) ? " " : $0 })
  }
}

extension DiagramLine.Mark {
  fileprivate var cardinality: String? {
    switch self {
    case .one, .arrow: "1"
    case .many: "*"
    case .nothing, .triangle: nil
    }
  }
}
