import CoreData
import CoreDataCRuntime
import Foundation
import Synchronization

/// The managed object under a model.
///
/// ```
/// Note ── _$backingData ──▶ ModelBox ──▶ ModelRow     the values, and the identity
///   ▲                          ▲            │
///   └──── address ─────────────┴─ unowned ──┘         kept while the row has unsaved changes
/// ```
final class ModelRow: NSManagedObject {
  /// The address of the living model's box, with two marks in its low bits: an object for each would cost memory.
  ///
  /// The box ends behind ``ModelLocks``. Without a box, only the context's thread has the row, and needs no
  /// lock. The marks belong to the context's thread.
  private let word = Atomic<UInt>(0)

  private enum Mark {
    /// The row keeps the model alive, because it has unsaved changes: values that are not stored live in it.
    static let kept: UInt = 1
    static let hasConstants: UInt = 2
    static let all: UInt = 3
  }

  var kind: ModelType {
    guard let kind = rowKind else { stop("the entity \(entity.name ?? "") has no class") }
    return unsafeDowncast(kind.takeUnretainedValue(), to: ModelType.self)
  }

  var objectContext: ModelObjectContext? { managedObjectContext as? ModelObjectContext }

  /// Whether the constants of the model are in the row.
  var hasConstants: Bool {
    get { word.load(ordering: .relaxed) & Mark.hasConstants != 0 }
    set { set(Mark.hasConstants, newValue) }
  }

  /// Only the thread of the context sets marks.
  private func set(_ mark: UInt, _ isSet: Bool) {
    let others = word.load(ordering: .relaxed) & ~mark
    word.store(isSet ? others | mark : others, ordering: .relaxed)
  }

  override func didSave() { letGo() }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    if !isUnsaved { letGo() }
  }
}

// MARK: - The model of a row

extension ModelRow {
  /// The model of the row, made unless there is one.
  var model: AnyObject {
    if let kept { return kept }
    if let living = livingModel { return living }
    return ModelBox.adopted(self)
  }

  /// The model of the row, if there is one.
  var livingModel: AnyObject? {
    if let kept { return kept }
    guard hasBox else { return nil }
    return ModelLocks.withLock(for: self) {
      guard let box, let address = box.address, coredata_retain_if_alive(address) else {
        return nil
      }
      return Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue()
    }
  }

  /// The model as one of a class.
  func model<Model: PersistentModel>(as type: Model.Type) -> Model {
    let model = model
    if Swift.type(of: model) == type { return unsafeDowncast(model, to: Model.self) }
    guard let fitting = model as? Model else {
      stop("\(entity.name ?? "") is not the entity of \(type)")
    }
    return fitting
  }

  /// The backing of the living model.
  var connectedBox: ModelBox? { hasBox ? ModelLocks.withLock(for: self) { box } : nil }

  private var hasBox: Bool { word.load(ordering: .relaxed) & ~Mark.all != 0 }

  private var box: ModelBox? {
    let address = UnsafeRawPointer(bitPattern: word.load(ordering: .relaxed) & ~Mark.all)
    return address.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  func connect(_ box: ModelBox) {
    let address = UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque())
    if hasBox {
      letGo()
      ModelLocks.withLock(for: self) { put(address) }
    } else {
      put(address)
    }
  }

  private func put(_ address: UInt) {
    word.store(address | (word.load(ordering: .relaxed) & Mark.all), ordering: .relaxed)
  }

  func disconnect(_ box: ModelBox) {
    let address = UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque())
    ModelLocks.withLock(for: self) {
      if word.load(ordering: .relaxed) & ~Mark.all == address {
        word.bitwiseAnd(Mark.all, ordering: .relaxed)
      }
    }
  }
}

// MARK: - Keeping the model

extension ModelRow {
  private var isKeeping: Bool { word.load(ordering: .relaxed) & Mark.kept != 0 }

  /// The model that the row keeps alive.
  private var kept: AnyObject? {
    guard isKeeping, let address = box?.address else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
  }

  /// Keeps its model alive while the row has unsaved changes.
  func keep(_ model: AnyObject) {
    // Another model may show the row by now.
    guard !isKeeping, isInContext,
      box?.address == Unmanaged.passUnretained(model).toOpaque()
    else { return }
    _ = Unmanaged.passRetained(model)
    set(Mark.kept, true)
  }

  /// Keeps the model alive while the row has unsaved changes.
  func keepModel() {
    if !isKeeping, isInContext, let model = livingModel { keep(model) }
  }

  /// Keeps the model alive no longer.
  func letGo() {
    guard let kept else { return }
    set(Mark.kept, false)
    Unmanaged.passUnretained(kept).release()
  }
}

/// Locks that rows share: a model may end on any thread while its row is asked for it.
enum ModelLocks {
  private static let locks = (0..<16).map { _ in ModelLock() }

  private final class ModelLock: Sendable {
    let mutex = Mutex<Void>(())
  }

  static func withLock<Result>(for row: ModelRow, _ body: () -> Result) -> Result {
    let place = UInt(bitPattern: Unmanaged.passUnretained(row).toOpaque()) >> 5
    return locks[Int(place & 15)].mutex.withLock { _ in Handover(body()) }.value
  }
}
