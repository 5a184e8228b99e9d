import Foundation

/// Files of JSON in which other programs keep notes.
enum JSONFile {
  /// As much as one who has written for years has; each value takes memory.
  private static let limits = JSONLimits(depth: 64, values: 2_000_000)

  /// Returns the content of a file.
  ///
  /// - Throws: A ``LibraryProblem`` that says where the file is damaged.
  static func value(of data: Data) throws -> JSONValue {
    // A mark of the encoding is not part of JSON.
    let data = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
    do throws(JSONProblem) {
      return try JSONValue(parsing: data, within: limits)
    } catch {
      if error.reason == .cancelled { throw CancellationError() }
      throw LibraryProblem.refused("The file is damaged. \(error.sentence)")
    }
  }
}

extension JSONMembers {
  func text(_ name: String) -> String? {
    if case .text(let text)? = self[name] { text } else { nil }
  }

  func isTrue(_ name: String) -> Bool { self[name] == .bool(true) }

  func object(_ name: String) -> JSONMembers? {
    if case .object(let members)? = self[name] { members } else { nil }
  }

  /// The objects of a list; empty if the member is missing or something else.
  func objects(_ name: String) -> [JSONMembers] {
    guard case .list(let values)? = self[name] else { return [] }
    return values.compactMap { if case .object(let members) = $0 { members } else { nil } }
  }
}
