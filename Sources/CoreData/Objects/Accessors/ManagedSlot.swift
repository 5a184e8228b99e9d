import CoreDataModel
import Foundation

/// A property as generated code refers to it: its position in the entity, and a hash to verify the
/// position.
///
/// Generated accessors use this type; other code seldom needs it. If a class meets a version of its
/// model other than the one from which it was generated, the position is looked up by name. A
/// property that the model does not have then stops the program.
public struct ManagedSlot: Sendable {
  @usableFromInline let index: Int
  @usableFromInline let hash: UInt64
  /// The address of the name in the program, with a zero behind it: in three words a slot is passed in registers.
  @usableFromInline let placeOfName: UInt

  /// Creates a reference to a property.
  ///
  /// Only generated code calls this initializer.
  ///
  /// - Parameters:
  ///   - index: The position of the property in the entity from which the code was generated.
  ///   - hash: The hash of the property's name.
  ///   - name: The name of the property.
  @inlinable
  public init(_ index: Int, _ hash: UInt64, _ name: StaticString) {
    self.index = index
    self.hash = hash
    placeOfName = UInt(bitPattern: name.utf8Start)
  }

  /// Creates a reference to a property that is looked up by its name.
  ///
  /// Only generated code calls this initializer, for a class whose model is not known when it is
  /// compiled.
  ///
  /// - Parameter name: The name of the property.
  public init(_ name: StaticString) {
    self.init(.max, 0, name)
  }

  /// Creates a reference to a property for as long as the process lives.
  package init(lasting name: String, at index: Int) {
    self.index = index
    hash = PropertyHash.of(name)
    placeOfName = UInt(bitPattern: strdup(name))
  }

  package var name: String {
    guard let start = UnsafePointer<CChar>(bitPattern: placeOfName) else { return "" }
    return String(cString: start)
  }
}

/// The purpose for which a slot is looked up.
enum SlotUse {
  case reading
  case writing
}

extension NSManagedObject {
  /// The slot in this object's entity.
  @inline(__always)
  final func find(_ slot: ManagedSlot, _ use: SlotUse = .reading) -> Int {
    let hashes = layout.hashes
    guard slot.index < hashes.count, hashes[slot.index] == slot.hash else {
      return findTheLongWay(slot, use)
    }
    let reasons = self.watch.intersection(.longWay)
    if reasons.isEmpty { return slot.index }
    guard reasons == .trackable else { return findTheLongWay(slot, use) }
    if use == .reading { trackRead(of: slot.index) }
    return slot.index
  }

  @inline(never)
  private func findTheLongWay(_ slot: ManagedSlot, _ use: SlotUse) -> Int {
    if self.watch.contains(.recording) {
      PropertyRecorder.note(slot.name, of: self)
    }
    let hashes = layout.hashes
    let isInPlace = slot.index < hashes.count && hashes[slot.index] == slot.hash
    let found = isInPlace ? slot.index : findByName(slot)
    noteUse(of: found, use)
    return found
  }

  private func findByName(_ slot: ManagedSlot) -> Int {
    // A probe has one property, which represents all.
    if record.pointee.watch.contains(.naming) { return 0 }
    guard let found = layout.slot(named: slot.name) else {
      stop(
        """
        \(type(of: self)).\(slot.name) is not a property of the entity \(layout.name) in the model \
        that is in use; the class was generated from another version of it
        """
      )
    }
    return found
  }

  /// Holds an access against the context's queue, and counts a read that is being tracked; neither
  /// happens unless the object is watched for it.
  @inline(__always)
  final func noteUse(of slot: Int, _ use: SlotUse) {
    let watch = self.watch
    if watch.isDisjoint(with: .longWay) { return }
    if watch.contains(.guarded) { checkQueue(slot, use) }
    if use == .reading, watch.contains(.trackable) { trackRead(of: slot) }
  }
}
