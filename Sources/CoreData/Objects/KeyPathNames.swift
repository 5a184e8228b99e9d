import CoreDataPredicates
import Foundation
import Synchronization

/// Finds the name behind a Swift key path: `\Note.folder?.name` is `folder.name`.
///
/// Without Objective-C a key path does not know how it is spelled. So it is evaluated on an object
/// that belongs to nothing and notes which of its properties are read, which also works for a
/// computed property such as `title` over `title_`. Each key path is asked once. A property that
/// reads more than one other has no name.
extension NSManagedObject: KeyPathNaming {
  package static func name(of keyPath: AnyKeyPath) -> String? {
    let path = PropertyRecorder.Path(keyPath)
    if let known = PropertyRecorder.names.withLock({ $0[path] }) { return known }
    guard let layout = ObjectClass.layout(for: self) else { return nil }
    let probe = layout.objectClass.init(entity: layout.description, insertInto: nil)
    guard let name = PropertyRecorder.record(keyPath, on: probe) else { return nil }
    PropertyRecorder.names.withLock { $0[path] = name }
    return name
  }

  /// `entity IN {Memo, …}`, with every entity below.
  package static func isInstance(_ value: ExpressionTree) -> PredicateTree? {
    guard let layout = ObjectClass.layout(for: self) else { return nil }
    let entities = layout.description.withSubentities.map { ExpressionTree.constant(Constant($0)) }
    return .comparison(Comparison(.path(value, ["entity"]), .in, .aggregate(entities)))
  }
}

extension NSEntityDescription {
  fileprivate var withSubentities: [NSEntityDescription] {
    [self] + subentities.flatMap(\.withSubentities)
  }
}

enum PropertyRecorder {
  static let names = Mutex<[Path: String]>([:])

  /// Safety: key paths are immutable.
  struct Path: Hashable, @unchecked Sendable {
    private let keyPath: AnyKeyPath

    init(_ keyPath: AnyKeyPath) {
      self.keyPath = keyPath
    }
  }

  /// The keys read during one evaluation, on the thread that evaluates.
  @TaskLocal private static var recording: Recording?

  /// What was read, each on the object that the one before it led to.
  ///
  /// Safety: used by one thread, while the evaluation runs.
  private final class Recording: @unchecked Sendable {
    var keys: [String] = []
    /// The object that the last key was read on, and the one it led to.
    var owner: NSManagedObject?
    var target: NSManagedObject?
    var isBroken = false

    init(from probe: NSManagedObject) {
      target = probe
    }

    func note(_ key: String, of object: NSManagedObject) {
      if object === owner, keys.last == key { return }
      if object !== target { isBroken = true }
      keys.append(key)
      owner = object
      target = nil
    }
  }

  static func note(_ key: String, of object: NSManagedObject) {
    recording?.note(key, of: object)
  }

  static func follow(to target: NSManagedObject) {
    recording?.target = target
  }

  static func record(_ keyPath: AnyKeyPath, on probe: NSManagedObject) -> String? {
    let recording = Recording(from: probe)
    probe.record.pointee.watch.insert(.recording)
    let value = $recording.withValue(recording) { probe[keyPath: keyPath] }
    if let key = unmodelledKey(of: value, on: recording.target) { recording.keys.append(key) }
    if recording.isBroken || recording.keys.isEmpty { return nil }
    return recording.keys.joined(separator: ".")
  }

  /// What is no property of the model, but can be asked in a predicate.
  private static func unmodelledKey(of value: Any?, on probe: NSManagedObject?) -> String? {
    switch value {
    case let id as NSManagedObjectID where id === probe?.objectID: "objectID"
    case let entity as NSEntityDescription where entity === probe?.entity: "entity"
    case _: nil
    }
  }
}

extension NSManagedObject {
  /// What a recording object gives for a to-one relationship: another one, so that a path goes on.
  func recordingTarget(at slot: Int) -> SlotValue {
    guard let end = layout.slots[slot].end, let destination = layout.model[number: end.destination]
    else { return .null }
    let probe = destination.objectClass.init(entity: destination.description, insertInto: nil)
    probe.record.pointee.watch.insert(.recording)
    PropertyRecorder.follow(to: probe)
    return .object(probe)
  }
}
