import Foundation

/// A text or title, and the edits in it.
struct TextState: Codable, Equatable, Sendable {
  var lineage: Lineage
  var value: String
  /// Whether an earlier version of the program has written it, which did not know of lineages: nobody can say whether
  /// it has the edits before it.
  var isStrange = false
}

/// A text or title as this device knows it, and earlier ones.
///
/// The synchronization replaces a note's text by a later one of another device, whether that contains what was written
/// here or not. This is what was here, until a text has it. Earlier texts are those that another device may have begun
/// from.
struct KnownText: Codable, Equatable, Sendable {
  private(set) var current: TextState
  /// The oldest first.
  private(set) var earlier: [TextState] = []

  init(_ current: TextState) { self.current = current }

  /// Notes an edit on this device.
  mutating func edit(to value: String, by writer: String, at time: Int64) {
    let lineage = current.lineage.edited(to: value, by: writer, at: time)
    take(TextState(lineage: lineage, value: value))
  }

  /// Takes over a text without a lineage.
  mutating func takeStrange(_ value: String, by writer: String, at time: Int64) {
    let lineage = current.lineage.edited(to: value, by: writer, at: time)
    take(TextState(lineage: lineage, value: value, isStrange: true))
  }

  /// Whether a text without a lineage has come in the place of a state or a later one.
  func hasStranger(since state: TextState) -> Bool {
    (earlier + [current]).contains { $0.isStrange && state.lineage.isWithin($0.lineage) }
  }

  /// Takes over another text if it is newer, or puts it together with the present one if each has edits of its own.
  ///
  /// - Parameters:
  ///   - other: The other text.
  ///   - join: Puts two texts together, of which the first one prevails, since their latest common one. Returns `nil`
  ///     if one of them cannot be read.
  /// - Returns: Whether it could be read.
  mutating func adopt(
    _ other: TextState,
    joining join: (_ one: String, _ other: String, _ base: String?) throws -> String?
  ) rethrows -> Bool {
    switch other.lineage.age(besides: current.lineage) {
    case .older: break
    case .newer: take(other)
    case .same:
      // The same edits were put together in another order: every device takes the same of the two.
      if other.lineage.digest < current.lineage.digest { take(other) }
    case .apart:
      guard let value = try joined(with: other, join) else { return false }
      let lineage = current.lineage.joined(with: other.lineage, as: value)
      keep(other)
      take(TextState(lineage: lineage, value: value))
    }
    return true
  }

  private func joined(
    with other: TextState,
    _ join: (String, String, String?) throws -> String?
  ) rethrows -> String? {
    if current.value == other.value { return current.value }
    let base = base(with: other)
    return current.lineage.prevails(over: other.lineage)
      ? try join(current.value, other.value, base) : try join(other.value, current.value, base)
  }

  /// Takes over a newer text.
  mutating func take(_ state: TextState) {
    keep(current)
    current = state
  }

  /// The latest text that both this and another have begun from; `nil` if that is not known any more.
  private func base(with other: TextState) -> String? {
    earlier.last {
      $0.lineage.isWithin(other.lineage)
        && (!$0.lineage.edits.isEmpty || $0.lineage.root == other.lineage.root)
    }?.value
  }
}

// MARK: - How many earlier texts

extension KnownText {
  private mutating func keep(_ state: TextState) {
    earlier.append(state)
    while earlier.count > Self.most || earlier.count > Self.least && byteCount > Self.room {
      earlier.remove(at: leastNeeded)
    }
  }

  /// The earlier text whose neighbours are the closest in time; the first and the last ones stay.
  private var leastNeeded: Int {
    let times = earlier.map { $0.lineage.edits.values.max() ?? 0 }
    let some = 1..<max(earlier.count - Self.least + 1, 2)
    return some.min { times[$0 + 1] - times[$0 - 1] < times[$1 + 1] - times[$1 - 1] } ?? 0
  }

  private var byteCount: Int { earlier.reduce(0) { $0 + $1.value.utf8.count } }

  private static let most = 6
  private static let least = 3
  /// In bytes.
  private static let room = 150_000
}

/// The texts of a note as this device knows them, in one attribute that is not synchronized.
struct KnownTexts: Codable, Equatable, Sendable {
  var text: KnownText?
  var title: KnownText?

  init() {}

  /// Reads the attribute; unreadable data counts as nothing known.
  init(_ data: Data?) {
    let known = data.flatMap { try? PropertyListDecoder().decode(KnownTexts.self, from: $0) }
    self = known ?? KnownTexts()
  }

  /// The attribute, or `nil` if nothing is known.
  var data: Data? {
    if text == nil, title == nil { return nil }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    // Texts and numbers can always be encoded.
    return try? encoder.encode(self)
  }
}
