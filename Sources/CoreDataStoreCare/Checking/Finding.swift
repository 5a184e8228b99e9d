import CoreData
import CoreDataSQLite

/// Something in a store that is not as it should be.
///
/// ```
/// error    dangling-key   Note.folder   3 rows lead to a Folder that is not there (Z_PK 4, 9, 12)
///                                       repair: takes the key out of them
/// ```
package struct Finding: Hashable, Sendable {
  package var severity: Severity
  package var check: CheckName
  package var place: Place
  /// How many rows, pairs, pages or files it concerns.
  package var count: Int
  /// The first few of them.
  package var examples: Examples
  /// The problem, without the place and without a full stop.
  package var sentence: String
  /// The repair; `nil` if the former content is unknown.
  package var remedy: Remedy?
  /// The remedy if no repair can help, as a sentence without a full stop.
  package var advice: String?

  init(
    _ severity: Severity,
    _ check: CheckName,
    _ place: Place,
    count: Int = 1,
    _ examples: Examples,
    _ sentence: String,
    remedy: Remedy? = nil
  ) {
    self.severity = severity
    self.check = check
    self.place = place
    self.count = count
    self.examples = examples
    self.sentence = sentence
    self.remedy = remedy
  }

  /// Of something that a check could not be finished for.
  init(unreadable place: Place, _ check: CheckName, _ error: SQLiteError) {
    self.init(.error, check, place, "it could not be looked through: \(error.message)")
  }

  /// Of a place as a whole.
  init(
    _ severity: Severity,
    _ check: CheckName,
    _ place: Place,
    _ sentence: String,
    remedy: Remedy? = nil
  ) {
    self.init(severity, check, place, .none, sentence, remedy: remedy)
  }
}

extension Finding {
  /// The most serious comes first.
  package enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Objects are lost or cannot be read or saved, or will be.
    case error
    /// Programs go on, with values or relationships that are not what they should be, or slowly.
    case warning
    /// Nothing is wrong, or Core Data itself leaves stores like that; it is worth knowing.
    case note

    package static func < (left: Severity, right: Severity) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  /// The place of the finding: a property, an entity, a table, or the file as a whole.
  package enum Place: Hashable, Sendable {
    case file, database
    case table(String)
    case entity(String)
    case property(String, of: String)
  }

  /// The things that a finding concerns.
  package enum Examples: Hashable, Sendable {
    case none
    /// The `Z_PK` of rows.
    case rows([Int64])
    case pairs([Pair])
    /// Pages of the file, counted from 1 as SQLite does.
    case pages([Int64])
    /// Names of files, tables, columns, indexes or triggers.
    case names([String])

    /// A row of a join table.
    package struct Pair: Hashable, Sendable {
      package let master: Int64
      package let other: Int64
    }

    /// How many are kept.
    static let limit = 5
  }
}

extension Finding.Place: CustomStringConvertible {
  package var description: String {
    switch self {
    case .file: "the file"
    case .database: "the database"
    case .table(let name), .entity(let name): name
    case .property(let name, let entity): "\(entity).\(name)"
    }
  }

  package var entity: String? {
    switch self {
    case .file, .database, .table: nil
    case .entity(let name), .property(_, of: let name): name
    }
  }

  package var property: String? {
    if case .property(let name, _) = self { name } else { nil }
  }
}

extension Finding.Examples {
  /// Each as people write it.
  package var words: [String] {
    switch self {
    case .none: []
    case .rows(let numbers), .pages(let numbers): numbers.map(String.init)
    case .pairs(let pairs): pairs.map { "\($0.master)–\($0.other)" }
    case .names(let names): names
    }
  }
}
