public import Foundation

// MARK: - Accessors that developers write

/// Methods for custom accessors of properties:
///
/// ```swift
/// var title: String? {
///   get {
///     willAccessValue(forKey: "title")
///     defer { didAccessValue(forKey: "title") }
///     return primitiveValue(forKey: "title") as? String
///   }
///   set {
///     willChangeValue(forKey: "title")
///     setPrimitiveValue(newValue, forKey: "title")
///     didChangeValue(forKey: "title")
///   }
/// }
/// ```
extension NSManagedObject {
  /// Announces that a property will be read with ``primitiveValue(forKey:)``.
  ///
  /// Fires the object's fault if necessary, with at most one SQL statement.
  ///
  /// - Parameter key: The name of the property, or `nil` to fire the object's fault.
  public func willAccessValue(forKey key: String?) {
    if isFault { fireFault(for: key.flatMap(layout.slot(named:))) }
    // The context has forgotten the object, which keeps empty values from here on.
    watch.remove(.forgotten)
  }

  /// Announces that a property was read with ``primitiveValue(forKey:)``.
  ///
  /// - Parameter key: The name of the property.
  public func didAccessValue(forKey key: String?) {}

  /// Announces that a property will be changed with ``setPrimitiveValue(_:forKey:)``.
  ///
  /// - Parameter key: The name of the property.
  public func willChangeValue(forKey key: String) {
    willChangeValue(forKey: key) { _ in .setting }
  }

  /// Announces that a property was changed with ``setPrimitiveValue(_:forKey:)``.
  ///
  /// The change is recorded, the inverse of a relationship is updated, and observers are notified.
  /// For properties that are not in the model, see ``contextShouldIgnoreUnmodeledPropertyChanges``.
  ///
  /// - Parameter key: The name of the property.
  public func didChangeValue(forKey key: String) {
    didChangeValue(forKey: key) { _, _ in .setting }
  }

  // MARK: Sets

  /// Announces that the members of a to-many relationship will be changed with primitive access.
  ///
  /// - Parameters:
  ///   - inKey: The name of the relationship.
  ///   - inMutationKind: The kind of the change.
  ///   - inObjects: The objects that are added, removed, kept or set.
  public func willChangeValue(
    forKey inKey: String,
    withSetMutation inMutationKind: NSKeyValueSetMutationKind,
    using inObjects: Set<AnyHashable>
  ) {
    let using = Set(inObjects.compactMap { $0.base as? NSManagedObject })
    willChangeValue(forKey: inKey) { before in
      switch inMutationKind {
      case .union: KeyValueChange(gained: Array(using.subtracting(before)))
      case .minus: KeyValueChange(lost: before.filter(using.contains))
      case .intersect: KeyValueChange(lost: before.filter { !using.contains($0) })
      case .set:
        KeyValueChange(
          gained: Array(using.subtracting(before)),
          lost: before.filter { !using.contains($0) }
        )
      }
    }
  }

  /// Announces that the members of a to-many relationship were changed with primitive access.
  ///
  /// The change is recorded, the inverse relationship is updated, and observers are notified.
  ///
  /// - Parameters:
  ///   - inKey: The name of the relationship.
  ///   - inMutationKind: The kind of the change.
  ///   - inObjects: The objects that were added, removed, kept or set.
  public func didChangeValue(
    forKey inKey: String,
    withSetMutation inMutationKind: NSKeyValueSetMutationKind,
    using inObjects: Set<AnyHashable>
  ) {
    didChangeValue(forKey: inKey) { before, after in
      let gained = after.filter { !before.contains($0) }
      let lost = before.filter { !after.contains($0) }
      return switch inMutationKind {
      case .union: KeyValueChange(gained: gained)
      case .minus, .intersect: KeyValueChange(lost: lost)
      case .set: KeyValueChange(gained: gained, lost: lost)
      }
    }
  }

  // MARK: Places

  /// Announces that members of an ordered relationship will be changed with primitive access.
  ///
  /// - Parameters:
  ///   - changeKind: The kind of the change.
  ///   - indexes: The indexes of the members.
  ///   - key: The name of the relationship.
  public func willChange(
    _ changeKind: NSKeyValueChange,
    valuesAt indexes: IndexSet,
    forKey key: String
  ) {
    willChangeValue(forKey: key) { before in
      switch changeKind {
      case .setting: .setting
      case .insertion: KeyValueChange(gained: [])
      case .removal: KeyValueChange(lost: indexes.map { before[$0] })
      case .replacement: KeyValueChange(gained: [], lost: indexes.map { before[$0] })
      }
    }
  }

  /// Announces that members of an ordered relationship were changed with primitive access.
  ///
  /// The change is recorded, the inverse relationship is updated, and observers are notified.
  ///
  /// - Parameters:
  ///   - changeKind: The kind of the change.
  ///   - indexes: The indexes of the members.
  ///   - key: The name of the relationship.
  public func didChange(
    _ changeKind: NSKeyValueChange,
    valuesAt indexes: IndexSet,
    forKey key: String
  ) {
    didChangeValue(forKey: key) { before, after in
      switch changeKind {
      case .setting: .setting
      case .insertion: KeyValueChange(gained: indexes.map { after[$0] })
      case .removal: KeyValueChange(lost: before.filter { !after.contains($0) })
      case .replacement:
        KeyValueChange(
          gained: indexes.map { after[$0] },
          lost: before.filter { !after.contains($0) }
        )
      }
    }
  }
}

extension KeyValueObservable {
  /// Announces that a property will be changed with primitive access.
  ///
  /// - Parameter keyPath: The key path of the property.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    willChangeValue(forKey: key(of: keyPath))
  }

  /// Announces that a property was changed with primitive access.
  ///
  /// - Parameter keyPath: The key path of the property.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    didChangeValue(forKey: key(of: keyPath))
  }

  private func key<Value>(of keyPath: KeyPath<Self, Value>) -> String {
    guard let name = name(of: keyPath) else {
      stop("the key path of \(type(of: self)) that changes reads no property of the model")
    }
    return name
  }
}

// MARK: - Before and after

extension NSManagedObject {
  private func willChangeValue(
    forKey key: String,
    _ change: ([NSManagedObject]) -> KeyValueChange
  ) {
    guard let slot = layout.slot(named: key) else {
      willChangeUnmodelledValue(forKey: key)
      return
    }
    if isFault { fireFault(for: slot) }
    noteBefore(slot)
    if layout.slots[slot].kind.isRelationship { extras.relatedBefore[slot] = related(at: slot) }
    if watch.contains(.observed) {
      willChange(slot, change(existingExtras?.relatedBefore[slot] ?? []))
    }
  }

  private func didChangeValue(
    forKey key: String,
    _ change: ([NSManagedObject], [NSManagedObject]) -> KeyValueChange
  ) {
    guard let slot = layout.slot(named: key) else {
      didChangeUnmodelledValue(forKey: key)
      return
    }
    let before = existingExtras?.relatedBefore.removeValue(forKey: slot)
    recordChange(of: slot)
    if let before { mendInverse(of: slot, relatedBefore: before) }
    guard watch.contains(.observed) else { return }
    didChange(slot, change(before ?? [], before == nil ? [] : related(at: slot)))
  }

  private func related(at slot: Int) -> [NSManagedObject] {
    if layout.slots[slot].kind.isToMany { return loadedCollection(at: slot).members }
    return target(at: slot).map { [$0] } ?? []
  }

  private func mendInverse(of slot: Int, relatedBefore before: [NSManagedObject]) {
    let (before, after) = (Set(before), Set(related(at: slot)))
    let inverse = inverse(at: slot)
    for lost in before.subtracting(after) {
      noteBefore(slot, nil, lost)
      if let inverse { lost.lose(self, at: inverse) }
    }
    for gained in after.subtracting(before) {
      checkRelatable(gained, at: slot)
      noteBefore(slot, gained, nil)
      if let inverse { gained.gain(self, at: inverse, from: slot) }
    }
  }
}

// MARK: - Properties that the model lacks

extension NSManagedObject {
  private func willChangeUnmodelledValue(forKey key: String) {
    guard isObserved(key) else { return }
    willChange(key, ObservedChange(old: value(forKey: key), moment: .prior))
  }

  private func didChangeUnmodelledValue(forKey key: String) {
    if !type(of: self).contextShouldIgnoreChanges(forUnmodeledProperty: key) { recordChange() }
    guard isObserved(key) else { return }
    didChange(key) { $0.new = value(forKey: key) }
  }

  private func isObserved(_ key: String) -> Bool {
    existingExtras.map { !$0.observations.of(key).isEmpty } ?? false
  }
}
