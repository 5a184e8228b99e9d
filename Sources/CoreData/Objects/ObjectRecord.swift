import Observation

/// Everything a managed object knows: all that its memory holds, and reached by an address.
///
/// ```
/// object ─▶ record ─▶ layout      which slots there are
///                  ├▶ snapshot    the values as they are stored, packed and shared
///                  └▶ overlay     the values that were set or unpacked here, slot by slot
/// ```
///
/// A value is looked for in the overlay, then in the snapshot, then among the model's defaults, so
/// that neither a fetched object nor a new one copies anything until it is changed. By its address,
/// reading a property costs no exclusivity check; a context's queue is what keeps others out.
///
/// Getters that are compiled into programs read some of its parts themselves; see ``NSManagedObject/untouchedRow(with:)``.
@usableFromInline
struct ObjectRecord {
  @usableFromInline unowned(unsafe) let layout: EntityLayout
  @usableFromInline var life = ObjectLife.detached
  /// Reasons for a property access to take the long way.
  @usableFromInline var watch: Watch = []
  /// Whether the change tracker knows already that this object changed in the current event.
  var isNotedInEvent = false
  /// The object's state in the save whose end its context is announcing; `nil` at all other times.
  var lifeInSave: ObjectLife?
  /// The object's place in the change tracker's list, if it is in one.
  var trackerIndex: Int32 = -1
  var key: ObjectKey
  /// The stored values' bytes, which `keeper` keeps alive.
  @usableFromInline private(set) var stored: SnapshotBytes?
  /// The bytes' page or, while there are no bytes, the batch with which they will come.
  private var keeper: AnyObject?
  @usableFromInline var overlay: Overlay?
  /// The register of the object's context.
  var identityMap: IdentityMap?
  /// Made when somebody asks for it.
  var id: NSManagedObjectID?
  /// Values that few objects have.
  var extras: ObjectExtras?

  /// Where the record begins in an object: behind its class and its count of references.
  @inlinable static var place: Int { 2 * MemoryLayout<Int>.size }

  init(layout: EntityLayout) {
    self.layout = layout
    key = ObjectKey(store: .none, root: layout.rootNumber, number: 0)
  }

  var snapshot: Snapshot? {
    get {
      guard let keeper, let stored else { return nil }
      return Snapshot(page: unsafeDowncast(keeper, to: SnapshotPage.self), bytes: stored)
    }
    set {
      keeper = newValue?.page
      stored = newValue?.bytes
    }
  }

  /// Whether there is a row, and with all values.
  var hasWholeRow: Bool {
    guard stored != nil, let keeper else { return false }
    return unsafeDowncast(keeper, to: SnapshotPage.self).isWhole
  }

  /// The batch whose values are read together with this object's, while it does not have any.
  var batch: FetchBatch? {
    get { stored == nil ? keeper as? FetchBatch : nil }
    set { if stored == nil { keeper = newValue } }
  }

  @usableFromInline
  struct Watch: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @usableFromInline
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Somebody observes a property.
    static let observed = Watch(rawValue: 1)
    /// The object only notes which properties are read.
    static let recording = Watch(rawValue: 2)
    /// Life-cycle methods run in which changes do not count.
    static let awakening = Watch(rawValue: 4)
    /// Reads count for `withObservationTracking`.
    static let trackable = Watch(rawValue: trackableBit)
    /// Each access is held against the context's queue.
    static let guarded = Watch(rawValue: 16)
    /// The object is a fault that had other values before: the next ones may lead elsewhere.
    static let emptied = Watch(rawValue: 32)
    /// A reset has taken the object out of its context.
    static let forgotten = Watch(rawValue: 64)
    /// The object notes names without slots, because there is no model yet.
    static let naming = Watch(rawValue: 128)

    /// Why reading or writing a property is more than finding its slot.
    static let longWay = Watch(rawValue: longWayBits)
    @inlinable static var trackableBit: UInt8 { 8 }
    @inlinable static var longWayBits: UInt8 { 2 | trackableBit | 16 }
  }
}

/// The state of an object between the store and memory.
@usableFromInline
enum ObjectLife: UInt8, Sendable {
  /// In no context: never inserted, forgotten by a reset, or deleted for good.
  case detached
  /// Known by its identity; its values come with the first access.
  case fault
  /// As stored.
  case clean
  /// Not stored yet.
  case inserted
  /// Stored, and changed since.
  case updated
  /// Stored, and to be removed with the next save.
  case deleted

  var hasChanges: Bool {
    switch self {
    case .detached, .fault, .clean: false
    case .inserted, .updated, .deleted: true
    }
  }
}

/// Values that few objects have: observers, changes that have begun and not ended.
final class ObjectExtras {
  var observations = KeyValueObservations()
  /// The to-many relationship that is being set as a whole, of whose single members observers do not hear.
  var slotBeingSet: Int?
  /// Made when a property is first read inside `withObservationTracking`.
  var registrar: ObservationRegistrar?
  /// The properties that a refresh, a merge or a rollback has changed in the current event, for trackers.
  var replaced = SlotSet()
  /// An object of another module that lives as long as this one.
  var companion: AnyObject?
  /// Whether a refresh or a merge is bringing stored values.
  var takesStoredValues = false
  /// The objects of relationships between `willChangeValue` and `didChangeValue`, as they were before.
  var relatedBefore: [Int: [NSManagedObject]] = [:]
  /// The relationships that were read before the first access.
  var prefetched: PrefetchedRelationships?
  /// The objects that still count an object that has become a fault.
  var formerTargets: FormerTargets?
  /// The keys between `willChangeValue` and `didChangeValue`, with their values before.
  var pendingChanges: [String: ObservedChange] = [:]
}

/// The values that an object holds itself, with marks for those that differ from what is stored.
///
/// The marks and the values are in one piece of memory.
@usableFromInline
struct Overlay {
  private let marks: UnsafeMutablePointer<Marks>

  struct Marks {
    let count: Int
    /// The slots whose value is here.
    var present = SlotSet()
    /// The slots that were set since the last save or fetch.
    var changed = SlotSet()
    /// The stored slots that primitive access has set since the last save or fetch, which is not a change by itself.
    var quiet = SlotSet()
    /// The slots that were set since observers last heard of it.
    var changedInEvent = SlotSet()
    /// Those of them whose value before the event is kept in the context.
    var keptInEvent = SlotSet()
    /// The slots of which observers hear, or heard, with the last event that changed the object, and its number.
    var announced = SlotSet()
    var announcedEvent = 0
  }

  init(slotCount: Int) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Self.valuesPlace + slotCount * MemoryLayout<SlotValue>.stride,
      alignment: MemoryLayout<SlotValue>.alignment
    )
    marks = memory.initializeMemory(as: Marks.self, to: Marks(count: slotCount))
    (memory + Self.valuesPlace)
      .initializeMemory(as: SlotValue.self, repeating: .null, count: slotCount)
  }

  /// Where the values begin: behind the marks.
  private static var valuesPlace: Int {
    let alignment = MemoryLayout<SlotValue>.alignment
    return (MemoryLayout<Marks>.size + alignment - 1) / alignment * alignment
  }

  private var values: UnsafeMutablePointer<SlotValue> {
    (UnsafeMutableRawPointer(marks) + Self.valuesPlace).assumingMemoryBound(to: SlotValue.self)
  }

  /// The same values and marks in memory of their own; collections are copied.
  func copy() -> Overlay {
    let copy = Overlay(slotCount: marks.pointee.count)
    copy.marks.pointee = marks.pointee
    for slot in marks.pointee.present {
      if case .collection(let collection) = values[slot] {
        copy.values[slot] = .collection(collection.copy())
      } else {
        copy.values[slot] = values[slot]
      }
    }
    return copy
  }

  func deallocate() {
    // All other values are null, and do not have to be released.
    for slot in marks.pointee.present { values[slot] = .null }
    marks.deinitialize(count: 1)
    UnsafeMutableRawPointer(marks).deallocate()
  }

  func has(_ slot: Int) -> Bool { marks.pointee.present.contains(slot) }

  subscript(slot: Int) -> SlotValue { values[slot] }

  func set(_ value: SlotValue, at slot: Int) {
    values[slot] = value
    marks.pointee.present.insert(slot)
  }

  func forget(_ slot: Int) {
    values[slot] = .null
    marks.pointee.present.remove(slot)
  }

  var present: SlotSet { marks.pointee.present }

  var changed: SlotSet {
    get { marks.pointee.changed }
    nonmutating set { marks.pointee.changed = newValue }
  }

  var quiet: SlotSet {
    get { marks.pointee.quiet }
    nonmutating set { marks.pointee.quiet = newValue }
  }

  /// Whether a slot was set since the last save or fetch.
  @inline(__always)
  func isChanged(_ slot: Int) -> Bool { marks.pointee.changed.contains(slot) }

  /// Whether a slot was set since observers last heard of it.
  @inline(__always)
  func isChangedInEvent(_ slot: Int) -> Bool { marks.pointee.changedInEvent.contains(slot) }

  /// The slots of the current event whose value before it is kept in the context.
  var keptInEvent: SlotSet {
    get { marks.pointee.keptInEvent }
    nonmutating set { marks.pointee.keptInEvent = newValue }
  }

  /// Nothing was set in the current event.
  func forgetEvent() {
    marks.pointee.changedInEvent = SlotSet()
    marks.pointee.keptInEvent = SlotSet()
  }

  /// The slots of the event that goes on and, while observers hear of one, of that.
  func slotsChanged(inEvent told: Int?) -> SlotSet {
    var slots = marks.pointee.changedInEvent
    if told == marks.pointee.announcedEvent { slots.formUnion(marks.pointee.announced) }
    return slots
  }

  /// Whether observers hear now that a slot was set, in the event with the number `told`.
  func tells(of slot: Int, inEvent told: Int?) -> Bool {
    told == marks.pointee.announcedEvent && marks.pointee.announced.contains(slot)
  }

  /// Begins a new event, while observers are informed of the one that has ended.
  func announce(event: Int) {
    marks.pointee.announced = marks.pointee.changedInEvent
    marks.pointee.announcedEvent = event
    forgetEvent()
  }

  func markChanged(_ slot: Int) {
    marks.pointee.changed.insert(slot)
    marks.pointee.changedInEvent.insert(slot)
  }
}
