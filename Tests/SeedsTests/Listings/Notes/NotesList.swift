// swift-format-ignore-file
import CoreData

/// The methods of NotesViewController and NoteViewController that do not draw.
final class NotesList: NSObject {

    private let coreDataManager: CoreDataManager
    private let note: Note?
    private(set) var categoryName: String?

    init(coreDataManager: CoreDataManager, note: Note? = nil) {
        self.coreDataManager = coreDataManager
        self.note = note
        super.init()
        setupNotificationHandling()
    }

    private(set) var notes: [Note]?

    var hasNotes: Bool {
        guard let notes = notes else { return false }
        return notes.count > 0
    }

    func fetchNotes() {
        // Create Fetch Request
        let fetchRequest: NSFetchRequest<Note> = Note.fetchRequest()

        // Configure Fetch Request
        fetchRequest.sortDescriptors = [NSSortDescriptor(key: "updatedAt", ascending: false)]

        // Perform Fetch Request
        coreDataManager.managedObjectContext.performAndWait {
            do {
                // Execute Fetch Request
                let notes = try fetchRequest.execute()

                // Update Notes
                self.notes = notes

            } catch {
                let fetchError = error as NSError
                print("Unable to Execute Fetch Request")
                print("\(fetchError), \(fetchError.localizedDescription)")
            }
        }
    }

    // MARK: - Helper Methods

    private func setupNotificationHandling() {
        let notificationCenter = NotificationCenter.default
        _ = notificationCenter.addObserver(forName: Notification.Name.NSManagedObjectContextObjectsDidChange, object: note?.managedObjectContext, queue: nil) { [weak self] notification in self?.managedObjectContextObjectsDidChange(notification) }
    }

    // MARK: - Notification Handling

    private func managedObjectContextObjectsDidChange(_ notification: Notification) {
        guard let userInfo = notification.userInfo else { return }
        guard let updates = userInfo[NSUpdatedObjectsKey] as? Set<NSManagedObject> else { return }

        if (updates.filter { return $0 == note }).count > 0 {
            updateCategoryLabel()
        }
    }

    private func updateCategoryLabel() {
        // Configure Category Label
        categoryName = note?.category?.name ?? "No Category"
    }
}
