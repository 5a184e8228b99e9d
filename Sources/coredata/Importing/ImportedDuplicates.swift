import CoreData

/// The records whose values must be unique and are not.
struct ImportedDuplicates {
  private(set) var count = 0
  /// The first ones by their numbers, each with those that have the values, too.
  private var first: [(number: Int, others: [DuplicatedRow])] = []

  mutating func add(_ others: [DuplicatedRow], of number: Int) {
    count += 1
    if first.count < RefusedRecords.shown { first.append((number, others)) }
  }

  /// The records with their reasons; `reader` goes through the file again, to find the lines of the records.
  func refused<Reader: RecordReader>(in reader: Reader) throws -> RefusedRecords {
    let earlier = first.flatMap(\.others).compactMap { other in
      if case .earlier(let number) = other.place { number } else { nil as Int? }
    }
    let places = try Self.places(ofRecords: Set(earlier + first.map(\.number)), in: reader)
    var refused = RefusedRecords(count: count)
    for (number, others) in first {
      let words = others.map { other in
        "\(name(of: other.place, places, Reader.placeName)) has the same"
          + " \(other.properties.joined(separator: " and "))"
      }
      refused.show(
        words.joined(separator: " and ") + ", which must be unique",
        at: places[number] ?? number
      )
    }
    return refused
  }

  private func name(
    of place: DuplicatedRow.Place,
    _ places: [Int: Int],
    _ placeName: String
  ) -> String {
    switch place {
    case .earlier(let number): "\(placeName) \(places[number] ?? number)"
    case .stored(let entity, let key): "\(entity)/p\(key)"
    }
  }

  private static func places(
    ofRecords numbers: Set<Int>,
    in reader: some RecordReader
  ) throws -> [Int: Int] {
    var (reader, record, places) = (reader, ImportedRecord(), [Int: Int]())
    var number = 0
    while places.count < numbers.count, try reader.read(&record) {
      number += 1
      if numbers.contains(number) { places[number] = record.place }
    }
    return places
  }
}
