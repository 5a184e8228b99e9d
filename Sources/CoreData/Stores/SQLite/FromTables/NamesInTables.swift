import CoreDataModel

/// The names of properties as they were written, if a file still has them.
///
///     ZCAR.ZNUMBERPLATE   Z_Car_UNIQUE_numberPlate      numberPlate
///     ZBOOK.ZPAGESCOUNT   … 'pagesCount', ZPAGESCOUNT   pagesCount
///     ZNOTE.ZCREATEDAT                                  createdat
///
/// Columns are in upper case. Without a source, a name is in lower case, unless one that is
/// written with the words of many models makes the version hash right.
struct NamesInTables: Sendable {
  /// By table, and then by the name in upper case.
  private var known: [String: [String: String]] = [:]

  init(_ facts: TableFacts, _ entities: NumberedEntities) {
    for index in facts.indexes {
      guard let columns = index.columns else { continue }
      for entity in entities.all where entities.tableName(of: entity.number) == index.table {
        learn(from: index, of: columns, entity: entity.name)
      }
    }
    for trigger in facts.triggers { learn(fromTrigger: trigger) }
  }

  /// The possible names of the property; the best guess first, all others for a hash to confirm.
  func guesses(_ upper: String, in table: String) -> [String] {
    if let name = known[table]?[upper] { return [name] }
    return CommonWords.spellings(of: upper.lowercased())
  }

  /// The names of the properties that a constraint's index is of; nil for another index.
  static func constrained(_ index: TableFacts.Index, of entity: String) -> [String]? {
    guard index.isUnique, let columns = index.columns else { return nil }
    return names(in: index.name, after: "Z_\(entity)_UNIQUE_", columns)
  }

  /// Splits `firstName_lastName` where the columns end.
  private static func names(
    in text: String,
    after prefix: String,
    _ columns: [String]
  ) -> [String]? {
    guard text.hasPrefix(prefix) else { return nil }
    var rest = text.dropFirst(prefix.count)
    var names: [String] = []
    for column in columns {
      let name = String(rest.prefix(column.count - 1))
      guard column.hasPrefix("Z"), name.uppercased() == column.dropFirst() else { return nil }
      names.append(name)
      rest = rest.dropFirst(name.count)
      if rest.first == "_" { rest = rest.dropFirst() }
    }
    return rest.isEmpty ? names : nil
  }

  private mutating func learn(
    from index: TableFacts.Index,
    of columns: [String],
    entity: String
  ) {
    // An index that is called like its column is called like the attribute.
    let names =
      Self.constrained(index, of: entity)
      ?? Self.names(in: index.name, after: "Z_\(entity)_", columns)
    for name in names ?? [] { known[index.table, default: [:]][name.uppercased()] = name }
  }

  /// Finds `…AffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT)`.
  private mutating func learn(fromTrigger sql: String) {
    for call in sql.components(after: "AffectedObjectValue(") {
      let words = call.prefix { $0 != ")" }.split(separator: ",")
        .map { $0.filter { $0 != "'" && $0 != " " } }
      guard words.count == 5, "Z" + words[3].uppercased() == words[4] else { continue }
      known[words[0], default: [:]][words[3].uppercased()] = words[3]
    }
  }
}

extension String {
  /// The texts that follow each occurrence of a text.
  fileprivate func components(after text: String) -> [Substring] {
    var found: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      rest = rest[range.upperBound...]
      found.append(rest)
    }
    return found
  }
}

/// The words that names of properties often begin or end with.
enum CommonWords {
  private static let first = ["is", "has", "can", "should", "was", "did", "needs"]
  private static let last = [
    "at", "by", "id", "url", "uri", "uuid", "date", "time", "name", "count", "number", "type",
    "title", "text", "color", "index", "identifier", "version", "state", "status", "code", "key",
    "value", "path", "size", "data", "order", "units", "rate", "level", "image", "user", "message",
    "address", "plate", "app",
  ]
  /// Words that are also written in capitals throughout.
  private static let acronyms: Set = ["id", "url", "uri", "uuid"]

  /// `postid` as `postid`, `postID` and `postId`.
  static func spellings(of name: String) -> [String] {
    var spellings = [name]
    for word in last where name.hasSuffix(word) && name.count > word.count + 1 {
      let stem = name.dropLast(word.count)
      if acronyms.contains(word) { spellings.append(stem + word.uppercased()) }
      spellings.append(stem + word.capitalizedFirst)
    }
    for word in first where name.hasPrefix(word) && name.count > word.count + 1 {
      spellings += spellings.map {
        $0.prefix(word.count) + $0.dropFirst(word.count).capitalizedFirst
      }
    }
    return spellings
  }
}

extension StringProtocol {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
