// swift-format-ignore-file
//
//  Place+CoreDataProperties.swift
//  Journal
//

import Foundation
import CoreData

extension Place {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Place> {
        return NSFetchRequest<Place>(entityName: "Place")
    }

    @NSManaged public var name: String?
    @NSManaged public var entries: NSSet?

}

extension Place : Identifiable {

}
