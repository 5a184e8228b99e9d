import Foundation

/// The row that `Encodable` values fill, one after the other, by the names of their coding keys.
final class EncodedRow {
  private var row: BatchRowValues
  /// Which row it is, for errors.
  private var number = 0
  /// The first request that a row cannot fulfil, even if nothing followed.
  private var failure: NSError?
  private let targets: BatchTargets

  init(_ row: BatchRowValues, _ targets: BatchTargets) {
    self.row = row
    self.targets = targets
  }

  func begin(_ number: Int) {
    row.forgetAll()
    self.number = number
  }

  /// The values for all slots; throws for values that a row cannot take.
  func finished() throws -> [SlotValue] {
    if let failure { throw failure }
    return row.values
  }

  var given: SlotSet { row.given }

  /// The place of the row, for errors.
  private var place: String { BatchRowSource.place(number) }
}

// MARK: - Taking

extension EncodedRow {
  func take<Value>(_ value: Value, for name: String) throws {
    let slot = try row.slot(for: name, place: place)
    if row.takePlain(exactly: value, at: slot) { return }
    if row.layout.kinds[slot] == .toOne {
      let target = try targets.target(value, at: slot, of: row.layout, place: place)
      try row.take(target as Any? ?? NSNull(), at: slot, place: place)
    } else {
      try row.take(value, at: slot, place: place)
    }
  }

  /// Takes a value of a type that may say itself how it is encoded.
  func take<Value: Encodable>(encoding value: Value, for name: String) throws {
    if let text = exactly(value, String.self) {
      try take(text, for: name)
    } else if let date = exactly(value, Date.self) {
      try take(date, for: name)
    } else if let id = exactly(value, UUID.self) {
      try take(id, for: name)
    } else if let data = exactly(value, Data.self) {
      try take(data, for: name)
    } else if Value.self == Decimal.self || Value.self == URL.self {
      try take(value, for: name)
    } else {
      try value.encode(to: SingleValueEncoder(row: self, name: name))
    }
  }

  /// Notes, and gives, the error for something that no row can take.
  @discardableResult
  func refusal(of what: String, for name: String?) -> NSError {
    let property = name.map { "\(row.layout.name).\($0)" } ?? row.layout.name
    let error =
      failure
      ?? BatchFailure.wrongType(
        property,
        expected: name == nil ? "a value with properties" : "a single value",
        value: what,
        place: place
      ).error(key: name)
    failure = error
    return error
  }
}
