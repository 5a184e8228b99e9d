import Foundation

/// The entries of a dictionary of any make.
///
/// A key path asks it for a key; `IN`, `ANY` and the functions of collections take its values.
package struct ValueDictionary {
  private let source: any DictionarySource

  /// Nil for a value that is not a dictionary.
  package init?(_ value: Any) {
    if type(of: value) is any AnyObject.Type {
      guard let dictionary = value as AnyObject as? NSDictionary else { return nil }
      source = FoundationDictionary(dictionary: dictionary)
    } else if let source = value as? any DictionarySource {
      self.source = source
    } else {
      return nil
    }
  }

  init(_ dictionary: NSDictionary) {
    source = FoundationDictionary(dictionary: dictionary)
  }

  /// The value under a key; nil when there is none.
  ///
  /// A text is looked up; other keys are compared as predicates compare, because the hash of an
  /// `NSDecimalNumber` never returns here.
  func value(for key: Any) -> Any? {
    let wanted = Operand(key)
    if case .text(let key) = wanted { return source.value(under: key) }
    return entries.first { $0.key == wanted }?.value
  }

  var count: Int { source.entryCount }

  /// The values, in the order of their keys as far as these have one.
  package var values: ValueCollection {
    let entries = entries.sorted { $0.key.compare($1.key) == .orderedAscending }
    return ValueCollection(.list, entries.map(\.value))
  }

  fileprivate var entries: [(key: Operand, value: Any?)] {
    source.allEntries.map { (Operand($0.key), $0.value) }
  }
}

// MARK: - Equality

extension ValueDictionary {
  /// Whether both have equal values under equal keys, whatever types these came in.
  func hasSameEntries(as other: ValueDictionary) -> Bool {
    guard count == other.count else { return false }
    var values: [Operand: Operand] = [:]
    for entry in other.entries { values[entry.key] = Operand(entry.value) }
    return entries.allSatisfy { values[$0.key] == Operand($0.value) }
  }
}

// MARK: - Printing

extension ValueDictionary {
  /// The keys and values, in the order of the keys.
  func spelled(_ spelling: (Operand) -> String) -> String {
    let entries = entries.map { (spelling($0.key), spelling(Operand($0.value))) }.sorted(by: <)
    return "{\(entries.map { "\($0.0) = \($0.1)" }.joined(separator: "; "))}"
  }
}

// MARK: - Makes of dictionaries

/// Foundation's dictionaries and Swift's, whatever they hold.
private protocol DictionarySource {
  func value(under key: String) -> Any?
  var entryCount: Int { get }
  var allEntries: [(key: Any, value: Any)] { get }
}

private struct FoundationDictionary: DictionarySource {
  let dictionary: NSDictionary

  func value(under key: String) -> Any? { dictionary.object(forKey: key as NSString) }

  var entryCount: Int { dictionary.count }

  var allEntries: [(key: Any, value: Any)] { dictionary.map { ($0.key, $0.value) } }
}

extension Dictionary: DictionarySource {
  fileprivate func value(under key: String) -> Any? {
    let typed = (key as? Key) ?? (AnyHashable(key) as? Key)
    return typed.flatMap { self[$0] }
  }

  fileprivate var entryCount: Int { count }

  fileprivate var allEntries: [(key: Any, value: Any)] {
    map { (AnyHashable($0.key).base, $0.value) }
  }
}
