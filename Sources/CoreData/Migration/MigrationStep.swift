package import CoreDataSQL

/// One step of a migration, in words and in SQL.
///
/// ```
/// ZNOTE: column ZTITLE becomes ZHEADING         in constant time
/// ZNOTE: every row of Note gets stars = 3       goes through all rows
/// ```
package struct MigrationStep: Hashable, Sendable {
  /// The text for people: the place, then what happens there.
  package let sentence: String
  package let cost: Cost
  package let work: Work

  package enum Cost: Hashable, Sendable {
    /// Only the description of the tables changes.
    case constant
    /// Rows are read or written: the time grows with them.
    case rows
  }

  package enum Work: Hashable, Sendable {
    case statements([SQLFragment])
    /// Removes what nothing reads any more, which can wait.
    case removal([SuperfluousColumn])
    /// Makes an index; if rows violate its uniqueness, the error names their values.
    case index(TableIndex, SQLFragment)
    /// Sets the derived attributes whose values are not what they are derived from.
    case derivations
    /// Has the file say what it is now: entities, metadata, model.
    case bookkeeping
  }

  package init(_ sentence: String, _ cost: Cost, _ statements: [SQLFragment]) {
    self.init(sentence, cost, .statements(statements))
  }

  init(_ sentence: String, _ cost: Cost, _ work: Work) {
    self.sentence = sentence
    self.cost = cost
    self.work = work
  }
}

/// A loss of a migration, and how it is counted before.
///
/// ```
/// Note.subtitle: 1204 values
/// ```
package struct MigrationLoss: Hashable, Sendable {
  /// The entity, or the property with its entity.
  package let place: String
  /// The things counted, in the plural: `values`, `objects`, `links`.
  package let noun: String
  /// Finds how many there are.
  package let count: SQLFragment
}

/// A loss that was counted.
package struct CountedLoss: Hashable, Sendable, CustomStringConvertible {
  package let place: String
  package let noun: String
  package let count: Int
  /// Why values are lost of which the new model has something, as in "whose files are not there".
  package var reason: String?

  package init(place: String, noun: String, count: Int, reason: String? = nil) {
    self.place = place
    self.noun = noun
    self.count = count
    self.reason = reason
  }

  package var description: String {
    "\(place): \(count) \(count == 1 ? String(noun.dropLast()) : noun)"
      + (reason.map { ", \($0)" } ?? "")
  }
}

// MARK: - Spelling

extension SQLFragment {
  /// A statement that describes tables: without values, and with Apple's spelling of names.
  package static func description(_ text: String) -> SQLFragment {
    SQLFragment(pieces: [.text(text)])
  }

  package static func number(_ number: Int) -> SQLFragment {
    SQLFragment(pieces: [.text("\(number)")])
  }

  /// `2, 4, 5`, in their order.
  package static func numbers(_ numbers: some Sequence<Int>) -> SQLFragment {
    SQLFragment(pieces: [.text(numbers.sorted().map(String.init).joined(separator: ", "))])
  }
}
