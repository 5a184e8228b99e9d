import CoreData

/// The page of one note: it reports when the label that names its category has to change.
///
/// The category may be set from either side; the context reports it at the end of the event.
///
/// Safety: belongs to its context's queue, on which the notification is posted too.
final class NoteController: @unchecked Sendable {
  private let note: Note
  private let labelDidChange: (String) -> Void
  private var observer: (any NSObjectProtocol)?
  private(set) var categoryLabel = ""

  init(_ note: Note, labelDidChange: @escaping (String) -> Void) {
    self.note = note
    self.labelDidChange = labelDidChange
    categoryLabel = label
    setupNotificationHandling()
  }

  deinit {
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }

  private func setupNotificationHandling() {
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange,
      object: note.managedObjectContext,
      queue: nil
    ) { [weak self] notification in
      self?.managedObjectContextObjectsDidChange(notification)
    }
  }

  /// Checks whether the note, or the category whose name is shown, is among the changed objects.
  ///
  /// Objects that another context saved come as refreshed ones.
  private func managedObjectContextObjectsDidChange(_ notification: Notification) {
    guard let userInfo = notification.userInfo else { return }
    let keys = [NSUpdatedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey]
    let changed = keys.compactMap { userInfo[$0] as? Set<NSManagedObject> }
    let shown: [NSManagedObject] = [note] + (note.category.map { [$0] } ?? [])
    if changed.contains(where: { !$0.isDisjoint(with: shown) }) { updateCategoryLabel() }
  }

  private func updateCategoryLabel() {
    guard categoryLabel != label else { return }
    categoryLabel = label
    labelDidChange(categoryLabel)
  }

  private var label: String { note.category?.name ?? "No Category" }
}
