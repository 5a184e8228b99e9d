// swift-format-ignore-file
//
//  Place+CoreDataClass.swift
//  Journal
//

import Foundation
import CoreData

@objc(Place)
public class Place: NSManagedObject {

    init(named name: String, in context: NSManagedObjectContext) {
        super.init(entity: Place.entity(), insertInto: context)
        self.name = name
    }
}
