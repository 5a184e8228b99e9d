/// A Swift source file with its declarations.
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
}
