import CoreData
import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation

/// Sends and fetches large values apart from the messages, in parts, so that a connection that is cut costs one part.
///
/// The received part of an asset is a file, and is continued after the next start.
final class AssetExchange: Sendable {
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  private let transport: HTTPTransport
  private let folder: URL
  private let part: Int

  /// The bytes of a part; a proxy may let no more through.
  static let part = (1 << 20) - 1024

  init(_ transport: HTTPTransport, parts folder: URL, part: Int = AssetExchange.part) {
    self.transport = transport
    self.folder = folder
    self.part = part
  }

  /// An answer whose payloads are all there.
  struct Arrived {
    var response: SyncResponse
    /// The places of the cells whose payload the device had itself.
    var known: Set<Int> = []
  }

  /// Sends a request; `opening` gives the device's own key for one that the server has, and `sealing` the payload of a
  /// cell of the device's as the server has it.
  func send(
    _ request: SyncRequest,
    seal: [UInt8]?,
    for device: any DeviceCells,
    opening: (CellKey) -> CellKey,
    sealing: (KeyedCell) -> [UInt8]
  ) throws -> Arrived {
    switch request {
    case .push(var push):
      for index in push.cells.indices where push.cells[index].cell.payload.count > WireLimits.inline
      {
        push.cells[index].cell.payload = try sent(push.cells[index].cell.payload)
      }
      return Arrived(response: try transport.send(.push(push), seal: seal))
    case .pull(let pull):
      let page = try transport.send(request, seal: seal)
      return try arrived(page, pull, seal, device, opening, sealing)
    }
  }
}

// MARK: - Sending

extension AssetExchange {
  /// Sends the part of a payload that the server does not have.
  ///
  /// - Returns: The bytes that replace it in the message.
  private func sent(_ payload: [UInt8]) throws -> [UInt8] {
    let asset = AssetReference(ContentHash(of: payload), size: payload.count)
    var there = try transport.progress(of: asset)
    while there < asset.size {
      let end = min(there + part, asset.size)
      let now = try transport.put(payload[there..<end], from: there, of: asset)
      // Somebody else may send the same; then the server is further than this device.
      guard now > there, now <= asset.size else { throw unable(asset) }
      there = now
    }
    return asset.payload
  }

  /// Sends an asset again that the server has lost and this device has; the server gives the value again for this.
  private func giveBack(_ asset: AssetReference, _ payload: () -> [UInt8]) throws {
    do {
      _ = try transport.get(asset.hash, 0...0)
    } catch is HTTPTransport.MissingAsset {
      let payload = payload()
      guard ContentHash(of: payload) == asset.hash else { return }
      do {
        _ = try sent(payload)
      } catch is ChangesRefused {
        // With this token, or without room, nothing can be sent; others may have the asset too.
      }
    }
  }

  private func unable(_ asset: AssetReference) -> SyncProblem {
    SyncProblem(
      "\(transport.address.server) does not take a value of \(asset.size) bytes; it is tried again.",
      isTemporary: true
    )
  }
}

// MARK: - Fetching

extension AssetExchange {
  /// Fetches the assets that a page refers to; asks for a shorter page if that is too much at once.
  ///
  /// Cells whose assets the server lacks are put aside, so that they do not hold up the others. Each last page brings
  /// the cells that were put aside earlier and whose assets are there now: a cell may come late, since its stamp gives
  /// its order.
  private func arrived(
    _ response: SyncResponse,
    _ pull: SyncRequest.Pull,
    _ seal: [UInt8]?,
    _ device: any DeviceCells,
    _ opening: (CellKey) -> CellKey,
    _ sealing: (KeyedCell) -> [UInt8]
  ) throws -> Arrived {
    guard case .page(var page) = response else { return Arrived(response: response) }
    // Others may have changed a page's cells in between: the next one is looked at as well.
    while page.cells.count > 1 {
      let fitting = Self.fitting(page.cells)
      if fitting == page.cells.count { break }
      var shorter = pull
      shorter.limit = max(fitting, 1)
      // A server that gives more than it is asked for gets no second chance.
      let next = try transport.send(.pull(shorter), seal: seal)
      guard case .page(let answer) = next else { return Arrived(response: next) }
      guard answer.cells.count <= shorter.limit else { throw tooLong }
      page = answer
    }
    let late = page.isLast ? try lateCells(device) : []
    var cells: [KeyedCell] = []
    cells.reserveCapacity(page.cells.count)
    var known: Set<Int> = []
    var files: [URL] = []
    for var keyed in page.cells {
      if let asset = AssetReference(payload: keyed.cell.payload) {
        let key = opening(keyed.key)
        // A value that has lost may still be the one that the device has.
        let lost = keyed.lostValue.map { opening($0.key) }
        if let own = try device.payload(of: lost ?? key, keyed.cell) {
          keyed.cell.payload = own
          known.insert(cells.count)
          try giveBack(asset) { sealing(KeyedCell(lost ?? key, keyed.cell)) }
        } else if let file = try fetched(asset) {
          keyed.cell.payload = Array(try Data(contentsOf: file))
          files.append(file)
        } else if keyed.lostValue != nil, pull.isSnapshot {
          // A device that begins with everything need not be told of others' losses.
          continue
        } else if let own = try device.putAside(keyed, as: key) {
          keyed.cell = own
          known.insert(cells.count)
        } else {
          continue
        }
      }
      cells.append(keyed)
    }
    page.cells = cells + late
    // Two cells may have one content. A file that stays is found again, or goes with the folder.
    for file in files { try? FileManager.default.removeItem(at: file) }
    if page.isLast { removeReplaced() }
    return Arrived(response: .page(page), known: known)
  }

  /// The cells that were put aside and whose payloads are there now.
  private func lateCells(_ device: any DeviceCells) throws -> [KeyedCell] {
    var cells: [KeyedCell] = []
    var room = WireLimits.portion
    for var keyed in try device.cellsAside(limit: Self.askedAtOnce) {
      guard let asset = AssetReference(payload: keyed.cell.payload),
        asset.size <= room || cells.isEmpty,
        let file = try fetched(asset)
      else { continue }
      room -= asset.size
      keyed.cell.payload = Array(try Data(contentsOf: file))
      cells.append(keyed)
    }
    return cells
  }

  /// The number of cells put aside that the server is asked for with an exchange: each costs a request.
  private static let askedAtOnce = 16

  /// Removes what was begun and is on no page any more, because it was replaced before all of it was there.
  private func removeReplaced() {
    // If nothing was begun there is no folder; files that cannot be removed now are removed with the next last page.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names { try? FileManager.default.removeItem(at: folder.appending(path: name)) }
  }

  /// How many cells have assets that are not too much together.
  private static func fitting(_ cells: [KeyedCell]) -> Int {
    var size = 0
    return cells.prefix {
      size += AssetReference(payload: $0.cell.payload)?.size ?? 0
      return size <= WireLimits.portion
    }.count
  }

  private var tooLong: SyncProblem {
    SyncProblem(
      "\(transport.address.server) sends more than it was asked for; look at its version.",
      isTemporary: true
    )
  }

  /// The file of an asset that is there as a whole, and has the content that it should; `nil` if the server lacks it.
  private func fetched(_ asset: AssetReference) throws -> URL? {
    do {
      // Something on the way may have damaged it, or what had come of it before.
      if let file = try fetchedOnce(asset) ?? fetchedOnce(asset) { return file }
      // A server looks at an asset that is offered to it, and forgets one that was damaged. A token that only reads
      // may not offer it; then another device does.
      _ = try? transport.progress(of: asset)
      return try fetchedOnce(asset)
    } catch is HTTPTransport.MissingAsset {
      return nil
    }
  }

  /// Nil where the content is another; nothing of it is left then.
  private func fetchedOnce(_ asset: AssetReference) throws -> URL? {
    try FileManager.default.createDirectory(
      at: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let file = folder.appending(path: asset.hash.text)
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unwritable(file) }
    defer { close(descriptor) }
    var there = Int(lseek(descriptor, 0, SEEK_END))
    while there < asset.size {
      let bytes = try transport.get(asset.hash, there...min(there + part, asset.size) - 1)
      guard !bytes.isEmpty, there + bytes.count <= asset.size else {
        throw HTTPTransport.MissingAsset()
      }
      guard Self.writeAll(bytes, to: descriptor) else {
        let problem = unwritable(file)
        // The next attempt begins where this one did.
        ftruncate(descriptor, off_t(there))
        throw problem
      }
      there += bytes.count
    }
    if ContentHash(of: Array(try Data(contentsOf: file))) == asset.hash { return file }
    try FileManager.default.removeItem(at: file)
    return nil
  }

  /// Writes all bytes; if that is not possible, the system's reason is in `errno`.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      // A disk with little room takes a piece, and says at the next that it is full.
      let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private func unwritable(_ file: URL) -> SyncProblem {
    SyncProblem(
      "\(file.path) cannot be written (\(String(cString: strerror(errno)))). Make room, or its folder writable.",
      isTemporary: true
    )
  }
}
