import Synchronization

/// An object's stored values at one moment, packed into one run of bytes that never changes.
///
/// ```
/// version │ start of slots │ size │ which slots have a value │ slot │ slot │ … │ text and bytes
///   8     │       4        │  4   │     8 for 64 slots       │  8   │  8   │   │
/// ```
///
/// Numbers, dates and keys are in their slot; text, bytes, UUIDs and decimals are at the end and the slot says where.
/// The same snapshot serves the store, the row cache and every object that has it, without a copy; reading a number
/// is one load.
///
/// Safety: written once, before anyone else sees it.
package struct Snapshot: @unchecked Sendable {
  /// Keeps the bytes alive.
  let page: SnapshotPage
  package let bytes: SnapshotBytes

  init(page: SnapshotPage, base: UnsafeRawPointer) {
    self.page = page
    bytes = SnapshotBytes(base: base)
  }

  init(page: SnapshotPage, bytes: SnapshotBytes) {
    self.page = page
    self.bytes = bytes
  }

  static let versionOffset = 0
  static let sizeOffset = 12

  static func slotsOffset(count: Int) -> Int {
    SnapshotBytes.presenceOffset + (count + 63) / 64 * 8
  }

  /// How often the row was saved: Core Data's `Z_OPT`.
  package var version: Int64 { bytes.version }

  /// Bytes in all.
  package var size: Int { bytes.size }

  /// The slots that were read, when they are not all: nothing is known of the others.
  package var partialSlots: SlotSet? { page.partialSlots }

  package func hasValue(_ slot: Int) -> Bool { bytes.hasValue(slot) }

  /// The slot's integer; 0 if the slot is empty.
  package func integer(_ slot: Int) -> Int64 { bytes.integer(slot) }

  package func real(_ slot: Int) -> Double { bytes.real(slot) }

  /// The slot's bytes, valid as long as the snapshot.
  package func bytes(_ slot: Int) -> UnsafeRawBufferPointer { bytes.bytes(slot) }

  package func text(_ slot: Int) -> String { bytes.text(slot) }

  package func optionalInteger(_ slot: Int) -> Int64? { hasValue(slot) ? integer(slot) : nil }
}

/// A snapshot without its page: for a holder that keeps the page alive by other means.
///
/// Reading through it costs no reference counting. Equal are two that are the same bytes in memory.
@usableFromInline
package struct SnapshotBytes: Equatable {
  @usableFromInline let base: UnsafeRawPointer

  init(base: UnsafeRawPointer) {
    self.base = base
  }

  @inlinable static var startOffset: Int { 8 }
  @inlinable static var presenceOffset: Int { 16 }

  var version: Int64 { base.load(fromByteOffset: Snapshot.versionOffset, as: Int64.self) }

  var size: Int { Int(base.load(fromByteOffset: Snapshot.sizeOffset, as: UInt32.self)) }

  @inlinable
  func address(of slot: Int) -> UnsafeRawPointer {
    base + Int(base.load(fromByteOffset: Self.startOffset, as: UInt32.self)) + slot * 8
  }

  @inlinable
  package func hasValue(_ slot: Int) -> Bool {
    let word = base.load(fromByteOffset: Self.presenceOffset + (slot >> 6) * 8, as: UInt64.self)
    return word & (1 &<< UInt64(slot & 63)) != 0
  }

  @inlinable
  package func integer(_ slot: Int) -> Int64 { address(of: slot).load(as: Int64.self) }

  @inlinable
  package func real(_ slot: Int) -> Double { address(of: slot).load(as: Double.self) }

  package func bytes(_ slot: Int) -> UnsafeRawBufferPointer {
    let place = address(of: slot)
    let offset = Int(place.load(as: UInt32.self))
    let count = Int(place.load(fromByteOffset: 4, as: UInt32.self))
    return UnsafeRawBufferPointer(start: base + offset, count: count)
  }

  @usableFromInline
  func text(_ slot: Int) -> String { String(decoding: bytes(slot), as: UTF8.self) }

  /// All bytes, as they are in memory.
  var all: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: size) }
}

/// A run of memory that holds many snapshots and lives as long as any of them.
///
/// Only the writer that made it writes, and only behind the snapshots it has given out.
final class SnapshotPage {
  let memory: UnsafeMutableRawPointer
  let capacity: Int
  /// The slots that were read, when they are not all.
  let partialSlots: SlotSet?
  let isWhole: Bool

  /// Bytes of the pages of long results.
  static let largest = 128 * 1024

  init(capacity: Int, partialSlots: SlotSet? = nil) {
    memory = Self.spare(capacity) ?? .allocate(byteCount: capacity, alignment: 8)
    self.capacity = capacity
    self.partialSlots = partialSlots
    isWhole = partialSlots == nil
  }

  deinit {
    if !Self.keep(memory, capacity) { memory.deallocate() }
  }
}

// MARK: - Memory that is used again

/// The memory of large pages that nobody needs any more waits for the next fetch, which would have to get it from the
/// system again.
extension SnapshotPage {
  /// The addresses of spare pages, all of the largest size.
  private static let spares = Mutex<[UInt]>([])
  /// How many pages are kept: 16 MB.
  private static let mostSpares = 128

  private static func spare(_ capacity: Int) -> UnsafeMutableRawPointer? {
    guard capacity == largest else { return nil }
    return spares.withLock { $0.popLast() }.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
  }

  /// Keeps a page's memory, unless there is enough of it.
  private static func keep(_ memory: UnsafeMutableRawPointer, _ capacity: Int) -> Bool {
    guard capacity == largest else { return false }
    return spares.withLock { spares in
      guard spares.count < mostSpares else { return false }
      spares.append(UInt(bitPattern: memory))
      return true
    }
  }
}
