// swift-format-ignore-file
//
//  Place+CoreDataClass.swift
//  Journal
//

import Foundation
import CoreData

public class Place: NSManagedObject {

}
