import CoreDataModel
import CoreDataPredicates
import Foundation

/// Dictionaries of an incremental store: its author makes them.
extension IncrementalRows {
  func records(for plan: RecordPlan) throws -> [Record] {
    let request = request(for: plan.source, .dictionaryResultType)
    request.propertiesToFetch = plan.columns.map(\.property)
    request.propertiesToGroupBy = plan.groups.isEmpty ? nil : plan.groups.map(\.property)
    request.havingPredicate = plan.having.map { NSPredicate.of($0) }
    request.returnsDistinctResults = plan.isDistinct
    let found = try answer(to: request, context())
    guard let dictionaries = found as? [NSDictionary] else {
      throw misfit("a fetch of dictionaries with a \(type(of: found))")
    }
    return dictionaries.map { dictionary in
      Record(values: plan.columns.map { $0.value(in: dictionary) })
    }
  }
}

extension RecordColumn {
  /// The column as a request has it.
  fileprivate var property: Any {
    if let names = expression.names, names.joined(separator: ".") == name { return name }
    let description = NSExpressionDescription()
    description.name = name
    description.expression = CoreDataPredicates.NSExpression(tree: expression)
    if case .computed(let type) = form {
      description.expressionResultType =
        NSAttributeType(rawValue: type.rawValue) ?? .undefinedAttributeType
    }
    return description
  }

  fileprivate func value(in dictionary: NSDictionary) -> RecordValue {
    switch SlotValue.unwrapped(dictionary.object(forKey: name as NSString)) {
    case nil: .nothing
    case let id as NSManagedObjectID: .identity(number: id.key.number, id.layout)
    case let value?: .value(Immutable(value))
    }
  }
}
