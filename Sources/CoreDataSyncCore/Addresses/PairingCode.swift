import CoreDataCZlib

/// All that a device needs to join, as one text that survives line breaks, capitals and being read aloud.
///
/// ```
/// pair-2c6h0ve4-…       server, zone, token and key, and a checksum of four bytes
/// ```
///
/// Anybody who has it can read and write the zone, as with an address.
package enum PairingCode {
  /// How every code begins.
  static let beginning = "pair"

  fileprivate static let version: UInt8 = 1

  /// The parts of the first byte other than the version.
  fileprivate struct Kind: OptionSet {
    let rawValue: UInt8
    static let overTLS = Kind(rawValue: 1 << 4)
    static let hasKey = Kind(rawValue: 1 << 5)
    /// Whether the letters of the token have five bits each, and are written as that.
    static let hasShortToken = Kind(rawValue: 1 << 6)
  }

  /// The bytes of a short token.
  fileprivate static let shortToken = SyncAddress.tokenLength * 5 / 8

  fileprivate static func checksum(of bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(clamping: bytes.count)))
  }

  /// Whether a text is meant as a code.
  static func isMeant(by text: some StringProtocol) -> Bool {
    text.lowercased().hasPrefix(beginning)
  }
}

// MARK: - Writing

extension SyncAddress {
  /// The address as a pairing code.
  package var pairingCode: String {
    var kind: PairingCode.Kind = server.hasPrefix("https:") ? .overTLS : []
    if key != nil { kind.insert(.hasKey) }
    let short = Base32.bytes(token)
    if let short, Base32.text(short) == token { kind.insert(.hasShortToken) }
    var writer = ByteWriter()
    writer.write(kind.rawValue | PairingCode.version)
    writer.write(String(server.drop { $0 != "/" }.dropFirst(2)))
    writer.write(zone)
    writer.write(raw: kind.contains(.hasShortToken) ? short ?? [] : Array(token.utf8))
    writer.write(raw: key?.bytes ?? [])
    return PairingCode.text(of: writer.bytes)
  }
}

extension PairingCode {
  /// A code that holds these bytes.
  package static func text(of contents: [UInt8]) -> String {
    var writer = ByteWriter()
    writer.write(raw: contents)
    writer.write(checksum(of: contents))
    return "\(beginning)-\(Base32.text(writer.bytes).grouped(by: 8))"
  }
}

extension String {
  fileprivate func grouped(by count: Int) -> String {
    var (groups, rest): ([Substring], Substring) = ([], self[...])
    while !rest.isEmpty {
      groups.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return groups.joined(separator: "-")
  }
}

// MARK: - Reading

extension PairingCode {
  /// The bytes of a code without spaces; empty if a letter is wrong.
  package static func contents(of code: some StringProtocol) -> [UInt8] {
    let letters = String(code.dropFirst(beginning.count).filter { $0 != "-" })
    guard let bytes = Base32.bytes(letters), bytes.count > 4 else { return [] }
    let contents = Array(bytes.dropLast(4))
    let sum = checksum(of: contents).bigEndian
    return withUnsafeBytes(of: sum) { bytes.suffix(4).elementsEqual($0) } ? contents : []
  }

  /// The address in a code without spaces, as text.
  static func address(in code: some StringProtocol) throws(SyncAddressError) -> String {
    let bytes = contents(of: code)
    if bytes.isEmpty { throw mistyped }
    guard bytes[0] & 0x0F == version else {
      throw SyncAddressError(
        sentence: "The pairing code was made by a newer version; update this program."
      )
    }
    do {
      return try address(from: bytes.dropFirst(), Kind(rawValue: bytes[0] & 0xF0))
    } catch {
      throw mistyped
    }
  }

  private static var mistyped: SyncAddressError {
    SyncAddressError(
      sentence: "The pairing code is incomplete, or has a wrong letter; copy all of it once more."
    )
  }

  private static func address(
    from bytes: ArraySlice<UInt8>,
    _ kind: Kind
  ) throws(WireError) -> String {
    var reader = ByteReader(Array(bytes))
    let server = String(
      decoding: try reader.counted(upTo: SyncAddress.longestServer),
      as: UTF8.self
    )
    let zone = String(decoding: try reader.counted(upTo: 100), as: UTF8.self)
    let token =
      kind.contains(.hasShortToken)
      ? Base32.text(try reader.raw(shortToken))
      : String(decoding: try reader.raw(SyncAddress.tokenLength), as: UTF8.self)
    let key = kind.contains(.hasKey) ? ZoneKey(try reader.raw(ZoneKey.size)) : nil
    try reader.end()
    let scheme = kind.contains(.overTLS) ? "https" : "http"
    return "\(scheme)://\(server)/\(zone)#\(token)\(key.map { ".\($0.text)" } ?? "")"
  }
}
