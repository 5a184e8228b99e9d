import CoreDataModel
import Foundation

/// Reads the objects of an XML store.
struct XMLStoreReader {
  private(set) var objects: [LooseObject] = []
  private var scanner: XMLScanner
  private let entities: [String: EntityLayout]
  /// For each entity its properties, by the names they have in the file.
  private let slots: [[String: Int]]
  private var seen: Set<Int64> = []

  init(_ data: Data, _ model: ModelLayout) throws {
    scanner = try Self.scanner(of: data)
    entities = Dictionary(model.entities.map { ($0.name.uppercased(), $0) }) { first, _ in first }
    slots = model.entities.map { entity in
      let names = entity.slots.prefix(entity.propertyCount).enumerated()
      return Dictionary(names.map { ($0.element.name.lowercased(), $0.offset) }) { first, _ in first
      }
    }
  }

  /// Reads all objects, and gives the last key that was given away.
  mutating func read() throws -> Int64 {
    guard case .open("database", _)? = try tag() else {
      throw problem("an XML store begins with <database>")
    }
    var last: Int64 = 0
    while let token = try tag() {
      switch token {
      case .open("databaseInfo", _): last = max(last, min(try information(), .max / 2))
      case .open("object", let fields): try object(fields)
      case .open(let name, _): throw problem("<\(name)> has no place in <database>")
      case .close("database"):
        // Only white space and comments may follow it.
        _ = try tag()
        return last
      case .close(let name): throw problem("</\(name)> closes nothing")
      case .text: break
      }
    }
    throw problem("the text ends before </database>")
  }
}

// MARK: - Well-formed texts

extension XMLStoreReader {
  /// Metadata may hold lists within lists; all else is flat.
  private static func scanner(of data: Data) throws(FormatProblem) -> XMLScanner {
    do throws(XMLSyntaxError) {
      return try XMLScanner(data, greatestDepth: 100, allowsControls: true)
    } catch {
      throw FormatProblem(error)
    }
  }
}

// MARK: - Elements

extension XMLStoreReader {
  /// The next tag; text between elements is white space.
  private mutating func tag() throws -> XMLScanner.Token? {
    while let token = try token() {
      guard case .text(let text) = token else { return token }
      if !text.allSatisfy(\.isWhitespace) {
        throw problem("there is text between elements")
      }
    }
    return nil
  }

  private mutating func token() throws -> XMLScanner.Token? {
    do throws(XMLSyntaxError) {
      return try scanner.next()
    } catch {
      throw FormatProblem(error)
    }
  }

  private func problem(_ sentence: String) -> FormatProblem {
    FormatProblem("line \(scanner.line): \(sentence)")
  }

  /// Passes by the information, of which the key counter is wanted here.
  private mutating func information() throws -> Int64 {
    var last: Int64 = 0
    var name = ""
    while let token = try token() {
      switch token {
      case .open(let opened, _): name = opened
      case .text(let text):
        if name == "nextObjectID" {
          last = Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? last
          guard last <= StoredNumber.greatest else {
            throw problem("the next id \(last) is more than can be counted on from")
          }
        }
      case .close("databaseInfo"): return last
      case .close: name = ""
      }
    }
    throw problem("the text ends before </databaseInfo>")
  }

  private mutating func object(_ fields: [String: String]) throws {
    guard let type = fields["type"], let id = fields["id"] else {
      throw problem("an <object> needs a type and an id")
    }
    guard let layout = entities[type] else {
      throw problem("the model has no entity \(type)")
    }
    if layout.isAbstract { throw problem("\(layout.name) is abstract and has no objects") }
    let number = try key(id)
    if !seen.insert(number).inserted { throw problem("the id \(id) is there twice") }
    var object = LooseObject(number, of: layout)
    while let token = try tag() {
      switch token {
      case .open("attribute", let fields): try attribute(fields, of: &object)
      case .open("relationship", let fields): try relationship(fields, of: &object)
      case .open(let name, _): throw problem("<\(name)> has no place in <object>")
      case .close("object"):
        objects.append(object)
        return
      case .close(let name): throw problem("</\(name)> closes nothing")
      case .text: break
      }
    }
    throw problem("the text ends before </object>")
  }

  private mutating func attribute(_ fields: [String: String], of object: inout LooseObject) throws {
    let text = try content(of: "attribute")
    let slot = try slot(fields, of: object.layout)
    guard let attribute = object.layout.slots[slot].attribute else {
      throw problem("\(object.layout.name).\(fields["name"] ?? "") is a relationship")
    }
    let word = fields["type"] ?? ""
    guard XMLValueText.word(word, fits: attribute.type) else {
      throw problem(
        "\(object.layout.name).\(attribute.name) is of the type \(word), "
          + "and in the model \(XMLValueText.word(for: attribute.type))"
      )
    }
    guard attribute.type != .undefined, !attribute.isTransient else { return }
    guard let value = XMLValueText.value(of: text, as: attribute.type) else {
      throw problem(
        "“\(text.prefix(40))” is no \(XMLValueText.word(for: attribute.type)), which "
          + "\(object.layout.name).\(attribute.name) is"
      )
    }
    object.values[slot] = value
  }

  private mutating func relationship(
    _ fields: [String: String],
    of object: inout LooseObject
  ) throws {
    _ = try content(of: "relationship")
    let slot = try slot(fields, of: object.layout)
    guard object.layout.slots[slot].relationship != nil else {
      throw problem("\(object.layout.name).\(fields["name"] ?? "") is an attribute")
    }
    let members = try (fields["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
      .map { try key(String($0)) }
    if !members.isEmpty { object.links.append(LooseObject.Link(slot: slot, members: members)) }
  }

  private func slot(_ fields: [String: String], of layout: EntityLayout) throws -> Int {
    let name = fields["name"] ?? ""
    guard let slot = slots[Int(layout.number) - 1][name] else {
      throw problem("the entity \(layout.name) has no property “\(name)”")
    }
    return slot
  }

  /// The text until an element closes.
  private mutating func content(of name: String) throws -> String {
    var content = ""
    while let token = try token() {
      switch token {
      case .text(let text): content += text
      case .close(name): return content
      case .close(let other): throw problem("</\(other)> does not close <\(name)>")
      case .open(let other, _): throw problem("<\(other)> has no place in <\(name)>")
      }
    }
    throw problem("the text ends before </\(name)>")
  }

  private func key(_ id: String) throws -> Int64 {
    // A number beyond all use would leave no keys for new objects.
    guard id.hasPrefix("z"), let number = Int64(id.dropFirst()), number > 0, number < .max / 2
    else {
      throw problem("“\(id.prefix(40))” is no id; ids are like z102")
    }
    return number
  }
}
