import Foundation

// MARK: - Inserting

extension NSManagedObjectContext {
  /// Takes a new object in; the next save stores it.
  ///
  /// An object that was inserted already, or that comes from the store, is left as it is. Calls
  /// `awakeFromInsert()`. Objects without a context that it was related to come in with it.
  public func insert(_ object: NSManagedObject) {
    checkQueue()
    switch object.record.pointee.life {
    case .detached:
      break
    case .deleted where object.managedObjectContext === self:
      undelete(object)
      return
    case .fault, .clean, .inserted, .updated, .deleted:
      require(
        object.managedObjectContext === self,
        "\(object.objectID) belongs to another context and cannot be inserted into this one"
      )
      return
    }
    let layout = object.layout
    require(
      layout.model === model,
      "the entity \(layout.name) is of another model than the context's coordinator uses"
    )
    require(
      !layout.isAbstract,
      "the entity \(layout.name) is abstract; insert an object of one of its subentities"
    )
    let isFilled = object.record.pointee.overlay != nil
    enrol(object)
    object.countingPrimitives { object.awakeFromInsert() }
    if isFilled { for related in object.relatedWithoutContext { insert(related) } }
  }

  /// Makes an object a new one of this context.
  func enrol(_ object: NSManagedObject) {
    object.takeTemporaryNumber()
    identityMap.recorder?.noteInsertion(of: object)
    object.record.pointee.life = .inserted
    register(object)
    tracker.insert(object)
    object.record.pointee.isNotedInEvent = true
    scheduleEventEnd()
  }

  /// Says in which store a new object will be saved.
  public func assign(_ object: Any, to store: NSPersistentStore) {
    checkQueue()
    guard let object = object as? NSManagedObject, object.isInserted else {
      stop("only an inserted managed object can be assigned to a store, not \(object)")
    }
    assignments[ObjectIdentifier(object)] = store
  }
}

extension NSManagedObject {
  /// Counts attributes and to-one relationships that are set as primitive values, too, as changes.
  fileprivate func countingPrimitives(_ body: () -> Void) {
    let before = record.pointee.overlay?.present ?? SlotSet()
    body()
    guard record.pointee.life == .inserted, let overlay = record.pointee.overlay else { return }
    for slot in overlay.present where !before.contains(slot) && !overlay.changed.contains(slot) {
      switch layout.kinds[slot] {
      case .toMany, .orderedToMany, .fetched: continue
      case .toOne where overlay[slot].isNull: continue
      case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
        .transformable, .composite, .object, .toOne:
        overlay.markChanged(slot)
      }
    }
  }

  /// The objects without a context that this one was related to while it had none itself.
  fileprivate var relatedWithoutContext: [NSManagedObject] {
    guard let overlay = record.pointee.overlay else { return [] }
    return overlay.present.flatMap { slot -> [NSManagedObject] in
      switch overlay[slot] {
      case .collection(let collection): collection.members
      case .object(let object): (object as? NSManagedObject).map { [$0] } ?? []
      case .null, .integer, .real, .text, .data, .uuid, .url: []
      }
    }.filter { $0.record.pointee.identityMap == nil && $0.record.pointee.life == .detached }
  }
}

extension NSEntityDescription {
  /// Makes an object of the entity's class and inserts it.
  ///
  /// Stops the program when the context's model has no entity of that name.
  public class func insertNewObject(
    forEntityName entityName: String,
    into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let layout = context.model[entityName] else {
      stop(context.unknownEntitySentence(entityName))
    }
    return layout.objectClass.init(entity: layout.description, insertInto: context)
  }

  /// The entity of that name in the context's model; nil when there is none.
  public class func entity(
    forEntityName entityName: String,
    in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.model[entityName]?.description
  }
}

extension NSManagedObjectContext {
  func unknownEntitySentence(_ name: String) -> String {
    "the context's model has no entity \(name); its entities are "
      + model.entities.map(\.name).sorted().joined(separator: ", ")
  }
}

// MARK: - Deleting

extension NSManagedObjectContext {
  /// Marks an object for deletion; the next save removes it.
  ///
  /// Delete rules are applied at the end of the event, or at the save. An object that was never saved
  /// is gone at once.
  public func delete(_ object: NSManagedObject) {
    checkQueue()
    switch object.record.pointee.life {
    case .detached, .deleted:
      return
    case .fault:
      object.fireFault()
    case .clean, .inserted, .updated:
      break
    }
    require(
      object.managedObjectContext === self,
      "\(object.objectID) belongs to another context; delete it there"
    )
    object.prepareForDeletion()
    guard object.record.pointee.life != .deleted else { return }
    markDeleted(object)
  }

  func markDeleted(_ object: NSManagedObject) {
    identityMap.recorder?.noteDeletion(of: object)
    pendingDeletions.append(object)
    tracker.delete(object)
    scheduleEventEnd()
  }

  private func undelete(_ object: NSManagedObject) {
    identityMap.recorder?.noteInsertion(of: object)
    tracker.leave(object)
    pendingDeletions.removeAll { $0 === object }
    guard object.record.pointee.snapshot != nil else {
      object.record.pointee.life = .inserted
      tracker.insert(object)
      return
    }
    object.record.pointee.life = .clean
    renewIfOutdated(object)
    object.recordChange()
  }
}

// MARK: - Changing

extension NSManagedObjectContext {
  /// An object that was as stored has been changed.
  func noteUpdate(of object: NSManagedObject) {
    tracker.update(object)
    object.record.pointee.isNotedInEvent = true
    scheduleEventEnd()
  }

  /// An object that differed from the store already has been changed again.
  func noteFurtherChange(of object: NSManagedObject) {
    object.record.pointee.isNotedInEvent = true
    tracker.event.updated.append(object)
    scheduleEventEnd()
  }
}
