public import Foundation

/// The base class of all objects that a data model describes and a context manages.
///
/// ```swift
/// let note = Note(context: context)
/// note.title = "Faults"
/// try context.save()
/// ```
///
/// Subclasses are usually generated from the model. A subclass can override the life-cycle and
/// validation methods and can have stored properties with default values.
///
/// The first access to a property of a fault, or to the members of a to-many relationship, reads the store. A
/// property cannot throw: if the store cannot be read, for example because a database server does not answer, the
/// property is `nil`, zero or empty. The context keeps the error, and its next save throws it, as does the block of
/// ``NSPersistentContainer/read(from:_:)`` or ``NSPersistentContainer/write(author:_:)`` at its end.
/// ``NSManagedObjectContext/existingObject(with:)`` and fetches throw at once; a fetch also reads the relationships in
/// ``NSFetchRequest/relationshipKeyPathsForPrefetching``.
///
/// An object belongs to its context's queue. Only ``objectID`` may be read on any thread, and only
/// the identity may be passed to other threads. Two objects are equal only if they are the same
/// object, because a context has one object for each identity.
nonisolated open class NSManagedObject: NSObject {
  /// Only initializers and the end of the object touch it by name; see ``record``.
  private var storage: ObjectRecord

  /// Creates an object of an entity and inserts it into a context.
  ///
  /// The object's class is the one that the model names for the entity, even if you call this
  /// initializer on `NSManagedObject` itself. The first use freezes the entity's model: from then
  /// on, it cannot be changed.
  ///
  /// Unlike Apple's initializer, this one is `required`, because without Objective-C a class can be
  /// instantiated by name only through an initializer that all its subclasses have.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object. It must not be abstract if a context is given.
  ///   - context: The context that receives the object, or `nil` to insert it later with
  ///     ``NSManagedObjectContext/insert(_:)``.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    storage = ObjectRecord(layout: context?.ownLayout(of: entity) ?? entity.layout)
    super.init()
    let object = ClassExchange.conform(self)
    context?.insert(object)
  }

  /// Creates an object of the entity that this class represents and inserts it into a context.
  ///
  /// The program stops unless exactly one entity of the context's model has this class, or the class
  /// overrides ``entity()``.
  ///
  /// - Parameter context: The context that receives the object.
  public convenience init(context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  // `required`, so that it can be called on any class; `convenience`, so that subclasses inherit it.
  /// Creates an object of a class that is known only at run time, and inserts it into a context.
  ///
  /// Generic code calls this initializer when it calls `init(context:)`. Call that one yourself. The program stops
  /// under the same conditions.
  ///
  /// - Parameter context: The context that receives the object.
  public required convenience init(ofOwnEntityIn context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  /// Returns the entity that this class represents, in the model that was frozen last.
  ///
  /// If no model in use has exactly one entity of this class, the result is an entity without a name, and the log has
  /// a line about it. A model is in use once a container or coordinator has it.
  ///
  /// Override this method in a class that several entities have, or none by its name: ``init(context:)``
  /// and ``fetchRequest()`` then use the entity that the override returns.
  ///
  /// You can call this method on any thread.
  ///
  /// - Returns: The entity that this class represents.
  open class func entity() -> NSEntityDescription { ObjectClass.entity(of: self) }

  /// Returns the name of the class, without its module.
  ///
  /// Programs give it to a request as the name of the entity:
  ///
  /// ```swift
  /// func all<T: NSManagedObject>(_ type: T.Type, in context: NSManagedObjectContext) throws -> [T] {
  ///   try context.fetch(NSFetchRequest<T>(entityName: T.description()))
  /// }
  /// ```
  ///
  /// On Apple's systems it is the name that Objective-C knows, which is this one if `@objc(Note)` is written before
  /// `class Note`, as in the files that Xcode writes.
  ///
  /// - Returns: The name, for example `Note`.
  open class func description() -> String { "\(self)" }

  deinit {
    record.pointee.identityMap?.unregister(self, key: record.pointee.key)
    record.pointee.overlay?.deallocate()
  }

  // Sets hash this number once more; objects lie 16 bytes apart at least.
  public final override var hash: Int { Int(bitPattern: ObjectIdentifier(self)) >> 4 }

  /// A textual representation of the object with its entity, its identity and, unless it is a
  /// fault, its values.
  open override var description: String {
    let id = "\(addressText(of: objectID)) \(objectID)"
    let head =
      "<\(type(of: self)): \(addressText(of: self))> (entity: \(layout.name); id: \(id); data: "
    return head + (isFault ? "<fault>" : valuesDescription) + ")"
  }

  public final override func isEqual(_ object: Any?) -> Bool {
    object as? NSManagedObject === self
  }

  // MARK: Life cycle

  /// Called once, when the object has been inserted into a context.
  ///
  /// Override this method to set default values that the model cannot express, such as the current
  /// date. Call `super` first. The method is called on the context's queue, and not for rows that a batch request
  /// inserts.
  open func awakeFromInsert() {}

  /// Called each time the object has received its values from the store.
  ///
  /// That is when a fault is fulfilled, and not when it is fetched. Override this method to compute transient values.
  /// Changes that you make here do not mark the object as changed. The method is called on the context's queue.
  open func awakeFromFetch() {}

  /// Called after undo, rollback, a refresh or a merge has replaced values of the object.
  ///
  /// - Parameter flags: The reasons why the values were replaced.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

  /// Called when the object is marked for deletion, before it counts as deleted.
  ///
  /// Override this method to change or delete related objects while the relationships are still
  /// intact.
  open func prepareForDeletion() {}

  /// Called on each inserted, updated or deleted object before its context is saved.
  ///
  /// An override may change properties; the method is then called again. Set a property only if its
  /// value differs: after 1,000 rounds the save gives up and throws 134060. Delete rules and validation follow
  /// afterwards. The method is called on the context's queue.
  open func willSave() {}

  /// Called on each inserted, updated or deleted object after its context has been saved.
  ///
  /// ``isInserted``, ``isUpdated`` and ``isDeleted`` still say what the save has done with the object, and the
  /// attributes of a deleted object can be read. ``hasChanges`` is `false`: changes that an override makes are for
  /// the next save.
  open func didSave() {}

  /// Called before the object becomes a fault, while its values can still be read.
  ///
  /// An object becomes a fault when it is refreshed, for example by ``NSManagedObjectContext/refreshAllObjects()``, and
  /// when its store is removed from the coordinator. The method is called on the context's queue.
  open func willTurnIntoFault() {}

  /// Called after the object has become a fault.
  ///
  /// Override this method to release values that were computed from the object's properties.
  open func didTurnIntoFault() {}

  // MARK: Validation

  /// Validates the object before it is inserted into the store.
  ///
  /// The default implementation checks every property against the rules of the model. An override
  /// should call `super` first and combine its own errors with those of `super`.
  ///
  /// - Throws: A `CocoaError` with one of the validation codes (1550–1680), or 1560 with several
  ///   errors under `NSDetailedErrorsKey`.
  open func validateForInsert() throws {
    try ObjectValidation.validate(self)
  }

  /// Validates the object before its changes are saved.
  ///
  /// The default implementation checks every property against the rules of the model. An override
  /// should call `super` first and combine its own errors with those of `super`.
  ///
  /// - Throws: A `CocoaError` with one of the validation codes (1550–1680), or 1560 with several
  ///   errors under `NSDetailedErrorsKey`.
  open func validateForUpdate() throws {
    try ObjectValidation.validate(self)
  }

  /// Validates the object before it is deleted from the store.
  ///
  /// - Throws: 1600 if a relationship with the delete rule Deny still has objects.
  open func validateForDelete() throws {
    try ObjectValidation.validateDelete(self)
  }

  /// Converts a value to the type of a property and validates it against the rules of the model.
  ///
  /// ```swift
  /// var stars: AnyObject? = NSNumber(value: 7)
  /// try note.validateValue(&stars, forKey: "stars")   // throws 1610: the maximum is 5
  /// ```
  ///
  /// The object itself does not change.
  ///
  /// If a class overrides this method, every save calls it for each property of an inserted or
  /// updated object, except for stored to-many relationships without changes. A value that the
  /// override puts in place of the given one is then set. To validate single properties, see
  /// ``PropertyValidating``.
  ///
  /// - Parameters:
  ///   - value: A pointer to the value; the method may replace it.
  ///   - key: The name of a property. An unknown name stops the program.
  /// - Throws: A `CocoaError` with one of the validation codes (1550–1680), or 1560 with several
  ///   errors under `NSDetailedErrorsKey`.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
    forKey key: String
  ) throws {
    try validate(value, forKey: key)
  }

  // MARK: Key-value coding

  /// Returns the value of the property with the given name.
  ///
  /// Fires the object's fault if necessary, with at most one SQL statement. Reading a to-many
  /// relationship loads its members. An unknown name is passed to ``value(forUndefinedKey:)``.
  ///
  /// - Parameter key: The name of a property of the model, of a stored property that the class
  ///   declares in Swift, or of a property that every managed object has, such as `isInserted`.
  /// - Returns: The value, or `nil`. Numbers are returned as `NSNumber`s, to-many relationships as
  ///   `NSSet` or `NSOrderedSet`.
  @discardableResult
  open func value(forKey key: String) -> Any? { modelledValue(forKey: key) }

  /// Sets the value of the property with the given name.
  ///
  /// Fires the object's fault if necessary, with at most one SQL statement. Records the change, updates the inverse
  /// of a relationship and notifies observers. The value is validated when the context is saved.
  ///
  /// The program stops if the value has the wrong type. Of a number with a fraction, an integer
  /// attribute takes the whole part. An unknown name is passed to
  /// ``setValue(_:forUndefinedKey:)``.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil`.
  ///   - key: The name of a property of the model.
  open func setValue(_ value: Any?, forKey key: String) { setModelledValue(value, forKey: key) }

  /// Called when a value is read under a name that the object does not have.
  ///
  /// The default implementation stops the program with a message that lists the properties.
  ///
  /// - Parameter key: The unknown name.
  /// - Returns: The value to return to the caller.
  open func value(forUndefinedKey key: String) -> Any? {
    stop(unknownKeySentence(key))
  }

  /// Called when a value is set under a name that the object does not have.
  ///
  /// The default implementation stops the program with a message that lists the properties.
  ///
  /// - Parameters:
  ///   - value: The value to set.
  ///   - key: The unknown name.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    stop(unknownKeySentence(key))
  }

  /// Called when the value at an observed key path of another object changes.
  ///
  /// The default implementation does nothing. Register with
  /// ``addObserver(_:forKeyPath:options:context:)``.
  ///
  /// - Parameters:
  ///   - keyPath: The observed key path.
  ///   - object: The object that was observed.
  ///   - change: The kind of the change and, depending on the options, the old and new values.
  ///   - context: The pointer that was given at registration.
  open func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}

  /// Returns the key paths whose changes also change the value of a key.
  ///
  /// Override this method so that observers of a computed property are notified when the properties
  /// from which it is computed change. The default implementation returns an empty set.
  ///
  /// - Parameter key: The name of a property.
  /// - Returns: The key paths on which the property depends.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  /// A Boolean value that indicates whether changes of properties that are not in the model leave
  /// the object unchanged.
  ///
  /// The default is `true`. If a class overrides it with `false`, an object whose code calls
  /// `willChangeValue(forKey:)` and `didChangeValue(forKey:)` for such a property counts as
  /// updated: the next save calls its `willSave()` and validates it.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  /// Returns whether changes of one property that is not in the model leave the object unchanged.
  ///
  /// The default implementation returns ``contextShouldIgnoreUnmodeledPropertyChanges``. This
  /// method takes the place of Apple's methods `contextShouldIgnoreChangesFor<Key>`, which are
  /// found by name.
  ///
  /// - Parameter key: The name of a property that the model does not have.
  /// - Returns: `true` if the context ignores the change, `false` if the object counts as updated.
  open class func contextShouldIgnoreChanges(forUnmodeledProperty key: String) -> Bool {
    contextShouldIgnoreUnmodeledPropertyChanges
  }
}

// MARK: - Identity and state

extension NSManagedObject {
  var layout: EntityLayout { record.pointee.layout }

  /// The entity description of the object.
  ///
  /// Reading it does not fire the object's fault.
  public final var entity: NSEntityDescription { layout.description }

  /// The identity of the object.
  ///
  /// The identity is temporary until the first save, unless you call
  /// ``NSManagedObjectContext/obtainPermanentIDs(for:)``. Reading it does not fire the object's
  /// fault.
  public final var objectID: NSManagedObjectID {
    if let id = record.pointee.id { return id }
    takeTemporaryNumber()
    let id = NSManagedObjectID(key: record.pointee.key, layout: layout)
    record.pointee.id = id
    return id
  }

  /// Gives an object that was never in a store a number of its own, when it is first needed.
  func takeTemporaryNumber() {
    guard record.pointee.key.isTemporary, record.pointee.key.number == 0 else { return }
    let number = TemporaryNumber.next()
    record.pointee.key = ObjectKey(store: .none, root: layout.rootNumber, number: number)
  }

  /// The context with which the object is registered.
  ///
  /// The value is `nil` before the object is inserted, after the context was reset or deallocated,
  /// and after the object's deletion was saved.
  public final var managedObjectContext: NSManagedObjectContext? {
    record.pointee.identityMap?.context
  }

  /// A Boolean value that indicates whether the object is a fault, whose values have not been loaded yet.
  ///
  /// The first access to a property loads them. The value is also `true` after the context was reset; the values
  /// cannot be loaded anymore then.
  public final var isFault: Bool {
    record.pointee.life == .fault || record.pointee.watch.contains(.forgotten)
  }

  /// A Boolean value that indicates whether the object was inserted and not saved yet.
  ///
  /// In ``didSave()``, the value is also `true` for an object that the save has inserted.
  public final var isInserted: Bool { willBeInserted || lifeInSave == .inserted }

  /// A Boolean value that indicates whether the object was saved before and has unsaved changes.
  ///
  /// In ``didSave()``, the value is also `true` for an object that the save has updated.
  public final var isUpdated: Bool { willBeUpdated || lifeInSave == .updated }

  /// A Boolean value that indicates whether the next save will delete the object.
  ///
  /// In ``didSave()``, the value is also `true` for an object that the save has deleted.
  public final var isDeleted: Bool { willBeDeleted || lifeInSave == .deleted }

  /// Whether the next save inserts the object, whatever a save does that is ending now.
  var willBeInserted: Bool { record.pointee.life == .inserted }

  /// Whether the next save updates the object, whatever a save does that is ending now.
  var willBeUpdated: Bool { record.pointee.life == .updated }

  /// Whether the next save deletes the object, or its row is gone, whatever a save does that is ending now.
  var willBeDeleted: Bool { record.pointee.life == .deleted }

  /// A Boolean value that indicates whether the object was inserted, updated or deleted since the
  /// last save.
  ///
  /// The value is also `true` if a property was set to an equal value; see ``hasPersistentChangedValues``.
  public final var hasChanges: Bool { record.pointee.life.hasChanges }

  /// The faulting state of the object: 0 if it has its values, another number if it is a fault.
  public final var faultingState: Int { isFault ? 1 : 0 }

  fileprivate var valuesDescription: String {
    let lines = (0..<layout.propertyCount).map { slot in
      "  \(layout.slots[slot].name) = \(describedValue(at: slot));"
    }
    return "{\n" + lines.joined(separator: "\n") + "\n}"
  }

  private func addressText(of object: AnyObject) -> String {
    "0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
  }

  private func describedValue(at slot: Int) -> String {
    if layout.slots[slot].kind.isToMany, hasFault(at: slot) {
      let address = addressText(of: collection(at: slot))
      return "<relationship fault: \(address) '\(layout.slots[slot].name)'>"
    }
    if layout.slots[slot].kind == .fetched { return "<fetched property>" }
    switch boxedValue(at: slot) {
    // Foundation stops the program where such a date is described.
    case let date as Date where date.timeIntervalSinceReferenceDate.isNaN: return "not a date"
    case let object as NSManagedObject: return "\(object.objectID)"
    case let set as NSSet: return "\(set.count) objects"
    case let set as NSOrderedSet: return "\(set.count) objects in order"
    case let value?: return "\(value)"
    case nil: return "nil"
    }
  }
}

/// The reasons for which the values of a managed object can be replaced, with the raw values of
/// Apple's framework.
public struct NSSnapshotEventType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
  /// A change of properties was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
  /// The context discarded its unsaved changes.
  public static let rollback = NSSnapshotEventType(rawValue: 16)
  /// The object was refreshed with the values of the store.
  public static let refresh = NSSnapshotEventType(rawValue: 32)
  /// A merge policy resolved a conflict.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}
