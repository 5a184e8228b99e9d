import Foundation

/// The objects of an arrangement as an array of their own class, made once for each revision.
struct TypedObjects<Element> {
  private var made: (revision: Int, objects: [Element])?

  mutating func objects(of arrangement: Arrangement, _ revision: Int) -> [Element] {
    if let made, made.revision == revision { return made.objects }
    let objects = arrangement.objects
    let typed = (objects as? [Element]) ?? objects.compactMap { $0 as? Element }
    made = (revision, typed)
    return typed
  }
}

extension NSManagedObjectContext {
  /// The entity that a request is for.
  ///
  /// Stops the program if the model does not contain an entity of that name.
  func layout<Result>(for request: NSFetchRequest<Result>) -> EntityLayout {
    if let entity = request.entity { return ownLayout(of: entity) }
    if let name = request.entityName, let layout = model[name] { return layout }
    if request.entityName == nil, let type = Result.self as? NSManagedObject.Type {
      return entity(for: type).layout
    }
    stop(unknownEntitySentence(request.entityName ?? "(no name)"))
  }
}
