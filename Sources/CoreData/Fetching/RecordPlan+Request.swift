import CoreDataModel
import CoreDataPredicates
import Foundation

// MARK: - From a request

extension RecordPlan {
  /// What a request for dictionaries asks for; stops the program for properties that the entity does
  /// not have, and for what dictionaries cannot have.
  init<Result>(_ request: NSFetchRequest<Result>, rows: FetchPlan) {
    let groups = (request.propertiesToGroupBy ?? []).map { RecordColumn($0, of: rows.layout) }
    let grouped = Set(groups.map(\.expression))
    let ofGroup = { (expression: CoreDataPredicates.ExpressionTree) in
      groups.isEmpty ? expression : expression.ofGroup(grouped, rows.layout)
    }
    self.init(
      source: rows,
      columns: Self.columns(of: request, rows.layout).map { column in
        RecordColumn(name: column.name, expression: ofGroup(column.expression), form: column.form)
      },
      groups: groups,
      isDistinct: request.returnsDistinctResults && request.propertiesToFetch != nil
    )
    let named = columns.reduce(into: [:]) { $0[$1.name] = $1.expression }
    having = (request.havingPredicate?.tree).map(ConstantAffinity(rows.layout).fitting)?
      .replacingVariables { named[$0] }
      .mappingExpressions { ofGroup($0.withAggregatesAsFunctions) }
    checkGroups()
  }

  /// Without a list, a dictionary has what the object's attributes are.
  private static func columns<Result>(
    of request: NSFetchRequest<Result>,
    _ layout: EntityLayout
  ) -> [RecordColumn] {
    if let properties = request.propertiesToFetch {
      return properties.map { RecordColumn($0, of: layout) }
    }
    if let groups = request.propertiesToGroupBy {
      return groups.map { RecordColumn($0, of: layout) }
    }
    return layout.slots.filter { $0.attribute != nil && $0.isPersistent && $0.kind != .composite }
      .map { RecordColumn($0.name as Any, of: layout) }
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
      // A key that nothing has, such as the name of what is computed, is an error of the fetch.
      if case .unknown = RecordPath(term.keyPath, from: source.layout).end { continue }
      stop(
        """
        \(term.keyPath.joined(separator: ".")) of \(source.layout.name) may differ between the rows of \
        one dictionary; sort by what the request groups by
        """
      )
    }
  }

  /// Throws where the rows of several stores would have to be put together.
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
  /// A name, a key path or a description.
  init(_ property: Any, of layout: EntityLayout) {
    switch property {
    case let computed as NSExpressionDescription:
      self.init(computed, of: layout)
    case let property as NSPropertyDescription:
      self.init(path: property.name, of: layout)
    case let name as String:
      self.init(path: name, of: layout)
    case _:
      stop(
        """
        propertiesToFetch and propertiesToGroupBy take names and property descriptions, not the \
        \(type(of: property)) \(property)
        """
      )
    }
  }

  private init(path: String, of layout: EntityLayout) {
    let problem: String
    let names = path.keys
    let expression = CoreDataPredicates.ExpressionTree.path(.evaluatedObject, names)
    switch RecordPath(names, from: layout).end {
    case .attribute(let owner, let slot):
      self.init(name: path, expression: expression, form: .attribute(owner, slot: slot))
      return
    case .element(let attribute):
      self.init(name: path, expression: expression, form: .computed(attribute.type))
      return
    case .object(let destination):
      self.init(name: path, expression: expression, form: .identity(destination))
      return
    case .computed:
      self.init(name: path, expression: expression, form: .computed(.undefined))
      return
    case .many: problem = "leads to many values; fetch one, such as \(path).@count"
    case .unstored: problem = "is not kept in the store; fetch objects, and read it from them"
    case .unknown: problem = "is no property; correct the name"
    }
    stop("\(path) of \(layout.name), which a fetch request shall fetch, \(problem)")
  }

  private init(_ computed: NSExpressionDescription, of layout: EntityLayout) {
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
      case .attribute, .element, .many, .computed, .unstored, .unknown:
        break
      }
    }
    self.init(name: computed.name, expression: tree, form: form)
  }
}

extension CoreDataPredicates.ExpressionTree {
  /// `@sum.views` of the objects that are fetched, said as `sum:(views)`.
  fileprivate var withAggregatesAsFunctions: Self {
    if case .keyPath(.evaluatedObject, let names) = self, let name = names.first,
      let function = Self.functions[name]
    {
      return .function(function, [.path(.evaluatedObject, Array(names.dropFirst()))])
    }
    return mappingParts { $0.withAggregatesAsFunctions }
  }

  private static let functions: [String: PredicateFunction] = [
    "@count": .count, "@sum": .sum, "@avg": .average, "@min": .min, "@max": .max,
  ]

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

// MARK: - To dictionaries

extension NSManagedObjectContext {
  /// The dictionaries of records; what has no value has no key.
  func dictionaries(
    _ records: [Record],
    of plan: RecordPlan,
    in store: NSPersistentStore
  ) -> [NSDictionary] {
    let names = plan.columns.map { $0.name as NSString as NSObject }
    return records.map { record in
      withUnsafeTemporaryAllocation(of: AnyObject.self, capacity: names.count) { objects in
        var found = 0
        var missing: Set<Int> = []
        for (place, value) in record.values.enumerated() {
          guard let object = object(of: value, in: store) else {
            missing.insert(place)
            continue
          }
          objects.initializeElement(at: found, to: object)
          found += 1
        }
        defer { objects.extracting(..<found).deinitialize() }
        let keys =
          missing.isEmpty ? names : names.indices.filter { !missing.contains($0) }.map { names[$0] }
        return keys.withUnsafeBufferPointer { keys in
          NSDictionary(objects: objects.baseAddress, forKeys: keys.baseAddress, count: found)
        }
      }
    }
  }

  private func object(of value: RecordValue, in store: NSPersistentStore) -> AnyObject? {
    switch value {
    case .identity(let number, let layout):
      let key = ObjectKey(store: store.number, root: layout.rootNumber, number: number)
      return NSManagedObjectID(key: key, layout: layout)
    case .externalFile(let file): return store.externalData(named: file).map { $0 as NSData }
    case .nothing, .integer, .real, .text, .date, .value: return value.object
    }
  }
}

// MARK: - Mistakes

extension NSFetchRequest {
  /// Stops the program for parts of a request that exclude each other.
  func refuseIllegalParts() {
    let givesDictionaries = resultType.contains(.dictionaryResultType)
    if propertiesToGroupBy?.isEmpty ?? true {
      require(
        havingPredicate == nil,
        "\(title) has a havingPredicate without propertiesToGroupBy; use predicate for single rows"
      )
    } else {
      require(
        givesDictionaries,
        "\(title) groups, which only dictionaries can; set its resultType to .dictionaryResultType"
      )
    }
    if let propertiesToFetch, !givesDictionaries {
      for case let computed as NSExpressionDescription in propertiesToFetch {
        stop(
          """
          \(title) fetches the expression \(computed.name), which objects have no place for; set its \
          resultType to .dictionaryResultType
          """
        )
      }
    }
  }

  private var title: String { "a fetch request for \(entityName ?? "(no entity)")" }

  /// The slots of the properties that objects shall come with; nil for all.
  func slotsToFetch(of layout: EntityLayout) -> SlotSet? {
    guard let propertiesToFetch, !propertiesToFetch.isEmpty else { return nil }
    return SlotSet(
      propertiesToFetch.map { property in
        let column = RecordColumn(property, of: layout)
        guard let slot = layout.slot(named: column.name) else {
          stop(
            """
            \(title) fetches \(column.name) into objects, which have properties of their own only; \
            set its resultType to .dictionaryResultType
            """
          )
        }
        return slot
      }
    )
  }
}
