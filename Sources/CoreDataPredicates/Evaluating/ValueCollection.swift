import Foundation

/// The elements of a collection of any make, with nil for `NSNull`.
///
/// Evaluation passes these from step to step; `outward` gives Foundation's form.
package struct ValueCollection {
  package enum Kind: Hashable, Sendable {
    case list
    case set
    case orderedSet
  }

  package let kind: Kind
  package let elements: [Any?]

  package init(_ kind: Kind, _ elements: [Any?]) {
    self.kind = kind
    self.elements = elements
  }

  /// Nil when the value is not a collection; texts, data and dictionaries are not.
  package init?(_ value: Any) {
    guard case .collection(let collection) = Operand(value) else { return nil }
    self = collection
  }

  init(_ list: NSArray) {
    self.init(.list, (0..<list.count).map { list.object(at: $0) })
  }

  init(_ list: NSOrderedSet) {
    self.init(.orderedSet, (0..<list.count).map { list.object(at: $0) })
  }

  init(_ set: NSSet) {
    var elements: [Any?] = []
    elements.reserveCapacity(set.count)
    let enumerator = set.objectEnumerator()
    while let element = enumerator.nextObject() { elements.append(element) }
    self.init(.set, elements)
  }
}

// MARK: - Going on

extension ValueCollection {
  package var count: Int { elements.count }

  /// The same kind of collection with the result of a step at each element.
  ///
  /// Lists keep a nil for each element without a value; sets drop it, and drop doubles.
  func map<Failure: Error>(
    _ inner: InnerCollections,
    _ step: (Any) throws(Failure) -> Any?
  ) throws(Failure) -> ValueCollection {
    var results: [Any?] = []
    results.reserveCapacity(elements.count)
    for element in elements {
      guard let element, let result = try step(element) else {
        if kind == .list { results.append(nil) }
        continue
      }
      if inner == .joined, let collection = ValueCollection(result) {
        results.append(contentsOf: collection.elements)
      } else {
        results.append(result)
      }
    }
    return ValueCollection(kind, kind == .list ? results : results.withoutDoubles)
  }

  func filter<Failure: Error>(
    _ isIncluded: (Any?) throws(Failure) -> Bool
  ) throws(Failure) -> ValueCollection {
    var kept: [Any?] = []
    for element in elements where try isIncluded(element) { kept.append(element) }
    return ValueCollection(kind, kept)
  }

  func contains(_ operand: Operand) -> Bool {
    elements.contains { Operand($0) == operand }
  }

  /// A Swift array, set or an ordered set, with `NSNull` for nil.
  ///
  /// The hash of an `NSDecimalNumber` never returns here. So the set is Swift's own, and an ordered
  /// set of decimals becomes an array.
  package var outward: Any {
    switch kind {
    case .list:
      elements.map(\.outwardElement)
    case .orderedSet where elements.contains(where: \.isDecimal):
      elements.map(\.outwardElement)
    case .set:
      Set(
        elements.map(\.hashableElement).map { ($0 as? AnyHashable) ?? AnyHashable(Unhashable($0)) }
      )
    case .orderedSet:
      NSOrderedSet(array: elements.map(\.outwardElement))
    }
  }
}

/// An element of a set that cannot be compared: it is equal only to itself.
private final class Unhashable: Hashable {
  let value: Any

  init(_ value: Any) {
    self.value = value
  }

  static func == (one: Unhashable, other: Unhashable) -> Bool { one === other }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension Any? {
  /// As an element of a collection that leaves the evaluation: `NSNull` for nil.
  fileprivate var outwardElement: Any {
    outward ?? NSNull()
  }

  fileprivate var isDecimal: Bool {
    if case .number(.decimal) = Operand(self) { true } else { false }
  }

  /// The same with a `Decimal` for an `NSDecimalNumber`, and an element that is equal only to
  /// itself for an `NSError`: the hashes of both stop the program.
  ///
  /// A list is Foundation's, because Swift's cannot be hashed.
  fileprivate var hashableElement: Any {
    let element = outwardElement
    if type(of: element) == [Any].self, let list = element as? [Any] { return NSArray(array: list) }
    switch element as AnyObject {
    case let number as NSDecimalNumber: return number.decimalValue
    case is NSError: return Unhashable(element)
    case _: return element
    }
  }
}

extension [Any?] {
  /// The first of each equal values, nil left out.
  var withoutDoubles: [Any?] {
    var seen: Set<Operand> = []
    return filter {
      let operand = Operand($0)
      if case .nothing = operand { return false }
      return seen.insert(operand).inserted
    }
  }
}

// MARK: - Swift's own collections

/// Swift's arrays and sets, whatever they hold.
protocol ElementListing {
  var valueCollection: ValueCollection { get }
}

extension Array: ElementListing {
  var valueCollection: ValueCollection { ValueCollection(.list, map { $0 as Any }) }
}

extension ArraySlice: ElementListing {
  var valueCollection: ValueCollection { ValueCollection(.list, map { $0 as Any }) }
}

extension Set: ElementListing {
  var valueCollection: ValueCollection {
    ValueCollection(.set, map { AnyHashable($0).base })
  }
}
