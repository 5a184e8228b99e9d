import CoreDataCSQLite

/// Several statements in one text, taken one after the other.
///
/// ```swift
/// var script = Script("VALUES (1); VALUES (';')")
/// script.next()          // VALUES (1);
/// script.rest            //  VALUES (';')
/// ```
package struct Script {
  /// The text that was not taken yet.
  package private(set) var rest: Substring

  package init(_ text: Substring) {
    rest = text
  }

  package init(_ text: String) {
    self.init(text[...])
  }

  /// The next statement that ends in a semicolon; semicolons inside texts, comments and triggers do
  /// not end it.
  package mutating func next() -> String? {
    var end = rest.startIndex
    while let semicolon = rest[end...].firstIndex(of: ";") {
      end = rest.index(after: semicolon)
      let statement = String(rest[..<end])
      guard sqlite3_complete(statement) != 0 else { continue }
      rest = rest[end...]
      return statement
    }
    return nil
  }

  /// Whether a text has nothing to run: spaces, semicolons and comments only.
  package static func isBlank(_ text: some StringProtocol) -> Bool {
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace || first == ";" {
        rest = rest.dropFirst()
      } else if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        guard let end = rest.firstRange(of: "*/") else { return true }
        rest = rest[end.upperBound...]
      } else {
        return false
      }
    }
    return true
  }
}

extension Connection {
  /// The number of bytes of the statement that was just refused before the place that SQLite did
  /// not understand.
  package var errorOffset: Int? {
    let offset = sqlite3_error_offset(handle)
    return offset < 0 ? nil : Int(offset)
  }

  /// How many rows the connection has changed since it was opened.
  package var totalChangeCount: Int { Int(sqlite3_total_changes64(handle)) }

  /// SQLite's own version, such as 3.40.1.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
