/// The lines that differ between two texts, as `diff -u` prints them and `patch` takes them.
struct UnifiedDiff {
  private let path: String
  private let lines: [Line]
  private static let context = 3

  private enum Line: Equatable {
    case same(String)
    case removed(String)
    case added(String)

    var isSame: Bool { if case .same = self { true } else { false } }
    var isAdded: Bool { if case .added = self { true } else { false } }
    var isRemoved: Bool { if case .removed = self { true } else { false } }

    var text: String {
      switch self {
      case .same(let text): " \(text)"
      case .removed(let text): "-\(text)"
      case .added(let text): "+\(text)"
      }
    }
  }

  init(_ change: PortedChange) {
    path = change.path
    lines = Self.compare(Self.lines(of: change.old), Self.lines(of: change.new))
  }

  /// Lines with the carriage return that they may end with; as text, both ends together are one character.
  private static func lines(of bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.last?.isEmpty == true {
      lines.removeLast()
    } else if let last = lines.popLast() {
      lines.append("\(last)\n\\ No newline at end of file")
    }
    return lines
  }

  private static func compare(_ old: [String], _ new: [String]) -> [Line] {
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for step in new.difference(from: old) {
      switch step {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (before, after) = (0, 0)
    while before < old.count || after < new.count {
      if removed.contains(before) {
        lines.append(.removed(old[before]))
        before += 1
      } else if added.contains(after) {
        lines.append(.added(new[after]))
        after += 1
      } else {
        lines.append(.same(old[before]))
        before += 1
        after += 1
      }
    }
    return lines
  }

  var text: String {
    let name = path.hasPrefix("/") ? String(path.dropFirst()) : path
    return "--- a/\(name)\n+++ b/\(name)\n" + hunks.map(text).joined()
  }

  /// The ranges of lines around differences; close ones are one.
  private var hunks: [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in lines.indices where !lines[index].isSame {
      let range = max(0, index - Self.context)..<min(lines.count, index + Self.context + 1)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private func text(of hunk: Range<Int>) -> String {
    let head = lines[..<hunk.lowerBound]
    let part = lines[hunk]
    let (oldStart, newStart) = (head.count { !$0.isAdded } + 1, head.count { !$0.isRemoved } + 1)
    let (oldCount, newCount) = (part.count { !$0.isAdded }, part.count { !$0.isRemoved })
    return "@@ -\(oldStart),\(oldCount) +\(newStart),\(newCount) @@\n"
      + part.map { "\($0.text)\n" }.joined()
  }
}
