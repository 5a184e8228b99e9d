import Foundation

// MARK: - Inserting

extension NSManagedObjectContext {
  func insertObject(_ object: NSManagedObject) {
    checkQueue()
    switch object.life {
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
      layout.belongs(to: model),
      "the entity \(layout.name) is of another model than the context's coordinator uses"
    )
    require(
      !layout.isAbstract,
      "the entity \(layout.name) is abstract; insert an object of one of its subentities"
    )
    let isFilled = object.existingOverlay != nil
    enrol(object)
    object.countingPrimitives { object.awakeFromInsert() }
    if isFilled { for related in object.relatedWithoutContext { insert(related) } }
  }

  /// Makes an object a new one of this context.
  func enrol(_ object: NSManagedObject) {
    object.takeTemporaryNumber()
    identityMap.recorder?.noteInsertion(of: object)
    object.life = .inserted
    register(object)
    tracker.insert(object)
    object.isNotedInEvent = true
    scheduleEventEnd()
  }

  func setStore(_ store: NSPersistentStore, of object: Any) {
    checkQueue()
    guard let object = object as? NSManagedObject, object.willBeInserted else {
      stop("only an inserted managed object can be assigned to a store, not \(object)")
    }
    require(
      store.holds(object.layout),
      """
      \(object.layout.name) cannot be assigned to a store of the configuration \
      \(store.configurationName), which does not have this entity
      """
    )
    pending.assign(object, to: store)
  }
}

extension NSManagedObject {
  /// Counts attributes and to-one relationships that are set as primitive values, too, as changes.
  fileprivate func countingPrimitives(_ body: () -> Void) {
    let before = existingOverlay?.present ?? SlotSet()
    body()
    guard life == .inserted, let overlay = existingOverlay else { return }
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

  /// The objects without a context that this one was related to before it had a context.
  fileprivate var relatedWithoutContext: [NSManagedObject] {
    guard let overlay = existingOverlay else { return [] }
    return overlay.present.flatMap { slot -> [NSManagedObject] in
      switch overlay[slot] {
      case .collection(let collection): collection.members
      case .object(let object): (object as? NSManagedObject).map { [$0] } ?? []
      case .null, .integer, .real, .text, .data, .uuid, .url: []
      }
    }.filter { $0.identityMap == nil && $0.life == .detached }
  }
}

extension NSEntityDescription {
  /// Creates an object of the entity's class and inserts it into a context.
  ///
  /// ```swift
  /// let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
  /// note.setValue("First", forKey: "title")
  /// ```
  ///
  /// The program stops if the context's model does not contain an entity of that name.
  ///
  /// - Parameters:
  ///   - entityName: The name of an entity.
  ///   - context: The context that receives the object.
  /// - Returns: The new object.
  @discardableResult
  public class func insertNewObject(
    forEntityName entityName: String,
    into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let layout = context.model[entityName] else {
      stop(context.unknownEntitySentence(entityName))
    }
    return layout.objectClass.init(entity: layout.description, insertInto: context)
  }

  /// Returns the entity with the given name from the model of a context's coordinator.
  ///
  /// Wherever an entity is named, you can also write the name of its class as `NSStringFromClass` gives it, with the
  /// module, if no other entity has the class.
  ///
  /// - Parameters:
  ///   - entityName: The name of an entity.
  ///   - context: A context that has a coordinator.
  /// - Returns: The entity, or `nil` if the model does not contain one of that name.
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
  func deleteObject(_ object: NSManagedObject) {
    checkQueue()
    switch object.life {
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
    guard object.life != .deleted else { return }
    markDeleted(object)
  }

  func markDeleted(_ object: NSManagedObject) {
    identityMap.recorder?.noteDeletion(of: object)
    pending.delete(object)
    tracker.delete(object)
    scheduleEventEnd()
  }

  private func undelete(_ object: NSManagedObject) {
    identityMap.recorder?.noteInsertion(of: object)
    tracker.leave(object)
    pending.settle(object)
    // Observers of the deletion are informed that the object is back.
    let isToldOf = !tracker.event.deleted.remove(object)
    guard object.snapshot != nil else {
      if isToldOf {
        object.life = .inserted
        tracker.insert(object)
      } else {
        tracker.insertAgain(object)
      }
      scheduleEventEnd()
      return
    }
    object.life = .clean
    renewIfOutdated(object)
    object.recordChange()
    if isToldOf { tracker.event.inserted.append(object) }
  }
}

// MARK: - Changing

extension NSManagedObjectContext {
  /// An object that was as stored has been changed.
  func noteUpdate(of object: NSManagedObject) {
    tracker.update(object)
    object.isNotedInEvent = true
    scheduleEventEnd()
  }

  /// An object that differed from the store already has been changed again.
  func noteFurtherChange(of object: NSManagedObject) {
    object.isNotedInEvent = true
    tracker.event.updated.append(object)
    scheduleEventEnd()
  }
}
