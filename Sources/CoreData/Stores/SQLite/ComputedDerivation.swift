import CoreDataModel
import CoreDataPredicates
package import CoreDataSQL

/// The values of a derived attribute that triggers do not fill, computed for all rows `t0` at once.
package struct ComputedDerivation {
  /// The text between the table and the condition of a query.
  package let joins: SQLFragment
  package let value: SQLFragment
  package let kind: Kind

  package enum Kind {
    case exact
    /// Depends in its last digits on the order in which numbers are added.
    case fraction
    /// A text without the case and the marks of another one.
    case folded(SQLFragment)
  }
}

extension ComputedDerivation {
  /// `nil` for times, and for expressions that SQL cannot express, which are refused when a store is opened.
  package init?(
    _ derived: DerivedColumn,
    of entity: EntityMap,
    in tables: TableMap,
    _ model: ModelLayout
  ) {
    guard let layout = model[entity.name],
      let derivation = layout.derivations.first(where: {
        layout.slots[$0.slot].name == derived.attributeName
      })
    else { return nil }
    switch derivation.source {
    case .now, .unusable:
      return nil
    case .ownText(.canonical, let slot):
      guard let column = entity.column(of: layout.slots[slot].name) else { return nil }
      let text = SQLFragment.column(column, of: "t0")
      let folded = SQLiteDialect().folded(text, [.caseInsensitive, .diacriticInsensitive])
      self.init(joins: "", value: folded, kind: .folded(text))
    case .ownText(let form, let slot):
      let path = ExpressionTree.path(.evaluatedObject, [layout.slots[slot].name])
      self.init(.function(form.function, [path]), of: entity, in: tables, model.schema)
    case .related(let expression, _):
      self.init(expression, of: entity, in: tables, model.schema)
    }
  }

  private init?(
    _ expression: ExpressionTree,
    of entity: EntityMap,
    in tables: TableMap,
    _ schema: ModelSchema
  ) {
    var compiler = PredicateCompiler(
      entity,
      in: tables,
      dialect: SQLiteDialect(),
      schema: schema,
      keyOf: { _ in nil }
    )
    // An expression that SQL cannot express is refused when the store is opened, with a sentence.
    guard case .value(let value)? = try? compiler.side(expression) else { return nil }
    self.init(
      joins: compiler.joins.joined(separator: " "),
      value: value.sql,
      kind: [.real, .decimal].contains(value.kind) ? .fraction : .exact
    )
  }
}
