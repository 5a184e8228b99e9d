import CoreDataModel

/// The attributes that a column may be of; the first is the one to use when no hash decides.
///
///     VARCHAR     String, URI
///     INTEGER     Boolean, Integer 64, 16, 32
///     BLOB        UUID when each value has 16 bytes; binary data; a transformable
struct AttributeForms {
  let column: TableFacts.Column
  /// The contents of the column in the rows of the entity, and of those below it.
  let contents: TableFacts.Contents

  init(_ column: TableFacts.Column, in family: [Int]) {
    self.column = column
    contents = family.compactMap { column.contents[$0] }
      .reduce(into: TableFacts.Contents()) { $0.add($1) }
  }

  /// Empty for a column of a type that attributes do not have.
  func all(named names: [String]) -> [AttributeSchema] {
    names.flatMap { name in
      types(named: name).flatMap { kind in
        optionality.map { isOptional in
          var attribute = AttributeSchema(name: name, type: kind.type)
          attribute.isOptional = isOptional
          attribute.allowsExternalBinaryDataStorage = kind.isExternal
          if kind.type == .transformable { attribute.valueTransformerName = StoredBytes.name }
          return attribute
        }
      }
    }
  }

  /// Where a row lacks a value it is optional; otherwise nobody knows.
  private var optionality: [Bool] {
    contents.valueCount < contents.rowCount ? [true] : [true, false]
  }

  private func types(named name: String) -> [(type: AttributeType, isExternal: Bool)] {
    switch column.type {
    case "INTEGER": plain(isTruth(named: name) ? [.boolean] + numbers : numbers + truths)
    case "TIMESTAMP": plain([.date])
    case "FLOAT": plain([.double, .float])
    case "DECIMAL": plain([.decimal])
    case let type where type.hasPrefix("VARCHAR"): plain([.string, .uri])
    case "BLOB": bytes
    case _: []
    }
  }

  private func plain(_ types: [AttributeType]) -> [(type: AttributeType, isExternal: Bool)] {
    types.map { ($0, false) }
  }

  private var numbers: [AttributeType] {
    let least = contents.least
    let greatest = contents.greatest
    return [(.integer64, Int64.bitWidth), (.integer16, 16), (.integer32, 32)]
      .filter { _, bits in
        bits == 64 || least >= -(1 << (bits - 1)) && greatest < 1 << (bits - 1)
      }
      .map(\.0)
  }

  private var truths: [AttributeType] {
    contents.least >= 0 && contents.greatest <= 1 ? [.boolean] : []
  }

  /// Whether the numbers are answers to a question.
  private func isTruth(named name: String) -> Bool {
    !truths.isEmpty && ["is", "has", "can", "should", "was", "did"].contains { name.hasPrefix($0) }
  }

  private var bytes: [(type: AttributeType, isExternal: Bool)] {
    let count = contents.valueCount
    var types: [(type: AttributeType, isExternal: Bool)] = []
    if count > 0, contents.sixteens == count { types.append((.uuid, false)) }
    let marked = contents.inlines + contents.references == count
    // One byte says little; the name of a file says what it is.
    if marked, contents.references > 0 { types.append((.binaryData, true)) }
    types += [(.binaryData, false), (.transformable, false)]
    if count == 0 { types.append((.uuid, false)) }
    if marked, contents.references == 0 { types.append((.binaryData, true)) }
    return types
  }
}

extension TableFacts.Contents {
  fileprivate mutating func add(_ other: TableFacts.Contents) {
    if other.valueCount > 0 {
      least = valueCount == 0 ? other.least : min(least, other.least)
      greatest = valueCount == 0 ? other.greatest : max(greatest, other.greatest)
    }
    rowCount += other.rowCount
    valueCount += other.valueCount
    sixteens += other.sixteens
    inlines += other.inlines
    references += other.references
  }
}
