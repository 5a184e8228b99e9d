import CoreData
@_spi(Reflection) import Swift

/// The stored properties of a structure, by which its values are taken apart and put together.
///
/// Neither `CodingKeys` nor the structure's own `init(from:)` matter: the elements are named by the properties, as in
/// Apple's stores.
///
/// Safety: a value; types are immutable.
struct StructureShape: @unchecked Sendable {
  let type: Any.Type
  let fields: [Field]

  struct Field {
    let name: String
    let offset: Int
    /// The type of the property, which may be optional.
    let type: Any.Type
    let form: ValueForm
  }

  /// `nil` for other types than structures.
  init?(of type: Any.Type) throws(UnstorableType) {
    var found: [(name: String, offset: Int, type: Any.Type)] = []
    let isComplete = _forEachField(of: type) { name, offset, type, _ in
      found.append((String(cString: name), offset, type))
      return true
    }
    guard isComplete, !found.isEmpty, EnumCases(of: type) == nil, !(type is AnyClass) else {
      return nil
    }
    var fields: [Field] = []
    for (name, offset, fieldType) in found {
      let stored = (fieldType as? any AnyOptionalType.Type)?.wrappedType ?? fieldType
      let form: ValueForm
      do throws(UnstorableType) {
        form = try ValueForm(ofField: stored)
      } catch {
        throw UnstorableType(reason: "\(type).\(name) cannot be stored: \(error.reason)")
      }
      fields.append(Field(name: name, offset: offset, type: fieldType, form: form))
    }
    self.type = type
    self.fields = fields
  }
}

// MARK: - Taking apart

extension StructureShape {
  /// The values of the elements, by name; without those that are `nil`.
  func elements<Value>(of value: Value) -> [String: Any] {
    withUnsafeBytes(of: value) { bytes in
      var elements: [String: Any] = [:]
      for field in fields {
        guard let start = bytes.baseAddress else { break }
        let value = TypedMemory.load(field.type, start + field.offset)
        guard let boxed = field.form.boxed(optional: value, name: field.name) else { continue }
        elements[field.name] = boxed
      }
      return elements
    }
  }
}

// MARK: - Putting together

extension StructureShape {
  /// The structure with these elements; `nil` if one is missing that is not optional.
  func value<Value>(of elements: [String: Any], as type: Value.Type) -> Value? {
    value(as: type) { Self.value(of: elements[$0.name], $0) }
  }

  /// The structure with values for its fields; `nil` if one of them is without.
  func value<Value>(as type: Value.Type, _ valueOf: (Field) -> Any?) -> Value? {
    var values: [Any] = []
    for field in fields {
      guard let value = valueOf(field) else { return nil }
      values.append(value)
    }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      guard let place = memory.baseAddress else { return nil }
      for (field, value) in zip(fields, values) {
        TypedMemory.initialize(field.type, UnsafeMutableRawPointer(place) + field.offset, value)
      }
      return place.move()
    }
  }

  private static func value(of boxed: Any?, _ field: Field) -> Any? {
    guard let optional = field.type as? any AnyOptionalType.Type else {
      return boxed.flatMap { field.form.value(of: $0, as: field.type, name: field.name) }
    }
    let wrapped = boxed.flatMap {
      field.form.value(of: $0, as: optional.wrappedType, name: field.name)
    }
    return optional.holding(wrapped)
  }
}

/// Memory that holds a value of a type that is known at run time only.
enum TypedMemory {
  /// The value at a place.
  static func load(_ type: Any.Type, _ place: UnsafeRawPointer) -> Any {
    func open<Value>(_: Value.Type) -> Any { place.assumingMemoryBound(to: Value.self).pointee }
    return _openExistential(type, do: open)
  }

  /// Puts a value of the type into memory that holds none.
  static func initialize(_ type: Any.Type, _ place: UnsafeMutableRawPointer, _ value: Any) {
    func open<Value>(_: Value.Type) {
      guard let value = value as? Value else {
        stop("\(value) was taken for a \(type)")
      }
      place.assumingMemoryBound(to: Value.self).initialize(to: value)
    }
    _openExistential(type, do: open)
  }

  /// Puts a value of the type in the place of another.
  static func replace(_ type: Any.Type, _ place: UnsafeMutableRawPointer, _ value: Any) {
    func open<Value>(_: Value.Type) {
      guard let value = value as? Value else { return }
      place.assumingMemoryBound(to: Value.self).pointee = value
    }
    _openExistential(type, do: open)
  }
}
