import CoreDataPredicates
import Foundation
import Synchronization

/// Finds the name behind a Swift key path: `\Note.folder?.name` is `folder.name`.
///
/// Without Objective-C a key path does not know how it is spelled. So it is evaluated on an object
/// that belongs to nothing and notes which of its properties are read, which also works for a
/// computed property such as `title` over `title_`. Each key path is asked once.
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

  /// Safety: used by one thread, while the evaluation runs.
  private final class Recording: @unchecked Sendable {
    var keys: [String] = []
  }

  static func note(_ name: String) {
    recording?.keys.append(name)
  }

  static func record(_ keyPath: AnyKeyPath, on probe: NSManagedObject) -> String? {
    let recording = Recording()
    probe.record.pointee.watch.insert(.recording)
    $recording.withValue(recording) { _ = probe[keyPath: keyPath] }
    return recording.keys.isEmpty ? nil : recording.keys.joined(separator: ".")
  }
}

extension NSManagedObject {
  /// What a recording object gives for a to-one relationship: another one, so that a path goes on.
  func recordingTarget(at slot: Int) -> SlotValue {
    guard let end = layout.slots[slot].end, let destination = layout.model[number: end.destination]
    else { return .null }
    let probe = destination.objectClass.init(entity: destination.description, insertInto: nil)
    probe.record.pointee.watch.insert(.recording)
    return .object(probe)
  }
}
