// swift-format-ignore-file
import Foundation
import CoreData

extension Folder {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Folder> {
        return NSFetchRequest<Folder>(entityName: "Folder")
    }

    @NSManaged public var name_: String?
    @NSManaged public var creationDate_: Date?
    @NSManaged public var notes_: NSSet?
    @NSManaged public var children_: NSSet?
    @NSManaged public var parent: Folder?

}

extension Folder : Identifiable {

}
