// swift-format-ignore-file
import Foundation
import CoreData

public class Note: NSManagedObject {

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        self.creationDate_ = Date()
        self.uuid_ = UUID()
    }
}
