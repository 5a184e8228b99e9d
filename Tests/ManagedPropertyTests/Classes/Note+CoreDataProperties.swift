public import CoreData
import ManagedAuthors

typealias Price = NSDecimalNumber

extension Note {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Note> {
    NSFetchRequest<Note>(entityName: "Note")
  }

  @NSManaged public var text: String
  @NSManaged public var `default`: String?
  @NSManaged public var isPinned: Bool
  @NSManaged public var stars: Int16
  @NSManaged public var words: Int32, bytes: Int64
  @NSManaged public var place: Int
  @NSManaged public var ratio: Double
  @NSManaged public var weight: Float
  @NSManaged public var boxed: NSNumber?
  @NSManaged var price: Price?
  @NSManaged public var cost: Decimal
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  @NSManaged public var created: Date!
  @NSManaged public var updated: Date
  @NSManaged public var seen: TimeInterval
  @NSManaged public var printed: NSDate?
  @NSManaged public var uuid: UUID?
  @NSManaged public var link: URL?
  @NSManaged public var picture: Data?
  @NSManaged var colour: Colour?
  @NSManaged public var aliases: [String]
  @NSManaged var status: Status
  @NSManaged var mood: Mood?
  @NSManaged var options: Options
  @NSManaged var genre: Genre?
  @NSManaged var author: Author?
  @NSManaged var folder: Folder?
  @NSManaged public var pages: NSOrderedSet?
  @NSManaged public var tags: NSSet?
  @NSManaged var primitiveTitle: String?
  @NSManaged var primitiveUuid: UUID?

  #if DEBUG
  @NSManaged private(set) var primitiveStars: Int16
  #endif
}

extension Note {
  @NSManaged fileprivate var secret: String?

  func whisper(_ text: String?) { secret = text }
  var whispered: String? { secret }
}

// MARK: Generated accessors for pages
extension Note {
  @NSManaged public func insertIntoPages(_ value: Page, at idx: Int)

  @NSManaged public func removeFromPages(at idx: Int)

  @NSManaged public func insertIntoPages(_ values: [Page], at indexes: NSIndexSet)

  @NSManaged public func removeFromPages(at indexes: NSIndexSet)

  @NSManaged public func replacePages(at idx: Int, with value: Page)

  @NSManaged public func replacePages(at indexes: NSIndexSet, with values: [Page])

  @NSManaged public func addToPages(_ value: Page)

  @NSManaged public func removeFromPages(_ value: Page)

  @NSManaged public func addToPages(_ values: NSOrderedSet)

  @NSManaged public func removeFromPages(_ values: NSOrderedSet)
}

// MARK: Generated accessors for tags
extension Note {
  @NSManaged func addToTags(_ value: Labels.Tag)

  @NSManaged func removeFromTags(_ value: Labels.Tag)

  @NSManaged public func addToTags(_ values: NSSet)

  @NSManaged func removeFromTags(_ values: Set<Labels.Tag>)
}
