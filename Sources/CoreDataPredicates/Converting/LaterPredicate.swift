import Foundation

/// A predicate of Swift's whose key paths do not have names before a model is loaded.
///
/// ```
/// static let starred = NSPredicate(#Predicate<Note> { $0.stars > 3 })   asked for before the container
/// ```
///
/// Until then, and if a property turns out to be nameless, it is code, which only memory can run.
final class LaterPredicate: NSPredicate, PredicateTreeHolding {
  private let convert: () throws -> PredicateTree
  private let run: (Any?) throws -> Bool
  private let input: Any.Type

  init<Input>(later predicate: Predicate<Input>) {
    convert = { try PredicateTree(converting: predicate) }
    run = { object in
      guard let object = object as? Input else {
        throw ConversionError("it is asked of something else than a \(Input.self)")
      }
      return try predicate.evaluate(object)
    }
    input = Input.self
    super.init(block: neverAsked)
  }

  var heldTree: PredicateTree { converted ?? .block(PredicateBlock(self)) }

  var isSettled: Bool { false }

  /// The tree, as soon as there is one.
  private var converted: PredicateTree? {
    // Why there is none has been said, or will be where the code cannot be run.
    try? convert()
  }

  override var predicateFormat: String { heldTree.description }

  override var description: String { heldTree.description }

  override func evaluate(
    with object: Any?,
    substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    if let converted { return converted.answer(for: object, bindings) }
    do {
      return try run(object)
    } catch {
      ConversionError("\(error)").log("a predicate", of: input)
      return false
    }
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool { heldTree.isEqual(object) }

  override var hash: Int { converted?.canonical.hashValue ?? ObjectIdentifier(self).hashValue }
}
