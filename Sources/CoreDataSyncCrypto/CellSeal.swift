import CoreDataCSodium
package import CoreDataSyncCore

/// Makes cells unreadable for a server, and readable again.
///
/// ```
/// sealed       the payload: XChaCha20-Poly1305
/// replaced     identities and properties, by others that only the key leads back
/// in clear     epochs, stamps, the kind of a cell, whether a member was removed, how long a payload is
/// ```
///
/// A sealed payload belongs to its place: zone, identity, property, epoch and stamp are authenticated with it, so a
/// payload that was moved to another cell does not open. The nonce is a keyed hash of place and payload. So a cell that
/// is sent twice is the same twice, and a nonce is never used again for something else.
package struct CellSeal: Sendable {
  private let zone: String
  private let secret: [UInt8]
  private let nonceSecret: [UInt8]
  private let identities: KeyedPermutation
  private let properties: KeyedPermutation

  package init(_ key: ZoneKey, zone: String) {
    self.zone = zone
    secret = key.derived(.payload, bytes: 32)
    nonceSecret = key.derived(.nonce, bytes: 32)
    identities = KeyedPermutation(key: key.derived(.identity, bytes: 16), halfOf: 61)
    properties = KeyedPermutation(key: key.derived(.property, bytes: 16), halfOf: 32)
  }
}

/// A payload that does not open.
package struct UnreadableSeal: Error {}

// MARK: - Sealing

extension CellSeal {
  package func sealed(_ keyed: KeyedCell) -> KeyedCell {
    let payload = keyed.cell.payload
    let place = place(of: keyed)
    let nonce = nonce(of: payload, at: place)
    var body = [UInt8](repeating: 0, count: payload.count + coredata_seal_tag)
    crypto_aead_xchacha20poly1305_ietf_encrypt(
      &body,
      nil,
      payload,
      UInt64(payload.count),
      place,
      UInt64(place.count),
      nil,
      nonce,
      secret
    )
    var cell = keyed.cell
    cell.payload = keyed.envelope + nonce + body
    return KeyedCell(replacing(keyed.key, identities.forward, properties.forward), cell)
  }

  package func opened(_ keyed: KeyedCell) throws(UnreadableSeal) -> KeyedCell {
    let key = replacing(keyed.key, identities.backward, properties.backward)
    var opened = KeyedCell(key, keyed.cell)
    let sealed = keyed.cell.payload
    let before = keyed.envelope.count
    let (nonceSize, tagSize) = (coredata_seal_nonce, coredata_seal_tag)
    guard sealed.count >= before + nonceSize + tagSize else { throw UnreadableSeal() }
    let nonce = Array(sealed[before..<before + nonceSize])
    let body = Array(sealed[(before + nonceSize)...])
    let place = place(of: opened)
    var payload = [UInt8](repeating: 0, count: body.count - tagSize)
    let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
      &payload,
      nil,
      nil,
      body,
      UInt64(body.count),
      place,
      UInt64(place.count),
      nonce,
      secret
    )
    opened.cell.payload = payload
    // The envelope before it is not sealed, so it has to agree with the payload.
    guard result == 0, sealed.starts(with: opened.envelope) else { throw UnreadableSeal() }
    return opened
  }

  private func place(of keyed: KeyedCell) -> [UInt8] {
    var writer = ByteWriter()
    writer.write("CoreDataSync 1")
    writer.write(zone)
    // A value that has lost was sealed as a value.
    (keyed.lostValue ?? keyed).key.write(to: &writer)
    writer.write(keyed.cell.epoch)
    keyed.cell.stamp.write(to: &writer)
    writer.write(keyed.cell.base)
    return writer.bytes
  }

  private func nonce(of payload: [UInt8], at place: [UInt8]) -> [UInt8] {
    var nonce = [UInt8](repeating: 0, count: coredata_seal_nonce)
    // The place says its length, so that its end is known.
    var message = ByteWriter()
    message.write(UInt64(place.count))
    message.write(raw: place)
    message.write(raw: payload)
    let bytes = message.bytes
    crypto_generichash(
      &nonce,
      nonce.count,
      bytes,
      UInt64(bytes.count),
      nonceSecret,
      nonceSecret.count
    )
    return nonce
  }

  private func replacing(
    _ key: CellKey,
    _ identity: (UInt64, UInt64) -> (UInt64, UInt64),
    _ property: (UInt64, UInt64) -> (UInt64, UInt64)
  ) -> CellKey {
    func other(_ id: SyncID) -> SyncID { identities.replacing(id, identity) }
    func other(_ id: PropertyID) -> PropertyID { properties.replacing(id, property) }
    let field: CellKey.Field =
      switch key.field {
      case .life: .life
      case .value(let property): .value(other(property))
      case .member(let property, let target, let dot):
        .member(other(property), other(target), dot: dot)
      case .place(let property, let target): .place(other(property), other(target))
      case .lost(let property, let stamp): .lost(other(property), stamp)
      }
    return CellKey(other(key.object), field)
  }
}

extension KeyedCell {
  /// The envelope before the sealed payload.
  ///
  /// The server has to know which members were removed, to forget them.
  fileprivate var envelope: [UInt8] {
    guard case .member = key.field else { return [CellValue.Envelope.seal] }
    return CellValue.isRemoval(cell.payload) ? CellValue.removed : CellValue.present
  }
}

// MARK: - Messages

extension CellSeal {
  /// A request whose cells are sealed.
  package func sealed(_ request: SyncRequest) -> SyncRequest {
    guard case .push(var push) = request else { return request }
    push.cells = push.cells.map(sealed)
    return .push(push)
  }

  /// The key that a cell has on the devices.
  package func opened(_ key: CellKey) -> CellKey {
    replacing(key, identities.backward, properties.backward)
  }
}
