import CoreData
import CoreDataPredicates
import Foundation
@_spi(Reflection) import Swift

/// The knowledge of predicates and sort descriptors about models, and about the values in them.
struct PredicateNames: ForeignTypes {
  /// The model of the context for which a predicate is converted.
  @TaskLocal static var model: NSManagedObjectModel?

  /// Predicates know models from now on.
  static func register() { _ = registered }

  private static let registered: Void = Foreign.use(PredicateNames())

  func name(of keyPath: AnyKeyPath) -> String? {
    guard let type = Swift.type(of: keyPath).rootType as? any PersistentModel.Type else {
      return nil
    }
    return ModelType.of(type).searchableName(of: keyPath)
  }

  func value(_ keyPath: AnyKeyPath, of base: ExpressionTree) -> ExpressionTree? {
    let root = Swift.type(of: keyPath).rootType
    if root is any PersistentModel.Type {
      guard let name = name(of: keyPath) else { return nil }
      return base.reading(name.split(separator: ".").map(String.init))
    }
    guard !(root is any PlainValue.Type), let property = Self.property(base) else { return nil }
    let element = Self.element(keyPath, root, property)
    return element.map { base.reading([$0]) }
  }

  /// The name of the property that an expression reads.
  private static func property(_ expression: ExpressionTree) -> String? {
    switch expression {
    case .keyPath(_, let names): names.last
    case .conditional(_, let value, .null): property(value)
    case _: nil
    }
  }

  /// The element of an enumeration's or a structure's composite.
  private static func element(
    _ keyPath: AnyKeyPath,
    _ root: Any.Type,
    _ property: String
  ) -> String? {
    if let cases = EnumCases(of: root) {
      guard let type = root as? any RawRepresentable.Type else { return nil }
      return RawValues.isRawValue(keyPath, type, cases) ? property : nil
    }
    // A predicate cannot look into a type that cannot be stored.
    guard let shape = try? StructureShape(of: root),
      let found = shape.fieldKeyPaths.first(where: { $0.keyPath == keyPath })
    else { return nil }
    let field = shape.fields.first { $0.name == found.name }
    if case .json? = field?.form { return nil }
    return found.name
  }

  func constant(_ value: Any) -> Any? {
    let value = (value as? any AnyOptionalType)?.wrappedValue ?? value
    switch value {
    case let model as any PersistentModel:
      return model.modelRow
    case let models as [any PersistentModel]:
      return models.map(\.modelRow)
    case let id as PersistentIdentifier:
      return id.anyObjectID ?? NSNull()
    case let ids as [PersistentIdentifier]:
      return ids.compactMap(\.anyObjectID)
    case let ids as Set<PersistentIdentifier>:
      return ids.compactMap(\.anyObjectID)
    case _:
      return nil
    }
  }

  func isInstance(_ value: ExpressionTree, of type: Any.Type) -> PredicateTree? {
    guard let type = type as? any PersistentModel.Type else { return nil }
    func family(_ entity: NSEntityDescription) -> [NSEntityDescription] {
      [entity] + entity.subentities.flatMap(family)
    }
    let kind = ModelType.of(type)
    let entity = Self.model?.entitiesByName[kind.name] ?? kind.detachedEntity
    let entities = family(entity).map {
      ExpressionTree.constant(Constant($0))
    }
    return .comparison(Comparison(.path(value, ["entity"]), .in, .aggregate(entities)))
  }
}

// MARK: - Values that consist of elements

extension PredicateNames {
  func equality(
    _ one: ExpressionTree,
    _ other: ExpressionTree,
    of type: Any.Type
  ) throws(ConversionError) -> PredicateTree? {
    guard let form = Self.composite(type) else { return nil }
    switch (one, other) {
    case (_, .constant(let constant)):
      return try Self.equality(one, constant, form, type)
    case (.constant(let constant), _):
      return try Self.equality(other, constant, form, type)
    case (.keyPath(_, let names), .keyPath(_, let others)):
      guard case .rawValues = form, let name = names.last, let otherName = others.last else {
        throw ConversionError("two values of \(type) cannot be compared with each other")
      }
      return .comparison(Comparison(.path(one, [name]), .equalTo, .path(other, [otherName])))
    case _:
      throw ConversionError("a value of \(type) can be compared with a constant only")
    }
  }

  func membership(
    of value: ExpressionTree,
    in list: ExpressionTree,
    of type: Any.Type
  ) throws(ConversionError) -> PredicateTree? {
    guard let form = Self.composite(type), Self.property(value) != nil else { return nil }
    guard case .constant(let constant) = list, let values = constant.value as? [Any] else {
      throw ConversionError("a value of \(type) can be looked for in a captured array only")
    }
    var alternatives: [PredicateTree] = []
    for element in values {
      alternatives.append(
        try Self.equality(value, Constant(element), form, type)
      )
    }
    return alternatives.isEmpty ? .constant(false) : .or(alternatives)
  }

  /// The form of an attribute that consists of elements; `nil` for other types.
  private static func composite(_ type: Any.Type) -> ValueForm? {
    let stored = (type as? any AnyOptionalType.Type)?.wrappedType ?? type
    if stored is any PlainValue.Type || stored is any JSONCollection.Type || stored is AnyClass {
      return nil
    }
    // A type that cannot be stored is compared as any other constant.
    guard let form = try? ValueForm(of: stored), form.elements(of: "") != nil else { return nil }
    return form
  }

  private static func equality(
    _ value: ExpressionTree,
    _ constant: Constant,
    _ form: ValueForm,
    _ type: Any.Type
  ) throws(ConversionError) -> PredicateTree {
    guard let property = property(value) else {
      throw ConversionError("a value of \(type) can be compared with a constant only")
    }
    let elements = form.elements(of: property)?.map(\.name) ?? []
    let given =
      constant.isNil ? nil : constant.value.map { ($0 as? any AnyOptionalType)?.wrappedValue ?? $0 }
    guard let given else {
      // A composite is nil if all of its elements are.
      let parts = elements.map { name in
        PredicateTree.comparison(
          Comparison(value.reading([name]), .equalTo, .constant(Constant(nil)))
        )
      }
      return parts.count == 1 ? parts[0] : .and(parts)
    }
    if case .structure = form {
      throw ConversionError(
        "a whole \(type) cannot be compared; compare its properties, as in $0.\(property).\(elements.first ?? "")"
      )
    }
    guard let boxed = form.boxed(given, name: property) as? [String: Any],
      let (name, stored) = boxed.first
    else { throw ConversionError("\(given) is no value of \(type)") }
    return .comparison(
      Comparison(value.reading([name]), .equalTo, .constant(Constant(stored)))
    )
  }
}

/// Recognizes `\Kind.rawValue`, which is without a name.
private enum RawValues {
  static func isRawValue<Value: RawRepresentable>(
    _ keyPath: AnyKeyPath,
    _: Value.Type,
    _ cases: EnumCases
  ) -> Bool {
    guard let keyPath = keyPath as? KeyPath<Value, Value.RawValue>, cases.payloadCount == 0 else {
      return false
    }
    return cases.names.indices.allSatisfy { index in
      let value = EnumCases.value(index, of: Value.self)
      guard let one = value[keyPath: keyPath] as? AnyHashable else { return false }
      return one == value.rawValue as? AnyHashable
    }
  }
}

extension PersistentIdentifier {
  /// Core Data's identity, as any coordinator of the process knows it.
  var anyObjectID: NSManagedObjectID? { knownObjectID ?? ContainerList.objectID(for: uri) }
}
