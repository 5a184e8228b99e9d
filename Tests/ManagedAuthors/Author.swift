public import CoreData

/// A class of a module of its own, to which entities of other modules lead.
open class Author: NSManagedObject {
  @NSManaged public var name: String?
  @NSManaged open var born: Date?
  @NSManaged public private(set) var books: Int32

  public func publish() { books += 1 }
}

public enum Genre: String, Sendable {
  case essay, letter
}
