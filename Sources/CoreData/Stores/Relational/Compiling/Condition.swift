import CoreDataSQL

/// A condition in SQL, which may be true, false or unknown.
///
/// A predicate is true or false. SQL also knows NULL, and this is the rule that makes the two agree: **unknown counts
/// as false, and code that depends on the difference asks for `TRUE`.**
///
/// ```
/// stars < 3             "ZSTARS" < ?1                  unknown without stars: not found
/// NOT stars < 3         ("ZSTARS" < ?1) IS NOT TRUE    found without stars, as in memory
/// title != "x"          "ZTITLE" IS NOT ?1             true without a title
/// ```
///
/// `AND`, `OR`, `WHERE` and `EXISTS` cannot distinguish unknown from false. Only negation can.
struct Condition {
  let sql: SQLFragment
  /// Whether it is never unknown.
  let isCertain: Bool
  /// Whether it names the keys of the few rows for which it may be true.
  let isFew: Bool
  /// The contrary in fewer words than `NOT` takes, never unknown.
  private let contrary: SQLFragment?
  fileprivate let form: Form

  fileprivate enum Form: Equatable {
    case constant(Bool)
    case single
    /// `EXISTS (…)`, which takes a `NOT` as it is.
    case existence
    case conjunction
    case disjunction
  }

  private init(
    _ sql: SQLFragment,
    isCertain: Bool,
    _ form: Form,
    contrary: SQLFragment? = nil,
    isFew: Bool = false
  ) {
    self.sql = sql
    self.contrary = contrary
    self.isCertain = isCertain
    self.isFew = isFew
    self.form = form
  }

  /// A comparison, a call, or anything else that binds closer than `AND` and `NOT`.
  init(
    _ sql: SQLFragment,
    isCertain: Bool,
    contrary: SQLFragment? = nil,
    isFew: Bool = false
  ) {
    self.init(sql, isCertain: isCertain, .single, contrary: contrary, isFew: isFew)
  }

  static func always(_ value: Bool) -> Condition {
    Condition(value ? "TRUE" : "FALSE", isCertain: true, .constant(value))
  }

  static func exists(_ rows: SQLFragment) -> Condition {
    Condition("EXISTS \(rows)", isCertain: true, .existence)
  }

  /// The answer, when it is the same for every row.
  var constant: Bool? {
    if case .constant(let value) = form { value } else { nil }
  }
}

// MARK: - Combining

extension Condition {
  /// True exactly when this is not.
  var negated: Condition {
    if let contrary { return Condition(contrary, isCertain: true, contrary: isCertain ? sql : nil) }
    return switch form {
    case .constant(let value): .always(!value)
    case .existence: Condition("NOT \(sql)", isCertain: true, contrary: sql)
    case .single, .conjunction, .disjunction:
      isCertain
        ? Condition("NOT (\(sql))", isCertain: true)
        : Condition("(\(sql)) IS NOT TRUE", isCertain: true)
    }
  }

  static func all(_ terms: [Condition]) -> Condition {
    if terms.contains(where: { $0.constant == false }) { return .always(false) }
    return combined(terms.filter { $0.constant != true }, " AND ", .conjunction) ?? .always(true)
  }

  static func any(_ terms: [Condition]) -> Condition {
    if terms.contains(where: { $0.constant == true }) { return .always(true) }
    return combined(terms.filter { $0.constant != false }, " OR ", .disjunction) ?? .always(false)
  }

  /// As one of several terms of a `WHERE`.
  var term: SQLFragment {
    if case .disjunction = form { "(\(sql))" } else { sql }
  }

  private static func combined(_ terms: [Condition], _ word: String, _ form: Form) -> Condition? {
    guard terms.count > 1 else { return terms.first }
    let isOneEnough = form == .conjunction
    return Condition(
      chained(terms.map { form.wraps($0.form) ? "(\($0.sql))" : $0.sql }[...], word),
      isCertain: terms.allSatisfy(\.isCertain),
      form,
      isFew: isOneEnough ? terms.contains(where: \.isFew) : terms.allSatisfy(\.isFew)
    )
  }

  /// A database builds a tree as deep as a chain is long, and refuses one that is too deep; long
  /// chains are halved until they are short.
  private static func chained(_ terms: ArraySlice<SQLFragment>, _ word: String) -> SQLFragment {
    guard terms.count > 50 else { return terms.joined(separator: word) }
    let middle = terms.startIndex + terms.count / 2
    let left = chained(terms[..<middle], word)
    let right = chained(terms[middle...], word)
    return "(\(left))\(SQLFragment(stringLiteral: word))(\(right))"
  }
}

extension Condition.Form {
  /// Whether a part of another form needs parentheses in here.
  fileprivate func wraps(_ part: Self) -> Bool {
    switch (self, part) {
    case (.conjunction, .disjunction), (.disjunction, .conjunction): true
    case (.constant, _), (.single, _), (.existence, _), (.conjunction, _), (.disjunction, _): false
    }
  }
}
