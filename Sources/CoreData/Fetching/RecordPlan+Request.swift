import CoreDataModel
import CoreDataPredicates
import Foundation

// MARK: - From a request

extension RecordPlan {
  /// The plan of a request for dictionaries; stops the program for properties that the entity does not have, or that
  /// dictionaries cannot contain.
  init<Result>(_ request: NSFetchRequest<Result>, rows: FetchPlan) {
    let groups = (request.propertiesToGroupBy ?? []).flatMap {
      RecordColumn.all(for: $0, of: rows.layout)
    }
    let grouped = Set(groups.map(\.expression))
    let ofGroup = { (expression: CoreDataPredicates.ExpressionTree) in
      groups.isEmpty ? expression : expression.ofGroup(grouped, rows.layout)
    }
    self.init(
      source: rows,
      columns: Self.columns(of: request, rows.layout).map { column in
        RecordColumn(
          name: column.name,
          expression: ofGroup(column.expression),
          form: column.form,
          part: column.part
        )
      },
      groups: groups,
      isDistinct: request.returnsDistinctResults && request.propertiesToFetch?.isEmpty == false
    )
    var named: [String: CoreDataPredicates.ExpressionTree] = [:]
    for column in columns where column.part.isEmpty { named[column.name] = column.expression }
    having = (request.havingPredicate?.tree).map(ConstantAffinity(rows.layout).fitting)?
      .replacingVariables { named[$0] }
      .mappingExpressions { ofGroup($0.withAggregatesAsFunctions) }
    checkGroups()
  }

  /// Without a list, or with an empty one, a dictionary has what the object's attributes are.
  private static func columns<Result>(
    of request: NSFetchRequest<Result>,
    _ layout: EntityLayout
  ) -> [RecordColumn] {
    if let properties = request.propertiesToFetch, !properties.isEmpty {
      return properties.flatMap { RecordColumn.all(for: $0, of: layout) }
    }
    if let groups = request.propertiesToGroupBy, !groups.isEmpty {
      return groups.flatMap { RecordColumn.all(for: $0, of: layout) }
    }
    return layout.slots.prefix(layout.propertyCount)
      .filter { $0.attribute != nil && $0.isPersistent }
      .flatMap { RecordColumn.all(for: $0.name, of: layout) }
  }

  /// A record of several rows has one value for each name only if the rows agree.
  private func checkGroups() {
    guard aggregates else { return }
    let grouped = Set(groups.map(\.expression))
    for column in columns where !column.expression.isOneValue(for: grouped, source.layout) {
      stop(
        """
        \(column.name) of \(source.layout.name) may differ between the rows of one dictionary; group by \
        it, or fetch an aggregate of it such as max:(\(column.name))
        """
      )
    }
    if groups.isEmpty { return }
    for term in source.sort where !grouped.contains(.path(.evaluatedObject, term.keyPath)) {
      switch RecordPath(term.keyPath, from: source.layout).end {
      // A key that does not exist, such as the name of a computed value, is an error of the fetch, and so is a value
      // without an order.
      case .unknown, .composite: continue
      case .attribute, .object, .many, .computed, .unstored: break
      }
      stop(
        """
        \(term.keyPath.joined(separator: ".")) of \(source.layout.name) may differ between the rows of \
        one dictionary; sort by what the request groups by
        """
      )
    }
  }

  /// Throws if the rows of several stores would have to be put together.
  func spread(over stores: [NSPersistentStore]) throws -> RecordPlan {
    let isPlain =
      !aggregates && !isDistinct && source.sort.isEmpty && source.limit == nil && source.offset == 0
    if stores.count > 1, !isPlain {
      throw FetchFailure.severalStores(entity: source.layout.name).error
    }
    return self
  }
}

extension RecordColumn {
  /// The columns of a name, a key path or a description: one, or those of a composite attribute.
  static func all(for property: Any, of layout: EntityLayout) -> [RecordColumn] {
    switch property {
    case let computed as NSExpressionDescription:
      return all(computedBy: computed, of: layout)
    case let property as NSPropertyDescription:
      return all(at: property.name, of: layout)
    case let name as String:
      return all(at: name, of: layout)
    case _:
      stop(
        """
        propertiesToFetch and propertiesToGroupBy take names and property descriptions, not the \
        \(type(of: property)) \(property)
        """
      )
    }
  }

  private static func all(at path: String, of layout: EntityLayout) -> [RecordColumn] {
    let problem: String
    let names = path.keys
    let expression = CoreDataPredicates.ExpressionTree.path(.evaluatedObject, names)
    switch RecordPath(names, from: layout).end {
    case .attribute(let owner, let slot):
      return [RecordColumn(name: path, expression: expression, form: .attribute(owner, slot: slot))]
    case .composite(let owner, let slot, let inner):
      return elements(of: slot, in: owner, under: inner, named: path, at: names)
    case .object(let destination):
      return [RecordColumn(name: path, expression: expression, form: .identity(destination))]
    case .computed:
      return [RecordColumn(name: path, expression: expression, form: .computed(.undefined))]
    case .many: problem = "leads to many values; fetch one, such as \(path).@count"
    case .unstored: problem = "is not kept in the store; fetch objects, and read it from them"
    case .unknown: problem = "is no property; correct the name"
    }
    stop("\(path) of \(layout.name), which a fetch request shall fetch, \(problem)")
  }

  /// A column for each element of a composite attribute, or of the one at `inner` within it.
  private static func elements(
    of slot: Int,
    in owner: EntityLayout,
    under inner: [String],
    named name: String,
    at names: [String]
  ) -> [RecordColumn] {
    owner.slots[slot].elements.filter { $0.path.starts(with: inner) }
      .map { element in
        let part = Array(element.path.dropFirst(inner.count))
        return RecordColumn(
          name: name,
          expression: .path(.evaluatedObject, names + part),
          form: .attribute(owner, slot: element.slot),
          part: part
        )
      }
  }

  private static func all(
    computedBy computed: NSExpressionDescription,
    of layout: EntityLayout
  ) -> [RecordColumn] {
    guard let expression = computed.expression else {
      stop("the expression description \(computed.name) has no expression; set one")
    }
    let tree = expression.tree.withAggregatesAsFunctions
    let type = AttributeType(rawValue: computed.expressionResultType.rawValue) ?? .undefined
    var form = RecordForm.computed(type)
    if tree == .evaluatedObject { form = .identity(layout) }
    if let names = tree.names {
      switch RecordPath(names, from: layout).end {
      case .attribute(let owner, let slot) where type == .undefined || type == .transformable:
        form = .attribute(owner, slot: slot)
      case .object(let destination):
        form = .identity(destination)
      case .composite(let owner, let slot, let inner):
        return elements(of: slot, in: owner, under: inner, named: computed.name, at: names)
      case .attribute, .many, .computed, .unstored, .unknown:
        break
      }
    }
    return [RecordColumn(name: computed.name, expression: tree, form: form)]
  }
}

extension CoreDataPredicates.ExpressionTree {
  /// `@sum.views` of the objects that are fetched, said as `sum:(views)`.
  fileprivate var withAggregatesAsFunctions: Self {
    if case .keyPath(.evaluatedObject, let names) = self, let name = names.first,
      let function = PredicateFunction(collectionOperator: name)
    {
      return .function(function, [.path(.evaluatedObject, Array(names.dropFirst()))])
    }
    return mappingParts { $0.withAggregatesAsFunctions }
  }

  /// Whether it has one value for all the rows of a group.
  fileprivate func isOneValue(for grouped: Set<Self>, _ layout: EntityLayout) -> Bool {
    if grouped.contains(self) || isAggregateOfRows(in: layout) { return true }
    switch self {
    case .constant:
      return true
    case .function, .cast, .conditional:
      var isOne = true
      _ = mappingParts { part in
        isOne = isOne && part.isOneValue(for: grouped, layout)
        return part
      }
      return isOne
    case .evaluatedObject, .keyPath, .variable, .variableKey, .aggregate, .message, .subquery,
      .index, .set, .assignment, .fetch, .anyKey, .block:
      return false
    }
  }
}
