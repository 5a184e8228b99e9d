/// Holds the columns of a table against those that the rule wants for a pair of relationships.
struct PairMatch {
  private let rule: JoinTable
  /// The names of the columns for the keys of the master's objects, and for those of the others.
  private let own: PairColumnName
  private let other: PairColumnName

  init?(_ pair: JoinPlan.Pair, _ names: JoinColumnNames) {
    guard let own = PairColumnName(pair.second), let other = PairColumnName(pair.first) else {
      return nil
    }
    rule = JoinTable(master: pair.first, other: pair.second, names: names)
    (self.own, self.other) = (own, other)
  }

  struct Match {
    let table: JoinTable
    let likeness: (own: Likeness, other: Likeness)

    var distance: Int { likeness.own.rawValue + likeness.other.rawValue }
    /// Whether nothing but digits at the end may differ.
    var isSure: Bool {
      [likeness.own, likeness.other].allSatisfy { $0.rawValue <= Likeness.otherDigits.rawValue }
    }
  }

  /// How much a column is called as the rule wants it, from best to worst.
  enum Likeness: Int {
    case same
    /// `Z_1ASSETS1` where the rule has `Z_1ASSETS`.
    case otherDigits
    /// `Z_4ASSETS` where the rule has `Z_1ASSETS`.
    case otherEntity
    /// It is called otherwise, and is the one that is left.
    case none
  }
}

// MARK: - Matching

extension PairMatch {
  /// The table with its actual columns; `nil` if they cannot be distinguished.
  func table(_ name: String, _ columns: [String]) -> Match? {
    let keys = columns.filter { !$0.hasPrefix(Self.orderPrefix) }
    let orders = columns.filter { $0.hasPrefix(Self.orderPrefix) }
    let matches = keys.flatMap { own in
      keys.filter { $0 != own }
        .compactMap { other in match(name, own, other, isOnly: keys.count == 2, orders) }
    }
    return matches.min { $0.distance < $1.distance }
  }

  private static let orderPrefix = "Z_FOK_"

  private func match(
    _ name: String,
    _ ownColumn: String,
    _ otherColumn: String,
    isOnly: Bool,
    _ orders: [String]
  ) -> Match? {
    let likeness = (
      own: likeness(of: ownColumn, to: rule.masterColumn, own),
      other: likeness(of: otherColumn, to: rule.otherColumn, other)
    )
    let strangers = [likeness.own, likeness.other].count { $0 == .none }
    guard strangers == 0 || strangers == 1 && isOnly else { return nil }
    let table = JoinTable(
      name: name,
      masterNumber: rule.masterNumber,
      masterColumn: ownColumn,
      otherColumn: otherColumn,
      masterOrderColumn: rule.masterOrderColumn.map { order(of: ownColumn, $0, own, in: orders) },
      otherOrderColumn: rule.otherOrderColumn.map { order(of: otherColumn, $0, other, in: orders) },
      isReflexive: rule.isReflexive
    )
    return Match(table: table, likeness: likeness)
  }

  private func likeness(of column: String, to rule: String, _ name: PairColumnName) -> Likeness {
    if column == rule { return .same }
    guard column.hasPrefix("Z_") else { return .none }
    let rest = column.dropFirst(2)
    if name.isText(rest, ofAnyEntity: false) { return .otherDigits }
    return name.isText(rest, ofAnyEntity: true) ? .otherEntity : .none
  }

  /// The column with the places that go with a column of keys.
  private func order(
    of key: String,
    _ rule: String,
    _ name: PairColumnName,
    in orders: [String]
  ) -> String {
    let own = Self.orderPrefix + key.trimmingPrefix("Z_")
    if orders.contains(own) { return own }
    if orders.contains(rule) { return rule }
    let alike = orders.filter {
      name.isText($0.dropFirst(Self.orderPrefix.count), ofAnyEntity: true)
    }
    return alike.count == 1 ? alike[0] : own
  }
}

extension PairColumnName {
  /// Whether a column without its `Z_` is called so, whatever digits are at the end.
  fileprivate func isText(_ text: Substring, ofAnyEntity: Bool) -> Bool {
    let isDigit = { (character: Character) in character.isASCII && character.isNumber }
    let digits = text.prefix(while: isDigit)
    guard ofAnyEntity ? !digits.isEmpty : digits == String(number) else { return false }
    let rest = text.dropFirst(digits.count)
    return rest.hasPrefix(name) && rest.dropFirst(name.count).allSatisfy(isDigit)
  }
}
