import Foundation

// MARK: - Equality

/// An object that represents something with an identity: two that share it are equal.
///
/// A managed object and its object ID compare equal through this.
package protocol ComparedByIdentity {
  var comparedIdentity: AnyHashable { get }
}

extension Operand: Hashable {
  static func == (one: Operand, other: Operand) -> Bool {
    switch (one, other) {
    case (.nothing, .nothing): true
    case (.number(let x), .number(let y)): x == y
    case (.text(let x), .text(let y)): x.hasSameBytes(as: y)
    case (.date(let x), .date(let y)):
      x == y || x.timeIntervalSinceReferenceDate.isNaN && y.timeIntervalSinceReferenceDate.isNaN
    case (.uuid(let x), .uuid(let y)): x == y
    // As stores keep them, which know no base.
    case (.url(let x), .url(let y)): x.absoluteString.hasSameBytes(as: y.absoluteString)
    case (.data(let x), .data(let y)): x == y
    case (.collection(let x), .collection(let y)): x.hasSameElements(as: y)
    case (.dictionary(let x), .dictionary(let y)): x.hasSameEntries(as: y)
    case (.object(let x), .object(let y)): hashable(x) == hashable(y)
    case (.nothing, _), (.number, _), (.text, _), (.date, _), (.uuid, _), (.url, _), (.data, _),
      (.collection, _), (.dictionary, _), (.object, _):
      false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .nothing: break
    case .number(let number): number.hash(into: &hasher)
    case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .date(let date): hasher.combine(date)
    case .uuid(let uuid): hasher.combine(uuid)
    case .url(let url): hasher.combine(url.absoluteString)
    case .data(let data): hasher.combine(data)
    case .collection(let collection): hasher.combine(collection.count)
    case .dictionary(let dictionary): hasher.combine(dictionary.count)
    case .object(let object): hasher.combine(Self.hashable(object))
    }
  }

  /// The key by which an object is compared: its identity, its own equality, or else its address.
  private static func hashable(_ object: Any) -> AnyHashable {
    switch object {
    case let object as any ComparedByIdentity: object.comparedIdentity
    // Foundation stops the program where the hash of one is asked for.
    case let error as NSError: AnyHashable("\(error.domain) \(error.code)")
    case let object as any Hashable: AnyHashable(object)
    default: AnyHashable(ObjectIdentifier(object as AnyObject))
    }
  }
}

extension ValueCollection {
  /// Sets are equal in any order; a list is never equal to a set.
  fileprivate func hasSameElements(as other: ValueCollection) -> Bool {
    guard kind == other.kind, count == other.count else { return false }
    switch kind {
    case .list, .orderedSet:
      return zip(elements, other.elements).allSatisfy { Operand($0) == Operand($1) }
    case .set:
      return Set(elements.map(Operand.init)) == Set(other.elements.map(Operand.init))
    }
  }
}

// MARK: - Order

extension Operand {
  /// The order of the two; `nil` if they have no order, such as a text and a number.
  func compare(_ other: Operand) -> ComparisonResult? {
    switch (self, other) {
    case (.number(let x), .number(let y)): x.compare(y)
    case (.text(let x), .text(let y)): x.compareBytes(y)
    case (.date(let x), .date(let y)): x.compared(to: y)
    case (.uuid(let x), .uuid(let y)): x.uuidString.compareBytes(y.uuidString)
    case (.url(let x), .url(let y)): x.absoluteString.compareBytes(y.absoluteString)
    case (.data(let x), .data(let y)): x.compareBytes(y)
    case (.object(let x as any Comparable), .object(let y)): x.compared(toAny: y)
    case (.nothing, _), (.number, _), (.text, _), (.date, _), (.uuid, _), (.url, _), (.data, _),
      (.collection, _), (.dictionary, _), (.object, _):
      nil
    }
  }
}

extension Comparable {
  fileprivate func compared(toAny other: Any) -> ComparisonResult? {
    (other as? Self).map { compared(to: $0) }
  }
}

extension Data {
  fileprivate func compareBytes(_ other: Data) -> ComparisonResult {
    lexicographicallyPrecedes(other)
      ? .orderedAscending : self == other ? .orderedSame : .orderedDescending
  }
}
