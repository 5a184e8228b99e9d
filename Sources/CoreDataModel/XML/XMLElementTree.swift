package import Foundation

/// One element of an XML file, with the line where it begins.
package struct XMLElementTree {
  package var name: String
  package var attributes: [String: String]
  package var line: Int
  /// The text between its tags, without that of its children.
  package var text = ""
  package var children: [XMLElementTree] = []

  package func children(named name: String) -> [XMLElementTree] {
    children.filter { $0.name == name }
  }
}

extension XMLElementTree {
  /// More than any model has, and few enough to release a tree of values recursively.
  private static let greatestDepth = 100

  /// A tree takes many times the memory of its text, so that a small hostile file could fill it.
  private static let greatestCount = 1_000_000

  /// The root element of an XML text.
  package static func root(of data: Data) throws(XMLSyntaxError) -> XMLElementTree {
    var scanner = try XMLScanner(data, greatestDepth: greatestDepth)
    var open: [XMLElementTree] = []
    var root: XMLElementTree?
    var count = 0
    while let token = try scanner.next() {
      switch token {
      case .open(let name, let attributes):
        count += 1
        if count > greatestCount {
          throw XMLSyntaxError(line: scanner.line, message: "there are too many elements")
        }
        open.append(XMLElementTree(name: name, attributes: attributes, line: scanner.line))
      case .text(let text):
        open[open.count - 1].text += text
      case .close:
        let element = open.removeLast()
        if open.isEmpty {
          root = element
        } else {
          open[open.count - 1].children.append(element)
        }
      }
    }
    guard let root else { throw XMLSyntaxError(line: 1, message: "the text holds no element") }
    return root
  }
}
