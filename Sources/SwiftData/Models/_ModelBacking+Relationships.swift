// swift-format-ignore-file: NoLeadingUnderscores
// Code that the macros make uses these names; others should not.

import CoreData

// MARK: - Relationships

extension _ModelBacking {
  /// Takes the first target of a relationship.
  public mutating func start<Target: PersistentModel>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ value: Target
  ) {
    start(index, hash, name, Optional(value))
  }

  /// Takes the first target of a relationship.
  public mutating func start<Target: PersistentModel>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ value: Target?
  ) {
    guard started() != nil else { return }
    box.setTarget(value, ManagedSlot(index, hash, name), of: nil)
  }

  /// Takes the first members of a relationship.
  public mutating func start<Member: PersistentModel>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ value: [Member]
  ) {
    guard let row = started() else { return }
    // Most begin without members, as the row does.
    if value.isEmpty, !row.isInContext, !row.hasRelatedRows { return }
    box.setMembers(value, ManagedSlot(index, hash, name), of: nil)
  }

  /// Takes the first members of a relationship.
  public mutating func start<Member: PersistentModel>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ value: [Member]?
  ) {
    start(index, hash, name, value ?? [])
  }

  /// Accesses a relationship that always has a target.
  ///
  /// The program stops if there is not one.
  public subscript<Target: PersistentModel>(
    _ model: AnyObject,
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Target.Type
  ) -> Target {
    get {
      let slot = ManagedSlot(index, hash, name)
      if let target: Target = box.requiredRow.target(slot) { return target }
      box.requiredRow.stopForMissing("\(name)", Target.self)
    }
    nonmutating set { box.setTarget(newValue, ManagedSlot(index, hash, name), of: model) }
  }

  /// Accesses a relationship with one target, or none.
  public subscript<Target: PersistentModel>(
    _ model: AnyObject,
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Target?.Type
  ) -> Target? {
    get { box.requiredRow.target(ManagedSlot(index, hash, name)) }
    nonmutating set { box.setTarget(newValue, ManagedSlot(index, hash, name), of: model) }
  }

  /// Accesses the members of a relationship; their order is not specified.
  public subscript<Member: PersistentModel>(
    _ model: AnyObject,
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: [Member].Type
  ) -> [Member] {
    get { box.requiredRow.members(ManagedSlot(index, hash, name)) }
    nonmutating set { box.setMembers(newValue, ManagedSlot(index, hash, name), of: model) }
  }

  /// Accesses the members of a relationship; their order is not specified.
  public subscript<Member: PersistentModel>(
    _ model: AnyObject,
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: [Member]?.Type
  ) -> [Member]? {
    get { box.requiredRow.members(ManagedSlot(index, hash, name)) }
    nonmutating set { box.setMembers(newValue ?? [], ManagedSlot(index, hash, name), of: model) }
  }

  /// Returns the target of a constant relationship of backing data.
  public func constant<Target: PersistentModel>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Target.Type,
    of data: Any
  ) -> Target {
    let row = box.requiredRow
    if let target: Target = row.target(ManagedSlot(index, hash, name)) { return target }
    row.stopForMissing("\(name)", type)
  }

  /// Returns the target of a constant relationship of backing data.
  public func constant<Target: PersistentModel>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: Target?.Type,
    of data: Any
  ) -> Target? {
    box.requiredRow.target(ManagedSlot(index, hash, name))
  }

  /// Returns the members of a constant relationship of backing data.
  public func constant<Member: PersistentModel>(
    _ index: Int,
    _ hash: UInt64,
    _ name: StaticString,
    _ type: [Member].Type,
    of data: Any
  ) -> [Member] {
    box.requiredRow.members(ManagedSlot(index, hash, name))
  }
}

extension ModelRow {
  func target<Target: PersistentModel>(_ slot: ManagedSlot) -> Target? {
    guard let target = rowTarget(slot) else { return nil }
    return unsafeDowncast(target, to: ModelRow.self).model(as: Target.self)
  }

  func members<Member: PersistentModel>(_ slot: ManagedSlot) -> [Member] {
    if isRecording { return [] }
    return rowMembers(slot).map { unsafeDowncast($0, to: ModelRow.self).model(as: Member.self) }
  }

  func stopForMissing(_ name: String, _ type: Any.Type) -> Never {
    if isRowGone {
      stop(
        """
        \(kind.type).\(name) was read, but the row of this model is no longer in the store: \
        it was deleted elsewhere
        """
      )
    }
    stop("\(kind.type).\(name) is nil, but it is declared as \(type); declare it as \(type)?")
  }
}

extension ModelBox {
  /// Sets a to-one relationship; a model without a context comes into that of the other.
  func setTarget<Target: PersistentModel>(
    _ target: Target?,
    _ slot: ManagedSlot,
    of model: AnyObject?
  ) {
    let other = target.map { $0.modelBox.box(of: $0) }
    if let other { Joining.join(self, other) }
    requiredRow.setRowTarget(other?.row, slot)
    if let model { requiredRow.keep(model) }
  }

  /// Sets a to-many relationship; models without a context come into that of the other.
  func setMembers<Member: PersistentModel>(
    _ members: [Member],
    _ slot: ManagedSlot,
    of model: AnyObject?
  ) {
    let others = members.map { $0.modelBox.box(of: $0) }
    for other in others { Joining.join(self, other) }
    requiredRow.setRowMembers(others.map(\.requiredRow), slot)
    if let model { requiredRow.keep(model) }
  }

  /// This box, which has a row.
  func box(of model: AnyObject) -> ModelBox {
    _ = row(of: model)
    return self
  }
}
