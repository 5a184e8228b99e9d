/// Writes a binary property list in parts, so that it need not be in memory as a whole: the
/// contents of a part first, then the part.
///
/// ```
/// bplist00 │ parts of the first │ the first │ parts of the second │ … │ the top │ offsets │ trailer
/// ```
///
/// Equal texts and numbers are written once, as far as it remembers them. It keeps eight bytes for
/// each object, its place.
package struct BinaryPropertyListStream {
  /// An object that was written.
  package struct Reference: Sendable {
    fileprivate let index: Int
  }

  private var offsets: [Int] = []
  /// How many bytes there are in all.
  private var count = 0
  private var known: [PropertyListValue.Exact: Reference] = [:]

  /// As many objects as references of four bytes can tell apart.
  package static let mostObjects = Int(UInt32.max)
  private static let referenceSize = 4
  /// How many texts and numbers it remembers, and texts of how many bytes.
  private static let mostKnown = 1 << 16
  private static let mostKnownBytes = 64

  package init() {}

  /// Appends the bytes that precede all objects.
  package mutating func begin(to bytes: inout [UInt8]) {
    add(to: &bytes) { $0 += "bplist00".utf8 }
  }

  /// How many objects were written.
  package var objectCount: Int { offsets.count }

  /// Appends a value and all that it contains.
  package mutating func add(_ value: PropertyListValue, to bytes: inout [UInt8]) -> Reference {
    switch value {
    case .array(let elements):
      return add(array: elements.map { add($0, to: &bytes) }, to: &bytes)
    case .dictionary(let dictionary):
      let entries = dictionary.sortedByCodePoints(\.key)
      return add(
        entries: entries.map { (add(.text($0.key), to: &bytes), add($0.value, to: &bytes)) },
        to: &bytes
      )
    case .null, .boolean, .integer, .unsigned, .real, .date, .data, .text, .uid:
      guard Self.isRemembered(value) else { return add(scalar: value, to: &bytes) }
      let exact = PropertyListValue.Exact(value: value)
      if let reference = known[exact] { return reference }
      let reference = add(scalar: value, to: &bytes)
      if known.count < Self.mostKnown { known[exact] = reference }
      return reference
    }
  }

  /// Appends an array of objects that are written already.
  package mutating func add(array elements: [Reference], to bytes: inout [UInt8]) -> Reference {
    addObject(to: &bytes) { bytes in
      BinaryPropertyListBytes.appendMarker(0xa0, count: elements.count, to: &bytes)
      for element in elements { Self.append(element, to: &bytes) }
    }
  }

  /// Appends a dictionary of objects that are written already, the keys too.
  package mutating func add(
    entries: [(key: Reference, value: Reference)],
    to bytes: inout [UInt8]
  ) -> Reference {
    addObject(to: &bytes) { bytes in
      BinaryPropertyListBytes.appendMarker(0xd0, count: entries.count, to: &bytes)
      for entry in entries { Self.append(entry.key, to: &bytes) }
      for entry in entries { Self.append(entry.value, to: &bytes) }
    }
  }

  /// Appends the bytes that follow all objects: their places, and the number of the top object.
  package mutating func end(with top: Reference, to bytes: inout [UInt8]) {
    let table = count
    let offsetSize = BinaryPropertyListBytes.size(of: table)
    for offset in offsets { Self.append(offset, offsetSize, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(Self.referenceSize)]
    for number in [offsets.count, top.index, table] { bytes += number.bigEndianBytes }
  }
}

extension BinaryPropertyListStream {
  /// Whether a value may well come again.
  private static func isRemembered(_ value: PropertyListValue) -> Bool {
    switch value {
    case .text(let text): text.utf8.count <= mostKnownBytes
    case .real(let real), .date(let real): real == real.rounded()
    case .data: false
    case .null, .boolean, .integer, .unsigned, .uid, .array, .dictionary: true
    }
  }

  private mutating func add(
    scalar value: PropertyListValue,
    to bytes: inout [UInt8]
  ) -> Reference {
    addObject(to: &bytes) { BinaryPropertyListBytes.append(value, to: &$0) }
  }

  private mutating func addObject(
    to bytes: inout [UInt8],
    _ body: (inout [UInt8]) -> Void
  ) -> Reference {
    offsets.append(count)
    add(to: &bytes, body)
    return Reference(index: offsets.count - 1)
  }

  private mutating func add(to bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    let before = bytes.count
    body(&bytes)
    count += bytes.count - before
  }

  private static func append(_ reference: Reference, to bytes: inout [UInt8]) {
    append(reference.index, referenceSize, to: &bytes)
  }

  private static func append(_ number: Int, _ size: Int, to bytes: inout [UInt8]) {
    for place in (0..<size).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> (place * 8)))
    }
  }
}
