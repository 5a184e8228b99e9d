public import CoreData

extension NSPredicate {
  /// Admits everything.
  public static var all: NSPredicate { NSPredicate(format: "TRUEPREDICATE") }

  /// Admits nothing.
  public static var none: NSPredicate { NSPredicate(format: "FALSEPREDICATE") }
}
