// swift-format-ignore-file
//
//  Entry+CoreDataClass.swift
//  Journal
//

import Foundation
import CoreData

@objc(Entry)
public class Entry: NSManagedObject {

}
