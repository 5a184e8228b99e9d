// swift-format-ignore-file
//
//  Entry+CoreDataProperties.swift
//  Journal
//

import Foundation
import CoreData

extension Entry {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Entry> {
        return NSFetchRequest<Entry>(entityName: "Entry")
    }

    @NSManaged public var createdAt: Date?
    @NSManaged public var day: String?
    @NSManaged public var identifier: UUID?
    @NSManaged public var isFavourite: Bool
    @NSManaged public var mood: Int16
    @NSManaged public var text: String?
    @NSManaged public var wordCount: Int32
    @NSManaged public var places: NSSet?

}

// MARK: Generated accessors for places
extension Entry {

    @NSManaged public func addToPlaces(_ value: Place)

    @NSManaged public func removeFromPlaces(_ value: Place)

    @NSManaged public func addToPlaces(_ values: NSSet)

    @NSManaged public func removeFromPlaces(_ values: NSSet)

}

extension Entry : Identifiable {

}
