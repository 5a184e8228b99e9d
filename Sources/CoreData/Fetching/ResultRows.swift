import CoreDataModel
import CoreDataSQL
public import Foundation

/// The values that a request has fetched, in rows of named columns.
///
/// ```swift
/// let request = Note.fetchRequest()
/// request.propertiesToFetch = ["title", "stars", "folder.name"]
/// for row in try context.rows(of: request) {
///   print(row[\.title] ?? "", row["folder.name"] as? String ?? "", row["stars", as: Int.self] ?? 0)
/// }
/// ```
///
/// The rows have the same values as the dictionaries of a request with the result type `.dictionaryResultType`. A
/// value becomes an object when it is asked for, and no dictionary is made for a row. Rows can be used on every thread.
public struct ResultRows<Object: NSManagedObject>: RandomAccessCollection, Sendable {
  fileprivate let columns: ResultColumns
  fileprivate let records: [Record]

  init(_ columns: ResultColumns, _ records: [Record]) {
    self.columns = columns
    self.records = records
  }

  /// The names of the columns, in the order of the request.
  public var names: [String] { columns.names }

  /// The place of the first row, which is 0.
  public var startIndex: Int { 0 }

  /// The number of rows.
  public var endIndex: Int { records.count }

  /// Returns a row.
  ///
  /// - Parameter place: The place of the row, from 0 to `count - 1`.
  /// - Returns: The row.
  public subscript(place: Int) -> ResultRow<Object> { ResultRow(columns, records[place]) }

  /// The rows as dictionaries, as a request with the result type `.dictionaryResultType` returns them.
  public var dictionaries: [NSDictionary] {
    let keys = columns.names.map { $0 as NSString as NSObject }
    return records.map { columns.dictionary(of: $0, keys) }
  }
}

/// One row of the values that a request has fetched.
public struct ResultRow<Object: NSManagedObject>: Sendable {
  private let columns: ResultColumns
  private let record: Record

  fileprivate init(_ columns: ResultColumns, _ record: Record) {
    self.columns = columns
    self.record = record
  }

  /// The row as a dictionary, in which a null value does not have a key.
  public var dictionary: NSDictionary {
    columns.dictionary(of: record, columns.names.map { $0 as NSString as NSObject })
  }

  /// Returns the value of a column.
  ///
  /// - Parameter name: The name of a property, a key path, or the name of an `NSExpressionDescription` of the request.
  /// - Returns: The value that a dictionary has: a number as `NSNumber`, a text as `String`, an object as
  ///   `NSManagedObjectID`, a composite attribute as a dictionary. `nil` if the value is null, or if the
  ///   request does not have the column.
  public subscript(name: String) -> Any? {
    switch columns.places[name] {
    case .column(let place): record.values[place].inSwift
    case .composite(let places): columns.composite(of: record, at: places)
    case nil: nil
    }
  }

  /// Returns the value of a column as a type.
  ///
  /// - Parameters:
  ///   - name: The name of a property, a key path, or the name of an `NSExpressionDescription` of the request.
  ///   - type: The type, such as `Int` for a number or `Date`. An integer can be read as every type of integer that has
  ///     room for it.
  /// - Returns: The value. `nil` if the value is null or of another type, or if the request does not have the
  ///   column.
  public subscript<Value>(name: String, as type: Value.Type) -> Value? {
    guard case .column(let place) = columns.places[name] else { return self[name] as? Value }
    return record.values[place].value(as: type)
  }

  /// Returns the value of an attribute.
  ///
  /// The program stops if the request does not fetch the attribute.
  ///
  /// - Parameter attribute: The key path of an optional attribute.
  /// - Returns: The value, or `nil`.
  public subscript<Value>(attribute: KeyPath<Object, Value?>) -> Value? {
    self[columns.name(of: attribute), as: Value.self]
  }

  /// Returns the value of a numeric attribute.
  ///
  /// The program stops if the request does not fetch the attribute.
  ///
  /// - Parameter attribute: The key path of a numeric attribute.
  /// - Returns: The value, or 0 if nothing is stored, as the property itself returns.
  public subscript<Number: Numeric>(attribute: KeyPath<Object, Number>) -> Number {
    self[columns.name(of: attribute), as: Number.self] ?? .zero
  }

  /// Returns the value of a Boolean attribute.
  ///
  /// The program stops if the request does not fetch the attribute.
  ///
  /// - Parameter attribute: The key path of a Boolean attribute.
  /// - Returns: The value, or `false` if nothing is stored.
  public subscript(attribute: KeyPath<Object, Bool>) -> Bool {
    self[columns.name(of: attribute), as: Bool.self] ?? false
  }

  /// Returns the identity of the object in a to-one relationship.
  ///
  /// The program stops if the request does not fetch the relationship.
  ///
  /// - Parameter relationship: The key path of a to-one relationship.
  /// - Returns: The identity, or `nil` if the relationship is empty.
  public subscript<Target: NSManagedObject>(
    relationship: KeyPath<Object, Target?>
  ) -> NSManagedObjectID? {
    self[columns.name(of: relationship), as: NSManagedObjectID.self]
  }

  /// Decodes the row as a type.
  ///
  /// - Parameter type: A type whose coding keys are names of columns, or a single value for a request with one column.
  ///   Columns that the type does not ask for are ignored. Objects are decoded as the text of their URI.
  /// - Returns: The value.
  /// - Throws: `DecodingError` if the row does not have a column, or a value of another type.
  public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try Value(from: SQLRowDecoder(columns.decoding, record.values.map(\.inSQL)))
  }
}

// MARK: - Columns

/// The names of rows, the same for all of them.
final class ResultColumns: Sendable {
  /// Where a value is in a record.
  enum Place {
    case column(Int)
    /// The elements of a composite attribute.
    case composite([Int])
  }

  /// Each name once.
  let names: [String]
  let places: [String: Place]
  fileprivate let decoding: SQLColumns
  private let parts: [[String]]
  private let entity: EntityLayout

  init(_ plan: RecordPlan) {
    var names: [String] = []
    var places: [String: Place] = [:]
    for (place, column) in plan.columns.enumerated() {
      if !column.part.isEmpty, case .composite(let others)? = places[column.name] {
        places[column.name] = .composite(others + [place])
        continue
      }
      if places[column.name] == nil { names.append(column.name) }
      places[column.name] = column.part.isEmpty ? .column(place) : .composite([place])
    }
    self.names = names
    self.places = places
    decoding = SQLColumns(
      plan.columns.map { ([$0.name] + $0.part).joined(separator: ".") }
    )
    parts = plan.columns.map(\.part)
    entity = plan.source.layout
  }

  fileprivate func name(of keyPath: AnyKeyPath) -> String {
    guard let name = PropertyRecorder.name(of: keyPath, on: { entity }), places[name] != nil else {
      stop(
        """
        a key path that was asked of a row of \(entity.name) names no column of the request; its columns are \
        \(names.joined(separator: ", "))
        """
      )
    }
    return name
  }

  /// The dictionary of a record, with the names as keys; a null value does not get a key.
  fileprivate func dictionary(of record: Record, _ keys: [NSObject]) -> NSDictionary {
    withUnsafeTemporaryAllocation(of: AnyObject.self, capacity: keys.count) { objects in
      var found = 0
      var missing: Set<Int> = []
      for (place, name) in names.enumerated() {
        guard let object = object(named: name, of: record, at: place) else {
          missing.insert(place)
          continue
        }
        objects.initializeElement(at: found, to: object)
        found += 1
      }
      defer { objects.extracting(..<found).deinitialize() }
      let keys =
        missing.isEmpty ? keys : keys.indices.filter { !missing.contains($0) }.map { keys[$0] }
      return keys.withUnsafeBufferPointer { keys in
        NSDictionary(objects: objects.baseAddress, forKeys: keys.baseAddress, count: found)
      }
    }
  }

  private func object(named name: String, of record: Record, at place: Int) -> AnyObject? {
    // Without composite attributes and repeated names, a name has the place of its column.
    if names.count == record.values.count { return record.values[place].object }
    switch places[name] {
    case .column(let place): return record.values[place].object
    case .composite(let places): return composite(of: record, at: places).map { $0 as NSDictionary }
    case nil: return nil
    }
  }

  /// A composite attribute as a dictionary of dictionaries; `nil` if none of its elements has a value.
  fileprivate func composite(of record: Record, at places: [Int]) -> [String: Any]? {
    var composite: [String: Any] = [:]
    for place in places {
      if let value = record.values[place].inSwift { composite.set(value, at: parts[place][...]) }
    }
    return composite.isEmpty ? nil : composite
  }
}

extension [String: Any] {
  /// Puts a value into the dictionary of dictionaries that the keys lead through.
  fileprivate mutating func set(_ value: Any, at path: ArraySlice<String>) {
    guard let key = path.first else { return }
    var inner = self[key] as? [String: Any] ?? [:]
    inner.set(value, at: path.dropFirst())
    self[key] = path.count == 1 ? value : inner
  }
}

// MARK: - Values

extension RecordValue {
  /// The value as a type of Swift or Foundation; `nil` if it is of another type.
  fileprivate func value<Value>(as type: Value.Type) -> Value? {
    switch self {
    case .nothing, .identity, .externalFile: nil
    case .text(let text): text as? Value
    case .integer(let integer, _): whole(integer, as: type) ?? object as? Value
    case .real(let real, _): real as? Value ?? object as? Value
    case .date(let date):
      // A date may be a property of the class as its number of seconds.
      Value.self == TimeInterval.self
        ? date.timeIntervalSinceReferenceDate as? Value : date as? Value
    case .value(let value): value.value as? Value
    }
  }

  private func whole<Value>(_ integer: Int64, as type: Value.Type) -> Value? {
    if let integer = integer as? Value { return integer }
    if let type = type as? any FixedWidthInteger.Type {
      return type.init(exactly: integer) as? Value
    }
    return type == Bool.self ? (integer != 0) as? Value : nil
  }

  /// The value as a database has it, for decoding.
  fileprivate var inSQL: SQLValue {
    switch self {
    case .nothing, .identity, .externalFile: .null
    case .integer(let integer, _): .integer(integer)
    case .real(let real, _): .real(real)
    case .text(let text): .text(text)
    case .date(let date): .real(date.timeIntervalSinceReferenceDate)
    case .value(let value):
      switch value.value {
      case let data as Data: .blob(Array(data))
      case let uuid as UUID: .text(uuid.uuidString)
      case let url as URL: .text(url.absoluteString)
      case let decimal as NSDecimalNumber: .text(decimal.stringValue)
      case let id as NSManagedObjectID: .text(id.uriRepresentation().absoluteString)
      case let number as NSNumber:
        number.isFractional ? .real(number.doubleValue) : .integer(number.int64Value)
      case let text as String: .text(text)
      case let date as Date: .real(date.timeIntervalSinceReferenceDate)
      case _: .null
      }
    }
  }
}

extension NSNumber {
  /// Whether the number was made from a `Double` or `Float`.
  fileprivate var isFractional: Bool { ["d", "f"].contains(String(cString: objCType)) }
}
