import CoreData
import Foundation

/// How the values of a property's type are stored.
///
/// Safety: a value; types are immutable.
indirect enum ValueForm: @unchecked Sendable {
  /// One column of a type that stores know.
  case plain(any PlainValue.Type)
  /// An enumeration with raw values: a composite with one element, which has the property's name.
  case rawValues(any PlainValue.Type)
  /// An enumeration without raw values: a composite with a text for each case.
  case cases([String])
  /// A structure: a composite with an element for each stored property.
  case structure(StructureShape)
  /// A collection or another value that is stored as JSON.
  ///
  /// Within a structure the bytes are the element's value; an attribute of its own has them in a keyed archive.
  case json(any (Decodable & Encodable).Type)
  /// Values that a transformer of the program's converts.
  case transformed(Any.Type)
  /// Values that only models outside of all contexts can have, because no store can.
  case unstored

  /// The elements of a composite attribute of that name; `nil` for other attributes.
  func elements(of name: String) -> [(name: String, form: ValueForm)]? {
    switch self {
    case .plain, .json, .transformed, .unstored: nil
    case .rawValues(let raw): [(name, .plain(raw))]
    case .cases(let names): names.map { ($0, .plain(String.self)) }
    case .structure(let shape): shape.fields.map { ($0.name, $0.form) }
    }
  }
}

/// A reason why values of a type cannot be stored, as the rest of a sentence.
struct UnstorableType: Error {
  let reason: String
}

extension ValueForm {
  /// The form of a type, which is not optional.
  init(of type: Any.Type) throws(UnstorableType) {
    if let plain = type as? any PlainValue.Type {
      self = .plain(plain)
      return
    }
    if type is AnyClass {
      throw UnstorableType(
        reason: "\(type) is a class: use @Attribute(.transformable(by:)), or make it a @Model"
      )
    }
    if let cases = EnumCases(of: type) {
      self = try Self.form(of: type, cases)
      return
    }
    guard let codable = type as? any (Decodable & Encodable).Type else {
      throw UnstorableType(reason: "\(type) is not Codable")
    }
    if type is any JSONCollection.Type {
      self = .json(codable)
    } else if let shape = try StructureShape(of: type) {
      self = .structure(shape)
    } else {
      throw UnstorableType(reason: "\(type) is neither a structure nor an enumeration")
    }
  }

  private static func form(
    of type: Any.Type,
    _ cases: EnumCases
  ) throws(UnstorableType) -> ValueForm {
    if let raw = type as? any RawRepresentable.Type {
      guard let plain = rawType(of: raw) as? any PlainValue.Type else {
        throw UnstorableType(reason: "the raw values of \(type) are no plain values")
      }
      return .rawValues(plain)
    }
    guard cases.payloadCount == 0 else {
      throw UnstorableType(
        reason: """
          \(type) is an enumeration with associated values, of which no store of Apple's shows how it is stored; \
          put it into an array, or store its parts
          """
      )
    }
    guard type is any (Decodable & Encodable).Type else {
      throw UnstorableType(reason: "\(type) is not Codable")
    }
    return .cases(cases.names)
  }

  private static func rawType<Value: RawRepresentable>(of type: Value.Type) -> Any.Type {
    Value.RawValue.self
  }

  /// The form of a field of a structure.
  init(ofField type: Any.Type) throws(UnstorableType) {
    if type is any PersistentModel.Type || type is AnyClass {
      throw UnstorableType(
        reason: "it contains \(type): a class in a structure or an enumeration is not supported"
      )
    }
    // An enumeration with associated values within a structure is JSON, like a collection.
    if let cases = EnumCases(of: type), cases.payloadCount > 0,
      !(type is any PlainValue.Type), let codable = type as? any (Decodable & Encodable).Type
    {
      self = .json(codable)
      return
    }
    try self.init(of: type)
  }
}

/// A collection of Foundation's or Swift's that is stored as JSON.
protocol JSONCollection {}

extension Array: JSONCollection {}
extension Set: JSONCollection {}
extension Dictionary: JSONCollection {}

/// An optional type.
protocol AnyOptionalType {
  static var wrappedType: Any.Type { get }
  /// The value inside.
  var wrappedValue: Any? { get }
  /// The optional with a value of the wrapped type, or without any.
  static func holding(_ value: Any?) -> Any?
}

extension Optional: AnyOptionalType {
  static var wrappedType: Any.Type { Wrapped.self }
  var wrappedValue: Any? { map { $0 } }
  static func holding(_ value: Any?) -> Any? {
    guard let value else { return Self.none as Any }
    return (value as? Wrapped).map { Self.some($0) as Any }
  }
}
