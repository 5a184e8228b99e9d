import CoreDataStrictJSON
import Foundation

/// The edits of all devices that a text or title contains.
///
/// ```
/// desk    "Sow them."       ─▶ "Sow them now."      desk 1
/// phone   "Sow them."       ─▶ "Sow them deep."     phone 1
/// both    "Sow them deep now."                      desk 1, phone 1
/// ```
///
/// It is synchronized beside the text. A text whose lineage has all edits of another one is the newer of them; two of
/// which each has an edit that the other lacks were written at the same time, whatever the clocks say, and whichever of
/// them the synchronization has left in the note.
struct Lineage: Codable, Equatable, Sendable {
  /// For each writer, which is one run of the program on one device, the number of its last edit.
  private(set) var edits: [String: Int64]

  /// The digest of the text before all edits, by which devices know whether they have begun from the same one.
  private(set) var root: Int64

  /// The digest of the text that this is the lineage of.
  private(set) var digest: Int64

  init(ofNew value: String, root: Int64 = 0, edits: [String: Int64] = [:]) {
    (self.edits, self.root, digest) = (edits, root, Self.digest(of: value))
  }

  static func digest(of value: String) -> Int64 { Digest.of(Data(value.utf8)) }

  /// The lineage after an edit by a writer, whose numbers are times in milliseconds as long as its clock goes on.
  func edited(to value: String, by writer: String, at time: Int64) -> Lineage {
    var lineage = self
    lineage.edits[writer] = max((edits[writer] ?? 0) &+ 1, time)
    if lineage.edits.count > Self.mostWriters,
      let oldest = lineage.edits.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      lineage.edits[oldest.key] = nil
    }
    lineage.digest = Self.digest(of: value)
    return lineage
  }

  /// The lineage of a text that has the edits of both.
  func joined(with other: Lineage, as value: String) -> Lineage {
    Lineage(
      ofNew: value,
      root: min(root, other.root),
      edits: edits.merging(other.edits) { max($0, $1) }
    )
  }

  private static let digests = Int64.min...Int64.max

  /// The latest time that an edit may have, which leaves room for more edits.
  private static let latest: Int64 = 1 << 60

  /// More are not remembered: who comes back after so many sessions of others at a note finds both texts kept.
  private static let mostWriters = 256
}

// MARK: - Which is newer

extension Lineage {
  enum Age: Equatable {
    case same, older, newer
    /// Each has edits that the other does not have.
    case apart
  }

  /// How this is compared with another one.
  func age(besides other: Lineage) -> Age {
    switch (isWithin(other), other.isWithin(self)) {
    case (true, true): .same
    case (true, false): .older
    case (false, true): .newer
    case (false, false): .apart
    }
  }

  /// Whether another one has all edits of this one.
  func isWithin(_ other: Lineage) -> Bool {
    edits.allSatisfy { writer, number in number <= other.edits[writer] ?? 0 }
  }

  /// Whether its wording stays where both have changed the same words: the later edit's, the same on all devices.
  func prevails(over other: Lineage) -> Bool {
    (edits.values.max() ?? 0, digest) > (other.edits.values.max() ?? 0, other.digest)
  }
}

// MARK: - As an attribute

extension Lineage {
  /// The lineage as it is stored: `1 root digest writer:number …`.
  var text: String {
    let writers = edits.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    return (["1", "\(root)", "\(digest)"] + writers).joined(separator: " ")
  }

  /// Reads a lineage, which may come from any device; `nil` for one of a later version of the program.
  init?(text: String) {
    guard text.utf8.count <= 20_000 else { return nil }
    let parts = text.split(separator: " ")
    guard parts.count >= 3, parts[0] == "1", parts.count <= Self.mostWriters + 3,
      let root = WholeNumber.read64(parts[1], within: Self.digests),
      let digest = WholeNumber.read64(parts[2], within: Self.digests)
    else { return nil }
    var edits: [String: Int64] = [:]
    for part in parts[3...] {
      let pair = part.split(separator: ":")
      guard pair.count == 2, pair[0].utf8.count <= 40,
        let number = WholeNumber.read64(pair[1], within: 1...Self.latest)
      else { return nil }
      edits[String(pair[0])] = number
    }
    (self.edits, self.root, self.digest) = (edits, root, digest)
  }
}
