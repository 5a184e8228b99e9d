public import CoreData

/// A title that a note's text links to, and that no note has yet: `[[Title]]`.
///
/// The store keeps them so that a note that comes later finds who waits for it along an index.
public final class LooseLink: NSManagedObject {}

/// The names of a loose link's properties in predicates and sort descriptors.
public enum LooseLinkProperties {
  public static let canonicalName = "canonicalName"
  public static let note = "note"
}
