// swift-format-ignore-file
//
//  Entry+CoreDataClass.swift
//  Journal
//

import Foundation
import CoreData

@objc(Entry)
public class Entry: NSManagedObject {

    override private init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }
}
