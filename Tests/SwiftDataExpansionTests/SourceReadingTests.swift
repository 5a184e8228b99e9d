import Testing

@testable import SwiftDataExpansion

/// Properties as people write them.
struct SourceReadingTests {
  static let properties: [(String, [String])] = [
    ("var a: Int", ["a: Int"]),
    ("var a = 0, b = 1.5\nvar c = 1e3", ["a: Int = 0", "b: Double = 1.5", "c: Double = 1e3"]),
    ("var a, b: String?", ["a: String?", "b: String?"]),
    ("var a = -1; var b = 0xFE", ["a: Int = -1", "b: Int = 0xFE"]),
    ("var a = true\nlet b = \"x\"", ["a: Bool = true", "let b: String = \"x\""]),
    (
      "var a = UUID()\nvar b = [String: Int]()",
      ["a: UUID = UUID()", "b: [String: Int] = [String: Int]()"]
    ),
    ("var a = Set<Int>()", ["a: Set<Int> = Set<Int>()"]),
    (
      "var a = Dictionary<String, Int>(), b = 1",
      ["a: Dictionary<String, Int> = Dictionary<String, Int>()", "b: Int = 1"]
    ),
    ("var a = URL(string: \"x\")", ["a: ? = URL(string: \"x\")"]),
    ("var a = Date.now\nvar b = make()", ["a: ? = Date.now", "b: ? = make()"]),
    ("var a: [String: [Int]?] = [:]", ["a: [String: [Int]?] = [:]"]),
    ("var a: String!", ["a: String?"]),
    (
      "var a: @Sendable (Int) async throws(Fault) -> [Int]? = { _ in nil }",
      ["a: @Sendable (Int) async throws(Fault) -> [Int]? = { _ in nil }"]
    ),
    ("var a: any P & Q\nvar b: (some P)?", ["a: any P & Q", "b: (some P)?"]),
    ("var a = b\n  .map { $0 }\n  .c\nvar d = 1", ["a: ? = b\n  .map { $0 }\n  .c", "d: Int = 1"]),
    (
      "var a = b ?\n 1 : 2\nvar c = d +\n e\nvar f = 1",
      ["a: ? = b ?\n 1 : 2", "c: ? = d +\n e", "f: Int = 1"]
    ),
    (
      "var a = b!\nvar c = d?.e\nvar f = 1...\nvar g = 1",
      ["a: ? = b!", "c: ? = d?.e", "f: ? = 1...", "g: Int = 1"]
    ),
    (
      "var a = x as?\n Int\nvar b = try?\n f()\nvar c = 1",
      ["a: ? = x as?\n Int", "b: ? = try?\n f()", "c: Int = 1"]
    ),
    ("var a = x < 1, b = 2", ["a: ? = x < 1", "b: Int = 2"]),
    (
      "var a = \"\"\"\n  x \\(\"}\") {\n  \"\"\"\nvar b = 1",
      ["a: String = \"\"\"\n  x \\(\"}\") {\n  \"\"\"", "b: Int = 1"]
    ),
    (
      "var a: Int = { () -> Int in\n  var x = 1\n  return x\n}()",
      ["a: Int = { () -> Int in\n  var x = 1\n  return x\n}()"]
    ),
    ("var a = if b { 1 } else { 2 }\nvar c = 1", ["a: ? = if b { 1 } else { 2 }", "c: Int = 1"]),
    ("var a: Int { 1 }\nvar b: Int { get { 1 } set {} }\nvar c = 1", ["c: Int = 1"]),
    ("var a: Int { @inline(never) get { 1 } }", []),
    ("var a = 1 { didSet {} }\nvar b: Int\n{\n  willSet {}\n}", ["a: Int = 1", "b: Int"]),
    (
      "static var a = 1\nclass var b: Int { 1 }\nstatic let c = 2, d = 3\nvar e = 1", ["e: Int = 1"]
    ),
    (
      "@Transient var a = 1\n@SwiftData.Transient var b = 2\nlazy var c = 3\nvar d = 4",
      ["d: Int = 4"]
    ),
    (
      "private(set) public var a = 1\nfileprivate var b = 2\nweak var c: Note?",
      ["a: Int = 1", "b: Int = 2", "c: Note?"]
    ),
    (
      "@Attribute( // }\n  .unique /* ) */\n) @available(iOS 17, *)\n// var no = 1\nvar a /* , b */ : /* Int */ String // = 2",
      ["a: String"]
    ),
    ("func f(_ a: Int = { 1 }()) -> [Int] { var no = 1; return [no] }\nvar a = 1", ["a: Int = 1"]),
    (
      "subscript(a: Int) -> Int { get { 1 } set {} }\ninit?(_ a: Int) { var no = 1 }\ndeinit { var no = 1 }\nvar a = 1",
      ["a: Int = 1"]
    ),
    (
      "struct Inner { var no = 1 }\nenum Kind { case a, b; var no: Int { 1 } }\nfinal class C { var no = 1 }\nvar a = 1",
      ["a: Int = 1"]
    ),
    ("typealias Pair = (Int, Int)\ntypealias F<T> = (T) -> Void\nvar a = 1", ["a: Int = 1"]),
    ("#Unique<Note>([\\.a], [\\.b])\n#Index<Note>([\\.a])\nvar a = 1", ["a: Int = 1"]),
    ("@Transient var (p, q) = (1, 2)\nvar a = 1", ["a: Int = 1"]),
    ("var `class`: String = \"c\"\nvar été = 1", ["`class`: String = \"c\"", "été: Int = 1"]),
    (
      "#if os(macOS)\nvar no = 1\n#else\nvar a = 1\n#endif\n#if os(iOS)\nvar no2: Int {\n#endif\n#if canImport(UIKit) || X\nvar b = 2\n#endif",
      ["a: Int = 1", "b: Int = 2"]
    ),
    ("#if DEBUG\n@Attribute(.unique)\n#endif\nvar a = 1", ["a: Int = 1"]),
    ("var a = #line\nvar b = #if X\n#endif", ["a: ? = #line", "b: ? = "]),
    ("var a = [1, 2]\nvar b = [x]()", ["a: ? = [1, 2]", "b: [x] = [x]()"]),
    ("let a: Int, b: Int", ["let a: Int", "let b: Int"]),
    ("nonisolated(unsafe) var a = 1; unowned(safe) let b: Note", ["a: Int = 1", "let b: Note"]),
  ]

  @Test(arguments: properties)
  func propertiesAreReadWithTheirTypesAndValues(members: String, expected: [String]) {
    #expect(MacroRequests.properties(of: members) == expected)
  }

  @Test func labelsOfInitializersAreReadWithoutThoseOfTheirTypes() {
    let model = ModelReader.declaration(
      in: SourceText(
        """
        actor A {
          init() {}
          init<T: P>(_ a: [String: Int], b c: (x: Int, y: Int) -> Set<T> = { x, y in [] }) where T: Q {}
        }
        """
      )
    )
    #expect(model.initializers == [[], ["_", "b"]])
  }

  @Test func textThatEndsAnywhereIsRead() {
    let source = """
      @Model(a: "x\\("y")z") public final class Note<T>: A, B where T: C {
        #if DEBUG && (os(Linux) || !X)
        @Attribute(.unique, originalName: #"a"b"#) private(set) var a: [String: (Int, Set<Int>)?] = [:] { didSet { b() } }
        #else
        let b = /x\\/y/, c = a < b ? `d` : e as? F
        #endif
        init?<U>(_ a: @escaping (Int) throws -> U = { $0 }) {}
      }
      """
    let bytes = Array(source.utf8)
    for end in 0...bytes.count {
      let text = SourceText(String(decoding: bytes[..<end], as: UTF8.self))
      let model = ModelReader.declaration(in: text)
      #expect(model.properties.count <= 3)
      _ = ModelReader.properties(in: text)
    }
  }
}
