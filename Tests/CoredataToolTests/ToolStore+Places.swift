import CoreData
import Foundation

extension ToolStore {
  /// The path of a store with a note at a place, whose address is a composite attribute in another.
  static func places() throws -> String {
    func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, type)
      return attribute
    }
    let (place, address) = (NSCompositeAttributeDescription(), NSCompositeAttributeDescription())
    (place.name, address.name) = ("place", "address")
    address.elements = [attribute("city", .stringAttributeType)]
    let label = attribute("label", .stringAttributeType)
    place.elements = [
      attribute("latitude", .doubleAttributeType), label, address,
      attribute("words", .transformableAttributeType),
    ]
    let note = NSEntityDescription()
    note.name = "Note"
    note.properties = [place]
    let model = NSManagedObjectModel()
    model.entities = [note]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let file = temporaryFile("Places.sqlite")
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let object = NSManagedObject(entity: note, insertInto: context)
      let values: [String: Any] = ["latitude": 47.5, "label": "nil", "address": ["city": "Zug"]]
      object.setValue(values, forKey: "place")
      try context.save()
    }
    try coordinator.remove(store)
    return file.path
  }
}
