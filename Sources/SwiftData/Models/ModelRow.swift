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
  /// The backing of the living model, which ends behind ``ModelLocks``.
  ///
  /// As long as it is empty, only the context's thread has the row, and needs no lock.
  private let place = Atomic<UnsafeRawPointer?>(nil)
  /// The model, while it has unsaved changes: values that are not stored live in it.
  var kept: AnyObject?
  /// Whether the constants of the model are in the row.
  var hasConstants = false

  var kind: ModelType {
    guard let kind = rowKind else { stop("the entity \(entity.name ?? "") has no class") }
    return unsafeDowncast(kind.takeUnretainedValue(), to: ModelType.self)
  }

  var objectContext: ModelObjectContext? { managedObjectContext as? ModelObjectContext }

  override func didSave() { kept = nil }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    if !isUnsaved { kept = nil }
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

  private var hasBox: Bool { place.load(ordering: .relaxed) != nil }

  private var box: ModelBox? {
    place.load(ordering: .relaxed).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  func connect(_ box: ModelBox) {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque())
    if hasBox {
      ModelLocks.withLock(for: self) { place.store(address, ordering: .relaxed) }
    } else {
      place.store(address, ordering: .relaxed)
    }
  }

  func disconnect(_ box: ModelBox) {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque())
    ModelLocks.withLock(for: self) {
      if place.load(ordering: .relaxed) == address { place.store(nil, ordering: .relaxed) }
    }
  }

  /// Keeps its model alive while the row has unsaved changes.
  func keep(_ model: AnyObject) {
    if kept == nil, isInContext { kept = model }
  }

  /// Keeps the model alive while the row has unsaved changes.
  func keepModel() {
    if kept == nil, isInContext { kept = livingModel }
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
