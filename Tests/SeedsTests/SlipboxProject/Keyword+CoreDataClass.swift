// swift-format-ignore-file
import Foundation
import CoreData

public class Keyword: NSManagedObject {

}
