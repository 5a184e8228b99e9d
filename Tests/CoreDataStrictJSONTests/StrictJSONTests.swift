import CoreDataStrictJSON
import Foundation
import Testing

struct `JSON that comes from outside` {
  private func read(_ text: String, _ limits: JSONLimits = .sent) throws -> JSONValue {
    try JSONValue(parsing: Data(text.utf8), within: limits)
  }

  @Test func `is read as what it says`() throws {
    let text = #" {"a":[1,-2,0,3.5,1e2,true,false,null,"x"],"b":{},"c":[ ]} "#
    #expect(
      try read(text)
        == .object([
          "a": .list([
            .integer(1), .integer(-2), .integer(0), .number(3.5), .number(100), .bool(true),
            .bool(false), .null, .text("x"),
          ]),
          "b": .object([:]), "c": .list([]),
        ])
    )
    #expect(
      try read(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀""#) == .text("\"\\/\u{8}\u{C}\n\r\té😀é😀")
    )
    #expect(try read(#"{"a":1,"a":2}"#) == .object(["a": .integer(2)]))
  }

  @Test(arguments: [0, 1, 8, 9, 200])
  func `has members by their names, however many there are`(count: Int) throws {
    let names = (0..<count).map { "name \($0)" }
    let text = "{" + names.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
    guard case .object(var members) = try read(text) else { throw CancellationError() }
    #expect(members.names.sorted() == names.sorted())
    #expect(names.allSatisfy { members[$0] == .text($0) })
    #expect(members["another"] == nil)
    var backwards = JSONMembers()
    for name in names.reversed() { backwards[name] = .text(name) }
    #expect(JSONValue.object(backwards) == .object(members))
    #expect(backwards.hashValue == members.hashValue)
    for name in names { members[name] = nil }
    #expect(members == [:])
    members["a"] = .null
    #expect(members != [:] && JSONValue.object(members).json == #"{"a":null}"#)
  }

  @Test(arguments: [
    "", " ", "{", "}", "[", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "tru",
    "nul",
    "TRUE", "01", "-", "1.", ".5", "1e", "+1", "0x10", "NaN", "Infinity", "\"", "\"\n\"", "\"\\x\"",
    "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "1 2", "[1] x", "\u{FEFF}1",
    "'a'", "[1 2]", "{\"a\" 1}", "//", "\u{0}",
  ])
  func `is refused where it is none`(text: String) {
    let problem = #expect(throws: JSONProblem.self) { try read(text) }
    #expect(problem?.reason == .malformed, "\(text)")
  }

  @Test func `is refused where its bytes are no text`() {
    for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
      #expect(throws: JSONProblem.self) { try JSONValue(parsing: Data(bytes.map(UInt8.init))) }
    }
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "9007199254740992", "-9007199254740992",
    "99999999999999999999999999", "1e400", "-1e400",
  ])
  func `had numbers that stopped the program at the first sum`(number: String) {
    let problem = #expect(throws: JSONProblem.self) { try read("[\(number)]") }
    #expect(problem?.reason == .numberOutOfBounds)
  }

  @Test func `may be as deep as its limit, and no deeper`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try read(nested(128)) }
    for depth in [129, 100_000] {
      let problem = #expect(throws: JSONProblem.self) { try read(nested(depth)) }
      #expect(problem?.reason == .tooDeep(128))
    }
  }

  @Test func `of a few megabytes had more values than anybody waits for`() throws {
    let limits = JSONLimits(depth: 10, values: 1_000)
    let many = { (count: Int) in
      "[" + Array(repeating: "[]", count: count).joined(separator: ",") + "]"
    }
    #expect(throws: Never.self) { try read(many(999), limits) }
    let problem = #expect(throws: JSONProblem.self) { try read(many(1_000), limits) }
    #expect(problem?.reason == .tooMany(1_000))
    #expect(throws: JSONProblem.self) { try read(many(1_000_000)) }
  }

  @Test func `is given up when the task that reads it is cancelled`() async {
    let text = "[" + Array(repeating: "1", count: 100_000).joined(separator: ",") + "]"
    let task = Task { () -> JSONProblem? in
      while !Task.isCancelled { await Task.yield() }
      do throws(JSONProblem) {
        _ = try JSONValue(parsing: Data(text.utf8))
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value?.reason == .cancelled)
  }

  @Test func `survives any change of its bytes`() {
    let text = Array(#"{"a":[1,-2.5e3,"é\u00e9\n",true,null],"b":{"c":[{}]}}"#.utf8)
    for position in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[position] = byte
        _ = try? JSONValue(parsing: Data(changed))
        _ = try? JSONValue(parsing: Data(text[..<position]))
      }
    }
  }
}

struct `A value made of JSON` {
  private struct Edit: Decodable, Equatable {
    var title: String?
    var base: Int64
    var small: Int8?
    var ids: [UUID]
    var date: Date?
    var any: JSONValue?
    var ratio: Double?
  }

  private func decode(_ text: String) throws -> Edit {
    try JSONReading.decode(from: JSONValue(parsing: Data(text.utf8))) { text in
      Double(text).map(Date.init(timeIntervalSince1970:))
    }
  }

  @Test func `has what was said`() throws {
    let id = UUID()
    let edit = try decode(
      #"{"title":null,"base":7.0,"small":-3,"ids":["\#(id)"],"date":"5","any":[{"x":1}],"ratio":2,"more":1}"#
    )
    #expect(
      edit
        == Edit(
          title: nil,
          base: 7,
          small: -3,
          ids: [id],
          date: Date(timeIntervalSince1970: 5),
          any: .list([.object(["x": .integer(1)])]),
          ratio: 2
        )
    )
  }

  @Test(arguments: [
    (#"{"ids":[]}"#, "base"), (#"{"base":"1","ids":[]}"#, "base"),
    (#"{"base":1.5,"ids":[]}"#, "base"), (#"{"base":null,"ids":[]}"#, "base"),
    (#"{"base":1,"small":200,"ids":[]}"#, "small"), (#"{"base":1,"ids":["x"]}"#, "ids.0"),
    (#"{"base":1,"ids":{}}"#, "ids"), (#"{"base":1,"ids":[],"date":"x"}"#, "date"),
    (#"{"base":1e30,"ids":[]}"#, "base"), ("[]", ""), ("1", ""),
  ])
  func `names the place of what does not fit`(text: String, place: String) throws {
    let error = #expect(throws: DecodingError.self) { try decode(text) }
    let path: [any CodingKey] =
      switch error {
      case .keyNotFound(let key, let context): context.codingPath + [key]
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      default: []
      }
    #expect(
      path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") == place
    )
  }
}

struct `A number that comes as text` {
  @Test(arguments: [
    "", "x", "1.5", "0x1", " 1", "99999999999999999999", "-9223372036854775808", "11",
  ])
  func `is none outside of its bounds`(text: String) {
    #expect(WholeNumber.read(text, within: -10...10) == nil)
  }

  @Test func `is one within them`() {
    #expect(WholeNumber.read("-10", within: -10...10) == -10)
    #expect(WholeNumber.read64("9007199254740991") == 9_007_199_254_740_991)
    #expect(WholeNumber.read64("9007199254740992") == nil)
    #expect(WholeNumber.read64("-1") == nil)
  }
}
