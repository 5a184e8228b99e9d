package import Foundation

// A store that answers predicates by itself has to give the answers that memory gives. Here it
// finds the pieces of the evaluation that it cannot say in its own language.

/// The kind of a value in a comparison, as stores see it.
package enum ConstantKind {
  case nothing
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)
  case text(String)
  case date(Date)
  case uuid(UUID)
  case url(URL)
  case data(Data)
  case collection([Any?])
  /// Anything else, such as a managed object.
  case object(Any)
}

extension Constant {
  package var kind: ConstantKind {
    switch Operand(value) {
    case .nothing: .nothing
    case .number(.integer(let value)): .integer(value)
    case .number(.unsigned(let value)): .real(Double(value))
    case .number(.real(let value)): .real(value)
    case .number(.decimal(let value)): .decimal(value)
    case .text(let text): .text(text)
    case .date(let date): .date(date)
    case .uuid(let uuid): .uuid(uuid)
    case .url(let url): .url(url)
    case .data(let data): .data(data)
    case .collection(let collection): .collection(collection.elements)
    case .dictionary(let dictionary): .collection(dictionary.values.elements)
    case .object(let object): .object(object)
    }
  }
}

extension NSComparisonPredicate.Options {
  /// Whether texts are folded at all before they are compared.
  package var folds: Bool {
    !contains(.normalized) && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }

  /// The text without what these options ignore; folding it again changes nothing.
  package func folded(_ text: String) -> String {
    TextComparison(self).folded(text)
  }

  /// The order of two texts under these options.
  package func order(_ one: String, _ other: String) -> ComparisonResult {
    TextComparison(self).order(one, other)
  }

  /// Whether one of the operators on texts, such as `LIKE`, holds under these options.
  package func hold(
    _ text: String,
    _ op: NSComparisonPredicate.Operator,
    _ pattern: String
  ) throws(EvaluationError) -> Bool {
    try TextComparison(self).holds(text, op, pattern)
  }
}

extension PredicateFunction {
  /// The result of a call.
  package func value(of arguments: [Any?]) throws(EvaluationError) -> Constant {
    Constant(try result(of: arguments))
  }
}

extension SortOrder {
  /// The order of two texts, ascending.
  ///
  /// Most texts that are sorted without regard to case are ASCII, which can be compared without
  /// Foundation.
  package func compareTexts(_ one: String, _ other: String) -> ComparisonResult {
    if self == .caseInsensitive, let order = one.compareIgnoringCase(ascii: other) { return order }
    return compare(one, other)
  }
}

extension String {
  /// Nil when one of the texts has other characters than ASCII.
  fileprivate func compareIgnoringCase(ascii other: String) -> ComparisonResult? {
    var result: ComparisonResult = .orderedSame
    var left = utf8.makeIterator()
    var right = other.utf8.makeIterator()
    while true {
      let (one, another) = (left.next(), right.next())
      guard one ?? 0 < 0x80, another ?? 0 < 0x80 else { return nil }
      if one == nil, another == nil { return result }
      guard result == .orderedSame else { continue }
      result = (one?.lowercasedASCII ?? -1).compared(to: another?.lowercasedASCII ?? -1)
    }
  }
}

extension UInt8 {
  fileprivate var lowercasedASCII: Int {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? Int(self) + 0x20 : Int(self)
  }
}
