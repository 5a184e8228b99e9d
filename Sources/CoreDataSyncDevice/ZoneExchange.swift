package import CoreData
package import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation
import Synchronization

/// The layer between an engine, which knows neither keys nor files, and the network.
///
/// ```
/// push   cells ─▶ sealed, if the zone has a key ─▶ large ones become assets ─▶ HTTPTransport
/// pull   HTTPTransport ─▶ assets are fetched ─▶ opened ─▶ cells
/// ```
package final class ZoneExchange: Sendable {
  package typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  let transport: HTTPTransport
  private let assets: AssetExchange
  private let key: ZoneKey?
  private let seal: CellSeal?
  /// The seal that the zone had when the key was compared with it.
  private let agreed = Mutex<[UInt8]?>(nil)

  /// Prepares the way to a zone; `folder` is where assets are kept while they arrive.
  package convenience init(_ address: SyncAddress, parts folder: String) {
    self.init(address, parts: folder, over: HTTPTransport.connection)
  }

  init(
    _ address: SyncAddress,
    parts folder: String,
    over connect: @escaping HTTPTransport.Connecting
  ) {
    transport = HTTPTransport(address, over: connect)
    assets = AssetExchange(transport, parts: URL(filePath: folder))
    key = address.key
    seal = address.key.map { CellSeal($0, zone: address.zone) }
  }

  /// Sends a push or a pull.
  package func send(_ request: SyncRequest, for device: any DeviceCells) throws -> SyncResponse {
    if let key { try agree(on: key) }
    let agreed = agreed.withLock { $0 }
    do {
      let sealed = seal?.sealed(request) ?? request
      let response = try assets.send(
        sealed,
        seal: agreed,
        for: device,
        opening: { seal?.opened($0) ?? $0 },
        sealing: { (seal?.sealed($0) ?? $0).cell.payload }
      )
      return try opened(response)
    } catch let refusal as HTTPTransport.OtherSeal {
      // A server that was restored may not have the seal any more; the next time it is given again.
      self.agreed.withLock { $0 = nil }
      throw SyncProblem(refusal.sentence, isTemporary: key != nil)
    }
  }

  private func opened(_ arrived: AssetExchange.Arrived) throws -> SyncResponse {
    guard case .page(var page) = arrived.response else { return arrived.response }
    var cells: [KeyedCell] = []
    cells.reserveCapacity(page.cells.count)
    for (place, keyed) in page.cells.enumerated() {
      if arrived.known.contains(place) {
        // The device's own cell was never sealed here.
        cells.append(KeyedCell(seal?.opened(keyed.key) ?? keyed.key, keyed.cell))
      } else if let seal {
        cells.append(try Self.opening { () throws(UnreadableSeal) in try seal.opened(keyed) })
      } else {
        cells.append(keyed)
      }
    }
    page.cells = cells
    return .page(page)
  }

  private static func opening<Value>(
    _ work: () throws(UnreadableSeal) -> Value
  ) throws(SyncProblem) -> Value {
    do {
      return try work()
    } catch {
      throw SyncProblem(
        """
        The server sent a value that was not encrypted with this zone's key, or was changed on its way. Nothing of \
        the message was taken. Look at who can write to the server's file, and restore it from a backup.
        """,
        isTemporary: true
      )
    }
  }
}

// MARK: - Whether anybody was there before

extension ZoneExchange {
  /// Whether nothing was ever sent to a zone.
  ///
  /// - Throws: A `SyncProblem`, whatever went wrong.
  static func isNew(_ address: SyncAddress) throws -> Bool {
    let transport = HTTPTransport(address, patience: .init(silence: 15, whole: 15))
    do {
      return try transport.news(after: 0, seconds: 0) == 0
    } catch let problem as SyncProblem {
      throw problem
    } catch {
      throw SyncProblem(of: error)
    }
  }
}

// MARK: - Whether the key is the right one

extension ZoneExchange {
  /// Compares the key with the zone before anything is sent; the first device of a zone seals it.
  private func agree(on key: ZoneKey) throws {
    if agreed.withLock({ $0 }) != nil { return }
    var bytes = try transport.seal()
    if bytes.isEmpty { bytes = try transport.seal(with: ZoneSeal(key, nil).bytes) }
    guard try ZoneSeal(from: bytes, transport).fits(key) else { throw Self.wrongKey(transport) }
    agreed.withLock { $0 = bytes }
  }

  private static func wrongKey(_ transport: HTTPTransport) -> SyncProblem {
    SyncProblem(
      """
      The key or passphrase is not the one of the zone \(transport.address.zone) at \
      \(transport.address.server). Nothing was sent. Type the passphrase again, or paste the pairing code that \
      another device shows.
      """,
      isTemporary: false
    )
  }

  /// The address with the key that belongs to a passphrase; the first device of a zone chooses the salt.
  ///
  /// - Throws: A `SyncProblem`, whatever went wrong.
  package static func address(
    _ address: SyncAddress,
    passphrase: String
  ) throws -> SyncAddress {
    do {
      return try protected(address, passphrase)
    } catch let problem as SyncProblem {
      throw problem
    } catch is ZoneKey.OutOfMemory {
      throw SyncProblem(
        """
        There is not enough memory to make the key of the passphrase. Close other programs and try again, or paste the \
        pairing code that another device shows.
        """,
        isTemporary: true
      )
    } catch let refused as ChangesRefused where refused.reason == .readOnlyToken {
      throw SyncProblem(
        """
        The zone \(address.zone) is not encrypted yet, and this address can only read. Give the passphrase with an \
        address that can write; all others then take the same one.
        """,
        isTemporary: false
      )
    } catch {
      throw SyncProblem(of: error)
    }
  }

  private static func protected(
    _ address: SyncAddress,
    _ passphrase: String
  ) throws -> SyncAddress {
    guard !passphrase.isEmpty else {
      throw SyncProblem("The passphrase is empty; choose some words.", isTemporary: false)
    }
    let transport = HTTPTransport(address)
    defer { transport.cancel() }
    var bytes = try transport.seal()
    if bytes.isEmpty {
      let recipe = PassphraseRecipe.random()
      let key = try ZoneKey(passphrase: passphrase, recipe)
      bytes = try transport.seal(with: ZoneSeal(key, recipe).bytes)
    }
    let seal = try ZoneSeal(from: bytes, transport)
    guard let recipe = seal.recipe else {
      throw SyncProblem(
        """
        The zone \(address.zone) has a key without a passphrase. Paste the pairing code that another device shows.
        """,
        isTemporary: false
      )
    }
    var whole = address
    let key = try ZoneKey(passphrase: passphrase, recipe)
    guard seal.fits(key) else { throw wrongKey(transport) }
    whole.key = key
    return whole
  }
}

extension ZoneSeal {
  fileprivate init(from bytes: [UInt8], _ transport: HTTPTransport) throws {
    do {
      try self.init(bytes: bytes)
    } catch {
      throw NSPersistentCloudKitContainer.SyncProblem(
        "\(error.sentence) Update this program, or look at \(transport.address.server).",
        isTemporary: false
      )
    }
  }
}
