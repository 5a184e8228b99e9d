package import CoreDataModel
package import CoreDataPredicates
package import CoreDataSQL

package enum CompiledKey {
  case row(root: Int, number: Int64)
  case elsewhere
}
package struct PredicateCompilationError: Error { let text: String }
package struct PredicateCompiler {
  package init(
    _ entity: EntityMap,
    in tables: TableMap,
    schema: ModelSchema,
    alias: String = "t0",
    keyOf: @escaping (Any) -> CompiledKey?
  ) {}
  package mutating func condition(
    _ tree: CoreDataPredicates.PredicateTree
  ) throws(PredicateCompilationError) -> SQLFragment { throw PredicateCompilationError(text: "") }
  package mutating func order(
    _ terms: [SortTerm]
  ) throws(PredicateCompilationError) -> [SQLFragment] { [] }
  package var joins: [SQLFragment] { [] }
}
