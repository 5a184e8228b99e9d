import CoreDataModel

/// A line of a diagram, from a place at one box to a place at another.
///
/// A relationship and its inverse are one line, between the rows of both; one without an inverse is an
/// arrow to the entity's band. Inheritance is a line between bands.
struct DiagramLine: Hashable, Sendable {
  let kind: Kind
  /// The left end, where there is a choice.
  let first: End
  let second: End

  enum Kind: Hashable, Sendable {
    case relationship
    case inheritance
  }

  struct End: Hashable, Sendable {
    let box: Int
    /// How far below the box's top.
    let offset: Double
    let mark: Mark
  }

  /// The symbol where a line meets a box.
  enum Mark: Hashable, Sendable {
    case nothing
    case one
    case many
    case arrow
    case triangle
  }

  var isLoop: Bool { first.box == second.box }
}

extension DiagramLine {
  /// The lines of a model, in the order of its entities and their properties.
  static func lines(of schema: ModelSchema, between boxes: [DiagramBox]) -> [DiagramLine] {
    let places = Dictionary(boxes.indices.map { (boxes[$0].name, $0) }) { first, _ in first }
    var lines: [DiagramLine] = []
    // A relationship and its inverse are met twice, once from either side.
    var met: Set<Set<End>> = []
    for entity in schema.entities {
      guard let box = places[entity.name] else { continue }
      if let superentity = entity.superentityName.flatMap({ places[$0] }), superentity != box {
        lines.append(inheritance(from: superentity, to: box))
      }
      for relationship in entity.relationships {
        let line = line(of: relationship, in: box, of: schema, boxes: boxes, places: places)
        guard let line, met.insert([line.first, line.second]).inserted else { continue }
        lines.append(line)
      }
    }
    return lines.withArrivalsApart
  }

  private static func inheritance(from superentity: Int, to entity: Int) -> DiagramLine {
    let offset = DiagramBox.Measure.band / 2
    return DiagramLine(
      kind: .inheritance,
      first: End(box: superentity, offset: offset, mark: .triangle),
      second: End(box: entity, offset: offset, mark: .nothing)
    )
  }

  private static func line(
    of relationship: RelationshipSchema,
    in box: Int,
    of schema: ModelSchema,
    boxes: [DiagramBox],
    places: [String: Int]
  ) -> DiagramLine? {
    guard let row = boxes[box].row(ofRelationship: relationship.name),
      let other = places[relationship.destinationName]
    else { return nil }
    let offset = boxes[box].middle(of: row)
    guard let name = relationship.inverseName,
      let (otherBox, otherRow) = schema.declarer(of: name, from: other, boxes, places),
      case let inverse = schema.entities[otherBox]
        .relationships[otherRow - boxes[otherBox].content.firstRelationship],
      inverse.inverseName == relationship.name
    else {
      return DiagramLine(
        kind: .relationship,
        first: End(box: box, offset: offset, mark: .nothing),
        second: End(box: other, offset: 8, mark: relationship.isToMany ? .many : .arrow)
      )
    }
    let otherOffset = boxes[otherBox].middle(of: otherRow)
    let isItself = box == otherBox && row == otherRow
    let own = End(
      box: box,
      offset: isItself ? offset - 6.5 : offset,
      mark: inverse.isToMany ? .many : .one
    )
    let far = End(
      box: otherBox,
      offset: isItself ? offset + 6.5 : otherOffset,
      mark: relationship.isToMany ? .many : .one
    )
    // The "one" side of one-to-many is on the left.
    let isReversed = inverse.isToMany && !relationship.isToMany
    return DiagramLine(
      kind: .relationship,
      first: isReversed ? far : own,
      second: isReversed ? own : far
    )
  }
}

extension ModelSchema {
  /// Finds the box and the row of a relationship, in an entity's box or in that of a superentity.
  fileprivate func declarer(
    of relationship: String,
    from box: Int,
    _ boxes: [DiagramBox],
    _ places: [String: Int]
  ) -> (box: Int, row: Int)? {
    var next: Int? = box
    var met: Set<Int> = []
    while let box = next, met.insert(box).inserted {
      if let row = boxes[box].row(ofRelationship: relationship) { return (box, row) }
      next = entities[box].superentityName.flatMap { places[$0] }
    }
    return nil
  }
}

extension [DiagramLine] {
  /// Lines that end at a band without a row of their own, each at a place of its own.
  fileprivate var withArrivalsApart: [DiagramLine] {
    // The first two are as far apart as rows, so that lines from neighbouring rows are straight.
    let offsets = [5.5, 26.5, 11, 21]
    var arrivals: [Int: Int] = [:]
    return map { line in
      guard line.kind == .relationship, line.first.mark == .nothing else { return line }
      let place = arrivals[line.second.box, default: 0]
      arrivals[line.second.box] = place + 1
      let end = DiagramLine.End(
        box: line.second.box,
        offset: offsets[place % offsets.count],
        mark: line.second.mark
      )
      return DiagramLine(kind: line.kind, first: line.first, second: end)
    }
  }
}
