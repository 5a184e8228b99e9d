// swift-format-ignore-file
import Foundation
import CoreData

extension Note {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Note> {
        return NSFetchRequest<Note>(entityName: "Note")
    }

    @NSManaged public var uuid_: UUID?
    @NSManaged public var creationDate_: Date?
    @NSManaged public var isFavorite: Bool
    @NSManaged public var order: Int64
    @NSManaged public var title_: String?
    @NSManaged public var status_: String?
    @NSManaged public var bodyText_: String?
    @NSManaged public var formattedBodyText_: Data?
    @NSManaged public var folder: Folder?
    @NSManaged public var attachment: Attachment?
    @NSManaged public var keywords_: NSSet?
    @NSManaged public var linkedNotes_: NSSet?
    @NSManaged public var backLinkedNotes_: NSSet?

}

// MARK: Generated accessors for keywords_
extension Note {

    @NSManaged public func addToKeywords_(_ value: Keyword)

    @NSManaged public func removeFromKeywords_(_ value: Keyword)

    @NSManaged public func addToKeywords_(_ values: NSSet)

    @NSManaged public func removeFromKeywords_(_ values: NSSet)

}

extension Note : Identifiable {

}
