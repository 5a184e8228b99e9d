import CoreDataModel

/// One element of an XML file that is being written, with its attributes in their order.
///
///     <entity name="Note" syncable="YES">
///         <attribute name="title" optional="YES" attributeType="String"/>
///     </entity>
struct WrittenElement {
  let name: String
  var attributes: [(name: String, value: String)] = []
  var children: [WrittenElement] = []

  init(_ name: String, children: [WrittenElement] = []) {
    self.name = name
    self.children = children
  }

  /// Adds an attribute; one without a value is left out.
  mutating func set(_ name: String, _ value: String?) {
    if let value { attributes.append((name, value)) }
  }

  /// Adds an attribute if it is true: an absent one is false.
  mutating func set(_ name: String, _ flag: Bool) {
    if flag { attributes.append((name, "YES")) }
  }

  func text(indentation: Int = 0) -> String {
    let space = String(repeating: " ", count: indentation)
    let words = attributes.map { " \($0.name)=\"\($0.value.escapedForXML)\"" }.joined()
    guard !children.isEmpty else { return "\(space)<\(name)\(words)/>\n" }
    let inner = children.map { $0.text(indentation: indentation + 4) }.joined()
    return "\(space)<\(name)\(words)>\n\(inner)\(space)</\(name)>\n"
  }
}

extension String {
  /// The text between quotation marks or tags of XML.
  ///
  /// Characters that XML cannot express, such as a null, become the replacement character.
  package var escapedForXML: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += "&#\(scalar.value);"
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
