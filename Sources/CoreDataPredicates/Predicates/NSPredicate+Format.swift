public import Foundation

extension NSPredicate: ClusterInitializable {}

extension NSPredicate {
  /// Creates a predicate from a format string.
  ///
  /// ```swift
  /// NSPredicate(format: "%K CONTAINS[cd] %@", "title", "swift")
  /// ```
  ///
  /// The program stops if the format string cannot be parsed; see ``init(parsing:arguments:)`` for
  /// text that users enter.
  ///
  /// - Parameters:
  ///   - format: The format string. `%K` is a placeholder for a key path, `%@`, `%d` and others for
  ///     values.
  ///   - arguments: The values for the placeholders.
  public convenience init(format: String, _ arguments: any CVarArg...) {
    self.init(cluster: { NSPredicate.parsed(format, arguments) })
  }

  /// Creates a predicate from a format string, with arguments that can be `nil` or of any type.
  ///
  /// - Parameters:
  ///   - format: The format string. `%K` is a placeholder for a key path, `%@` for a value.
  ///   - arguments: The values for the placeholders.
  @_disfavoredOverload
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(cluster: { NSPredicate.parsed(format, arguments) })
  }

  /// Creates a predicate from a format string, with an array of arguments.
  ///
  /// - Parameters:
  ///   - format: The format string. `%K` is a placeholder for a key path, `%@` for a value.
  ///   - argumentArray: The values for the placeholders.
  public convenience init(format: String, argumentArray: [Any]?) {
    self.init(cluster: { NSPredicate.parsed(format, argumentArray ?? []) })
  }

  /// Creates a predicate from a text that users can enter.
  ///
  /// ```swift
  /// do {
  ///   request.predicate = try NSPredicate(parsing: field.text)
  /// } catch let error as PredicateFormatError {
  ///   print(error)   // cannot parse "title ==": expected a value at the end
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - format: The format string.
  ///   - arguments: The values for the placeholders.
  /// - Throws: A ``PredicateFormatError`` that describes what is wrong with the text, and where.
  public convenience init(parsing format: String, arguments: [Any?] = []) throws {
    let tree = try PredicateFormat.predicate(format, arguments: arguments)
    self.init(cluster: { NSPredicate.of(tree) })
  }

  private static func parsed(_ format: String, _ arguments: [Any?]) -> NSPredicate {
    do {
      return of(try PredicateFormat.predicate(format, arguments: arguments))
    } catch {
      fatalError(error.description)
    }
  }
}

// MARK: - Variables

extension NSPredicate {
  /// Returns a copy of the predicate in which variables are replaced with values.
  ///
  /// ```swift
  /// NSPredicate(format: "price < $limit").withSubstitutionVariables(["limit": 12])
  /// // price < 12
  /// ```
  ///
  /// A value can be an `NSExpression`. Variables in block predicates are not replaced.
  ///
  /// - Parameter variables: The values by the names of the variables, without `$`.
  /// - Returns: The new predicate.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    let expressions = variables.mapValues(ExpressionTree.argument)
    let substituted = NSPredicate.of(tree.replacingVariables { expressions[$0] })
    guard let predicate = substituted as? Self else {
      fatalError("cannot substitute variables in a predicate of class \(Self.self)")
    }
    return predicate
  }
}

extension NSPredicate {
  /// Does nothing.
  ///
  /// On Apple's systems, this method permits the evaluation of a predicate from an archive. Here
  /// archives contain the text of predicates, which is safe to evaluate.
  public func allowEvaluation() {}
}

// MARK: - Class clusters

/// A protocol for classes whose initializers return instances of subclasses.
///
/// Programs do not need it.
public protocol ClusterInitializable {}

extension ClusterInitializable {
  /// Assigning `self` is only possible in an extension of a protocol.
  init<Made>(cluster make: () -> Made) {
    guard let made = make() as? Self else {
      fatalError("this \(Made.self) is not a \(Self.self); make it with \(Made.self)")
    }
    self = made
  }
}
