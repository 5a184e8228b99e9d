/// Finds changes that would make a statement faster, as far as the database's plan shows them.
///
/// ```
/// SCAN t0                        Every row of Note is looked at. A fetch index on text …
/// USE TEMP B-TREE FOR ORDER BY   The rows are sorted each time. A fetch index on created …
/// … FOR RIGHT PART OF ORDER BY   An index gives the first part of the order; … A fetch index on created (descending) …
/// ```
package enum PlanAdvice {
  /// The advice in sentences; none if an index could not improve the plan.
  ///
  /// `plan` has the lines of `EXPLAIN QUERY PLAN`.
  package static func sentences(
    on sql: String,
    plan: [String],
    tables: TableMap
  ) -> [String] {
    let statement = StatementNames(sql, tables)
    var sentences: [String] = []
    for line in plan {
      guard let sentence = sentence(on: line, statement), !sentences.contains(sentence) else {
        continue
      }
      sentences.append(sentence)
    }
    return sentences
  }

  private static func sentence(on line: String, _ statement: StatementNames) -> String? {
    let words = line.split(separator: " ").map(String.init)
    if words.count == 2, words[0] == "SCAN", let entity = statement.entities[words[1]] {
      let properties = statement.compared[words[1]] ?? []
      return "Every row of \(entity) is looked at."
        + (properties.isEmpty
          ? "" : " A fetch index on \(list(properties)) would find the matching rows directly.")
    }
    if line.contains("AUTOMATIC"), words.count > 1, let entity = statement.entities[words[1]] {
      let properties = statement.compared[words[1]] ?? []
      return "SQLite makes an index of \(entity) for this statement alone."
        + (properties.isEmpty
          ? "" : " A fetch index on \(list(properties)) would be there already.")
    }
    if line.hasPrefix("USE TEMP B-TREE FOR"), line.hasSuffix("ORDER BY") {
      return line.hasSuffix("FOR ORDER BY")
        ? "The rows are sorted each time." + remedy(of: statement.order, namesDirections: false)
        : "An index gives the first part of the order; rows that are equal in it are sorted each time."
          + remedy(of: statement.order, namesDirections: true)
    }
    return nil
  }

  /// Which index would have the rows in an order.
  private static func remedy(of order: [OrderedProperty], namesDirections: Bool) -> String {
    guard let first = order.first else { return "" }
    guard order.allSatisfy({ $0.alias == first.alias }) else {
      return " No index has an order by properties of several entities."
    }
    if let computed = order.first(where: \.isComputed) {
      return " No index has the order of a collation or a function; a derived attribute, such as"
        + " canonical:(\(computed.name)), can have an index."
    }
    let elements = order.map { property in
      property.descends
        ? "\(property.name) (descending)"
        : property.name + (namesDirections ? " (ascending)" : "")
    }
    return " A fetch index on \(list(elements, "and")) would have them in order."
  }

  private static func list(_ names: [String], _ word: String = "or") -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}

/// A property that rows are put in order by.
private struct OrderedProperty {
  let name: String
  let alias: String
  /// Whether something else than its column is the order.
  var isComputed: Bool
  var descends = false
}

/// The entities and properties behind a statement's aliases and columns.
private struct StatementNames {
  /// The entities by the aliases of their tables, or the tables' names.
  private(set) var entities: [String: String] = [:]
  /// The properties that conditions speak of, by alias.
  private(set) var compared: [String: [String]] = [:]
  /// The properties that the order is made of.
  private(set) var order: [OrderedProperty] = []

  private enum Clause { case values, condition, order }

  init(_ sql: String, _ tables: TableMap) {
    let tokens = Self.tokens(of: sql)
    let roots = Dictionary(
      tables.entities.filter { $0.number == $0.rootNumber }.map { ($0.tableName, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for (place, token) in tokens.enumerated() {
      guard case .name(let name) = token, let root = roots[name] else { continue }
      entities[Self.alias(behind: place, in: tokens) ?? name] = root.name
    }
    var clause = Clause.values
    // How many parentheses are open, and the place of the property that the order's term began with.
    var depth = 0
    var term: Int?
    for (place, token) in tokens.enumerated() {
      switch token {
      case .word("WHERE"), .word("ON"), .word("HAVING"): clause = .condition
      case .word("ORDER"): (clause, depth) = (.order, 0)
      case .word("SELECT"), .word("FROM"), .word("GROUP"), .word("LIMIT"): clause = .values
      case .sign("("): depth += 1
      case .sign(")"): depth -= 1
      case .sign(",") where depth == 0: term = nil
      case .word("DESC"): if let term { order[term].descends = true }
      case .word("COLLATE"): if let term { order[term].isComputed = true }
      case .word, .sign: continue
      case .name(let column):
        guard place >= 2, case .sign(".") = tokens[place - 1],
          case .name(let alias) = tokens[place - 2], let entity = entities[alias],
          let property = Self.property(column, of: entity, in: tables)
        else { continue }
        let isCompared = Self.compares(tokens, around: place)
        switch clause {
        case .values: continue
        case .condition: if isCompared { noteCompared(property, of: alias) }
        case .order: term = noteOrdered(property, of: alias, isComputed: depth > 0)
        }
      }
    }
  }

  private mutating func noteCompared(_ property: String, of alias: String) {
    if compared[alias]?.contains(property) != true {
      compared[alias, default: []].append(property)
    }
  }

  /// The place of a property among those that the order is made of; nil if it was among them before.
  private mutating func noteOrdered(
    _ property: String,
    of alias: String,
    isComputed: Bool
  ) -> Int? {
    if order.contains(where: { $0.name == property && $0.alias == alias }) { return nil }
    order.append(OrderedProperty(name: property, alias: alias, isComputed: isComputed))
    return order.count - 1
  }

  /// Whether a column is beside an operator that an index can answer.
  private static func compares(_ tokens: [Token], around place: Int) -> Bool {
    let next = place + 1 < tokens.count ? tokens[place + 1] : nil
    let last = place >= 3 ? tokens[place - 3] : nil
    let signs: [Token] = [.sign("="), .sign("<"), .sign(">")]
    let words: [Token] = [.word("IN"), .word("BETWEEN"), .word("IS")]
    return next.map { signs.contains($0) || words.contains($0) } == true
      || last.map(signs.contains) == true
  }

  private static func alias(behind place: Int, in tokens: [Token]) -> String? {
    var next = place + 1
    if next < tokens.count, case .word("AS") = tokens[next] { next += 1 }
    guard next < tokens.count, case .name(let alias) = tokens[next] else { return nil }
    return alias
  }

  private static func property(
    _ column: String,
    of root: String,
    in tables: TableMap
  ) -> String? {
    guard let number = tables[root]?.number else { return nil }
    for entity in tables.entities where entity.rootNumber == number {
      for (name, mapping) in entity.properties.sorted(by: { $0.key < $1.key }) {
        switch mapping {
        case .attribute(column), .toOne(column, _, _): return name
        case .none, .attribute, .composite, .toOne, .toManyInverse, .toManyForeignKey, .join:
          continue
        }
      }
    }
    return nil
  }
}

// MARK: - Tokens

extension StatementNames {
  fileprivate enum Token: Equatable {
    case name(String)
    /// A keyword or a number, in capital letters.
    case word(String)
    case sign(Character)
  }

  fileprivate static func tokens(of sql: String) -> [Token] {
    var rest = sql[...]
    var tokens: [Token] = []
    while let character = rest.first {
      switch character {
      case "\"", "'", "`":
        rest.removeFirst()
        let quoted = rest.prefix { $0 != character }
        rest = rest.dropFirst(quoted.count + 1)
        if character != "'" { tokens.append(.name(String(quoted))) }
      case _ where character.isLetter || character == "_":
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        rest = rest.dropFirst(word.count)
        tokens.append(.word(word.uppercased()))
      case _:
        rest.removeFirst()
        if !character.isWhitespace { tokens.append(.sign(character)) }
      }
    }
    return tokens
  }
}
