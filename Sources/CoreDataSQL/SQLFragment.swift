/// A piece of SQL as a value: keywords, names and data are different things until a database's spelling
/// makes one text of them.
///
/// ```swift
/// let filter: SQLFragment = "\(column: "ZTITLE") = \(.text("O'Brien"))"
/// filter.rendered(for: .sqlite).sql       // "ZTITLE" = ?1
/// filter.rendered(for: .sqlite).bindings  // [.text("O'Brien")]
/// ```
///
/// A value never becomes part of the text, so nothing has to be escaped and nothing can be injected.
package struct SQLFragment: Hashable, Sendable {
  package private(set) var pieces: [Piece]

  package init(pieces: [Piece] = []) {
    self.pieces = pieces
  }

  package enum Piece: Hashable, Sendable {
    /// Keywords and punctuation, spelled as they are.
    case text(String)
    /// The name of a table, column, index or alias; the spelling quotes it.
    case name(String)
    /// A table that is read, with the alias that the statement gives it; the spelling may narrow it to the
    /// rows that are the store's own.
    case table(String, alias: String?)
    /// Begins a condition for written rows: the spelling may narrow it to the store's own.
    case ownRows(of: String?)
    /// A value that travels with the fragment.
    case value(SQLValue)
    /// A place whose value is bound for each run of the statement.
    case parameter
    /// The value after `LIMIT` if there is no limit.
    case unlimited
  }

  package var isEmpty: Bool { pieces.isEmpty }
}

// MARK: - Composing

extension SQLFragment {
  package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
    SQLFragment(pieces: left.pieces + right.pieces)
  }

  package static func += (left: inout SQLFragment, right: SQLFragment) {
    left.pieces += right.pieces
  }

  /// A column, with its table's alias when a statement has several tables.
  package static func column(_ name: String, of table: String? = nil) -> SQLFragment {
    guard let table else { return SQLFragment(pieces: [.name(name)]) }
    return SQLFragment(pieces: [.name(table), .text("."), .name(name)])
  }

  package static func value(_ value: SQLValue) -> SQLFragment {
    SQLFragment(pieces: [.value(value)])
  }

  /// Begins the condition of a statement that writes.
  package static var ownRows: SQLFragment { SQLFragment(pieces: [.ownRows(of: nil)]) }

  /// The same where the statement has several tables.
  package static func ownRows(of alias: String) -> SQLFragment {
    SQLFragment(pieces: [.ownRows(of: alias)])
  }

  package static var parameter: SQLFragment { SQLFragment(pieces: [.parameter]) }
}

extension Sequence<SQLFragment> {
  package func joined(separator: String) -> SQLFragment {
    var result = SQLFragment()
    for fragment in self {
      if !result.isEmpty { result += SQLFragment(pieces: [.text(separator)]) }
      result += fragment
    }
    return result
  }
}

// MARK: - Literals

extension SQLFragment: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) {
    pieces = value.isEmpty ? [] : [.text(value)]
  }

  package init(stringInterpolation: Interpolation) {
    pieces = stringInterpolation.pieces
  }

  package struct Interpolation: StringInterpolationProtocol {
    var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { pieces.append(.text(literal)) }
    }

    package mutating func appendInterpolation(_ value: SQLValue) {
      pieces.append(.value(value))
    }

    package mutating func appendInterpolation(_ fragment: SQLFragment) {
      pieces += fragment.pieces
    }

    package mutating func appendInterpolation(name: String) {
      pieces.append(.name(name))
    }

    /// A table that is read.
    package mutating func appendInterpolation(table: String, as alias: String? = nil) {
      pieces.append(.table(table, alias: alias))
    }

    package mutating func appendInterpolation(column: String, of table: String? = nil) {
      pieces += SQLFragment.column(column, of: table).pieces
    }
  }
}
