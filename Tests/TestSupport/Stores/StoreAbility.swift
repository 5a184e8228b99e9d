/// The abilities that not every kind of store has, and why: the table of Documentation/Behaviours.md.
public enum StoreAbility: CaseIterable, Sendable {
  /// To be opened once more with the saved objects.
  case reopening
  /// Any predicate, order and form of result; saves that are all or nothing, and that mend what they find.
  case everyRequest
  /// Any value that an attribute of its type can have.
  case everyValue
  /// U+0000 in a text.
  case zeroInText
  /// All digits of a decimal number.
  case everyDigit
  /// To be opened with a model that the rows are not of, where versions are ignored.
  case anyModel
  /// Attributes of type composite.
  case compositeAttributes
  /// Attributes that are computed at a save.
  case derivedAttributes
  /// Keys that the framework numbers from 1 for each tree of entities.
  case numberedKeys
  /// Keys that leave no number out.
  case keysWithoutGaps
  /// Values that must be unique.
  case uniqueness
  /// A file that is written as a whole, which the framework reads and writes.
  case wholeFile
  /// Files that the framework moves, replaces and describes without opening them.
  case managedFiles
  /// Statements in SQL.
  case statements
  /// Transactions that are kept, and moments that a context can be pinned to.
  case history

  /// The kinds without it, and the reason.
  var missing: (kinds: [StoreKind], reason: String) {
    switch self {
    case .reopening: ([.memory, .sqliteInMemory], "they end with the coordinator that has them")
    case .everyRequest:
      ([.dictionary], "its author answers requests and saves, and knows plain predicates only")
    case .everyValue: ([.jsonLines], "its author writes what JSON has")
    case .zeroInText: ([.postgreSQL], "the server has no place for it in a text")
    case .everyDigit:
      ([.sqlite, .sqliteInMemory], "a column has the digits of a double, as Apple's")
    case .anyModel: ([.sqlite, .sqliteInMemory, .postgreSQL], "the tables are those of one model")
    case .compositeAttributes:
      (
        [.xml, .binary, .jsonLines, .dictionary], "their formats have no place for parts of a value"
      )
    case .derivedAttributes: ([.dictionary], "its author writes rows, and computes nothing")
    case .numberedKeys:
      ([.xml, .jsonLines, .dictionary], "the file, or its author, says what an object is called")
    case .keysWithoutGaps:
      (
        [.xml, .jsonLines, .dictionary, .postgreSQL],
        "they number otherwise, or several programs take blocks of keys at once"
      )
    case .uniqueness:
      ([.jsonLines, .dictionary], "the framework finds equal values in its own stores only")
    case .wholeFile:
      (
        [.memory, .sqlite, .sqliteInMemory, .jsonLines, .dictionary, .postgreSQL],
        "they have no file, or not one that the framework writes whole"
      )
    case .managedFiles:
      (
        [.memory, .sqliteInMemory, .jsonLines, .dictionary, .postgreSQL],
        "they have no file, or one that only its author knows"
      )
    case .statements:
      (
        [.memory, .xml, .binary, .jsonLines, .dictionary],
        "they are no databases"
      )
    case .history:
      (
        [.memory, .sqliteInMemory, .xml, .binary, .jsonLines, .dictionary],
        "only SQLite's files and PostgreSQL know what was written when"
      )
    }
  }
}

extension StoreKind {
  public func has(_ ability: StoreAbility) -> Bool { !ability.missing.kinds.contains(self) }

  /// The kinds that have all of the abilities.
  public static func with(_ abilities: StoreAbility...) -> [StoreKind] {
    allCases.filter { kind in abilities.allSatisfy(kind.has) }
  }

  /// The same kinds, with PostgreSQL among them in short runs too: for tests of several programs.
  public static func onServersToo(_ abilities: StoreAbility...) -> [StoreKind] {
    let kinds =
      allCases.contains(.postgreSQL) || !PostgreSQLServer.isInstalled
      ? allCases : allCases + [.postgreSQL]
    return kinds.filter { kind in abilities.allSatisfy(kind.has) }
  }

  /// The kinds that lack an ability, and are to say so.
  public static func without(_ ability: StoreAbility) -> [StoreKind] { ability.missing.kinds }

  /// One kind that evaluates predicates on rows in memory, and one that has them as SQL.
  ///
  /// For long random tests of results on which these two must agree; the other kinds do the one or the other.
  public static let evaluators: [StoreKind] = [.memory, .sqlite]
}
