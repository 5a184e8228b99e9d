import CoreData
import Foundation

/// Properties of types that values of other types have as well.
class Parcel: NSManagedObject {
  @NSManaged var details: NSObject?
  @NSManaged var extra: AnyObject?
  @NSManaged var anything: Any?
  @NSManaged var wrapped: AnyHashable?
  @NSManaged var coded: (any NSCoding)?
  @NSManaged var shelf: NSManagedObject?
  @NSManaged var owner: AnyObject?
}

class Shelf: NSManagedObject {
  @NSManaged var parcels: Set<Parcel>
  @NSManaged var owned: Set<Parcel>
}
