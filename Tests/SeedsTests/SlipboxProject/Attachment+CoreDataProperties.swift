// swift-format-ignore-file
import Foundation
import CoreData

extension Attachment {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Attachment> {
        return NSFetchRequest<Attachment>(entityName: "Attachment")
    }

    @NSManaged public var fullImageData_: Data?
    @NSManaged public var thumbnailData_: Data?
    @NSManaged public var note: Note?

}
