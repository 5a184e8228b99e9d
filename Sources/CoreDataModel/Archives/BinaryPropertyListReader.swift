package import Foundation

/// Reads a binary property list; damaged bytes throw and never trap.
///
///     bplist00 │ objects … │ offset of each object │ trailer: sizes, count, top, offsets' place
extension PropertyListValue {
  /// Reads a list; throws for one that comes to more than anybody can go through, because its objects
  /// name each other again and again.
  ///
  /// Where many values may well be the same large data, as in a store, lengths
  /// are not counted.
  package init(binary data: Data, countsLengths: Bool = true) throws(ArchiveError) {
    var reader = try BinaryPropertyListReader(bytes: [UInt8](data), countsLengths)
    self = try reader.top()
  }
}

private struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let offsetTable: Int
  private let topIndex: Int
  /// Objects are read once, however many refer to them.
  private var finished: [FinishedObject] = []
  /// Where each object is among those; 0 for one that was not read, or the place and one.
  private var places: [Int32]
  private var depth = 0
  private var budget: UnfoldingBudget
  private let countsLengths: Bool

  private struct FinishedObject {
    let value: PropertyListValue
    /// The cost of going through the value.
    let cost: Int
  }

  private static let trailerSize = 32
  private static let greatestDepth = 64

  init(bytes: [UInt8], _ countsLengths: Bool) throws(ArchiveError) {
    guard bytes.count >= 8 + Self.trailerSize, bytes.starts(with: "bplist0".utf8) else {
      throw ArchiveError("the data is not a binary property list")
    }
    let trailer = bytes.count - Self.trailerSize
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let numbers = stride(from: trailer + 8, to: bytes.count, by: 8).map { place in
      bytes[place..<place + 8].reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
    }
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      numbers[0] <= UInt64(trailer), numbers[1] < numbers[0], numbers[2] <= UInt64(trailer),
      Int(numbers[0]) * offsetSize <= trailer - Int(numbers[2])
    else { throw ArchiveError("the property list's trailer is damaged") }
    topIndex = Int(numbers[1])
    offsetTable = Int(numbers[2])
    places = Array(repeating: 0, count: Int(numbers[0]))
    budget = UnfoldingBudget(forBytes: bytes.count)
    self.countsLengths = countsLengths
  }

  mutating func top() throws(ArchiveError) -> PropertyListValue {
    try value(topIndex)
  }

  private mutating func value(_ index: Int) throws(ArchiveError) -> PropertyListValue {
    guard places.indices.contains(index) else {
      throw ArchiveError("the property list refers to object \(index), which it does not have")
    }
    if places[index] > 0 {
      let known = finished[Int(places[index]) - 1]
      try budget.spend(known.cost)
      return known.value
    }
    guard depth < Self.greatestDepth else {
      throw ArchiveError("the property list is nested too deeply or contains itself")
    }
    depth += 1
    defer { depth -= 1 }
    let before = budget.rest
    let value = try parse(at: integer(at: offsetTable + index * offsetSize, size: offsetSize))
    try budget.spend(countsLengths ? UnfoldingBudget.cost(of: value) : 1)
    finished.append(FinishedObject(value: value, cost: before - budget.rest))
    places[index] = Int32(finished.count)
    return value
  }

  private mutating func parse(at place: Int) throws(ArchiveError) -> PropertyListValue {
    let marker = try byte(at: place)
    let low = Int(marker & 0x0f)
    switch marker >> 4 {
    case 0x0: return try simple(low)
    case 0x1: return try integer(at: place + 1, power: low)
    case 0x2: return try real(at: place + 1, power: low)
    case 0x3: return .date(Double(bitPattern: try word(at: place + 1, size: 8)))
    case 0x4:
      let (start, count) = try extent(at: place, low)
      return .data(Data(try slice(start, count)))
    case 0x5:
      let (start, count) = try extent(at: place, low)
      return .text(String(decoding: try slice(start, count), as: UTF8.self))
    case 0x6:
      let (start, count) = try extent(at: place, low)
      return .text(try utf16(start, count))
    case 0x8: return .uid(try integer(at: place + 1, size: low + 1))
    // Sets, 0xb and 0xc, are in no file that Apple's frameworks write.
    case 0xa:
      let (start, count) = try extent(at: place, low)
      return .array(try references(start, count))
    case 0xd:
      let (start, count) = try extent(at: place, low)
      return .dictionary(try dictionary(start, count))
    default: throw ArchiveError("the property list has an object of unknown kind \(marker)")
    }
  }
}

// MARK: - Kinds of objects

extension BinaryPropertyListReader {
  private func simple(_ low: Int) throws(ArchiveError) -> PropertyListValue {
    switch low {
    case 0x0: .null
    case 0x8: .boolean(false)
    case 0x9: .boolean(true)
    default: throw ArchiveError("the property list has an object of unknown kind \(low)")
    }
  }

  /// Integers of one to four bytes are unsigned, of eight signed, of sixteen both.
  private func integer(at place: Int, power: Int) throws(ArchiveError) -> PropertyListValue {
    switch power {
    case 0...2: return .integer(Int64(try word(at: place, size: 1 << power)))
    case 3: return .integer(Int64(bitPattern: try word(at: place, size: 8)))
    case 4:
      let low = try word(at: place + 8, size: 8)
      return low <= UInt64(Int64.max) ? .integer(Int64(low)) : .unsigned(low)
    default: throw ArchiveError("the property list has an integer of 2^\(power) bytes")
    }
  }

  private func real(at place: Int, power: Int) throws(ArchiveError) -> PropertyListValue {
    switch power {
    case 2: .real(Double(Float(bitPattern: UInt32(try word(at: place, size: 4)))))
    case 3: .real(Double(bitPattern: try word(at: place, size: 8)))
    default: throw ArchiveError("the property list has a number of 2^\(power) bytes")
    }
  }

  private func utf16(_ start: Int, _ count: Int) throws(ArchiveError) -> String {
    let bytes = try slice(start, count * 2)
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      (UInt16(bytes[$0]) << 8) | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func references(
    _ start: Int,
    _ count: Int
  ) throws(ArchiveError) -> [PropertyListValue] {
    _ = try slice(start, count * referenceSize)
    var elements: [PropertyListValue] = []
    elements.reserveCapacity(count)
    for index in 0..<count {
      elements.append(
        try value(integer(at: start + index * referenceSize, size: referenceSize))
      )
    }
    return elements
  }

  private mutating func dictionary(
    _ start: Int,
    _ count: Int
  ) throws(ArchiveError) -> [String: PropertyListValue] {
    let keys = try references(start, count)
    let values = try references(start + count * referenceSize, count)
    var dictionary: [String: PropertyListValue] = [:]
    dictionary.reserveCapacity(count)
    for (key, value) in zip(keys, values) {
      guard case .text(let name) = key else {
        throw ArchiveError("the property list has a dictionary key that is not text")
      }
      dictionary[name] = value
    }
    return dictionary
  }
}

// MARK: - Bytes

extension BinaryPropertyListReader {
  /// The place of an object's contents and the number of their elements.
  private func extent(
    at place: Int,
    _ low: Int
  ) throws(ArchiveError) -> (start: Int, count: Int) {
    guard low == 0x0f else { return (place + 1, low) }
    let marker = try byte(at: place + 1)
    guard marker >> 4 == 0x1, marker & 0x0f <= 3 else {
      throw ArchiveError("the property list has a damaged length")
    }
    let size = 1 << Int(marker & 0x0f)
    let count = try integer(at: place + 2, size: size)
    // Every element takes at least a byte. The bound also keeps products from overflowing.
    guard count <= bytes.count else {
      throw ArchiveError("the property list ends in the middle of an object")
    }
    return (place + 2 + size, count)
  }

  private func byte(at place: Int) throws(ArchiveError) -> UInt8 {
    guard bytes.indices.contains(place) else {
      throw ArchiveError("the property list ends in the middle of an object")
    }
    return bytes[place]
  }

  private func slice(_ start: Int, _ count: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
    guard start <= bytes.count, count <= bytes.count - start else {
      throw ArchiveError("the property list ends in the middle of an object")
    }
    return bytes[start..<start + count]
  }

  private func word(at place: Int, size: Int) throws(ArchiveError) -> UInt64 {
    try slice(place, size).reduce(0) { ($0 << 8) | UInt64($1) }
  }

  /// A number of up to sixteen bytes that must be a place or a count in this file.
  private func integer(at place: Int, size: Int) throws(ArchiveError) -> Int {
    guard let number = Int32(exactly: try word(at: place, size: size)) else {
      throw ArchiveError("the property list has a reference out of bounds")
    }
    return Int(number)
  }
}
