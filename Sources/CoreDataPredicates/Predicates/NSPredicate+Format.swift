public import Foundation

extension NSPredicate: ClusterInitializable {}

extension NSPredicate {
  /// The predicate that a format string describes.
  ///
  /// ```
  /// NSPredicate(format: "%K CONTAINS[cd] %@", "title", "swift")
  /// ```
  ///
  /// A format that cannot be parsed is a mistake of the program and stops it;
  /// for text that people type there is `init(parsing:arguments:)`.
  public convenience init(format: String, _ arguments: any CVarArg...) {
    self.init(cluster: { NSPredicate.parsed(format, arguments) })
  }

  /// The same for arguments that are not `CVarArg`: optionals and objects of every kind.
  @_disfavoredOverload
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(cluster: { NSPredicate.parsed(format, arguments) })
  }

  public convenience init(format: String, argumentArray: [Any]?) {
    self.init(cluster: { NSPredicate.parsed(format, argumentArray ?? []) })
  }

  /// The predicate that a text describes, or an error that says what is wrong with it, and where.
  ///
  /// - Throws: `PredicateFormatError`.
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
  /// The same predicate with values in the place of its variables.
  ///
  /// ```
  /// NSPredicate(format: "price < $limit").withSubstitutionVariables(["limit": 12])
  /// price < 12
  /// ```
  ///
  /// A variable may stand for an `NSExpression`. Blocks keep what they have.
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
  /// Does nothing: only what came out of an archive has to be allowed, and archives hold text here.
  public func allowEvaluation() {}
}

// MARK: - Class clusters

/// A class whose initialisers give objects of subclasses.
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
