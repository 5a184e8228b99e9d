public import CoreData

/// Another name of a note, by which texts can link to it.
public final class Alias: NSManagedObject {}

/// The names of an alias's properties in predicates and sort descriptors.
public enum AliasProperties {
  public static let name = "name_"
  public static let canonicalName = "canonicalName"
  public static let note = "note"
}
