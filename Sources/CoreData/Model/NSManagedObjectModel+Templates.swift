import CoreDataPredicates
import Foundation

/// Fetch request templates, which are part of the model and have names.
///
/// ```swift
/// model.fetchRequestFromTemplate(
///   withName: "notesIn",
///   substitutionVariables: ["FOLDER": folder]
/// )
/// ```
extension NSManagedObjectModel {
  /// The fetch request templates of the model by name.
  ///
  /// Their variables are not substituted.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    Dictionary(templates.map { ($0.name, $0.template.request(in: self)) }) { _, last in last }
  }

  /// Returns a copy of a fetch request template.
  ///
  /// Its variables are not substituted.
  ///
  /// - Parameter name: The name of the template.
  /// - Returns: The request, or `nil` if the template does not exist.
  public func fetchRequestTemplate(
    forName name: String
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    templates.first { $0.name == name }?.template.request(in: self)
  }

  /// Sets a fetch request template.
  ///
  /// - Parameters:
  ///   - fetchRequestTemplate: The request, or `nil` to remove the template.
  ///   - name: The name of the template.
  public func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?,
    forName name: String
  ) {
    willChange()
    templates.removeAll { $0.name == name }
    guard let fetchRequestTemplate else { return }
    templates.append((name, RequestTemplate(fetchRequestTemplate)))
  }

  /// Returns a copy of a fetch request template with values for its variables.
  ///
  /// ```swift
  /// let request = model.fetchRequestFromTemplate(
  ///   withName: "notesIn",
  ///   substitutionVariables: ["FOLDER": folder]
  /// )
  /// ```
  ///
  /// The program stops if a variable does not have a value.
  ///
  /// - Parameters:
  ///   - name: The name of the template.
  ///   - variables: The values by the names of the variables; `NSNull` represents `nil`.
  /// - Returns: The request, or `nil` if the template does not exist.
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
  /// The names of the variables to substitute, without the `$`.
  fileprivate var variableNames: Set<String> {
    var names: Set<String> = []
    _ = tree.replacingVariables { name in
      names.insert(name)
      return nil
    }
    return names
  }
}
