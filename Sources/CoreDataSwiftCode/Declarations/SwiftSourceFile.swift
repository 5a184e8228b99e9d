/// A Swift source file with what it declares.
package struct SwiftSourceFile: Hashable, Sendable {
  /// The path as it was given, for messages.
  package let path: String
  package let declarations: SwiftDeclarations

  /// Reads a file's text.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - path: The path of the file.
  package init(_ bytes: [UInt8], path: String) {
    self.path = path
    declarations = DeclarationScanner.declarations(in: SwiftLexer.tokens(of: bytes))
  }

  /// The last part of the path.
  package var name: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Whether a file may have managed members at all, which is quick to see.
  package static func mentionsManaged(_ bytes: [UInt8]) -> Bool {
    let wanted = Array("NSManaged".utf8)
    guard bytes.count >= wanted.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start <= bytes.count - wanted.count {
        // The attribute's sign first: few bytes are one.
        if bytes[start] == UInt8(ascii: "@") {
          var next = start + 1
          while next < bytes.count, bytes[next] == .space { next += 1 }
          if bytes[next...].starts(with: wanted) { return true }
        }
        start += 1
      }
      return false
    }
  }
}
