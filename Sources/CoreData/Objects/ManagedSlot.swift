/// A property as generated code names it: its slot, with proof that the slot is the right one.
///
/// The proof matters where a class meets another version of its model than it was generated for:
/// then the slot is looked up by name, and a property that the model lacks stops the program.
public struct ManagedSlot: Sendable {
  let index: Int
  let hash: UInt64
  let name: StaticString

  public init(_ index: Int, _ hash: UInt64, _ name: StaticString) {
    self.index = index
    self.hash = hash
    self.name = name
  }
}

extension NSManagedObject {
  /// The slot in this object's entity.
  @inline(__always)
  final func find(_ slot: ManagedSlot) -> Int {
    let hashes = record.pointee.layout.hashes
    if slot.index < hashes.count, hashes[slot.index] == slot.hash,
      record.pointee.watch.isDisjoint(with: .recording)
    {
      return slot.index
    }
    return findByName(slot)
  }

  @inline(never)
  private func findByName(_ slot: ManagedSlot) -> Int {
    if record.pointee.watch.contains(.recording) {
      PropertyRecorder.note(slot.name.description, of: self)
    }
    guard let found = layout.slot(named: slot.name.description) else {
      stop(
        """
        \(type(of: self)).\(slot.name) is not a property of the entity \(layout.name) in the model \
        that is in use; the class was generated from another version of it
        """
      )
    }
    return found
  }
}
