import CoreDataModel
import CoreDataPredicates

/// A derived attribute of an entity: the slot of its value, and what the value is computed from.
///
/// ```
/// modified         now()                 the time of the save
/// searchTitle      canonical:(title)     the row's own text
/// folderName       folder.name           whatever else an expression reaches
/// noteCount        notes.@count
/// ```
package struct DerivedSlot: Sendable {
  package let slot: Int
  package let source: Source

  package enum Source: Sendable {
    case now
    /// A function of a text in the same row: it is computed as the row is packed.
    case ownText(TextForm, slot: Int)
    /// An expression over the row and those it leads to.
    case related(ExpressionTree, hops: [Hop])
    /// Nothing that could be computed: why not.
    case unusable(String)
  }

  /// A relationship on the way, as the entity that it starts from has it.
  package struct Hop: Sendable {
    let entity: Int32
    let slot: Int
  }
}

// MARK: - Reading the model

extension DerivedSlot {
  static func all(of layout: EntityLayout) -> [DerivedSlot] {
    layout.slots.prefix(layout.propertyCount).enumerated().compactMap { slot, entry in
      guard let attribute = entry.attribute, let format = attribute.derivationExpression else {
        return nil
      }
      return DerivedSlot(
        slot: slot,
        source: source(format, filter: attribute.derivationFilterFormat, in: layout)
      )
    }
  }

  private static func source(
    _ format: String,
    filter: String?,
    in layout: EntityLayout
  ) -> Source {
    do {
      let expression = DerivationFormat.unfolded(try PredicateFormat.expression(format))
      if case .function(.now, []) = expression { return .now }
      if let own = ownText(expression, in: layout) { return own }
      let condition = try filter.map { try PredicateFormat.predicate($0) }
      return try related(expression, where: condition, in: layout)
    } catch {
      return .unusable("\(error)")
    }
  }

  /// `canonical:(title)`, unless the title is derived itself.
  private static func ownText(_ expression: ExpressionTree, in layout: EntityLayout) -> Source? {
    guard case .function(let function, let arguments) = expression, arguments.count == 1,
      let form = TextForm(function), let names = arguments[0].names, names.count == 1,
      let slot = layout.slot(named: names[0]),
      layout.slots[slot].kind == .text, !layout.slots[slot].isDerived,
      layout.slots[slot].isPersistent
    else { return nil }
    return .ownText(form, slot: slot)
  }

  /// Follows the path, so that it is known whose changes concern the value.
  private static func related(
    _ expression: ExpressionTree,
    where condition: PredicateTree?,
    in layout: EntityLayout
  ) throws(Unusable) -> Source {
    guard let (outer, path) = expression.functionOfPath else {
      throw Unusable("\(expression.format) is neither a key path nor a function of one")
    }
    var owner = layout
    var hops: [Hop] = []
    var toMany: Int?
    for name in path {
      guard let slot = owner.slot(named: name), owner.slots[slot].isPersistent else {
        throw Unusable("\(owner.name) has no stored property \(name)")
      }
      guard let relationship = owner.slots[slot].relationship else { continue }
      if relationship.isToMany, toMany == nil { toMany = hops.count }
      hops.append(Hop(entity: owner.number, slot: slot))
      guard let next = layout.model[relationship.destinationName] else {
        throw Unusable("\(relationship.destinationName) is no entity of the model")
      }
      owner = next
    }
    return .related(
      try tree(outer, path, firstToMany: toMany, where: condition),
      hops: hops
    )
  }

  /// The expression with its operator behind the to-many relationship: `notes.@sum.stars` adds the
  /// stars of every note, where `sum:(notes.stars)` would add each number once.
  private static func tree(
    _ function: PredicateFunction?,
    _ path: [String],
    firstToMany: Int?,
    where condition: PredicateTree?
  ) throws(Unusable) -> ExpressionTree {
    guard let firstToMany else {
      guard let function else { return .path(.evaluatedObject, path) }
      if function.collectionOperator != nil {
        throw Unusable("\(path.joined(separator: ".")) is not to many")
      }
      return .function(function, [.path(.evaluatedObject, path)])
    }
    guard let function, let name = function.collectionOperator else {
      throw Unusable("\(path.joined(separator: ".")) has many values, and no operator for them")
    }
    let relationship = ExpressionTree.path(.evaluatedObject, Array(path[...firstToMany]))
    let members = condition.map {
      let row = ExpressionTree.variable("row")
      let condition = $0.replacingVariables(object: row) { _ in nil }
      return ExpressionTree.subquery(relationship, variable: "row", condition)
    }
    return .path(members ?? relationship, [name] + path[(firstToMany + 1)...])
  }

  /// Why an expression cannot be a derivation.
  private struct Unusable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }
}

extension ExpressionTree {
  /// A plain path, and the function around it if there is one.
  fileprivate var functionOfPath: (PredicateFunction?, [String])? {
    if let names { return (nil, names) }
    guard case .function(let function, let arguments) = self, arguments.count == 1,
      let names = arguments[0].names
    else { return nil }
    return (function, names)
  }
}

extension EntityLayout {
  /// Throws for a derived attribute that nothing can compute.
  func checkDerivations(path: String) throws {
    for derivation in derivations {
      guard case .unusable(let reason) = derivation.source else { continue }
      let name = "\(name).\(slots[derivation.slot].name)"
      throw StoreFailure(.underivable(name, reason), path: path).error()
    }
  }
}
