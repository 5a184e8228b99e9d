/// The names of the tables that a file has, and of the columns of those that may hold pairs.
///
/// A model gives the tables of a new file their names. The names in an existing file are read.
package struct FileTables: Hashable, Sendable {
  package let names: Set<String>
  /// The columns of each table that may be one of pairs, in their order.
  let pairColumns: [String: [String]]

  /// `columns` may be those of all tables, or empty if only the names of tables are known.
  package init(names: Set<String>, columns: [String: [String]] = [:]) {
    self.names = names
    pairColumns = columns.filter { Self.mayHoldPairs($0.key) }
  }

  /// Whether a table is called as those of pairs are: `Z_2TAGS`.
  package static func mayHoldPairs(_ table: String) -> Bool {
    table.hasPrefix("Z_") && table.dropFirst(2).first.map { $0.isASCII && $0.isNumber } ?? false
  }
}
