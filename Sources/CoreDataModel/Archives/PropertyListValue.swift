package import Foundation

/// A value of a binary property list, including the object references of keyed archives.
///
/// Foundation's own property list reader neither hands out references nor writes them, and traps on
/// some damaged input; these values do, and throw.
package enum PropertyListValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  /// Seconds since 1 January 2001, UTC.
  case date(Double)
  case data(Data)
  case text(String)
  /// A reference to an object of a keyed archive, by its number.
  case uid(Int)
  case array([PropertyListValue])
  case dictionary([String: PropertyListValue])
}

extension PropertyListValue {
  /// A value that is the same only where its bytes are: Swift takes a letter with an accent and the letter and
  /// the accent for one text, and zero for minus zero.
  struct Exact: Hashable {
    let value: PropertyListValue

    static func == (one: Exact, other: Exact) -> Bool {
      switch (one.value, other.value) {
      case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
      case (.real(let one), .real(let other)): one.bitPattern == other.bitPattern
      case (let one, let other): one == other
      }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
  }
}

/// Why bytes are not what they should be.
package struct ArchiveError: Error, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
