import Foundation
import Testing

@testable import SwiftDataExpansion

struct CompilerConnectionTests {
  /// Lets a plugin read some bytes and the end of its input.
  ///
  /// - Returns: The status with which it ends, and its answers.
  private func run(_ input: [UInt8]) throws -> (status: Int32, answers: [JSONValue]) {
    let folder = FileManager.default.temporaryDirectory
    let name = folder.appending(path: "plugin-\(UUID().uuidString)")
    let (source, target) = (name.appendingPathExtension("in"), name.appendingPathExtension("out"))
    defer {
      try? FileManager.default.removeItem(at: source)
      try? FileManager.default.removeItem(at: target)
    }
    try Data(input).write(to: source)
    try Data().write(to: target)
    let (reader, writer) = (
      try FileHandle(forReadingFrom: source), try FileHandle(forWritingTo: target)
    )
    let connection = CompilerConnection(
      input: reader.fileDescriptor,
      output: writer.fileDescriptor
    )
    let status = connection.run()
    try writer.close()
    try reader.close()
    return (status, try answers(in: Array(Data(contentsOf: target))))
  }

  private func answers(in bytes: [UInt8]) throws -> [JSONValue] {
    var (answers, rest) = ([JSONValue](), bytes[...])
    while !rest.isEmpty {
      let length = rest.prefix(8).reversed().reduce(0) { ($0 << 8) | Int($1) }
      answers.append(try #require(JSONReader.value(of: Array(rest.dropFirst(8).prefix(length)))))
      rest = rest.dropFirst(8 + length)
    }
    return answers
  }

  private func framed(_ payload: [UInt8]) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) } + payload
  }

  private let capability = Array(#"{"getCapability":{"capability":{"protocolVersion":7}}}"#.utf8)

  @Test func eachRequestHasOneAnswerInOrder() throws {
    let property = MacroRequests.attached("PersistedPropertyMacro", "peer", to: "var a = 1")
    let (status, answers) = try run(framed(capability) + framed(property.bytes))
    #expect(status == 0)
    #expect(answers.count == 2)
    #expect(
      answers.first?["getCapabilityResult"]?["capability"]?["protocolVersion"]?.integer == 7
    )
    #expect(
      answers.last?["expandMacroResult"]?["expandedSource"]?.string
        == "private var _a: SwiftData._SwiftDataNoType"
    )
  }

  @Test func aMessageOfLengthZeroHasNoAnswerAndTheEndOfTheInputEndsThePlugin() throws {
    let (status, answers) = try run(framed(capability) + framed([]) + framed([]))
    #expect(status == 0)
    #expect(answers.count == 1)
    #expect(try run([]).status == 0)
  }

  @Test func aMessageThatIsCutOffEndsThePluginWithAnError() throws {
    let whole = framed(capability)
    for length in 1..<whole.count { #expect(try run(Array(whole[..<length])).status == 1) }
  }

  @Test(arguments: [UInt64.max, UInt64(CompilerConnection.longestMessage) + 1, 1 << 63])
  func aLengthThatNoMessageHasIsRefusedBeforeMemoryIsTaken(length: UInt64) throws {
    let header = (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    #expect(try run(header + capability).status == 1)
  }

  @Test func aMessageThatIsNotJSONIsAnsweredWithAnError() throws {
    let deep = Array(String(repeating: "[", count: 100_000).utf8)
    for payload in [Array("{".utf8), Array("[]".utf8), [0xFF], deep, Array(#"{"new":{}}"#.utf8)] {
      let (status, answers) = try run(framed(payload))
      #expect(status == 0)
      guard case .array(let diagnostics)? = answers.first?["expandMacroResult"]?["diagnostics"]
      else {
        Issue.record("no answer to \(payload.count) bytes")
        continue
      }
      #expect(diagnostics.first?["severity"]?.string == "error")
    }
  }

  static let texts = [
    "", "a\"b\\c/d", "\n\r\t\u{8}\u{C}\u{0}\u{1F}", "é日本\u{1F600}", "\u{2028}\u{FFFD}",
  ]

  @Test(arguments: texts)
  func aTextInJSONIsReadAsItWasWritten(text: String) {
    let value = JSONValue.array([.string(text), .object([.init(name: text, value: .null)]), 1])
    #expect(JSONReader.value(of: value.bytes) == value)
  }

  static let escapes = [
    (#""\u00e9\/\b\f""#, "é/\u{8}\u{C}"), (#""\ud83d\ude00""#, "\u{1F600}"),
    (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00\ud83d\u0041""#, "\u{FFFD}\u{FFFD}A"),
  ]

  @Test(arguments: escapes)
  func escapedSignsAreRead(json: String, text: String) {
    #expect(JSONReader.value(of: Array(json.utf8)) == .string(text))
  }

  @Test(arguments: [
    "", "nul", "\"\\x\"", "\"\\u12\"", "{\"a\"}", "[1,]", "[1 2]", "1 2", "\"a", "{,}", "-",
  ])
  func whatIsNotJSONIsRefused(json: String) {
    #expect(JSONReader.value(of: Array(json.utf8)) == nil)
  }
}
