import CoreData
import Foundation

// MARK: - Values by their property

extension ModelRow {
  /// The value of a property as its class has it.
  func value<Value>(of property: ModelProperty, as type: Value.Type) -> Value {
    if let value = value(of: property) as? Value { return value }
    if isRecording, let placeholder = Placeholder.value(of: type) { return placeholder }
    stopForMissing(property.name, type)
  }

  /// The value of an attribute; an optional one's, where the property is optional; `nil` if it is missing.
  func value(of property: ModelProperty) -> Any? {
    guard let form = property.form else { return value(ofRelationship: property) }
    let boxed = boxedRowValue(property.slot)
    let value = boxed.flatMap {
      form.value(of: $0, as: property.storedType, name: property.name)
    }
    guard let optional = property.valueType as? any AnyOptionalType.Type else { return value }
    return optional.holding(value)
  }

  /// Sets an attribute.
  func setValue(_ value: Any, of property: ModelProperty) {
    guard let form = property.form else {
      setValue(value, ofRelationship: property)
      return
    }
    setBoxedRowValue(form.boxed(optional: value, name: property.name), property.slot)
  }
}

// MARK: - Relationships by their property

extension ModelRow {
  private func value(ofRelationship property: ModelProperty) -> Any? {
    switch property.content {
    case .toOne(let type):
      let target = rowTarget(property.slot) as? ModelRow
      let model = target.map { Self.model(of: $0, as: type) }
      guard let optional = property.valueType as? any AnyOptionalType.Type else { return model }
      return optional.holding(model)
    case .toMany(let type):
      return models(at: property.slot, as: type)
    case .attribute, .refused:
      return nil
    }
  }

  private static func model<Model: PersistentModel>(of row: ModelRow, as type: Model.Type) -> Any {
    row.model(as: type)
  }

  private func models<Model: PersistentModel>(at slot: ManagedSlot, as type: Model.Type) -> Any {
    let models: [Model] = members(slot)
    return models
  }

  private func setValue(_ value: Any, ofRelationship property: ModelProperty) {
    let given = (value as? any AnyOptionalType)?.wrappedValue
    let model: Any? = value is any AnyOptionalType ? given : value
    switch model {
    case let model as any PersistentModel: relate(property.name, [model.modelRow])
    case let models as [any PersistentModel]: relate(property.name, models.map(\.modelRow))
    case _: relate(property.name, [])
    }
  }

  /// Sets a relationship by its name.
  func relate(_ name: String, _ rows: [NSManagedObject]) {
    guard let property = kind.property(named: name) else { return }
    if case .toMany = property.content {
      setRowMembers(rows, property.slot)
    } else {
      setRowTarget(rows.first, property.slot)
    }
  }
}

// MARK: - Models of rows that change

extension ModelRow {
  /// The model shows another row from now on.
  func succeed(by row: ModelRow) {
    guard let box = connectedBox else { return }
    letGo()
    box.take(row)
  }
}

extension ModelBox {
  static func storeConstants(of model: AnyObject, in row: ModelRow) {
    guard row.kind.hasConstants, let model = model as? any PersistentModel else { return }
    model.modelBox.storeConstants()
  }
}
