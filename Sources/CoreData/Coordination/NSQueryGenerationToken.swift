public import Foundation

/// A moment of the stores, which several contexts can be pinned to.
///
/// ```swift
/// try context.setQueryGenerationFrom(.current)
/// let notes = try context.fetch(Note.fetchRequest())        // the moment of this first reading
/// try other.setQueryGenerationFrom(context.queryGenerationToken)
/// ```
///
/// The moment stays as long as a token or a context holds it; meanwhile the file's write-ahead log grows
/// with what others save. Tokens may be used on any thread. Unlike Apple's, a token cannot be archived:
/// a moment ends with the program that holds it.
public final class NSQueryGenerationToken: NSObject, NSCopying, Sendable {
  /// Nil for ``current``.
  let generation: QueryGeneration?

  init(_ generation: QueryGeneration?) {
    self.generation = generation
    super.init()
  }

  /// The moment of a context's next reading.
  public static let current = NSQueryGenerationToken(nil)

  public func copy(with zone: NSZone?) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSQueryGenerationToken else { return false }
    return generation === other.generation
  }

  public override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }
}
