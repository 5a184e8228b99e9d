import CoreDataModel
import CoreDataPredicates
import CoreDataSQL
import Foundation

// MARK: - From memory

extension RecordForm {
  /// A value that was computed in memory.
  func value(of found: Any?) -> RecordValue {
    switch (self, found) {
    case (_, nil):
      return .nothing
    case (_, let object as StoredObject):
      return .identity(number: object.row.primaryKey, object.row.layout)
    case (.attribute, let value?):
      return .value(Immutable(value))
    case (.computed(let type), let value?):
      return type.boxed(Constant(value).kind).map { .value(Immutable($0)) } ?? .nothing
    case (.identity, _):
      return .nothing
    }
  }
}

// MARK: - From a database

extension RecordForm {
  /// A value that a database computed; `kind` is what the expression means by it.
  func value(of found: SQLValue, kind: ValueKind) -> RecordValue {
    if case .attribute(let layout, let slot) = self,
      let value = RecordValue(found, of: layout.slots[slot].attributeType ?? .undefined)
    {
      return value
    }
    switch (self, found) {
    case (_, .null):
      return .nothing
    case (.attribute(let layout, let slot), .blob(let bytes))
    where layout.slots[slot].kind == .externalData:
      return bytes.withUnsafeBytes { stored in
        if let name = ExternalData.fileName(stored) { return .externalFile(name) }
        return ExternalData.inlineData(stored).map { .value(Immutable($0)) } ?? .nothing
      }
    case (.attribute(let layout, let slot), .blob(let bytes))
    where layout.slots[slot].kind == .transformable:
      let object = Transformation(of: layout, at: slot).object(from: Data(bytes))
      return object.map { .value(Immutable($0)) } ?? .nothing
    case (.attribute(let layout, let slot), let value):
      let type = layout.slots[slot].attributeType ?? .undefined
      return type.boxed(value.natural(kind)).map { .value(Immutable($0)) } ?? .nothing
    case (.computed(let type), let value):
      return type.boxed(value.natural(kind)).map { .value(Immutable($0)) } ?? .nothing
    case (.identity, _):
      return .nothing
    }
  }
}

extension SQLValue {
  /// The value's own kind, before a type is asked for.
  func natural(_ kind: ValueKind) -> ConstantKind {
    switch (self, kind) {
    case (.null, _): .nothing
    case (.integer(let value), .date): .date(Date(timeIntervalSinceReferenceDate: Double(value)))
    case (.real(let value), .date): .date(Date(timeIntervalSinceReferenceDate: value))
    case (.integer(let value), .decimal): .decimal(Decimal(value))
    case (.real(let value), .decimal):
      // Fifteen digits are what the column is trusted with.
      Decimal(string: String(format: "%.15g", value)).map(ConstantKind.decimal) ?? .real(value)
    case (.integer(let value), .real): .real(Double(value))
    case (.integer(let value), _): .integer(value)
    case (.real(let value), _): .real(value)
    case (.text(let text), .url): URL(string: text).map(ConstantKind.url) ?? .text(text)
    case (.text(let text), .decimal): Decimal(string: text).map(ConstantKind.decimal) ?? .text(text)
    case (.text(let text), _): .text(text)
    case (.blob(let bytes), .uuid) where bytes.count == 16:
      .uuid(bytes.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) })
    case (.blob(let bytes), _): .data(Data(bytes))
    }
  }
}

// MARK: - Types

extension AttributeType {
  /// The value as an attribute of this type has it; a value that does not fit stays as it is.
  func boxed(_ value: ConstantKind) -> Any? {
    switch (self, value) {
    case (_, .nothing): nil
    case (.boolean, .integer(let value)): NSNumber(value: value != 0)
    case (.integer16, .integer(let value)):
      Int16(exactly: value).map { NSNumber(value: $0) } ?? NSNumber(value: value)
    case (.integer32, .integer(let value)):
      Int32(exactly: value).map { NSNumber(value: $0) } ?? NSNumber(value: value)
    case (.double, .integer(let value)): NSNumber(value: Double(value))
    case (.float, .integer(let value)): NSNumber(value: Float(value))
    case (.decimal, .integer(let value)): NSDecimalNumber(decimal: Decimal(value))
    case (.date, .integer(let value)): Date(timeIntervalSinceReferenceDate: Double(value))
    case (.string, .integer(let value)): String(value)
    case (_, .integer(let value)): NSNumber(value: value)
    case (.integer16, .real(let value)), (.integer32, .real(let value)),
      (.integer64, .real(let value)):
      Int64(exactly: value.rounded(.towardZero)).map { NSNumber(value: $0) }
        ?? NSNumber(value: value)
    case (.boolean, .real(let value)): NSNumber(value: value != 0)
    case (.float, .real(let value)): NSNumber(value: Float(value))
    case (.decimal, .real(let value)):
      Decimal(string: String(format: "%.15g", value)).map { NSDecimalNumber(decimal: $0) }
        ?? NSNumber(value: value)
    case (.date, .real(let value)): Date(timeIntervalSinceReferenceDate: value)
    case (.string, .real(let value)): String(value)
    case (_, .real(let value)): NSNumber(value: value)
    case (.integer16, .decimal(let value)), (.integer32, .decimal(let value)),
      (.integer64, .decimal(let value)):
      NSNumber(value: NSDecimalNumber(decimal: value).int64Value)
    case (.double, .decimal(let value)), (.float, .decimal(let value)):
      NSNumber(value: NSDecimalNumber(decimal: value).doubleValue)
    case (.string, .decimal(let value)): value.description
    case (_, .decimal(let value)): NSDecimalNumber(decimal: value)
    case (.double, .date(let date)): NSNumber(value: date.timeIntervalSinceReferenceDate)
    case (_, .date(let date)): date
    case (_, .text(let text)): text
    case (_, .uuid(let uuid)): uuid
    case (.string, .url(let url)): url.absoluteString
    case (_, .url(let url)): url
    case (_, .data(let data)): data
    case (_, .collection(let values)): values.compactMap { $0 }
    case (_, .object(let object)): object
    }
  }
}
