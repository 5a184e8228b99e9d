import CoreData
import Foundation
@_spi(Reflection) import Swift
import Synchronization

// MARK: - Names of key paths

extension ModelType {
  /// The name of a property, or of several behind one another with points; `nil` for what is not stored.
  func name(of keyPath: AnyKeyPath) -> String? {
    let path = Immutable(keyPath)
    if let known = names.withLock({ $0[path] }) { return known }
    guard let found = findName(of: keyPath) else { return nil }
    names.withLock { $0[path] = found }
    return found
  }

  /// The same for what a predicate can look into, and without properties that are computed.
  func searchableName(of keyPath: AnyKeyPath) -> String? {
    guard let name = name(of: keyPath) else { return nil }
    guard let property = property(named: name), let form = property.form else { return name }
    switch form {
    case .json, .transformed, .unstored: return nil
    case .plain, .rawValues, .cases, .structure: return name
    }
  }

  private func findName(of keyPath: AnyKeyPath) -> String? {
    for property in lineage.flatMap(\.properties) where property.metadata.keypath == keyPath {
      return property.name
    }
    return elementName(of: keyPath) ?? recordedName(of: keyPath)
  }

  /// The name of an element of a structure: `place.city`.
  private func elementName(of keyPath: AnyKeyPath) -> String? {
    for property in lineage.flatMap(\.properties) {
      guard case .attribute(.structure(let shape)) = property.content else { continue }
      for field in shape.fieldKeyPaths {
        guard let whole = property.metadata.keypath.appending(path: field.keyPath) else { continue }
        if whole == keyPath { return "\(property.name).\(field.name)" }
      }
    }
    return nil
  }

  /// The names that are read when the key path is evaluated: `folder.name` of `\Note.folder?.name`.
  private func recordedName(of keyPath: AnyKeyPath) -> String? {
    PropertyRecorder.name(of: keyPath, over: detachedEntity)
  }

  func value(at keyPath: AnyKeyPath, of object: AnyObject) -> Any? {
    func read<Model: PersistentModel>(_: Model.Type) -> Any? {
      guard let keyPath = keyPath as? PartialKeyPath<Model>, let row = object as? ModelRow,
        let model = row.model as? Model
      else { return nil }
      return model[keyPath: keyPath]
    }
    let found = read(self.type)
    let value = (found as? any AnyOptionalType).map { $0.wrappedValue } ?? found
    switch value {
    case let model as any PersistentModel: return model.modelRow
    case let id as PersistentIdentifier: return id.knownObjectID
    case let value: return value
    }
  }
}

extension StructureShape {
  /// The key paths of the fields.
  var fieldKeyPaths: [(name: String, keyPath: AnyKeyPath)] {
    func collect<Value>(_: Value.Type) -> [(name: String, keyPath: AnyKeyPath)] {
      var found: [(name: String, keyPath: AnyKeyPath)] = []
      _forEachFieldWithKeyPath(of: Value.self) { name, keyPath in
        found.append((String(cString: name), keyPath))
        return true
      }
      return found
    }
    return _openExistential(type, do: collect)
  }
}
