import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation
import Testing

@testable import CoreDataSyncDevice
@testable import CoreDataSyncServer

/// Large values beside the messages.
@Suite(.serialized) struct AssetTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "shelf-\(UUID())")
  private let content = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }

  private var asset: AssetReference {
    AssetReference(ContentHash(of: content), size: content.count)
  }

  @Test(
    "an asset comes in parts, is gone on with where it ended, and is there when all has come",
    arguments: StorageKind.tested
  )
  func parts(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let shelf = try place.open().assets
    #expect(try shelf.take([], of: asset, from: nil, zone: "Notes") == 0)
    #expect(try shelf.take(Array(content[..<2_000]), of: asset, from: 0, zone: "Notes") == 2_000)
    // Sent twice, and from too far on: the answer says where to go on.
    #expect(try shelf.take(Array(content[..<2_000]), of: asset, from: 0, zone: "Notes") == 2_000)
    #expect(
      try shelf.take(Array(content[3_000...]), of: asset, from: 3_000, zone: "Notes") == 2_000
    )
    #expect(try !shelf.has(asset, zone: "Notes"))
    // Another run of the server.
    let later = try place.open().assets
    #expect(
      try later.take(Array(content[2_000...]), of: asset, from: 2_000, zone: "Notes") == 5_000
    )
    #expect(try later.has(asset, zone: "Notes") && !later.has(asset, zone: "Tasks"))
    let part = try later.part(of: asset.hash, 4_000...9_000, zone: "Notes")
    #expect(part.bytes == Array(content[4_000...]) && part.whole == 5_000)
  }

  @Test("a content that is not what its hash says is thrown away", arguments: StorageKind.tested)
  func lies(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let shelf = try place.open().assets
    let other = [UInt8](repeating: 7, count: content.count)
    #expect { try shelf.take(other, of: asset, from: 0, zone: "Notes") } throws: {
      ($0 as? ServiceRefusal)?.status == 422
    }
    #expect(try shelf.take([], of: asset, from: nil, zone: "Notes") == 0)
    #expect { try shelf.take(content + [1], of: asset, from: 0, zone: "Notes") } throws: {
      ($0 as? ServiceRefusal)?.status == 400
    }
  }

  @Test("an asset whose server was killed before it had looked at it never became complete")
  func killedServer() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let shelf = AssetShelf(in: folder, isDurable: true)
    let zone = folder.appending(path: "Notes")
    try FileManager.default.createDirectory(at: zone, withIntermediateDirectories: true)
    let begun = zone.appending(path: "\(asset.hash.text).part")
    try Data(content).write(to: begun)
    #expect(try shelf.take([], of: asset, from: nil, zone: "Notes") == content.count)
    #expect(shelf.has(asset, zone: "Notes"))
    // And one of which there was more than all.
    try shelf.delete(asset.hash, zone: "Notes")
    try Data(content + [1]).write(to: begun)
    #expect { try shelf.take([], of: asset, from: nil, zone: "Notes") } throws: {
      ($0 as? ServiceRefusal)?.status == 422
    }
    #expect(try shelf.take([], of: asset, from: nil, zone: "Notes") == 0)
  }

  @Test("an asset that a disk had damaged stayed so, also when a device offered it again")
  func damagedDisk() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let shelf = AssetShelf(in: folder, isDurable: true)
    #expect(try shelf.take(content, of: asset, from: 0, zone: "Notes") == content.count)
    var damaged = content
    damaged[17] ^= 1
    try Data(damaged).write(to: folder.appending(path: "Notes/\(asset.hash.text)"))
    #expect(try shelf.take([], of: asset, from: nil, zone: "Notes") == 0)
    #expect(try shelf.take(content, of: asset, from: 0, zone: "Notes") == content.count)
    #expect(try shelf.part(of: asset.hash, nil, zone: "Notes").bytes == content)
  }

  @Test(
    "an asset is deleted once no value has referred to it for long, and not before",
    arguments: StorageKind.tested
  )
  func unused(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let shelf = try place.open().assets
    let server = ZoneServer(try place.open().zones, era: 1)
    func deleted(at time: UInt64) throws -> Int {
      try server.deleteAssets(of: "Notes", on: shelf, unusedFor: 100, at: time)
    }
    #expect(try deleted(at: 1_000) == 0)
    #expect(try shelf.take(content, of: asset, from: 0, zone: "Notes") == content.count)
    _ = try server.answer(pull, of: "Notes", at: 1_000)
    // It has arrived, and its value not yet.
    #expect(try deleted(at: 1_000) == 0)
    _ = try server.answer(push(cell(asset.payload, at: 1)), of: "Notes", at: 1_050)
    #expect(try deleted(at: 5_000) == 0)
    _ = try server.answer(push(cell([5], at: 2)), of: "Notes", at: 5_000)
    #expect(try deleted(at: 6_000) == 0)
    #expect(try deleted(at: 6_099) == 0)
    #expect(try shelf.has(asset, zone: "Notes"))
    #expect(try deleted(at: 6_100) == 1)
    #expect(try !shelf.has(asset, zone: "Notes"))
  }

  private func cell(_ payload: [UInt8], at milliseconds: UInt64) -> KeyedCell {
    KeyedCell(
      CellKey(SyncID(random: 1, 2), .value(PropertyID(name: "text"))),
      Cell(epoch: 1, stamp: Stamp(moment: milliseconds << 16, writer: 3), payload: payload)
    )
  }

  @Test("what a cut connection has left of a large value is gone on with, in both directions")
  func goingOn() throws {
    let server = try LocalServer()
    let transport = HTTPTransport(try SyncAddress(try server.address()))
    let parts = server.folder.appending(path: "laptop")
    let exchange = AssetExchange(transport, parts: parts, part: 100_000)
    let large = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* (31 >> 3)) }
    let asset = AssetReference(ContentHash(of: large), size: large.count)
    _ = try exchange.send(pull)
    // As much as went before the connection was cut.
    #expect(try transport.put(large[..<150_000], from: 0, of: asset) == 150_000)
    let cell = KeyedCell(
      CellKey(SyncID(random: 1, 2), .value(PropertyID(name: "text"))),
      Cell(epoch: 1, stamp: Stamp(moment: 1 << 16, writer: 3), payload: large)
    )
    guard case .pushed = try exchange.send(push(cell)).response
    else {
      Issue.record("The push was refused.")
      return
    }
    let begun = parts.appending(path: asset.hash.text)
    try FileManager.default.createDirectory(at: parts, withIntermediateDirectories: true)
    // Of another content, which is noticed at the end: all of it is fetched again.
    try Data(repeating: 1, count: 150_000).write(to: begun)
    guard case .page(let first) = try exchange.send(pull).response else {
      Issue.record("There is no page.")
      return
    }
    #expect(first.cells == [cell])
    // As much as came; the server does not have it any more, which shows that it is used.
    let file = server.folder.appending(path: "assets/Notes/\(asset.hash.text)")
    try Data(Array(repeating: 1, count: 150_000) + large[150_000...]).write(to: file)
    try Data(large[..<150_000]).write(to: begun)
    guard case .page(let page) = try exchange.send(pull).response else {
      Issue.record("There is no page.")
      return
    }
    #expect(page.cells == [cell])
    #expect(try FileManager.default.contentsOfDirectory(atPath: parts.path).isEmpty)
  }

  private var pull: SyncRequest {
    .pull(
      .init(
        replica: SyncID(random: 1, 1),
        after: .start,
        seen: .start,
        acknowledged: .start,
        isSnapshot: true,
        limit: 10
      )
    )
  }

  private func push(_ cell: KeyedCell) -> SyncRequest {
    .push(.init(replica: SyncID(random: 1, 1), cursor: .start, seen: .start, cells: [cell]))
  }

  @Test("a cell whose asset was never sent is refused")
  func missingAssets() throws {
    let server = try LocalServer()
    let address = try SyncAddress(try server.address())
    let transport = HTTPTransport(address)
    let stamp = Stamp(moment: 1 << 16, writer: 3)
    let cell = KeyedCell(
      CellKey(SyncID(random: 1, 2), .value(PropertyID(name: "text"))),
      Cell(epoch: 1, stamp: stamp, payload: asset.payload)
    )
    #expect { try transport.send(push(cell)) } throws: { "\($0)".contains("was not sent") }
  }
}
