import CoreDataPredicates
import Foundation
import Synchronization

/// Finds the name behind a Swift key path: `\Note.folder?.name` is `folder.name`.
///
/// Without Objective-C a key path does not know how it is spelled. So it is evaluated on an object
/// that belongs to nothing and notes which of its properties are read, which also works for a
/// computed property such as `title` over `title_`. Each key path is asked once. A property that reads more than one
/// other does not have a name, nor does one that gives another value than it has read.
extension NSManagedObject: KeyPathNaming {
  package static func name(of keyPath: AnyKeyPath) -> String? {
    PropertyRecorder.name(of: keyPath) { ObjectClass.layout(for: self) }
  }

  /// The name of a key path of this object's class, in the object's own entity: other models may have the class too,
  /// with other properties.
  final func name(of keyPath: AnyKeyPath) -> String? {
    PropertyRecorder.name(of: keyPath) { layout }
  }

  package static var isNamedLater: Bool { ObjectClass.layout(for: self) == nil }

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

/// Asks one key path.
package struct PropertyRecorder {
  private let keyPath: AnyKeyPath
  private let layout: EntityLayout

  init(_ keyPath: AnyKeyPath, of layout: EntityLayout) {
    self.keyPath = keyPath
    self.layout = layout
  }

  package typealias Path = Immutable<AnyKeyPath>

  private static let names = Mutex<[Path: String]>([:])

  /// The keys read during one evaluation, on the thread that evaluates.
  @TaskLocal private static var recording: Handover<Recording>?

  /// The keys that were read, each on the object that the one before it led to.
  private final class Recording {
    var keys: [String] = []
    /// The object that the last key was read on, and the one it led to.
    var owner: NSManagedObject?
    var target: NSManagedObject?
    var isBroken = false
    /// The value that the property at some place of the path is given before it is read.
    private let planted: (value: PlantedValue, place: Int)?

    init(from probe: NSManagedObject, planted: (value: PlantedValue, place: Int)?) {
      target = probe
      self.planted = planted
    }

    func note(_ key: String, of object: NSManagedObject) {
      if object === owner, keys.last == key { return }
      if object !== target { isBroken = true }
      if let planted, planted.place == keys.count { object.plant(planted.value, at: key) }
      keys.append(key)
      owner = object
      target = nil
    }
  }

  static func note(_ key: String, of object: NSManagedObject) {
    recording?.value.note(key, of: object)
  }

  static func follow(to target: NSManagedObject) {
    recording?.value.target = target
  }

  /// The name of a key path, which is found on objects of an entity and kept.
  static func name(of keyPath: AnyKeyPath, on entity: () -> EntityLayout?) -> String? {
    let path = Path(keyPath)
    if let known = names.withLock({ $0[path] }) { return known }
    guard let name = entity().flatMap({ PropertyRecorder(keyPath, of: $0).name() }) else {
      return nil
    }
    names.withLock { $0[path] = name }
    return name
  }

  /// The name of a key path of a class of models over the objects of an entity.
  package static func name(of keyPath: AnyKeyPath, over entity: NSEntityDescription) -> String? {
    PropertyRecorder(keyPath, of: entity.layout).name()
  }

  /// The names of the properties that a key path reads on an object that only notes them.
  static func keys(read keyPath: AnyKeyPath, on probe: NSManagedObject) -> [String] {
    let recording = Recording(from: probe, planted: nil)
    _ = $recording.withValue(Handover(recording)) { probe[keyPath: keyPath] }
    return recording.keys
  }

  func name() -> String? {
    let (value, recording) = evaluate(planting: nil)
    if recording.isBroken { return nil }
    if let key = Self.unmodelledKey(of: value, on: recording.target) {
      return (recording.keys + [key]).joined(separator: ".")
    }
    guard !recording.keys.isEmpty, isFaithful(value, recording) else { return nil }
    return recording.keys.joined(separator: ".")
  }

  private func evaluate(
    planting planted: (value: PlantedValue, place: Int)?
  ) -> (value: Any?, Recording) {
    let probe = layout.objectClass.init(entity: layout.description, insertInto: nil)
    probe.watch.insert(.recording)
    let recording = Recording(from: probe, planted: planted)
    let value = Self.$recording.withValue(Handover(recording)) { () -> Any? in
      guard let kind = layout.description.rowKind else { return probe[keyPath: keyPath] }
      return kind.value(at: keyPath, of: probe)
    }
    return (value, recording)
  }

  /// Whether the property gives what it has read, and not something that it makes of it.
  private func isFaithful(_ value: Any?, _ recording: Recording) -> Bool {
    guard let owner = recording.owner,
      let slot = owner.layout.slot(named: recording.keys.last ?? "")
    else { return true }
    let type =
      (type(of: keyPath).valueType as? any AnyOptional.Type)?.wrapped
      ?? type(of: keyPath).valueType
    switch owner.layout.kinds[slot] {
    case .toOne: return value as? NSManagedObject === recording.target
    case .toMany, .orderedToMany, .fetched, .transformable, .composite, .object:
      return !Self.isPlain(type)
    case let kind:
      let place = recording.keys.count - 1
      // A property that cannot hold the value itself may be an enumeration of such values: it is given its own.
      if let representable = value as? any RawRepresentable {
        return Self.values(like: representable, for: kind).allSatisfy { planted in
          let value = evaluate(planting: (planted, place)).value as? any RawRepresentable
          return planted.equals(value.map { Self.rawValue(of: $0) })
        }
      }
      return PlantedValue.pair(for: kind).allSatisfy { planted in
        planted.fits(type) && planted.equals(evaluate(planting: (planted, place)).value)
      }
    }
  }

  /// Raw values that an enumeration has: all if it lists them, else the small numbers among them.
  private static func values<Value: RawRepresentable>(
    like value: Value,
    for kind: SlotKind
  ) -> [PlantedValue] {
    if let listed = Value.self as? any CaseIterable.Type {
      return cases(of: listed).compactMap { PlantedValue(rawValue($0), for: kind) }
    }
    let numbers: [Any] =
      switch Value.RawValue.self {
      case let integer as any BinaryInteger.Type:
        (0..<32).map { whole($0, integer) } + [value.rawValue]
      case _: [value.rawValue]
      }
    return numbers.compactMap { $0 as? Value.RawValue }.filter { Value(rawValue: $0) != nil }
      .compactMap { PlantedValue($0, for: kind) }
  }

  private static func cases<Value: CaseIterable>(of type: Value.Type) -> [any RawRepresentable] {
    type.allCases.compactMap { $0 as? any RawRepresentable }
  }

  private static func whole<Integer: BinaryInteger>(_ number: Int, _: Integer.Type) -> Any {
    Integer(number)
  }

  private static func rawValue(_ value: any RawRepresentable) -> Any { rawValue(of: value) }

  private static func rawValue(of value: some RawRepresentable) -> Any { value.rawValue }

  /// Whether values of the type are neither collections nor objects.
  private static func isPlain(_ type: Any.Type) -> Bool {
    type == Bool.self || type == String.self || type == Date.self || type is any Numeric.Type
  }

  /// The key of something that is not a property of the model, but can be asked in a predicate.
  private static func unmodelledKey(of value: Any?, on probe: NSManagedObject?) -> String? {
    switch value {
    case let id as NSManagedObjectID where id === probe?.objectID: "objectID"
    case let entity as NSEntityDescription where entity === probe?.entity: "entity"
    case _: nil
    }
  }
}

extension NSManagedObject {
  fileprivate func plant(_ value: PlantedValue, at key: String) {
    guard let slot = layout.slot(named: key) else { return }
    overlay.set(slotValue(boxing: value.boxed, at: slot), at: slot)
  }

  /// Lets a recording know that a property is read by its key.
  func noteKey(_ key: String) {
    if watch.contains(.recording) { PropertyRecorder.note(key, of: self) }
  }

  /// The value of a to-one relationship of a recording object: another such object, so that a path goes on.
  func recordingTarget(at slot: Int) -> SlotValue {
    guard let end = layout.slots[slot].end, let destination = layout.model[number: end.destination]
    else { return .null }
    let probe = destination.objectClass.init(entity: destination.description, insertInto: nil)
    probe.watch.insert(.recording)
    PropertyRecorder.follow(to: probe)
    return .object(probe)
  }
}

/// An optional type, told apart at run time.
protocol AnyOptional {
  static var wrapped: Any.Type { get }
}

extension Optional: AnyOptional {
  static var wrapped: Any.Type { Wrapped.self }
}
