import CoreDataPredicates
import Foundation

/// Requests that stand in the model, by name.
///
/// ```swift
/// model.fetchRequestFromTemplate(
///   withName: "notesIn",
///   substitutionVariables: ["FOLDER": folder]
/// )
/// ```
extension NSManagedObjectModel {
  /// The requests as they stand in the model, their variables unsubstituted.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    Dictionary(templates.map { ($0.name, $0.template.request(in: self)) }) { _, last in last }
  }

  /// A copy of the request of that name, its variables unsubstituted.
  public func fetchRequestTemplate(
    forName name: String
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    templates.first { $0.name == name }?.template.request(in: self)
  }

  /// Replaces the request of that name; nil removes it.
  public func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?,
    forName name: String
  ) {
    willChange()
    templates.removeAll { $0.name == name }
    guard let fetchRequestTemplate else { return }
    templates.append((name, RequestTemplate(fetchRequestTemplate)))
  }

  /// A copy of the request of that name, with values for all its variables.
  ///
  /// `NSNull` stands for nil. A variable without a value stops the program.
  public func fetchRequestFromTemplate(
    withName name: String,
    substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let request = fetchRequestTemplate(forName: name) else { return nil }
    guard let predicate = request.predicate else { return request }
    let missing = predicate.variableNames.subtracting(variables.keys).sorted()
    guard missing.isEmpty else {
      let names = missing.map { "$\($0)" }.joined(separator: ", ")
      stop("the fetch request \(name) needs a value for \(names); give NSNull() for nil")
    }
    request.predicate = predicate.withSubstitutionVariables(
      variables.mapValues { $0 is NSNull ? NSExpression(forConstantValue: nil) : $0 }
    )
    return request
  }
}

extension NSPredicate {
  /// The names of the variables that are to be substituted, without the `$`.
  fileprivate var variableNames: Set<String> {
    var names: Set<String> = []
    _ = tree.replacingVariables { name in
      names.insert(name)
      return nil
    }
    return names
  }
}
