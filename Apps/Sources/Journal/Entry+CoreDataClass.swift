// swift-format-ignore-file
//
//  Entry+CoreDataClass.swift
//  Journal
//

import Foundation
import CoreData

public class Entry: NSManagedObject {

    required override public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        identifier = UUID()
        let now = Date()
        createdAt = now
        day = Entry.dayFormatter.string(from: now)
    }

    public override func willSave() {
        super.willSave()
        let words = (text ?? "").split(separator: " ").count
        if wordCount != Int32(words) {
            wordCount = Int32(words)
        }
    }
}
