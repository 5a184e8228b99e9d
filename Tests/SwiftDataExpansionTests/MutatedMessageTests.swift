import Glibc
import Testing

@testable import SwiftDataExpansion

/// Messages that no compiler sends.
struct MutatedMessageTests {
  private static let source = """
    /// A note. {
    @Model public final class Note: Thing, Sendable where Self: P {
      #Unique<Note>([\\.title], [\\.title, \\.stars])
      @Attribute(.unique, originalName: "n\\("a" + "b")") public private(set) var title: String
      var stars = 0, kind: Kind = .plain /* { */
      let id = UUID()
      #if DEBUG || !os(macOS)
      @Relationship(deleteRule: .cascade, inverse: \\Tag.note) var tags: [Tag]? = []
      #else
      @Transient var (a, b): (Int, [String: Set<Int>]) = (1, [:])
      #endif
      lazy var text = #"a"b"# { didSet { print("x") } }
      var pattern = /a\\/b/ ?? { (x: Int) -> Int in x < 1 ? 2 : 3 }(4)
      enum Kind: String { case plain }
      init?<T>(title: String, _ make: @escaping () async throws -> T = { 1 }) { self.title = title }
    }
    """

  private static var messages: [[UInt8]] {
    let roles = [
      ("ModelMacro", "member"), ("ModelMacro", "memberAttribute"), ("ModelMacro", "extension"),
      ("PersistedPropertyMacro", "accessor"), ("PersistedPropertyMacro", "peer"),
      ("ModelActorMacro", "member"), ("ModelActorMacro", "extension"),
    ]
    return roles.map { macro, role in
      MacroRequests.attached(macro, role, to: source, at: 10, in: source, attribute: "@P(3)").bytes
    }
  }

  /// Bytes that mean something in Swift, in JSON or in both.
  private static let signs =
    Array("{}()[]<>\"'\\/#@.,:;?!=-+*&|^~`$_ \n\t0aé".utf8) + [0, 0xFF, 0xC3]

  private static func mutate(
    _ message: [UInt8],
    _ random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var bytes = message
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = signs.randomElement(using: &random) ?? 0
      case 1: bytes.insert(signs.randomElement(using: &random) ?? 0, at: place)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4:
        let target = Int.random(in: 0..<bytes.count, using: &random)
        bytes.insert(contentsOf: bytes[place..<end], at: target)
      default: bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
    }
    return bytes
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func aMutatedMessageHasAnAnswer(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var expander = MacroExpander()
    let messages = Self.messages
    for _ in 0..<400 {
      let message = Self.mutate(messages.randomElement(using: &random) ?? [], &random)
      let answer = expander.answer(to: message)
      let result = answer["expandMacroResult"] ?? answer["getCapabilityResult"]
      #expect(result != nil)
      #expect(JSONReader.value(of: answer.bytes) == answer)
    }
  }

  @Test func aMutatedClassInAWholeMessageHasAnAnswer() {
    var random = SplitMix(state: 64)
    for _ in 0..<2_000 {
      let bytes = Self.mutate(Array(Self.source.utf8), &random)
      let source = String(decoding: bytes, as: UTF8.self)
      for role in ["member", "extension"] {
        let expansion = MacroRequests.expansion("ModelMacro", role, of: source)
        let last = source.utf8.count
        #expect(expansion.diagnostics.allSatisfy { (0...last).contains($0.offset) })
      }
    }
  }

  @Test(
    .timeLimit(.minutes(60)),
    arguments: [
      "(", "[", "{", "<", "\"\\(", "#if (", "@a(", "var a: [", "/*", "!", "#", "#/ ", "`", "&",
      ".a<",
    ]
  )
  func textThatIsNestedDeeplyIsReadWithoutEnd(piece: String) {
    let time = processorTime {
      let text = String(repeating: piece, count: 20_000)
      for source in [
        "@Model class Note { var a: \(text)", "@Model class Note { var a = \(text)", text,
      ] {
        _ = MacroRequests.members(of: source)
      }
      let condition = "@Model class Note {\n#if \(text)\nvar a = 1\n#endif\ninit() {} }"
      _ = MacroRequests.members(of: condition)
    }
    #expect(time < .seconds(60))
  }

  @Test func aClassOf300PropertiesTakesLessThanTwoSeconds() {
    let names = (0..<300).map { "property\($0)" }
    let members = names.map { "  @Attribute(originalName: \"old\") var \($0): String? = nil" }
    let source = "@Model final class Large {\n\(members.joined(separator: "\n"))\n  init() {}\n}"
    let time = processorTime {
      var expander = MacroExpander()
      var messages = [MacroRequests.attached("ModelMacro", "member", to: source)]
      for member in members {
        messages += [
          MacroRequests.attached("ModelMacro", "memberAttribute", to: member, in: source),
          MacroRequests.attached("PersistedPropertyMacro", "accessor", to: member),
          MacroRequests.attached("PersistedPropertyMacro", "peer", to: member),
        ]
      }
      for message in messages {
        let answer = expander.answer(to: message.bytes)
        #expect(answer["expandMacroResult"]?["expandedSource"]?.string?.isEmpty == false)
      }
    }
    #expect(time < .seconds(2))
  }
}

/// The processor time that this thread takes for something; other tests run beside it.
private func processorTime(_ work: () -> Void) -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  work()
  return now() - start
}

/// Random numbers that are the same in each run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
