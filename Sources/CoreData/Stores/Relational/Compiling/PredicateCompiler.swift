import CoreDataModel
import CoreDataPredicates
import CoreDataSQL

/// Turns predicates and sort orders of one entity into SQL over its tables.
///
/// ```
/// folder.name == "Home" AND ANY tags.label == "swift"
///
/// LEFT OUTER JOIN "ZFOLDER" "t1" ON "t1"."Z_PK" = "t0"."ZFOLDER"
/// "t1"."ZNAME" = ?1 AND EXISTS (SELECT 1 FROM "Z_3TAGS" "t2" … WHERE … "t3"."ZLABEL" = ?2)
/// ```
///
/// A condition finds the rows for which the evaluation in memory says true, and no others. A predicate without such a
/// condition is refused with a sentence. `Condition` has the rule for values that are nil; the dialect deals with
/// everything that SQL cannot express, and may run the code of the evaluation.
///
/// The compiler refuses what Apple refuses, with a sentence: code, properties that are not in the store, and a
/// to-many key path compared without `ANY`, `ALL` or `NONE`.
///
/// Two differences are tolerated:
/// - Texts without options have the order of their code points, so that indexes serve; memory
///   takes two spellings of one character, such as `é` and `e` with an accent, for the same.
/// - NaN results are nil, because databases do not have another representation.
struct PredicateCompiler {
  let entity: EntityMap
  let tables: TableMap
  let dialect: any SQLDialect
  let schema: ModelSchema
  let keyOf: (Any) -> CompiledKey?
  let root: RowPlace
  /// The rows of the variables of subqueries.
  var variables: [String: RowPlace] = [:]
  /// The `FROM` of the statement is number 0; those of subselects come and go.
  var clauses: [FromClause.ID: FromClause] = [0: FromClause()]
  /// Rows whose entity is known to be one below that of their table, where a condition has asked for it.
  var narrowings: [RowPlace] = []
  /// Whether `sum:` and its like, called with a value of the row, mean all the rows together.
  var aggregatesRows = false
  /// Columns whose ranges must not make the planner choose an index.
  var shadedColumns: Set<SQLFragment> = []
  /// The indexes of words that may be asked.
  var textIndexes = TextIndexes.none
  /// The facts that the statement may rely on, and the questions that arose.
  var draft = StatementDraft()
  /// Whether the condition names the keys of few rows, so that no index is of use.
  private(set) var findsFew = false
  private var clauseCount = 1
  private var aliasCount = 0

  /// `alias` is the table's name in the statement; `keyOf` separates objects, their ids and entities from ordinary
  /// values, for which it returns `nil`.
  init(
    _ entity: EntityMap,
    in tables: TableMap,
    dialect: any SQLDialect,
    schema: ModelSchema,
    alias: String = "t0",
    keyOf: @escaping (Any) -> CompiledKey?
  ) {
    self.entity = entity
    self.tables = tables
    self.dialect = dialect
    self.schema = schema
    self.keyOf = keyOf
    root = RowPlace(
      entity: entity,
      key: .column("Z_PK", of: alias),
      clause: 0,
      alias: alias,
      isNullable: false
    )
  }

  /// The condition for `WHERE`, which may be a part of an `AND`.
  mutating func condition(
    _ tree: CoreDataPredicates.PredicateTree
  ) throws(PredicateCompilationError) -> SQLFragment {
    let condition = try compiled(tree)
    findsFew = condition.isFew
    return condition.term
  }

  /// The joins that conditions and orders need so far, for key paths such as `folder.name`.
  var joins: [SQLFragment] { clauses[0]?.tables ?? [] }
}

// MARK: - Compounds

extension PredicateCompiler {
  mutating func compiled(
    _ tree: CoreDataPredicates.PredicateTree
  ) throws(PredicateCompilationError) -> Condition {
    switch tree {
    case .constant(let value):
      return .always(value)
    case .comparison(let comparison):
      return try compiled(comparison)
    case .and(let terms):
      // Words that are asked for in different brackets are one question.
      let terms = textIndexes.isEmpty ? terms : tree.conjuncts
      return try shading(terms) { compiler throws(PredicateCompilationError) in
        .all(try compiler.compiled(compiler.gathered(all: terms)))
      }
    case .or(let terms):
      return .any(try compiled(gathered(any: gatheringQuestions(terms))))
    case .not(let term):
      return try compiled(term).negated
    case .block:
      throw PredicateCompilationError(
        tree,
        "a predicate made of code cannot run in the database",
        remedy: PredicateCompilationError.filterInMemory
      )
    }
  }

  private mutating func compiled(
    _ gathered: GatheredWords
  ) throws(PredicateCompilationError) -> [Condition] {
    var conditions: [Condition] = []
    if let question = gathered.question, let found = isFound(question) { conditions.append(found) }
    conditions.reserveCapacity(conditions.count + gathered.rest.count)
    for tree in gathered.rest { conditions.append(try compiled(tree)) }
    return conditions
  }
}

// MARK: - Names

extension PredicateCompiler {
  mutating func freshAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  mutating func openClause(_ table: SQLFragment) -> FromClause.ID {
    defer { clauseCount += 1 }
    clauses[clauseCount] = FromClause(tables: [table])
    return clauseCount
  }
}
