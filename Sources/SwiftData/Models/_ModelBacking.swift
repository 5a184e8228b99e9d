// swift-format-ignore-file: NoLeadingUnderscores
// Code that the macros make uses these names; others should not.

import CoreData
import Foundation

/// The hold of a model on its values; the macro `@Model` adds one to each class.
///
/// Code that the macro makes uses it; other code does not need it. Each property is named by its place among the class's
/// properties, the hash of its name, and the name.
///
/// It cannot be copied, so that reading a property borrows it where it is, and counts no reference.
public struct _ModelBacking: ~Copyable {
  @usableFromInline var box: ModelBox

  /// Creates the backing of a new model.
  ///
  /// - Parameter type: The class that declares the backing.
  public init<Model: PersistentModel>(_ type: Model.Type) {
    box = ModelBox.adopting(type) ?? ModelBox(ModelType.of(type))
  }

  /// Shows the values of other backing data from now on.
  ///
  /// It is called while the backing is in the model's memory, so that its own address leads to the model.
  ///
  /// - Parameters:
  ///   - data: The backing data.
  ///   - type: The class that declares the backing.
  public mutating func adopt<Model: PersistentModel, Owner: PersistentModel>(
    _ data: any BackingData<Model>,
    _ type: Owner.Type
  ) {
    let owner = box.kind.type == type ? box.kind : ModelType.of(type)
    let address = ownAddress - owner.backingOffset
    if !box.isAdopting {
      guard let row = data.modelBox?.row else {
        stop("\(owner.type) cannot show the values of \(Swift.type(of: data))")
      }
      box.take(row)
    }
    box.adopt(at: address, constantsOf: owner)
  }

  private var ownAddress: UnsafeMutableRawPointer {
    mutating get { withUnsafeMutablePointer(to: &self) { UnsafeMutableRawPointer($0) } }
  }

  /// Returns the backing data of the model.
  ///
  /// - Parameter type: The class of the model.
  /// - Returns: The backing data.
  public func backingData<Model: PersistentModel>(for type: Model.Type) -> any BackingData<Model> {
    RowBackingData<Model>(box: box)
  }

  /// The row of a model that is being initialized; `nil` if it is being made of a row.
  ///
  /// It is called while the backing is in the model's memory, so that its own address leads to the model.
  mutating func started() -> ModelRow? {
    if box.isAdopting { return nil }
    if let row = box.row { return row }
    let owner = box.kind
    let model = owner.model(at: ownAddress - owner.backingOffset)
    if let below = model.below { box = below }
    if box.isAdopting { return nil }
    if let row = box.row { return row }
    box.begin(at: model.address, as: model.kind)
    return box.requiredRow
  }
}

extension ModelType {
  /// The place of the class's own backing in a model.
  fileprivate var backingOffset: Int {
    guard let offset = backingOffsets.last else {
      stop("\(type) has no field _$backingData; use the macro @Model")
    }
    return offset
  }

  /// The class of a model that is being made, and the box of a subclass's field, which is initialized first.
  fileprivate func model(
    at address: UnsafeMutableRawPointer
  ) -> (address: UnsafeMutableRawPointer, kind: ModelType, below: ModelBox?) {
    let found: AnyClass = unsafeBitCast(address.load(as: UnsafeRawPointer.self), to: AnyClass.self)
    if ObjectIdentifier(found) == ObjectIdentifier(type) { return (address, self, nil) }
    guard let type = found as? any PersistentModel.Type else {
      stop(
        "the memory of a \(self.type) is not laid out as its fields say; build with the Swift this package names"
      )
    }
    let kind = ModelType.of(type)
    guard kind.backingOffsets.count > backingOffsets.count, let last = kind.backingOffsets.last
    else { return (address, kind, nil) }
    let below = (address + last).assumingMemoryBound(to: _ModelBacking.self).pointee.box
    return (address, kind, below)
  }
}

// MARK: - Values that stores know

extension _ModelBacking {
  /// Takes the first value of a property.
  @inlinable
  public mutating func start<Value: _StoredValue>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ value: Value
  ) {
    guard let place = startedPlace(index, hash, name) else { return }
    Value._write(value, place)
  }

  @usableFromInline
  mutating func startedPlace(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString
  ) -> _PropertyPlace? {
    started().map { _PropertyPlace($0, ManagedSlot(index, hash, name)) }
  }

  /// The place of a property in a box's row.
  ///
  /// The box is not counted as a reference: its model must live until the place was used.
  @usableFromInline
  static func place(
    _ box: Unmanaged<ModelBox>,
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString
  ) -> _PropertyPlace {
    box._withUnsafeGuaranteedRef { _PropertyPlace($0.requiredRow, ManagedSlot(index, hash, name)) }
  }

  /// Accesses a property.
  public subscript<Value: _StoredValue>(
    _ model: AnyObject,
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Value.Type
  ) -> Value {
    @_transparent get {
      // Without a closure, and without a reference that is counted.
      defer { _fixLifetime(model) }
      return Value._read(Self.place(.passUnretained(box), index, hash, name))
    }
    @inlinable nonmutating set {
      let place = Self.place(.passUnretained(box), index, hash, name)
      Value._write(newValue, place)
      place.keep(model)
    }
  }

  /// Returns the value of a constant property of backing data.
  public func constant<Value: _StoredValue>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Value.Type,
    of data: Any
  ) -> Value {
    Value._read(_PropertyPlace(row(of: data, name), ManagedSlot(index, hash, name)))
  }

  /// The row of backing data from which a model is being made.
  private func row(of data: Any, _ name: StaticString) -> ModelRow {
    if box.isAdopting { return box.requiredRow }
    guard let row = (data as? any BackingData)?.modelBox?.row else {
      stop("\(box.kind.type).\(name) cannot be read from \(Swift.type(of: data))")
    }
    return row
  }
}

// MARK: - Values of other types

extension _ModelBacking {
  /// Takes the first value of a property whose values are encoded: structures, enumerations and collections.
  @_disfavoredOverload
  public mutating func start<Value: Codable>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ value: Value
  ) {
    guard let row = started() else { return }
    row.setValue(value, of: row.kind.property(index, name))
  }

  /// Accesses a property whose values are encoded: structures, enumerations and collections.
  @_disfavoredOverload
  public subscript<Value: Codable>(
    _ model: AnyObject,
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Value.Type
  ) -> Value {
    get {
      let row = box.requiredRow
      return row.value(of: row.kind.property(index, name), as: type)
    }
    nonmutating set {
      let row = box.requiredRow
      row.setValue(newValue, of: row.kind.property(index, name))
      row.keep(model)
    }
  }

  /// Returns the value of a constant property of backing data.
  @_disfavoredOverload
  public func constant<Value: Codable>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Value.Type,
    of data: Any
  ) -> Value {
    let row = row(of: data, name)
    return row.value(of: row.kind.property(index, name), as: type)
  }

  /// Takes the first value of a property that a transformer converts.
  public mutating func start<Value>(
    transformable index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ value: Value
  ) {
    guard let row = started() else { return }
    row.setValue(value, of: row.kind.property(index, name))
  }

  /// Accesses a property that a transformer converts.
  public subscript<Value>(
    transformable model: AnyObject,
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Value.Type
  ) -> Value {
    get {
      let row = box.requiredRow
      return row.value(of: row.kind.property(index, name), as: type)
    }
    nonmutating set {
      let row = box.requiredRow
      row.setValue(newValue, of: row.kind.property(index, name))
      row.keep(model)
    }
  }

  /// Returns the value of a constant property of backing data.
  public func constant<Value>(
    transformable index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Value.Type,
    of data: Any
  ) -> Value {
    let row = row(of: data, name)
    return row.value(of: row.kind.property(index, name), as: type)
  }
}
