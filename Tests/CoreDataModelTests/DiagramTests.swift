import Foundation
import Testing

@testable import CoreDataModel
@testable import CoreDataModelWriting

/// Models as pictures.
struct DiagramTests {
  /// A model of many entities whose relationships go everywhere, the same for the same number.
  private func model(_ count: Int, seed: Int) -> ModelSchema {
    var state = UInt64(seed &* 2_654_435_761 &+ 1)
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var entities = (0..<count).map { index in
      var entity = EntitySchema(name: "Entity\(index)")
      entity.attributes = (0..<next(7)).map {
        AttributeSchema(name: "attribute\($0)", type: .string)
      }
      if index > 0, next(4) == 0 { entity.superentityName = "Entity\(next(index))" }
      return entity
    }
    for number in 0..<(count + count / 2) {
      let (first, second) = (next(count), next(count))
      var forth = RelationshipSchema(name: "to\(number)", destinationName: "Entity\(second)")
      forth.maxCount = next(2)
      if next(5) > 0, first != second {
        forth.inverseName = "from\(number)"
        var back = RelationshipSchema(
          name: "from\(number)",
          destinationName: "Entity\(first)",
          inverseName: "to\(number)"
        )
        back.maxCount = next(2)
        entities[second].relationships.append(back)
      }
      entities[first].relationships.append(forth)
    }
    return ModelSchema(entities: entities)
  }

  @Test(arguments: 1...24)
  func `boxes stand apart and lines pass beside them`(seed: Int) {
    let layout = DiagramLayout(model(seed + 3, seed: seed))
    var faults: [String] = []
    for (index, box) in layout.boxes.enumerated() {
      for other in layout.boxes[(index + 1)...] where box.frame.overlaps(other.frame) {
        faults.append("\(box.name) overlaps \(other.name)")
      }
      let isInside =
        box.frame.x >= 0 && box.frame.y >= 0 && box.frame.x + box.frame.width <= layout.width
        && box.frame.y + box.frame.height <= layout.height
      if !isInside { faults.append("\(box.name) is outside") }
    }
    for route in layout.routes {
      for (start, end) in zip(route.points, route.points.dropFirst()) {
        if start.x != end.x, start.y != end.y { faults.append("\(route.line) is askew") }
        let way = DiagramBox.Frame(
          x: min(start.x, end.x),
          y: min(start.y, end.y),
          width: abs(start.x - end.x),
          height: abs(start.y - end.y)
        )
        for box in layout.boxes where box.frame.overlaps(way) {
          faults.append("\(route.line) passes below \(box.name)")
        }
      }
    }
    #expect(faults == [])
  }

  @Test func `large models are drawn in a moment`() {
    let time = ContinuousClock().measure { _ = DiagramLayout(model(120, seed: 5)) }
    #expect(time < .seconds(20))
  }

  /// Kinds of models whose pictures took the square of their sizes, and what one of a size looks like.
  enum Growing: CaseIterable {
    case name, hub, chain, loops, pairs

    func model(_ count: Int) -> ModelSchema {
      func to(_ name: String, _ other: String, _ back: String?) -> RelationshipSchema {
        RelationshipSchema(name: name, destinationName: other, inverseName: back)
      }
      func entity(_ name: String, _ relationships: [RelationshipSchema]) -> EntitySchema {
        var entity = EntitySchema(name: name)
        entity.relationships = relationships
        return entity
      }
      let numbers = 0..<count
      switch self {
      case .name:
        var note = EntitySchema(name: "Note")
        let name = String(repeating: "n", count: 40 * count)
        note.attributes = [AttributeSchema(name: name, type: .string)]
        return ModelSchema(entities: [note])
      case .hub:
        let hub = entity("Hub", numbers.map { to("to\($0)", "E\($0)", "hub") })
        let others = numbers.map { entity("E\($0)", [to("hub", "Hub", "to\($0)")]) }
        return ModelSchema(entities: [hub] + others)
      case .chain:
        return ModelSchema(
          entities: numbers.map { entity("E\($0)", [to("next", "E\($0 + 1)", nil)]) }
            + [EntitySchema(name: "E\(count)")]
        )
      case .loops:
        return ModelSchema(
          entities: [entity("Note", numbers.map { to("to\($0)", "Note", nil) })]
        )
      case .pairs:
        return ModelSchema(entities: [
          entity("A", numbers.map { to("b\($0)", "B", "a\($0)") }),
          entity("B", numbers.map { to("a\($0)", "A", "b\($0)") }),
        ])
      }
    }
  }

  @Test(arguments: Growing.allCases)
  func `a model of twice the size took four times as long to draw and to check`(kind: Growing) {
    func seconds(_ count: Int) -> Double {
      let model = kind.model(count)
      return threadSeconds {
        _ = DiagramDrawing(model, title: "").svg
        _ = MermaidDiagram(model).text
        _ = model.canonical.problems
      }
    }
    _ = seconds(100)
    let (small, large) = (seconds(500), seconds(2000))
    // Four times the size: some five times the time if the work is n log n, and sixteen if it is a square.
    #expect(large < 9 * max(small, 0.01), "\(small) s, then \(large) s")
  }

  /// The processor's time that this thread takes for some work; other tests do not count.
  private func threadSeconds(_ work: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    work()
    return now() - start
  }

  @Test func `a model with too many lines for a picture is drawn all the same`() {
    let names = (0..<80).map { "E\($0)" }
    let schema = ModelSchema(
      entities: names.map { name in
        var entity = EntitySchema(name: name)
        entity.relationships = names.map {
          RelationshipSchema(name: "to\($0)", destinationName: $0)
        }
        return entity
      }
    )
    #expect(DiagramLayout(schema).routes.count == 80 * 80)
  }

  @Test func `each relationship has its line, with its inverse or alone`() {
    for seed in 1...8 {
      let schema = model(20, seed: seed)
      let relationships = schema.entities.flatMap(\.relationships)
      let pairs =
        relationships.count { $0.inverseName == nil }
        + relationships.count { $0.inverseName != nil } / 2
      let inheritances = schema.entities.count { $0.superentityName != nil }
      #expect(DiagramLayout(schema).routes.count == pairs + inheritances)
    }
  }

  @Test func `lines begin and end at boxes`() {
    for seed in 1...8 {
      let layout = DiagramLayout(model(16, seed: seed))
      for route in layout.routes {
        for (end, point) in zip(
          [route.line.first, route.line.second],
          [route.points.first, route.points.last]
        ) {
          let frame = layout.boxes[end.box].frame
          #expect(point?.x == frame.x || point?.x == frame.x + frame.width)
          #expect(point?.y == frame.y + end.offset)
        }
      }
    }
  }

  @Test func `the same model gives the same picture, in whatever order it is said`() {
    let schema = model(30, seed: 7)
    var turned = schema
    turned.entities.reverse()
    #expect(DiagramDrawing(schema, title: "a").svg == DiagramDrawing(turned, title: "a").svg)
    #expect(MermaidDiagram(schema).text == MermaidDiagram(turned).text)
  }

  @Test func `texts fit into their boxes`() {
    let long = String(repeating: "Wombat", count: 40)
    let schema = ModelSchema.notes.changing("Note") {
      $0.attributes.append(AttributeSchema(name: long, type: .transformable))
      $0.relationships[0].destinationName = "Folder"
    }
    for box in DiagramLayout(schema).boxes {
      for row in box.content.rows {
        let width = TextWidth.of(row.text, size: 12) + TextWidth.of(row.detail, size: 11)
        #expect(width + 24 < box.frame.width)
      }
      #expect(box.frame.width < 560)
    }
    #expect(DiagramDrawing(schema, title: "").svg.contains("WombatWombat"))
    #expect(DiagramDrawing(schema, title: "").svg.contains("…"))
  }

  @Test func `the name of an entity was cut, so that nobody found it in the picture`() {
    let names = (1...4).map { String(repeating: "ShippingLabelAddressValidation", count: $0) }
    let schema = ModelSchema(entities: names.map { EntitySchema(name: $0) })
    let svg = DiagramDrawing(schema, title: "").svg
    for name in names { #expect(svg.contains(">\(name)</text>"), "\(name)") }
    for box in DiagramLayout(schema).boxes {
      #expect(TextWidth.of(box.content.title, size: 14) < box.frame.width)
    }
  }

  @Test func `a picture is XML whatever the names are`() throws {
    var schema = ModelSchema.notes
    schema.entities.append(EntitySchema(name: "<b>&\"'\u{1}"))
    let svg = DiagramDrawing(schema, title: "a < b").svg
    #expect(throws: Never.self) { try XMLElementTree.root(of: Data(svg.utf8)) }
    #expect(svg.contains("&lt;b&gt;&amp;&quot;'\u{FFFD}"))
  }

  @Test func `models without entities, without lines and in circles are drawn`() {
    #expect(DiagramDrawing(ModelSchema(), title: "").svg.hasPrefix("<svg"))
    #expect(DiagramLayout(ModelSchema(entities: [EntitySchema(name: "A")])).routes.isEmpty)
    var (one, other) = (EntitySchema(name: "A"), EntitySchema(name: "B"))
    one.superentityName = "B"
    other.superentityName = "A"
    #expect(DiagramLayout(ModelSchema(entities: [one, other])).routes.count == 2)
  }

  @Test func `Mermaid's text`() {
    #expect(
      MermaidDiagram(.notes).text == """
        classDiagram
          direction LR
          class Folder {
            name String?
            notes [Note]
          }
          class Item {
            <<abstract>>
            created Date?
          }
          class Note {
            stars Integer 16?
            title String?
            folder Folder?
          }
          Folder "1" -- "*" Note : notes / folder
          Item <|-- Note

        """
    )
  }
}

extension DiagramBox.Frame {
  fileprivate func overlaps(_ other: DiagramBox.Frame) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height
      && other.y < y + height
  }
}
