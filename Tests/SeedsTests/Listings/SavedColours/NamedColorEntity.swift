// swift-format-ignore-file
import CoreData

class NamedColorEntity: NSManagedObject {

    @NSManaged var colorName: String
    @NSManaged var redComponent: NSNumber
    @NSManaged var greenComponent: NSNumber
    @NSManaged var blueComponent: NSNumber

    class func createInstanceFromEntity(entity: NamedColorEntity) -> NamedColor! {
        let name = entity.colorName
        let color = Color.colorFromNSNumbers(redComponent: entity.redComponent, greenComponent: entity.greenComponent, blueComponent: entity.blueComponent)
        var namedColor = NamedColor(name: name, color: color)
        namedColor.entityRef = entity
        return namedColor
    }

    class func createInManagedObjectContext(moc: NSManagedObjectContext, namedColor: inout NamedColor) -> NamedColorEntity {
        let newEntity = NSEntityDescription.insertNewObject(forEntityName: "NamedColorEntity", into: moc) as! NamedColorEntity
        let colorComponents = namedColor.color.getRGB()
        newEntity.redComponent = colorComponents.redComponent
        newEntity.greenComponent = colorComponents.greenComponent
        newEntity.blueComponent = colorComponents.blueComponent
        newEntity.colorName = namedColor.name
        namedColor.entityRef = newEntity
        return newEntity
    }
}
