package import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// One element of an XML file, with the line where it begins.
package struct XMLElementTree {
  package var name: String
  package var attributes: [String: String]
  var line: Int
  /// What stands between its tags, without that of its children.
  package var text = ""
  var children: [XMLElementTree] = []

  package func children(named name: String) -> [XMLElementTree] {
    children.filter { $0.name == name }
  }
}

extension XMLElementTree {
  /// Where and why a text is not XML.
  package struct SyntaxError: Error {
    package var line: Int
    package var message: String
  }

  /// The root element of an XML text.
  package static func root(of data: Data) throws(SyntaxError) -> XMLElementTree {
    guard !data.isEmpty else { throw SyntaxError(line: 1, message: "the file is empty") }
    let builder = XMLTreeBuilder()
    let parser = XMLParser(data: data)
    parser.delegate = builder
    let isWhole = parser.parse()
    if let root = builder.root, isWhole, !builder.isTooDeep { return root }
    throw SyntaxError(
      line: max(1, builder.errorLine ?? parser.lineNumber),
      message: builder.isTooDeep
        ? "the elements are nested too deeply"
        : Self.reason(builder.firstError ?? parser.parserError)
    )
  }

  private static func reason(_ error: (any Error)?) -> String {
    guard let error = error as NSError? else { return "the text holds no element" }
    let known = [
      4: "the file is empty", 5: "the text ends too early", 38: "an attribute contains \"<\"",
      39: "an attribute's value is not quoted", 40: "an attribute's quotation mark is missing",
      41: "an attribute has no value", 42: "an attribute stands twice", 65: "a space is missing",
      68: "a name is missing", 73: "\">\" is missing", 76: "a closing tag does not match",
      77: "an element is not closed", 23: "an entity such as &amp; is not finished",
      26: "an entity such as &amp; is unknown",
    ]
    return known[error.code] ?? "the parser stopped with code \(error.code)"
  }
}

private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
  var root: XMLElementTree?
  var errorLine: Int?
  /// The parser goes on after an error, and what it finds then misleads.
  var firstError: (any Error)?
  private(set) var isTooDeep = false
  private var open: [XMLElementTree] = []

  /// More than any model has, and less than what a tree of values can be taken apart with.
  private static let greatestDepth = 100

  func parser(
    _ parser: XMLParser,
    didStartElement elementName: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard open.count < Self.greatestDepth, !isTooDeep else {
      if !isTooDeep { errorLine = errorLine ?? parser.lineNumber }
      isTooDeep = true
      parser.abortParsing()
      return
    }
    open.append(
      XMLElementTree(name: elementName, attributes: attributes, line: parser.lineNumber)
    )
  }

  func parser(
    _ parser: XMLParser,
    didEndElement elementName: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += string
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    guard firstError == nil else { return }
    firstError = parseError
    errorLine = parser.lineNumber
  }
}
