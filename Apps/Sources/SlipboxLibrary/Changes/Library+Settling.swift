import CoreData

// Two programs have the same slip box open. One trashes a folder with all that it finds in it; the other
// puts a note there at the same moment. Each save is right, and together they leave a note that is
// not in the trash, in a folder that is. Both programs hear of it, and both put it right: the second
// finds nothing left to do.

extension Library {
  /// Puts right what follows from changes that did not know of each other.
  ///
  /// - Brings back what was deleted for good while another device wrote in it or restored it.
  /// - Opens circles of folders, of which one device has put the first into the second, and another the second into the
  ///   first.
  /// - Takes notes and folders that are not in the trash out of trashed folders, each to the next folder above
  ///   that is there.
  static func settle(_ context: NSManagedObjectContext) throws {
    try context.bringBackErasedUnseen()
    try openCircles(context)
    let request = Folder.fetch(NSPredicate(format: "%K != nil", FolderProperties.trashedDate))
    let trashed = try context.fetch(request)
    if trashed.isEmpty { return }
    let alive = "%K IN %@ AND %K == nil"
    let notes = Note.fetch(
      NSPredicate(format: alive, NoteProperties.folder, trashed, NoteProperties.trashedDate)
    )
    for note in try context.fetch(notes) { note.folder = note.folder?.nearestAlive }
    let folders = Folder.fetch(
      NSPredicate(format: alive, FolderProperties.parent, trashed, FolderProperties.trashedDate)
    )
    for folder in try context.fetch(folders) { folder.parent = folder.parent?.nearestAlive }
  }

  /// Puts the folder with the least identifier of each circle at the top.
  ///
  /// All devices choose the same folder, and so write the same value. Only numbers are read, however many folders
  /// there are.
  private static func openCircles(_ context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<NSDictionary>(entityName: "Folder")
    request.resultType = .dictionaryResultType
    let identity = NSExpressionDescription()
    identity.name = "id"
    identity.expression = .expressionForEvaluatedObject()
    identity.expressionResultType = .objectIDAttributeType
    request.propertiesToFetch = [identity, FolderProperties.parent]
    request.predicate = NSPredicate(format: "%K != nil", FolderProperties.parent)
    var parents: [NSManagedObjectID: NSManagedObjectID] = [:]
    for record in try context.fetch(request) {
      guard let id = record["id"] as? NSManagedObjectID else { continue }
      parents[id] = record[FolderProperties.parent] as? NSManagedObjectID
    }
    for circle in circles(parents) {
      let folders = circle.compactMap { context.object(with: $0) as? Folder }
      folders.min { $0.uuid.uuidString < $1.uuid.uuidString }?.parent = nil
    }
  }

  /// Finds the circles among objects that each lead to another one at most; every object is visited once.
  private static func circles(
    _ next: [NSManagedObjectID: NSManagedObjectID]
  ) -> [[NSManagedObjectID]] {
    var circles: [[NSManagedObjectID]] = []
    var seen: Set<NSManagedObjectID> = []
    for start in next.keys {
      var (path, place) = ([NSManagedObjectID](), start)
      while seen.insert(place).inserted {
        path.append(place)
        guard let higher = next[place] else { break }
        place = higher
      }
      // A way that ends at one of its own objects is a circle from there on.
      if next[place] != nil, let first = path.firstIndex(of: place),
        next[path[path.count - 1]] == place
      {
        circles.append(Array(path[first...]))
      }
    }
    return circles
  }

  /// The same, when nothing else is being written.
  static func settleSoon(_ writing: NSManagedObjectContext, _ outlines: OutlineCache) {
    writing.perform {
      // If this fails, the next move or the next start tries again.
      try? write(in: writing, outlines, by: nil, settle)
    }
  }
}
