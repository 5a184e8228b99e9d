// swift-format-ignore-file
import Foundation
import CoreData

public class Folder: NSManagedObject {

    public override func awakeFromInsert() {
        self.creationDate_ = Date()
    }
}
