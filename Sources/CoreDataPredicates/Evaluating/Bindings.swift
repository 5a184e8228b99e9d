import Foundation

/// The variables of one evaluation.
///
/// One object is shared by the whole evaluation, so that what `$name := …` binds is there
/// for whatever is evaluated later; a subquery hides an outer variable of its name and
/// puts it back.
final class Bindings {
  private let given: [String: Any]
  /// The variables that the evaluation itself bound; they hide the given ones.
  private var bound: [String: Any?] = [:]
  /// The context in which the caller of `expressionValue(with:context:)` sees assignments.
  let context: NSMutableDictionary?

  init(_ values: [String: Any]? = nil) {
    given = values ?? [:]
    context = nil
  }

  init(context: NSMutableDictionary?) {
    var values: [String: Any] = [:]
    for (key, value) in context ?? [:] {
      if let name = key as? String { values[name] = value }
    }
    given = values
    self.context = context
  }

  /// The value of a variable; the outer optional is nil when it is not bound.
  subscript(name: String) -> Any?? {
    bound[name] ?? given[name].map(Optional.some)
  }

  func assign(_ value: Any?, to name: String) {
    bound[name] = .some(value)
    context?.setObject(value ?? NSNull(), forKey: name as NSString)
  }

  /// Runs `body` with a place for a variable that is changed often, then puts the old value back.
  func shadowing<Result, Failure: Error>(
    _ name: String,
    _ body: ((Any?) -> Void) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = bound[name]
    defer { bound[name] = outer }
    return try body { self.bound[name] = .some($0) }
  }

  /// For code outside that expects a plain dictionary.
  var dictionary: [String: Any] {
    given.merging(bound.compactMapValues(\.outward)) { _, own in own }
  }
}
