import CoreDataModel
import Foundation

/// One element of a model's XML, with the places of its parts in the text.
package struct ModelXMLElement: Sendable {
  package let name: String
  package let attributes: [Attribute]
  package let children: [ModelXMLElement]
  /// The opening tag, from its `<` to its `>`.
  let tag: Range<Int>
  /// From the opening tag to the end of the closing one.
  let whole: Range<Int>

  /// An attribute of an element.
  package struct Attribute: Sendable {
    package let name: String
    package let value: String
    /// The spaces before it, its name and its value with the quotation marks.
    let whole: Range<Int>
    /// The value between its quotation marks.
    let text: Range<Int>
  }

  package subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// Whether it is written as one tag that closes itself.
  var isClosedByItself: Bool { tag == whole }
}

/// The elements of a model's XML with their places, so that an edit touches nothing else.
enum ModelXMLReader {
  private static let greatestDepth = 100
  private static let greatestCount = 200_000

  private struct Open {
    let name: String
    let attributes: [ModelXMLElement.Attribute]
    let tag: Range<Int>
    var children: [ModelXMLElement] = []
  }

  /// Reads the root element.
  ///
  /// - Throws: An `XMLSyntaxError` with the line of a mistake.
  static func root(of data: Data) throws(XMLSyntaxError) -> ModelXMLElement {
    let bytes = [UInt8](data)
    var scanner = try XMLScanner(data, greatestDepth: greatestDepth)
    var open: [Open] = []
    var root: ModelXMLElement?
    var count = 0
    while let token = try scanner.next() {
      switch token {
      case .text: continue
      case .open(let name, let values):
        count += 1
        if count > greatestCount {
          throw XMLSyntaxError(line: scanner.line, message: "there are too many elements")
        }
        let tag = scanner.tokenStart..<scanner.position
        open.append(
          Open(name: name, attributes: attributes(of: tag, values, in: bytes), tag: tag)
        )
      case .close:
        guard let element = open.popLast() else { continue }
        let closed = ModelXMLElement(
          name: element.name,
          attributes: element.attributes,
          children: element.children,
          tag: element.tag,
          whole: element.tag.lowerBound..<scanner.position
        )
        if open.isEmpty { root = closed } else { open[open.count - 1].children.append(closed) }
      }
    }
    guard let root else { throw XMLSyntaxError(line: 1, message: "the text holds no element") }
    return root
  }

  /// The places of the attributes in a tag that the scanner has accepted.
  private static func attributes(
    of tag: Range<Int>,
    _ values: [String: String],
    in bytes: [UInt8]
  ) -> [ModelXMLElement.Attribute] {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
    var found: [ModelXMLElement.Attribute] = []
    var place = tag.lowerBound + 1
    while place < tag.upperBound, !isSpace(bytes[place]) { place += 1 }
    while found.count < values.count, place < tag.upperBound {
      let start = place
      while place < tag.upperBound, isSpace(bytes[place]) { place += 1 }
      let nameStart = place
      while place < tag.upperBound, !isSpace(bytes[place]), bytes[place] != UInt8(ascii: "=") {
        place += 1
      }
      let name = String(decoding: bytes[nameStart..<place], as: UTF8.self)
      while place < tag.upperBound, ![0x22, 0x27].contains(bytes[place]) { place += 1 }
      guard place < tag.upperBound, let value = values[name],
        let end = bytes[(place + 1)..<tag.upperBound].firstIndex(of: bytes[place])
      else { return found }
      found.append(
        .init(name: name, value: value, whole: start..<end + 1, text: place + 1..<end)
      )
      place = end + 1
    }
    return found
  }
}
