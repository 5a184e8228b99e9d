import CoreDataSQL

/// The constants of an `IN`, however many there are.
///
/// ```
/// few       "ZSTARS" IN (?1, ?2, ?3, ?4)
/// many      "ZSTARS" IN (SELECT "value" FROM json_each(?1))      as SQLite has it
/// ```
///
/// Few are one, two, four, eight or sixteen, the last one repeated as needed: so lists of any length
/// have six statements between them, which stay compiled.
///
/// How many travel is the dialect's business.
struct ConstantList {
  private var integers: [Int64] = []
  private var reals: [Double] = []
  private var texts: [String] = []
  private var blobs: [[UInt8]] = []

  private static let few = 16

  init(_ integers: [Int64] = []) {
    self.integers = integers
  }

  mutating func append(_ value: SQLValue) {
    switch value {
    case .null: break
    case .integer(let value): integers.append(value)
    case .real(let value): reals.append(value)
    case .text(let text): texts.append(text)
    case .blob(let bytes): blobs.append(bytes)
    }
  }

  func conditions(
    for value: SQLFragment,
    isCertain: Bool,
    in dialect: any SQLDialect
  ) -> [Condition] {
    let keys =
      value.isKey && integers.count > Self.few ? dialect.isOne(of: integers, value) : nil
    if let keys { return [Condition(keys, isCertain: isCertain)] }
    let lists =
      list(integers, SQLValue.integer, dialect) { .integers($0) }
      + list(reals, SQLValue.real, dialect) { .reals($0) }
      + list(texts, SQLValue.text, dialect) { .texts($0) }
      + list(blobs, SQLValue.blob, dialect) { .blobs($0) }
    return lists.map { Condition("\(value) IN (\($0))", isCertain: isCertain) }
  }

  /// The content of the parentheses behind `IN`.
  private func list<Element>(
    _ constants: [Element],
    _ value: (Element) -> SQLValue,
    _ dialect: any SQLDialect,
    _ many: ([Element]) -> ManyConstants
  ) -> [SQLFragment] {
    if constants.isEmpty { return [] }
    if constants.count > Self.few { return dialect.lists(many(constants)) }
    return [filled(constants.map(value)).map(SQLFragment.value).joined(separator: ", ")]
  }
}

extension SQLFragment {
  /// Whether it is the column with the keys of a table's rows; they are integers, and equal nothing else.
  fileprivate var isKey: Bool { pieces.last == .name("Z_PK") && pieces.count <= 3 }
}

// MARK: - Lengths

extension ConstantList {
  /// The constants, the last one repeated until there is a power of two of them.
  private func filled(_ constants: [SQLValue]) -> [SQLValue] {
    guard let last = constants.last, constants.count.nonzeroBitCount > 1 else { return constants }
    let length = 1 << (Int.bitWidth - constants.count.leadingZeroBitCount)
    return constants + [SQLValue](repeating: last, count: length - constants.count)
  }
}
