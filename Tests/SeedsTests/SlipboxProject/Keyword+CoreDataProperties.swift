// swift-format-ignore-file
import Foundation
import CoreData

extension Keyword {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Keyword> {
        return NSFetchRequest<Keyword>(entityName: "Keyword")
    }

    @NSManaged public var name_: String?
    @NSManaged public var red_: Double
    @NSManaged public var green_: Double
    @NSManaged public var blue_: Double
    @NSManaged public var opacity_: Double
    @NSManaged public var notes_: NSSet?

}

extension Keyword : Identifiable {

}
