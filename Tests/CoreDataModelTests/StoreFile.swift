import Foundation

/// Just enough of SQLite's file format to take one value out of a small table, so that this leaf
/// module's tests need no database.
struct StoreFile {
  private let bytes: [UInt8]
  private let pageSize: Int

  struct Damage: Error {}

  init(contentsOf url: URL) throws {
    bytes = [UInt8](try Data(contentsOf: url))
    guard bytes.count > 100 else { throw Damage() }
    let size = (Int(bytes[16]) << 8) | Int(bytes[17])
    pageSize = size == 1 ? 65536 : size
  }

  /// The value of a column in the only row of a table; nil when there is no such table or row.
  func blob(inTable name: String, column: Int) throws -> Data? {
    let entry = try rows(page: 1).first { $0[1].text == name && $0[0].text == "table" }
    guard let root = entry?[3].integer else { return nil }
    return try rows(page: root).first?[column].data
  }

  private enum Value {
    case null
    case integer(Int)
    case bytes(ArraySlice<UInt8>)

    var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    var data: Data? { if case .bytes(let bytes) = self { Data(bytes) } else { nil } }
    var text: String? {
      if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
  }

  private func rows(page number: Int) throws -> [[Value]] {
    let start = (number - 1) * pageSize
    let header = start + (number == 1 ? 100 : 0)
    let isLeaf = bytes[header] == 13
    guard isLeaf || bytes[header] == 5 else { throw Damage() }
    let cellCount = integer(at: header + 3, size: 2)
    let pointers = header + (isLeaf ? 8 : 12)
    let cells = (0..<cellCount).map { start + integer(at: pointers + 2 * $0, size: 2) }
    if isLeaf { return try cells.map(row) }
    let children = cells.map { integer(at: $0, size: 4) } + [integer(at: header + 8, size: 4)]
    return try children.flatMap(rows)
  }

  private func row(at cell: Int) throws -> [Value] {
    var position = cell
    let length = varint(at: &position)
    _ = varint(at: &position)
    let payload = payload(at: position, length: length)
    var header = 0
    let headerLength = varint(in: payload, at: &header)
    var body = headerLength
    var values: [Value] = []
    while header < headerLength {
      let type = varint(in: payload, at: &header)
      let size = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
      let count = type < 10 ? size[type] : (type - (type % 2 == 0 ? 12 : 13)) / 2
      let field = payload[body..<body + count]
      switch type {
      case 0: values.append(.null)
      case 8: values.append(.integer(0))
      case 9: values.append(.integer(1))
      case 1...6: values.append(.integer(field.reduce(0) { ($0 << 8) | Int($1) }))
      default: values.append(.bytes(field))
      }
      body += count
    }
    return values
  }

  /// A record's bytes, gathered from the cell and its overflow pages.
  private func payload(at position: Int, length: Int) -> [UInt8] {
    let usable = pageSize
    guard length > usable - 35 else { return Array(bytes[position..<position + length]) }
    let least = (usable - 12) * 32 / 255 - 23
    let wanted = least + (length - least) % (usable - 4)
    let local = wanted <= usable - 35 ? wanted : least
    var payload = Array(bytes[position..<position + local])
    var next = integer(at: position + local, size: 4)
    while next != 0, payload.count < length {
      let page = (next - 1) * pageSize
      let count = min(length - payload.count, usable - 4)
      payload += bytes[page + 4..<page + 4 + count]
      next = integer(at: page, size: 4)
    }
    return payload
  }

  private func integer(at position: Int, size: Int) -> Int {
    bytes[position..<position + size].reduce(0) { ($0 << 8) | Int($1) }
  }

  private func varint(at position: inout Int) -> Int { varint(in: bytes, at: &position) }

  private func varint(in bytes: [UInt8], at position: inout Int) -> Int {
    var value = 0
    for index in 0..<9 {
      let byte = bytes[position]
      position += 1
      if index == 8 { return (value << 8) | Int(byte) }
      value = (value << 7) | Int(byte & 0x7f)
      if byte < 0x80 { break }
    }
    return value
  }
}
