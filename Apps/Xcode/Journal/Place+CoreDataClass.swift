// swift-format-ignore-file
//
//  Place+CoreDataClass.swift
//  Journal
//

import Foundation
import CoreData

@objc(Place)
public class Place: NSManagedObject {

}
