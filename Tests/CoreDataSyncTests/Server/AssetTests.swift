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

  @Test("an asset comes in parts, is gone on with where it ended, and is there when all has come")
  func parts() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let shelf = AssetShelf(in: folder, isDurable: false)
    #expect(try shelf.take([], of: asset, from: nil, zone: "Notes") == 0)
    #expect(try shelf.take(Array(content[..<2_000]), of: asset, from: 0, zone: "Notes") == 2_000)
    // Sent twice, and from too far on: the answer says where to go on.
    #expect(try shelf.take(Array(content[..<2_000]), of: asset, from: 0, zone: "Notes") == 2_000)
    #expect(
      try shelf.take(Array(content[3_000...]), of: asset, from: 3_000, zone: "Notes") == 2_000
    )
    #expect(!shelf.has(asset, zone: "Notes"))
    // Another run of the server.
    let later = AssetShelf(in: folder, isDurable: false)
    #expect(
      try later.take(Array(content[2_000...]), of: asset, from: 2_000, zone: "Notes") == 5_000
    )
    #expect(later.has(asset, zone: "Notes") && !later.has(asset, zone: "Tasks"))
    let part = try later.part(of: asset.hash, 4_000...9_000, zone: "Notes")
    #expect(part.bytes == Array(content[4_000...]) && part.whole == 5_000)
  }

  @Test("a content that is not what its hash says is thrown away")
  func lies() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let shelf = AssetShelf(in: folder, isDurable: false)
    let other = [UInt8](repeating: 7, count: content.count)
    #expect { try shelf.take(other, of: asset, from: 0, zone: "Notes") } throws: {
      ($0 as? ServiceRefusal)?.status == 422
    }
    #expect(try shelf.take([], of: asset, from: nil, zone: "Notes") == 0)
    #expect { try shelf.take(content + [1], of: asset, from: 0, zone: "Notes") } throws: {
      ($0 as? ServiceRefusal)?.status == 400
    }
  }

  @Test(
    "a large value goes and comes through a network that cuts connections, and no part goes twice"
  )
  func cutting() async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(cutsPercent: 30))
    defer { proxy.stop() }
    let address = try SyncAddress(try server.address(over: proxy))
    let part = 10_000
    let large = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    func exchange(_ name: String) -> AssetExchange {
      AssetExchange(HTTPTransport(address), parts: server.folder.appending(path: name), part: part)
    }
    let id = SyncID(random: 1, 2)
    let key = CellKey(id, .value(PropertyID(name: "text")))
    let stamp = Stamp(moment: 1 << 16, writer: 3)
    let cell = KeyedCell(key, Cell(epoch: 1, stamp: stamp, payload: large))
    func pull(_ replica: SyncID) -> SyncRequest {
      .pull(
        .init(
          replica: replica,
          after: .start,
          seen: .start,
          acknowledged: .start,
          isSnapshot: true,
          limit: 10
        )
      )
    }
    let (phone, laptop) = (exchange("phone"), exchange("laptop"))
    /// Tries until the network lets it through.
    func persist(_ exchange: AssetExchange, _ request: SyncRequest) throws -> SyncResponse {
      for _ in 0..<500 {
        // A cut connection is what the test is about.
        if let arrived = try? exchange.send(request, seal: nil, known: { _, _ in nil }) {
          return arrived.response
        }
      }
      Issue.record("It never arrives.")
      throw CancellationError()
    }
    _ = try persist(phone, pull(SyncID(random: 1, 1)))
    let push = SyncRequest.Push(
      replica: SyncID(random: 1, 1),
      cursor: .start,
      seen: .start,
      cells: [cell]
    )
    guard case .pushed = try persist(phone, .push(push)) else {
      Issue.record("The push was refused.")
      return
    }
    guard case .page(let page) = try persist(laptop, pull(SyncID(random: 2, 2))) else {
      Issue.record("There is no page.")
      return
    }
    #expect(page.cells == [cell])
    #expect(proxy.deeds.cuts > 0)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: server.folder.appending(path: "laptop").path
    )
    #expect(left.isEmpty)
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
    let push = SyncRequest.Push(
      replica: SyncID(random: 1, 1),
      cursor: .start,
      seen: .start,
      cells: [cell]
    )
    #expect { try transport.send(.push(push)) } throws: { "\($0)".contains("was not sent") }
  }
}
