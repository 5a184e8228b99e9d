// swift-format-ignore-file
//
//  Place+CoreDataClass.swift
//  Journal
//

import Foundation
import CoreData

public class Place: NSManagedObject {

    init(named name: String, in context: NSManagedObjectContext) {
        super.init(entity: Place.entity(), insertInto: context)
        self.name = name
    }

  public required override init(
    entity: NSEntityDescription,
    insertInto context: NSManagedObjectContext?
  ) {
    super.init(entity: entity, insertInto: context)
  }
}
