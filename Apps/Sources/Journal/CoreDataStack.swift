// swift-format-ignore-file
import CoreData

final class CoreDataStack {

    static let shared = CoreDataStack()

    /// The place of the store; set before the first use. Tests and the command line choose a file.
    static var storeURL = Optional(NSPersistentContainer.defaultDirectoryURL())?
        .appendingPathComponent("Journal.sqlite")

    private static let model: NSManagedObjectModel = {
        guard let url = Bundle.module.url(forResource: "Journal", withExtension: "momd"),
              let model = NSManagedObjectModel(contentsOf: url) else {
            fatalError("The model of the journal is missing")
        }
        return model
    }()

    lazy var persistentContainer: NSPersistentContainer = {
        let container = NSPersistentContainer(name: "Journal", managedObjectModel: CoreDataStack.model)
        if let url = CoreDataStack.storeURL {
            let description = NSPersistentStoreDescription(url: url)
            description.shouldMigrateStoreAutomatically = true
            description.shouldInferMappingModelAutomatically = true
            container.persistentStoreDescriptions = [description]
        }
        container.loadPersistentStores { _, error in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true
        return container
    }()

    var context: NSManagedObjectContext {
        return persistentContainer.viewContext
    }

    func saveContext() {
        guard context.hasChanges else { return }
        do {
            try context.save()
        } catch {
            let nserror = error as NSError
            fatalError("Unresolved error \(nserror), \(nserror.userInfo)")
        }
    }
}
