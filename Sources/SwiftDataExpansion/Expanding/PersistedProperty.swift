/// Gives a persistent property its accessors.
///
/// ```swift
/// private var _title: SwiftData._SwiftDataNoType
/// var title: String {
///   @storageRestrictions(accesses: _$backingData, initializes: _title)
///   init(initialValue) { … }
///   get { _$backingData[self, 3, 0x1f2e3d4c5b6a7988, "title", (String).self] }
///   set { _$backingData[self, 3, 0x1f2e3d4c5b6a7988, "title", (String).self] = newValue }
/// }
/// ```
///
/// The storage holds nothing. It is there for the initializers of the class: with it the compiler knows which properties
/// have been assigned.
enum PersistedProperty {
  static func storage(for request: MacroRequest) -> Expansion {
    let names = ModelReader.properties(in: request.declaration).filter(\.isAccessed).map(\.name)
    return Expansion(
      source: names.map { "private var _\($0): SwiftData._SwiftDataNoType" }.joined(separator: "\n")
    )
  }

  static func accessors(for request: MacroRequest) -> Expansion {
    guard let property = ModelReader.properties(in: request.declaration).first, property.isAccessed
    else { return Expansion() }
    let slot = Slot(property, place: place(in: request.attribute))
    let value = "_$backingData[\(slot.label)self, \(slot.arguments), \(slot.type)]"
    return Expansion(
      source: """
        @storageRestrictions(accesses: _$backingData, initializes: _\(property.name))
        init(initialValue) {
          _$backingData.start(\(slot.label)\(slot.arguments), initialValue)
          _\(property.name) = SwiftData._SwiftDataNoType()
        }
        get { \(value) }
        set { \(value) = newValue }
        """
    )
  }

  /// The number in `@SwiftData._PersistedProperty(3)`.
  private static func place(in attribute: SourceText) -> Int {
    Int(attribute.text.split(separator: "(").last?.filter(\.isNumber) ?? "") ?? 0
  }
}

/// A property as accessors name it to the runtime.
struct Slot {
  private let property: ModelProperty
  private let place: Int

  /// Creates the slot of a property.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - place: Its place among the persistent properties of the class.
  init(_ property: ModelProperty, place: Int) {
    self.property = property
    self.place = place
  }

  /// The label that chooses the subscript for values of any type.
  var label: String { property.isTransformable ? "transformable: " : "" }

  /// `3, 0x1f2e3d4c5b6a7988, "title"`.
  var arguments: String {
    let digits = String(Self.hash(of: property.name), radix: 16)
    let hash = String(repeating: "0", count: 16 - digits.count) + digits
    return "\(place), 0x\(hash), \"\(property.name)\""
  }

  /// The expression for the property's type.
  ///
  /// Only the compiler knows the type of most initial values: a key path to the property has it too.
  var type: String {
    if let type = property.type?.text ?? property.initialValue?.type { return "(\(type)).self" }
    return "SwiftData._type(of: self, \\.\(property.spelling))"
  }

  /// The 64-bit FNV-1a hash of a name's UTF-8 bytes, which the framework compares with its own.
  private static func hash(of name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }
}
