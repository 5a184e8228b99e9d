import CoreDataSyncCore
import Foundation
import Testing

@testable import CoreDataSyncDevice

/// Tests of the files on a device's disk for large values that arrive.
struct AssetPartsTests {
  @Test(
    "what had arrived of a large value that was replaced before all of it was there stayed for ever"
  )
  func replaced() throws {
    let server = try LocalServer()
    let transport = HTTPTransport(try SyncAddress(try server.address()))
    let parts = server.folder.appending(path: "phone")
    let begun = parts.appending(path: "begun")
    try FileManager.default.createDirectory(at: parts, withIntermediateDirectories: true)
    try Data([1]).write(to: begun)
    let pull = SyncRequest.Pull(
      replica: SyncID(random: 1, 1),
      after: .start,
      seen: .start,
      acknowledged: .start,
      isSnapshot: true,
      limit: 10
    )
    let exchange = AssetExchange(transport, parts: parts)
    let arrived = try exchange.send(.pull(pull))
    guard case .page(let page) = arrived.response else {
      Issue.record("There is no page.")
      return
    }
    #expect(page.isLast)
    #expect(!FileManager.default.fileExists(atPath: begun.path))
  }
}

extension AssetExchange {
  /// Sends a request for a device that has nothing, in a zone that is not encrypted.
  func send(_ request: SyncRequest) throws -> Arrived {
    try send(
      request,
      seal: nil,
      for: NewDevice(),
      opening: { $0 },
      sealing: { $0.cell.payload }
    )
  }
}

private struct NewDevice: DeviceCells {
  func payload(of key: CellKey, _ cell: Cell) -> [UInt8]? { nil }
  func putAside(_ keyed: KeyedCell, as key: CellKey) -> Cell? { nil }
  func cellsAside(limit: Int) -> [KeyedCell] { [] }
}
