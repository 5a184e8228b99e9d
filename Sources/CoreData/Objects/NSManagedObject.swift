public import Foundation

/// An object whose properties a data model describes and whose context keeps track of it.
///
/// ```swift
/// let note = Note(context: context)
/// note.title = "Faults"
/// try context.save()
/// ```
///
/// Subclasses are usually generated from the model. A subclass may override the life-cycle and
/// validation methods, and may have stored properties with default values. Objects belong to their
/// context's queue, except for `objectID`, which is safe to read and to send anywhere.
///
/// Two objects are equal only when they are the same object: a context has one for each identity.
nonisolated open class NSManagedObject: NSObject {
  let record: UnsafeMutablePointer<ObjectRecord>

  /// Makes an object of an entity and inserts it into a context.
  ///
  /// The object's class is the one that the model names for the entity, also when this initializer is
  /// called on `NSManagedObject` itself. Without a context the object can be filled and inserted later.
  /// The first use freezes the entity's model. `required`, unlike Apple's, because without Objective-C a class can only be
  /// instantiated by name through an initializer that every subclass is known to have.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    record = .allocate(capacity: 1)
    record.initialize(to: ObjectRecord(layout: context?.ownLayout(of: entity) ?? entity.layout))
    super.init()
    let object = ClassExchange.conform(self)
    context?.insert(object)
  }

  /// Makes an object of the entity that this class stands for, and inserts it into the context.
  ///
  /// Exactly one entity of the context's model must have this class.
  public convenience init(context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  /// What `init(context:)` comes to where the class is known only at run time.
  ///
  /// `required`, so that it can be called on any class; `convenience`, so that subclasses have it without
  /// a word.
  public required convenience init(ofOwnEntityIn context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  deinit {
    record.pointee.identityMap?.unregister(self, key: record.pointee.key)
    record.pointee.overlay?.deallocate()
    record.deinitialize(count: 1)
    record.deallocate()
  }

  public final override var hash: Int { ObjectIdentifier(self).hashValue }

  /// The object for a log: entity, identity, and the values unless it is a fault.
  open override var description: String {
    let id = "\(addressText(of: objectID)) \(objectID)"
    let head =
      "<\(type(of: self)): \(addressText(of: self))> (entity: \(layout.name); id: \(id); data: "
    return head + (isFault ? "<fault>" : valuesDescription) + ")"
  }

  public final override func isEqual(_ object: Any?) -> Bool { object as AnyObject? === self }

  // MARK: Life cycle

  /// Called once, when the object has been inserted; a place for default values.
  open func awakeFromInsert() {}

  /// Called each time the object has got its values from the store.
  ///
  /// Changes made here do not make the object changed.
  open func awakeFromFetch() {}

  /// Called after undo, rollback, refresh or a merge has replaced values.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

  /// Called when the object has been marked for deletion.
  open func prepareForDeletion() {}

  /// Called before a save for each object that takes part; may change properties.
  open func willSave() {}

  /// Called after a save for each object that took part.
  open func didSave() {}

  /// Called before the object lets go of its values.
  open func willTurnIntoFault() {}

  /// Called after the object has let go of its values.
  open func didTurnIntoFault() {}

  // MARK: Validation

  /// Throws if the object may not be inserted as it is: one `CocoaError`, or 1560 with several.
  open func validateForInsert() throws {
    try ObjectValidation.validate(self)
  }

  /// Throws if the object may not be saved as it is: one `CocoaError`, or 1560 with several.
  open func validateForUpdate() throws {
    try ObjectValidation.validate(self)
  }

  /// Throws 1600 if a relationship with the rule Deny still leads somewhere.
  open func validateForDelete() throws {
    try ObjectValidation.validateDelete(self)
  }

  /// Turns a value into one that the property takes, then holds it against the rules of the model.
  ///
  /// ```
  /// var stars: AnyObject? = NSNumber(value: 7)
  /// try note.validateValue(&stars, forKey: "stars")   // 1610: at most 5
  /// ```
  ///
  /// Throws one `CocoaError`, or 1560 with several. The object itself does not change.
  ///
  /// Where a class overrides this method, every save calls it for each property of an inserted or
  /// updated object, except for stored to-many relationships that did not change; a value that the
  /// override puts into the place is set. For single properties see ``PropertyValidating``.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
    forKey key: String
  ) throws {
    try validate(value, forKey: key)
  }

  // MARK: Key-value coding

  /// The value of a property by name; a number comes as a number, a to-many relationship as a set.
  ///
  /// Stops the program for a key that is neither in the model nor a stored property of the class.
  open func value(forKey key: String) -> Any? { modelledValue(forKey: key) }

  /// Sets a property by name.
  ///
  /// Stops the program for an unknown key or a value of the wrong type.
  open func setValue(_ value: Any?, forKey key: String) { setModelledValue(value, forKey: key) }

  /// Called for a key that the object does not have; stops the program unless overridden.
  open func value(forUndefinedKey key: String) -> Any? {
    stop(unknownKeySentence(key))
  }

  /// Called when a key that the object does not have is set; stops the program unless overridden.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    stop(unknownKeySentence(key))
  }

  /// Called after a change of an observed key path; see ``addObserver(_:forKeyPath:options:context:)``.
  open func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}

  /// The key paths whose changes change the value of a key, such as those a computed property reads;
  /// none unless overridden.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  /// Whether changing a property that the model lacks leaves the object as it is; true, unless
  /// overridden.
  ///
  /// The context hears of such a change where the property says `willChangeValue(forKey:)` and
  /// `didChangeValue(forKey:)`. With false the object then counts as updated: the next save calls
  /// `willSave()` and validates it.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  /// The same for one property; what ``contextShouldIgnoreUnmodeledPropertyChanges`` says, unless
  /// overridden.
  ///
  /// In place of Apple's methods `contextShouldIgnoreChangesFor<Key>`, which are found by name.
  open class func contextShouldIgnoreChanges(forUnmodeledProperty key: String) -> Bool {
    contextShouldIgnoreUnmodeledPropertyChanges
  }
}

// MARK: - Identity and state

extension NSManagedObject {
  var layout: EntityLayout { record.pointee.layout }

  /// The object's entity.
  ///
  /// Never fires a fault.
  public final var entity: NSEntityDescription { layout.description }

  /// The object's identity, temporary until the first save.
  ///
  /// Never fires a fault.
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

  /// The context that keeps the object; nil before insertion, after a reset, after a saved deletion,
  /// and when the context is gone.
  public final var managedObjectContext: NSManagedObjectContext? {
    record.pointee.identityMap?.context
  }

  public final var isFault: Bool { record.pointee.life == .fault }

  public final var isInserted: Bool { record.pointee.life == .inserted }

  public final var isUpdated: Bool { record.pointee.life == .updated }

  /// Whether the next save will remove the object.
  public final var isDeleted: Bool { record.pointee.life == .deleted }

  /// Whether the object was inserted, updated or deleted since the last save.
  public final var hasChanges: Bool { record.pointee.life.hasChanges }

  /// 0 for an object with values, another number for a fault.
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

/// Why an object's values were replaced; raw values are Apple's.
public struct NSSnapshotEventType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
  public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
  public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
  public static let rollback = NSSnapshotEventType(rawValue: 16)
  public static let refresh = NSSnapshotEventType(rawValue: 32)
  public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}
