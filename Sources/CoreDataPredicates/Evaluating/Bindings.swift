import Foundation

/// The variables of one evaluation.
///
/// One object is shared by the whole evaluation, so that what `$name := …` binds is there
/// for whatever is evaluated later; a subquery hides an outer variable of its name and
/// puts it back.
final class Bindings {
  private var values: [String: Any?]
  /// What the caller of `expressionValue(with:context:)` sees of assignments.
  let context: NSMutableDictionary?

  init(_ values: [String: Any]? = nil) {
    self.values = values ?? [:]
    context = nil
  }

  init(context: NSMutableDictionary?) {
    var values: [String: Any?] = [:]
    for (key, value) in context ?? [:] {
      if let name = key as? String { values[name] = value }
    }
    self.values = values
    self.context = context
  }

  /// The value of a variable; the outer optional is nil when it is not bound.
  subscript(name: String) -> Any?? {
    values[name]
  }

  func assign(_ value: Any?, to name: String) {
    values[name] = .some(value)
    context?.setObject(value ?? NSNull(), forKey: name as NSString)
  }

  /// Runs `body` with a place for a variable that is changed often, then puts the old value back.
  func shadowing<Result, Failure: Error>(
    _ name: String,
    _ body: ((Any?) -> Void) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = values[name]
    defer { values[name] = outer }
    return try body { self.values[name] = .some($0) }
  }

  /// For code outside that expects a plain dictionary.
  var dictionary: [String: Any] {
    values.compactMapValues { ($0 as? ValueCollection)?.outward ?? $0 }
  }
}
