// swift-format-ignore-file
import Foundation
import CoreData

protocol EntriesControllerDelegate: AnyObject {
    func entriesDidChange(_ controller: EntriesController)
    func entries(_ controller: EntriesController, didReport change: String)
}

extension EntriesControllerDelegate {
  func entries(_ controller: EntriesController, didReport change: String) {}
}

/// The list of entries by day, as a table view would show it.
final class EntriesController: NSObject {

    weak var delegate: EntriesControllerDelegate?

    private let stack: CoreDataStack

    private lazy var fetchedResultsController: NSFetchedResultsController<Entry> = {
        let fetchRequest: NSFetchRequest<Entry> = Entry.fetchRequest()
        fetchRequest.sortDescriptors = [
            NSSortDescriptor(key: "day", ascending: false),
            NSSortDescriptor(key: "text", ascending: true, selector: Selector("localizedStandardCompare:"))
        ]
        let controller = NSFetchedResultsController(fetchRequest: fetchRequest,
                                                    managedObjectContext: stack.context,
                                                    sectionNameKeyPath: "day",
                                                    cacheName: nil)
        controller.delegate = self
        return controller
    }()

    init(stack: CoreDataStack = .shared) {
        self.stack = stack
        super.init()
        _ = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil) { [weak self] notification in self?.contextDidSave(notification: notification) }
    }

    func load() throws {
        try fetchedResultsController.performFetch()
    }

    var sections: [(title: String, entries: [Entry])] {
        return (fetchedResultsController.sections ?? []).map { section in
            (section.name, section.objects as? [Entry] ?? [])
        }
    }

    func add(_ text: String, mood: Mood, places names: [String]) -> Entry {
        let entry = Entry(context: stack.context)
        entry.text = text
        entry.feeling = mood
        entry.places = NSSet(array: [])
        for name in names {
            entry.addToPlaces(place(named: name))
        }
        stack.saveContext()
        return entry
    }

    func delete(_ entry: Entry) {
        stack.context.delete(entry)
        stack.saveContext()
    }

    private func place(named name: String) -> Place {
        let request: NSFetchRequest<Place> = Place.fetchRequest()
        request.predicate = NSPredicate(format: "%K ==[c] %@", "name", name)
        request.fetchLimit = 1
        // A place that cannot be looked up now is written again: rather twice than not at all.
        if let found = try? stack.context.fetch(request).first {
            return found
        }
        return Place(named: name, in: stack.context)
    }

    private func contextDidSave(notification: Notification) {
        let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
        delegate?.entries(self, didReport: "saved \(inserted.filter { $0 is Entry }.count) new")
    }
}

// MARK: - NSFetchedResultsControllerDelegate

extension EntriesController: NSFetchedResultsControllerDelegate {

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        delegate?.entriesDidChange(self)
    }
}
