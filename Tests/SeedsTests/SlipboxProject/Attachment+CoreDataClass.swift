// swift-format-ignore-file
import Foundation
import CoreData

public class Attachment: NSManagedObject {

}
