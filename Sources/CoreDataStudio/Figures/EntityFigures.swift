import CoreDataModel
import CoreDataSQL
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The attributes of an entity in figures, one after the other, so that a page can show the first ones at once.
struct EntityFigures {
  let store: OpenStore
  let url: URL
  let entity: String

  /// The time that one attribute may take before only the first rows are read.
  private static let time = Duration.seconds(10)
  private static let mostAttributes = 200

  /// The name of the job that makes the figures.
  static func name(of entity: String) -> String { "figures of \(entity)" }

  /// Reads the figures, and hands over those that are known after each attribute.
  func figures(_ job: Job) throws -> JSONValue {
    let attributes = store.schema.entityChain(of: entity).flatMap(\.attributes)
      .filter { !$0.isTransient }.flatMap { Self.parts(of: $0, [$0.name]) }
    guard
      let reader = try FigureReader(
        storeAt: url,
        store.schema,
        entity: entity,
        time: Self.time
      )
    else { return [] }
    var lines: [JSONValue] = []
    for (place, part) in attributes.prefix(Self.mostAttributes).enumerated() {
      let name = part.path.joined(separator: ".")
      job.tell(place, of: attributes.count, name, .array(lines))
      guard job.isWanted else { throw CancellationError() }
      if let figures = try reader.figures(of: part.path, part.attribute.type) {
        lines.append(FigureText(figures, name, part.attribute).json)
      }
    }
    return .array(lines)
  }

  /// A composite attribute has a line for each element.
  private static func parts(
    of attribute: AttributeSchema,
    _ path: [String]
  ) -> [(path: [String], attribute: AttributeSchema)] {
    guard attribute.type == .composite else { return [(path, attribute)] }
    return attribute.elements.flatMap { parts(of: $0, path + [$0.name]) }
  }
}

/// The figures of one attribute as a page gets them.
private struct FigureText {
  let json: JSONValue

  private static let longest = 120

  init(_ figures: AttributeFigures, _ name: String, _ attribute: AttributeSchema) {
    let type = attribute.type
    json = .object([
      .init(name: "key", value: .text(name)),
      .init(name: "type", value: .text(type.word)),
      .init(name: "rows", value: .integer(figures.rowCount)),
      .init(name: "isSample", value: .boolean(figures.isSample)),
      .init(name: "nils", value: .integer(figures.nilCount)),
      .init(name: "different", value: figures.differentCount.map { .integer($0) } ?? .null),
      .init(name: "least", value: figures.least.map { Self.json($0, type) } ?? .null),
      .init(name: "greatest", value: figures.greatest.map { Self.json($0, type) } ?? .null),
      .init(
        name: "frequent",
        value: .array(
          figures.frequent.map { value, count in
            ["value": Self.json(value, type), "count": .integer(count)]
          }
        )
      ),
      .init(name: "spread", value: figures.spread.map { Self.json($0, type) } ?? .null),
    ])
  }

  private static func json(_ spread: AttributeFigures.Spread, _ type: AttributeType) -> JSONValue {
    let isOfDates = spread.unit == .value && type == .date
    func end(_ value: Double) -> JSONValue {
      isOfDates ? json(.real(value), .date) : ["kind": "number", "text": .text(value.shortest)]
    }
    return [
      "low": end(spread.low), "high": end(spread.high), "unit": .text(spread.unit.rawValue),
      "counts": .array(spread.counts.map { .integer($0) }),
    ]
  }

  /// A value as a cell of a table has it.
  private static func json(_ value: SQLValue, _ type: AttributeType) -> JSONValue {
    switch (value, type) {
    case (.null, _): .null
    case (.integer(let number), .boolean): ["kind": "boolean", "text": number == 0 ? "no" : "yes"]
    case (.integer(let number), .date): date(Double(number))
    case (.real(let number), .date): date(number)
    case (.integer(let number), _): ["kind": "number", "text": .text(String(number))]
    case (.real(let number), .float):
      ["kind": "number", "text": .text(Float(number).shortest)]
    case (.real(let number), _): ["kind": "number", "text": .text(number.shortest)]
    case (.text(let text), _): ["kind": "text", "text": .text(String(text.prefix(longest)))]
    case (.blob(let bytes), .uuid) where bytes.count == 16: ["kind": "text", "text": uuid(bytes)]
    case (.blob(let bytes), _): ["kind": "data", "size": .integer(bytes.count)]
    }
  }

  private static func date(_ seconds: Double) -> JSONValue {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    return ["kind": "date", "text": .text(date.iso8601)]
  }

  private static func uuid(_ bytes: [UInt8]) -> JSONValue {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
    return .text(groups.joined(separator: "-"))
  }
}
