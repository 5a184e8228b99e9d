import CoreData
import TestSupport

/// A controller of notes by title, for tests.
func notesController(
  _ context: NSManagedObjectContext,
  where predicate: String? = nil,
  by keys: [String] = ["title"],
  sections: String? = nil
) -> NSFetchedResultsController<Note> {
  let request = NSFetchRequest<Note>(entityName: "Note")
  request.predicate = predicate.map { NSPredicate(format: $0) }
  request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
  return NSFetchedResultsController(
    fetchRequest: request,
    managedObjectContext: context,
    sectionNameKeyPath: sections,
    cacheName: nil
  )
}

extension NSFetchedResultsController where ResultType == Note {
  var titles: [String]? { fetchedObjects.map { $0.map { $0.title ?? "–" } } }

  /// The sections and their notes in one line.
  ///
  /// ```
  /// Ideas: Kite, Lamp | Work: Letter
  /// ```
  var picture: String {
    (sections ?? [])
      .map { section in
        let titles = (section.objects ?? []).map { ($0 as? Note)?.title ?? "–" }
        return "\(section.name): \(titles.joined(separator: ", "))"
      }
      .joined(separator: " | ")
  }
}

/// Writes down what it is told: the delegate as most programs have it.
final class ChangeLog: NSObject, NSFetchedResultsControllerDelegate {
  var lines: [String] = []
  /// The lines since this was called last.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    lines.append("will")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    lines.append("\(type) section \(sectionInfo.name) at \(sectionIndex)")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    let title = (anObject as? Note)?.title ?? "–"
    let places = [indexPath, newIndexPath].map { $0.map { "\($0.section).\($0.row)" } ?? "nil" }
    lines.append("\(type) \(title) \(places[0]) → \(places[1])")
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    lines.append("did")
  }
}

/// Applies what it is told to a copy of the results, as a table does.
final class Mirror: NSObject, NSFetchedResultsControllerDelegate {
  var sections: [(name: String, objects: [NSManagedObject])] = []
  private(set) var problems: [String] = []
  private(set) var eventCount = 0
  private(set) var seen: Set<NSFetchedResultsChangeType> = []
  private(set) var seenSections: Set<NSFetchedResultsChangeType> = []
  private var outs: [IndexPath] = []
  private var ins: [(path: IndexPath, object: NSManagedObject)] = []
  private var updates: [(path: IndexPath, object: NSManagedObject)] = []
  private var removed: [Int] = []
  private var added: [(index: Int, name: String)] = []

  func copy<Result>(_ controller: NSFetchedResultsController<Result>) {
    sections = Self.content(controller)
  }

  static func content<Result>(
    _ controller: NSFetchedResultsController<Result>
  ) -> [(name: String, objects: [NSManagedObject])] {
    (controller.sections ?? []).map { section in
      (section.name, (section.objects ?? []).compactMap { $0 as? NSManagedObject })
    }
  }

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    (outs, ins, updates, removed, added) = ([], [], [], [], [])
    eventCount += 1
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    seenSections.insert(type)
    switch type {
    case .delete: removed.append(sectionIndex)
    case .insert:
      if !outs.isEmpty || !ins.isEmpty { problems.append("a new section after an object") }
      added.append((sectionIndex, sectionInfo.name))
    case .move, .update: problems.append("a section cannot \(type)")
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    guard let object = anObject as? NSManagedObject else { return problems.append("no object") }
    if !removed.isEmpty { problems.append("an object after a deleted section") }
    seen.insert(type)
    switch (type, indexPath, newIndexPath) {
    case (.insert, nil, let path?): ins.append((path, object))
    case (.delete, let path?, nil): outs.append(path)
    case (.move, let old?, let new?):
      outs.append(old)
      ins.append((new, object))
    case (.update, let old?, _?): updates.append((old, object))
    case _: problems.append("\(type) has the wrong index paths")
    }
    if let path = indexPath, sections[path.section].objects[path.row] !== object {
      problems.append("\(type): another object was at \(path)")
    }
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    for path in outs.sorted().reversed() { sections[path.section].objects.remove(at: path.row) }
    for index in removed.sorted().reversed() {
      if !sections[index].objects.isEmpty { problems.append("a deleted section has objects") }
      sections.remove(at: index)
    }
    for (index, name) in added.sorted(by: { $0.index < $1.index }) {
      sections.insert((name, []), at: index)
    }
    for (path, object) in ins.sorted(by: { $0.path < $1.path }) {
      guard sections[path.section].objects.count >= path.row else {
        problems.append("a gap before \(path)")
        continue
      }
      sections[path.section].objects.insert(object, at: path.row)
    }
    check(controller, "changes")
  }

  private func check(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    _ what: String
  ) {
    let now = Self.content(controller)
    if !now.elementsEqual(sections, by: { $0.name == $1.name && $0.objects == $1.objects }) {
      problems.append("\(what) do not lead to the new state")
    }
  }
}

/// Takes snapshots.
final class SnapshotTaker: NSObject, NSFetchedResultsControllerDelegate {
  private(set) var snapshots: [NSDiffableDataSourceSnapshot<String, NSManagedObjectID>] = []
  private(set) var otherCalls = 0

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) {
    snapshots.append(snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>)
  }

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    otherCalls += 1
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    otherCalls += 1
  }
}

/// Takes differences, and applies them.
final class DifferenceTaker: NSObject, NSFetchedResultsControllerDelegate {
  var ids: [NSManagedObjectID] = []
  private(set) var differences: [CollectionDifference<NSManagedObjectID>] = []
  private(set) var problems: [String] = []
  private(set) var otherCalls = 0

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    differences.append(diff)
    for case .remove(let offset, let id, _) in diff
    where !ids.indices.contains(offset) || ids[offset] != id {
      problems.append("\(id) is not at \(offset)")
    }
    ids = ids.applying(diff) ?? []
    let now = controller.fetchedObjects?.compactMap { ($0 as? NSManagedObject)?.objectID } ?? []
    if ids != now { problems.append("the difference does not lead to the new state") }
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    otherCalls += 1
  }
}

/// Implements nothing that needs changes.
final class TitleGiver: NSObject, NSFetchedResultsControllerDelegate {
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    "(\(sectionName))"
  }
}
