import CoreDataModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// The rows of a large fetch wait without a place by their keys until somebody looks for one.
struct RowCacheTests {
  private let cache = RowCache()
  private let store = StoreNumber(rawValue: 7)
  private let layout: EntityLayout

  init() throws {
    layout = try #require(NotesStack.model.entitiesByName["Note"]).layout
  }

  @Test func `rows of a large fetch are found by their keys`() throws {
    cache.set(rows(1...5000, version: 3), of: store)
    #expect(version(of: 1) == 3)
    #expect(version(of: 5000) == 3)
    #expect(version(of: 5001) == nil)
  }

  @Test func `a large fetch that was read before a save brought the old version back`() throws {
    cache.set(snapshot(version: 2), of: layout, for: key(9))
    cache.set(rows(1...1000, version: 1), of: store)
    #expect(version(of: 9) == 2)
    #expect(version(of: 10) == 1)
  }

  @Test func `a large fetch that was read after a save brings the new version`() throws {
    cache.set(snapshot(version: 2), of: layout, for: key(9))
    cache.set(rows(1...1000, version: 3), of: store)
    #expect(version(of: 9) == 3)
  }

  @Test func `a deleted row came back with a large fetch that was read before`() throws {
    cache.setGone(layout, for: key(9))
    cache.set(rows(1...1000, version: 1), of: store)
    #expect(cache[key(9)]?.isGone == true)
    #expect(cache[key(10)]?.isGone == false)
  }

  @Test func `a save after a large fetch is newer than what waits`() throws {
    cache.set(rows(1...1000, version: 1), of: store)
    cache.set(snapshot(version: 2), of: layout, for: key(9))
    cache.setGone(layout, for: key(10))
    #expect(version(of: 9) == 2)
    #expect(cache[key(10)]?.isGone == true)
    cache.setInserted(snapshot(version: 1), of: layout, for: key(10), at: 0)
    #expect(version(of: 10) == 1)
  }

  @Test func `what was read later stays, also where it has the version of what waits`() throws {
    let time = Mutex(1.0)
    let cache = RowCache(clock: { time.withLock { $0 } })
    cache.set(rows(1...1000, version: 1), of: store)
    time.withLock { $0 = 2 }
    cache.set(snapshot(version: 1), of: layout, for: key(9))
    #expect(cache[key(9)]?.time == 2)
    #expect(cache[key(10)]?.time == 1)
    time.withLock { $0 = 3 }
    cache.set(rows(1...1000, version: 1), of: store)
    #expect(cache[key(9)]?.time == 3)
  }

  @Test(arguments: [1, 1000] as [Int64])
  func `a slow reader brought back the place that a save had changed without a new version`(
    count: Int64
  ) throws {
    let time = Mutex(1.0)
    let cache = RowCache(clock: { time.withLock { $0 } })
    let start = cache.now
    time.withLock { $0 = 2 }
    cache.setUpdated(snapshot(version: 1), of: layout, for: key(1), at: cache.now)
    time.withLock { $0 = 3 }
    cache.set(rows(1...count, version: 1), of: store, since: start)
    #expect(cache[key(1)]?.isWritten == true)
    cache.set(rows(1...count, version: 1), of: store, since: cache.now)
    #expect(cache[key(1)]?.isWritten == false)
  }

  @Test func `a row that a slow reader had found again became as old as the reading`() throws {
    let time = Mutex(1.0)
    let cache = RowCache(clock: { time.withLock { $0 } })
    let start = cache.now
    time.withLock { $0 = 2 }
    cache.set(snapshot(version: 1), of: layout, for: key(1))
    let found = cache.found(key(1), of: layout, version: 1, at: start, settling: true)
    #expect(found != nil)
    #expect(cache[key(1)]?.time == 2)
  }

  @Test func `a slow reader's old row gives way to the newer one that waits`() throws {
    cache.set(rows(1...1000, version: 3), of: store)
    cache.set(snapshot(version: 2), of: layout, for: key(9))
    #expect(version(of: 9) == 3)
  }

  @Test func `a save is newer than what waits in the older generation`() throws {
    cache.set(rows(1...1000, version: 1), of: store)
    for start in stride(from: Int64(2000), to: 262_000, by: 20_000) {
      cache.set(rows(start...start + 19_999, version: 1), of: store)
    }
    cache.set(snapshot(version: 2), of: layout, for: key(9))
    cache.setGone(layout, for: key(10))
    cache.set(snapshot(version: 0), of: layout, for: key(11))
    #expect(version(of: 9) == 2)
    #expect(cache[key(10)]?.isGone == true)
    #expect(version(of: 11) == 1)
    #expect(version(of: 12) == 1)
  }

  @Test func `rows that were read before all were forgotten stay out`() throws {
    let epoch = cache.epoch
    cache.set(rows(1...1000, version: 1), of: store, readIn: epoch)
    cache.removeAll()
    #expect(version(of: 9) == nil)
    cache.set(rows(1...1000, version: 1), of: store, readIn: epoch)
    #expect(version(of: 9) == nil)
  }

  @Test func `fetches one after the other stay within two generations`() throws {
    cache.set(snapshot(version: 7), of: layout, for: key(1))
    // Each with pages of its own, some 3 MB in all.
    for start in stride(from: Int64(1), to: 600_000, by: 20_000) {
      cache.set(rows(start...start + 19_999, version: 1), of: store)
    }
    #expect(version(of: 600_000) == 1)
    #expect(version(of: 1) == nil, "the generation that had it was dropped")
  }

  @Test func `a cache with less room drops what a larger one keeps, also after all was forgotten`()
    throws
  {
    let small = RowCache()
    small.setCapacity(RowCache.usualCapacity / 16)
    small.removeAll()
    for cache in [cache, small] {
      cache.set(snapshot(version: 7), of: layout, for: key(1))
      for start in stride(from: Int64(2), to: 100_000, by: 20_000) {
        cache.set(rows(start...start + 19_999, version: 1), of: store)
      }
    }
    #expect(cache[key(1)] != nil)
    #expect(small[key(1)] == nil)
    #expect(small[key(100_001)] != nil)
  }

  @Test func `a moment kept four times as many rows as the store that is kept in step`() throws {
    let stack = try NotesStack(.sqlite)
    let store = try #require(stack.coordinator.persistentStores.first)
    store.rowCache.setCapacity(RowCache.usualCapacity / 4)
    let pinned = try StoreView(pinning: store, from: .primary, for: "a test")
    #expect(pinned.cache !== store.rowCache)
    #expect(pinned.cache.capacity == RowCache.usualCapacity / 4)
  }

  private func key(_ number: Int64) -> ObjectKey {
    ObjectKey(store: store, root: layout.rootNumber, number: number)
  }

  private func version(of number: Int64) -> Int64? { cache[key(number)]?.snapshot?.version }

  private func snapshot(version: Int64) -> Snapshot {
    var writer = SnapshotWriter()
    writer.begin(slotCount: layout.slots.count, version: version)
    return writer.finish()
  }

  private func rows(_ numbers: ClosedRange<Int64>, version: Int64) -> [Row] {
    var writer = SnapshotWriter()
    return numbers.map { number in
      writer.begin(slotCount: layout.slots.count, version: version)
      return Row(primaryKey: number, layout: layout, snapshot: writer.finish())
    }
  }
}
