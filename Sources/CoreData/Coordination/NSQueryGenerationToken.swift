public import Foundation

/// A state of the stores to which contexts can be pinned.
///
/// ```swift
/// try context.setQueryGenerationFrom(.current)
/// let notes = try context.fetch(Note.fetchRequest())   // pins the context to the state of now
/// try other.setQueryGenerationFrom(context.queryGenerationToken)
/// ```
///
/// The state is kept as long as a token or a context refers to it. In that time, the write-ahead log of the file
/// grows with the saves of others. You can use tokens on any thread. Unlike Apple's, a token
/// cannot be archived.
public final class NSQueryGenerationToken: NSObject, NSCopying, Sendable {
  /// Nil for ``current``.
  let generation: QueryGeneration?

  init(_ generation: QueryGeneration?) {
    self.generation = generation
    super.init()
  }

  /// A token for the state that the context finds at its next read.
  public static let current = NSQueryGenerationToken(nil)

  public func copy(with zone: NSZone?) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSQueryGenerationToken else { return false }
    return generation === other.generation
  }

  public override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }
}
