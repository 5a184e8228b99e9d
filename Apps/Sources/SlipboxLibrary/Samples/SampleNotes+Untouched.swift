import CoreData

extension SampleNotes {
  /// The samples of a slip box that nobody has changed, and to which no other note leads: notes first, then folders and
  /// keywords.
  static func untouched(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let made = try formsAsMade()
    return try [Note.entity(), Folder.entity(), Keyword.entity()].flatMap { entity in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.predicate = NSPredicate(format: "uuid_ IN %@", Array(made.keys))
      return try context.fetch(request).filter { object in
        let leading = (object as? Note)?.backLinkedNotes ?? []
        return object.identifier.flatMap { made[$0] } == SampleForm(of: object)
          && leading.allSatisfy { made[$0.uuid] != nil }
      }
    }
  }

  /// Deletes the samples that nobody has changed, but for folders and keywords in which something else is.
  static func deleteUntouched(from context: NSManagedObjectContext) throws {
    var left = try untouched(in: context)
    var last = 0
    // Notes before what they are in, and inner folders before outer ones.
    while left.count != last {
      last = left.count
      for object in left where holdsNothing(object) { context.delete(object) }
      context.processPendingChanges()
      left.removeAll { $0.isDeleted || $0.managedObjectContext == nil }
    }
  }

  private static func holdsNothing(_ object: NSManagedObject) -> Bool {
    switch object {
    case let folder as Folder: folder.notes.isEmpty && folder.children.isEmpty
    case let keyword as Keyword: keyword.notes.isEmpty
    default: true
    }
  }

  private static func formsAsMade() throws -> [UUID: SampleForm] {
    let context = PersistenceController.createEmpty().container.newBackgroundContext()
    return try context.performAndWait {
      insert(into: context, now: Date())
      try context.save()
      let made = context.registeredObjects.compactMap { object in
        object.identifier.map { ($0, SampleForm(of: object)) }
      }
      return Dictionary(made) { first, _ in first }
    }
  }
}

/// The values of an object of the samples, without its times, which differ between slip boxes, and without the links to
/// it.
private struct SampleForm: Equatable {
  private var values: [String: AnyHashable] = [:]
  private var related: [String: [String]] = [:]

  init(of object: NSManagedObject) {
    for (name, attribute) in object.entity.attributesByName
    where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription)
      && name != NoteProperties.day
    {
      let value = object.value(forKey: name)
      values[name] = value is Date ? true : value as? AnyHashable
    }
    for (name, relationship) in object.entity.relationshipsByName {
      // A folder does not change if something is put into it, nor a keyword or a note that gets used or linked.
      let isOfNote =
        object is Note && name != NoteProperties.backLinkedNotes
        && name != NoteProperties.linkingProperties
      guard isOfNote || !relationship.isToMany else { continue }
      let value = object.value(forKey: name)
      let one = [value as? NSManagedObject].compactMap(\.self)
      let objects = (value as? Set<NSManagedObject>).map(Array.init) ?? one
      related[name] = objects.map { $0.identifier?.text ?? "" }.sorted()
    }
  }
}

extension NSManagedObject {
  fileprivate var identifier: UUID? {
    entity.attributesByName["uuid_"] == nil ? nil : value(forKey: "uuid_") as? UUID
  }
}
