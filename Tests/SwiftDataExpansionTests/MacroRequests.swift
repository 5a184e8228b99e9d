@testable import SwiftDataExpansion

/// Messages as the compiler sends them.
enum MacroRequests {
  /// A request to expand an attached macro.
  ///
  /// - Parameters:
  ///   - macro: The macro's type.
  ///   - role: The macro's role.
  ///   - source: The declaration to which it is attached.
  ///   - offset: The place of the declaration in its file.
  ///   - parent: The class around the declaration.
  ///   - attribute: The attribute.
  ///   - missing: The protocols to which the type does not conform.
  /// - Returns: The message.
  static func attached(
    _ macro: String,
    _ role: String,
    to source: String,
    at offset: Int = 0,
    in parent: String? = nil,
    attribute: String = "@Model",
    missing: [String] = ["PersistentModel", "Observable"]
  ) -> JSONValue {
    var request: [JSONValue.Member] = [
      .init(
        name: "macro",
        value: [
          "moduleName": "SwiftDataMacros", "name": "Model ", "typeName": .string(macro),
        ]
      ),
      .init(name: "macroRole", value: .string(role)),
      .init(name: "discriminator", value: "$s4Note5ModelfMm_"),
      .init(name: "attributeSyntax", value: syntax(attribute, at: 0)),
      .init(name: "declSyntax", value: syntax(source, at: offset)),
      .init(name: "extendedTypeSyntax", value: syntax("Library.Note ", at: 0)),
      .init(name: "lexicalContext", value: []),
    ]
    if let parent { request.append(.init(name: "parentDeclSyntax", value: syntax(parent, at: 0))) }
    let list = missing.joined(separator: ", ")
    let placeholder = "struct Placeholder\(missing.isEmpty ? "" : ": \(list)") {}"
    request.append(.init(name: "conformanceListSyntax", value: syntax(placeholder, at: 0)))
    return ["expandAttachedMacro": .object(request)]
  }

  private static func syntax(_ source: String, at offset: Int) -> JSONValue {
    [
      "kind": "declaration", "source": .string(source),
      "location": [
        "fileID": "Library/Note.swift", "fileName": "Note.swift", "line": 1, "column": 1,
        "offset": .number(Double(offset)),
      ],
    ]
  }

  /// The expansion that answers a request.
  static func expansion(
    _ macro: String,
    _ role: String,
    of source: String,
    in parent: String? = nil,
    attribute: String = "@Model",
    missing: [String] = ["PersistentModel", "Observable"]
  ) -> Expansion {
    var expander = MacroExpander()
    let message = attached(
      macro,
      role,
      to: source,
      in: parent,
      attribute: attribute,
      missing: missing
    )
    return expander.expand(MacroRequest(message["expandAttachedMacro"] ?? .null))
  }

  /// The members that `@Model` gives a class.
  static func members(
    of source: String,
    missing: [String] = ["PersistentModel", "Observable"]
  ) -> Expansion {
    expansion("ModelMacro", "member", of: source, missing: missing)
  }

  /// The properties of a class, one a line: the name, its type, its initial value.
  static func properties(of members: String) -> [String] {
    let model = ModelReader.declaration(in: SourceText("class Note {\n\(members)\n}"))
    return model.persistentProperties.map { property in
      let type = property.type?.text ?? property.initialValue?.type ?? "?"
      let value = property.initialValue.map { " = \($0.text)" } ?? ""
      return "\(property.isConstant ? "let " : "")\(property.spelling): \(type)\(value)"
    }
  }
}
