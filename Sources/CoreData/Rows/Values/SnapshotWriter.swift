/// Packs values into snapshots, many to a page.
///
/// ```swift
/// writer.begin(slotCount: layout.slots.count, version: 1)
/// writer.set(2, to: 42)
/// writer.set(3, toText: bytes)
/// let snapshot = writer.finish()
/// ```
///
/// Pages grow with what is written: one row asked for alone gets a page of its own size.
package struct SnapshotWriter {
  private var page: SnapshotPage
  /// The page's bytes.
  private var memory: UnsafeMutableRawPointer
  /// Where the current snapshot begins and where its text would go on, in the page.
  private var start = 0
  private var end = 0
  private var slots = 0
  private var slotCount = 0

  /// With `partialSlots` the snapshots say of no other slot whether it has a value.
  package init(expectedBytes: Int = 256, partialSlots: SlotSet? = nil) {
    let capacity = min(max(expectedBytes, 256), SnapshotPage.largest)
    page = SnapshotPage(capacity: capacity, partialSlots: partialSlots)
    memory = page.memory
  }

  package mutating func begin(slotCount: Int, version: Int64) {
    let slotsOffset = Snapshot.slotsOffset(count: slotCount)
    let fixed = slotsOffset + slotCount * 8
    start = (end + 7) & ~7
    end = start
    reserve(fixed)
    end = start + fixed
    slots = start + slotsOffset
    self.slotCount = slotCount
    let base = memory + start
    base.initializeMemory(as: UInt8.self, repeating: 0, count: fixed)
    base.storeBytes(of: version, toByteOffset: Snapshot.versionOffset, as: Int64.self)
    base.storeBytes(
      of: UInt32(slotsOffset),
      toByteOffset: SnapshotBytes.startOffset,
      as: UInt32.self
    )
  }

  /// Begins with all values of another snapshot of the entity, some of which numbers will replace.
  package mutating func begin(copying snapshot: Snapshot, slotCount: Int, version: Int64) {
    start = (end + 7) & ~7
    end = start
    reserve(snapshot.size)
    UnsafeMutableRawBufferPointer(start: memory + start, count: snapshot.size)
      .copyMemory(from: snapshot.bytes.all)
    end = start + snapshot.size
    slots = start + Snapshot.slotsOffset(count: slotCount)
    self.slotCount = slotCount
    (memory + start).storeBytes(of: version, toByteOffset: Snapshot.versionOffset, as: Int64.self)
  }

  package mutating func set(_ slot: Int, to value: Int64) {
    mark(slot)
    memory.storeBytes(of: value, toByteOffset: slots + slot * 8, as: Int64.self)
  }

  package mutating func set(_ slot: Int, to value: Double) {
    mark(slot)
    memory.storeBytes(of: value, toByteOffset: slots + slot * 8, as: Double.self)
  }

  /// Copies the bytes behind the slots.
  package mutating func set(_ slot: Int, to bytes: UnsafeRawBufferPointer) {
    reserve(end - start + bytes.count)
    mark(slot)
    let place = memory + slots + slot * 8
    place.storeBytes(of: UInt32(end - start), as: UInt32.self)
    place.storeBytes(of: UInt32(bytes.count), toByteOffset: 4, as: UInt32.self)
    if let source = bytes.baseAddress {
      (memory + end).copyMemory(from: source, byteCount: bytes.count)
    }
    end += bytes.count
  }

  package mutating func set(_ slot: Int, to text: String) {
    var text = text
    text.withUTF8 { set(slot, to: UnsafeRawBufferPointer($0)) }
  }

  /// Takes a value back.
  package mutating func clear(_ slot: Int) {
    let word = memory + start + SnapshotBytes.presenceOffset + slot / 64 * 8
    word.storeBytes(of: word.load(as: UInt64.self) & ~(1 << UInt64(slot % 64)), as: UInt64.self)
    memory.storeBytes(of: 0, toByteOffset: slots + slot * 8, as: Int64.self)
  }

  package func finish() -> Snapshot {
    let base = memory + start
    base.storeBytes(of: UInt32(end - start), toByteOffset: Snapshot.sizeOffset, as: UInt32.self)
    return Snapshot(page: page, base: base)
  }

  private func mark(_ slot: Int) {
    let word = memory + start + SnapshotBytes.presenceOffset + (slot >> 6) * 8
    word.storeBytes(of: word.load(as: UInt64.self) | (1 &<< UInt64(slot & 63)), as: UInt64.self)
  }

  /// Makes room for a current snapshot of `count` bytes, on a new page if it must be.
  private mutating func reserve(_ count: Int) {
    guard start + count > page.capacity else { return }
    let larger = min(page.capacity * 4, SnapshotPage.largest)
    let next = SnapshotPage(capacity: max(larger, count * 2), partialSlots: page.partialSlots)
    next.memory.copyMemory(from: memory + start, byteCount: end - start)
    slots -= start
    end -= start
    start = 0
    page = next
    memory = next.memory
  }
}
