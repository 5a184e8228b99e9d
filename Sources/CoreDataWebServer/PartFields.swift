import Foundation

/// The fields of one part of a form.
struct PartFields: Sendable, Equatable {
  let name: String
  let filename: String?
  let contentType: String?

  init(_ text: String) throws(Problem) {
    var disposition: FieldParameters?
    var contentType: String?
    for line in text.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      switch line[..<colon].lowercased() {
      case "content-disposition": disposition = FieldParameters(value)
      case "content-type": contentType = value
      case _: break
      }
    }
    guard let disposition, disposition.value.lowercased() == "form-data",
      let name = disposition["name"]
    else { throw Problem(400, "A part of the form has no name.") }
    self.name = name
    self.contentType = contentType
    filename = disposition["filename"].map(\.lastPathPiece)
  }
}

extension String {
  /// The text after the last slash, of either kind.
  fileprivate var lastPathPiece: String {
    String(self[(lastIndex { $0 == "/" || $0 == "\\" }.map(index(after:)) ?? startIndex)...])
  }
}

/// A field with parameters: `form-data; name="a"; filename="b \"c\".md"`.
struct FieldParameters: Sendable, Equatable {
  let value: String
  private var parameters: [String: String] = [:]

  subscript(name: String) -> String? { parameters[name] }

  init?(_ field: String) {
    var rest = field[...]
    let value = rest.take { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    guard !value.isEmpty else { return nil }
    self.value = value
    while rest.popFirst() != nil {
      let name = rest.take { $0 != "=" && $0 != ";" }.trimmingCharacters(in: .whitespaces)
      guard rest.first == "=" else { continue }
      rest.removeFirst()
      parameters[name.lowercased()] = rest.takeValue()
    }
  }
}

extension Substring {
  fileprivate mutating func take(while belongs: (Character) -> Bool) -> Substring {
    let taken = prefix(while: belongs)
    removeFirst(taken.count)
    return taken
  }

  /// A word, or a text in quotes.
  ///
  /// A backslash protects a quote, and nothing else: browsers send
  /// paths with plain backslashes.
  fileprivate mutating func takeValue() -> String {
    guard first == "\"" else {
      return take { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    }
    removeFirst()
    var text = ""
    while let character = popFirst(), character != "\"" {
      if character == "\\", first == "\"" {
        text.append(removeFirst())
      } else {
        text.append(character)
      }
    }
    _ = take { $0 != ";" }
    // Browsers write a quote and line ends in a name as escapes.
    return text.replacingOccurrences(of: "%22", with: "\"")
  }
}
