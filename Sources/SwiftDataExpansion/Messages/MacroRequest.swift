/// A request of the compiler to expand one macro in one of its roles.
struct MacroRequest: Sendable {
  /// The type that a macro's declaration names in `#externalMacro`.
  let macro: String
  let role: String
  let attribute: SourceText
  let declaration: SourceText
  /// The type around the declaration; for the role `memberAttribute` only.
  let parent: SourceText
  /// The name by which an extension extends the type.
  let extendedType: String
  /// The protocols of the macro's declaration to which the type does not conform already.
  let missingConformances: [String]

  init(_ message: JSONValue) {
    macro = message["macro"]?["typeName"]?.string ?? ""
    role = message["macroRole"]?.string ?? ""
    attribute = SourceText(message["attributeSyntax"])
    declaration = SourceText(message["declSyntax"])
    parent = SourceText(message["parentDeclSyntax"])
    extendedType = SourceText(message["extendedTypeSyntax"]).trimmed
    missingConformances = Self.conformances(of: SourceText(message["conformanceListSyntax"]))
  }

  /// The compiler wraps the list in a declaration: `struct Placeholder: PersistentModel, Observable {}`.
  private static func conformances(of list: SourceText) -> [String] {
    let names = list.text.prefix { $0 != "{" }.split(separator: ":").dropFirst().first ?? ""
    return names.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
  }
}

/// A piece of source text with its place.
struct SourceText: Hashable, Sendable {
  let text: String
  let file: String
  /// The offset of the first byte in the file.
  let offset: Int

  init(_ text: String, file: String = "", offset: Int = 0) {
    self.text = text
    self.file = file
    self.offset = offset
  }

  init(_ syntax: JSONValue?) {
    self.init(
      syntax?["source"]?.string ?? "",
      file: syntax?["location"]?["fileName"]?.string ?? "",
      offset: syntax?["location"]?["offset"]?.integer ?? 0
    )
  }

  /// The text without the blanks at its ends.
  var trimmed: String {
    let start = text.drop { $0.isWhitespace }
    return String(
      start.prefix(
        upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex
      )
    )
  }
}
