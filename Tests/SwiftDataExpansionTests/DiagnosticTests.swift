import Testing

@testable import SwiftDataExpansion

/// Faults of a model, each at its place.
struct DiagnosticTests {
  /// The place of the message is behind the sign `¶`.
  static let faults: [(String, String)] = [
    ("@Model struct ¶S { var a: Int }", "error: @Model goes with a class, and 'S' is a struct"),
    ("// é\n@Model enum ¶E { case a }", "error: @Model goes with a class, and 'E' is an enum"),
    ("@Model public actor ¶A {}", "error: @Model goes with a class, and 'A' is an actor"),
    (
      "@Model final class ¶G<T> { init() {} }",
      "error: @Model does not go with the generic class 'G'"
    ),
    (
      "@Model final class ¶N { var a = 1 }",
      "error: @Model requires an initializer be provided for 'N'"
    ),
    ("@Model class N { public ¶lazy var a = 1; init() {} }", "error: 'a' cannot be lazy"),
    (
      "@Model class N { var a = 1 { ¶didSet {} }; init() {} }",
      "warning: 'didSet' of 'a' is never called"
    ),
    (
      "@Model class N { var a: Int { ¶willSet {} }; init() {} }",
      "warning: 'willSet' of 'a' is never called"
    ),
    (
      "@Model class N { var ¶a: (Int, Int); init() {} }",
      "error: 'a' cannot be kept in a store, because its type is a tuple"
    ),
    (
      "@Model class N { var ¶a: [(() -> Void)?]; init() {} }",
      "error: 'a' cannot be kept in a store, because its type is a function"
    ),
    (
      "@Model class N { @Transient var ¶a: Int; init() {} }",
      "error: 'a' is @Transient and needs a default value"
    ),
    (
      "@Model class N { @Transient let ¶a: Int?; init() {} }",
      "error: 'a' is @Transient and needs a default value"
    ),
    ("@Model class N { var ¶a; init() {} }", "error: 'a' needs a type, as in 'var a: String'"),
    (
      "@Model class N { var ¶a = 1, b = 2; init() {} }",
      "error: 'a' and 'b' are declared by one 'var'"
    ),
    (
      "@Model class N { var ¶(a, b) = (1, 2); init() {} }",
      "error: a model cannot keep the parts of a tuple"
    ),
    (
      "@Model class N { @Attribute @¶Relationship var a: N?; init() {} }",
      "error: 'a' is either an attribute or a relationship"
    ),
  ]

  @Test(arguments: faults)
  func aFaultIsReportedAtItsPlace(marked: String, message: String) throws {
    let source = marked.replacing("¶", with: "")
    let place = try #require(marked.firstRange(of: "¶")).lowerBound
    let role = marked.contains("enum") ? "extension" : "member"
    let request = MacroRequests.attached("ModelMacro", role, to: source, at: 1_000)
    var expander = MacroExpander()
    let answer = expander.answer(to: request.bytes)
    let result = try #require(answer["expandMacroResult"])
    guard case .array(let diagnostics)? = result["diagnostics"] else {
      Issue.record("the answer has no diagnostics")
      return
    }
    #expect(diagnostics.count == 1)
    let diagnostic = try #require(diagnostics.first)
    let text = "\(diagnostic["severity"]?.string ?? ""): \(diagnostic["message"]?.string ?? "")"
    #expect(text.hasPrefix(message), "\(text)")
    let position = diagnostic["position"]
    #expect(position?["fileName"]?.string == "Note.swift")
    #expect(position?["offset"]?.integer == 1_000 + marked[..<place].utf8.count)
    // A class with an error gets nothing that would cause others.
    let isError = message.hasPrefix("error")
    #expect((result["expandedSource"]?.string ?? "").isEmpty == isError)
  }

  @Test func aClassWithAnErrorGetsNeitherAccessorsNorConformances() {
    let source = "@Model final class N { lazy var a = 1; var b = 2; init() {} }"
    let attribute = MacroRequests.expansion(
      "ModelMacro",
      "memberAttribute",
      of: "var b = 2",
      in: source
    )
    #expect(attribute == Expansion())
    #expect(MacroRequests.expansion("ModelMacro", "extension", of: source) == Expansion())
  }

  @Test func severalFaultsAreReportedInTheOrderOfTheSource() {
    let source = "@Model class N { var a: (Int, Int); lazy var b = 1; @Transient var c: Int }"
    let places = MacroRequests.members(of: source).diagnostics.map(\.offset)
    #expect(places == places.sorted())
    #expect(places.count == 4)
  }

  @Test func aModelActorThatIsAClassIsAnError() {
    let expansion = MacroRequests.expansion(
      "ModelActorMacro",
      "member",
      of: "@ModelActor final class Importer {}"
    )
    #expect(expansion.source == "")
    #expect(expansion.diagnostics.map(\.offset) == [24])
  }
}
