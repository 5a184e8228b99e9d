import CoreDataPredicates
import Foundation
import Synchronization

/// The reference objects of a custom store, and the keys that represent them here.
///
/// ```
/// 17            17          a whole number is its own key
/// "note-a"      2⁶² + 0     anything else gets the next of the large keys
/// UUID          2⁶² + 1     by its text, which is what a URI shows
/// ```
///
/// A key means the same as long as the store is open; between processes the text in the URI does.
final class ReferenceTable: Sendable {
  private let state = Mutex(References())

  private struct References: Sendable {
    var keys: [String: Int64] = [:]
    var texts: [Int64: String] = [:]
    /// The objects as the author gave them; by entity tree, since trees have their own numbers.
    ///
    /// They are values by contract.
    var objects: [Place: Immutable<Any>] = [:]
  }

  private struct Place: Hashable {
    let root: Int32
    let number: Int64
  }

  /// The key for a reference object.
  func number(for reference: Any, root: Int32) -> Int64 {
    let text = Self.text(of: reference)
    let kept = reference is NSNumber || reference is any BinaryInteger ? nil : Immutable(reference)
    return state.withLock { state in
      let number = Self.number(for: text, in: &state)
      if let kept { state.objects[Place(root: root, number: number)] = kept }
      return number
    }
  }

  /// The key for the text in a URI.
  func number(forText text: String) -> Int64 {
    state.withLock { Self.number(for: text, in: &$0) }
  }

  /// The reference object that the custom store has given.
  func reference(for number: Int64, root: Int32) -> Any {
    let place = Place(root: root, number: number)
    return state.withLock { state in
      state.objects[place] ?? Immutable(state.texts[number] ?? NSNumber(value: number))
    }.value
  }

  /// The text in a URI.
  func text(for number: Int64) -> String {
    state.withLock { $0.texts[number] } ?? String(number)
  }

  private static let firstLargeKey: Int64 = 1 << 62

  private static func number(for text: String, in state: inout References) -> Int64 {
    if let whole = Int64(text), (0..<firstLargeKey).contains(whole), String(whole) == text {
      return whole
    }
    if let known = state.keys[text] { return known }
    let number = firstLargeKey + Int64(state.keys.count)
    state.keys[text] = number
    state.texts[number] = text
    return number
  }

  private static func text(of reference: Any) -> String {
    switch reference {
    case let text as String: text
    case let uuid as UUID: uuid.uuidString
    case let url as URL: url.absoluteString
    case let number as any BinaryInteger: "\(number)"
    case let number as NSNumber: number.stringValue
    case let other: "\(other)"
    }
  }
}
