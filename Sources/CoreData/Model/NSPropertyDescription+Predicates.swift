package import CoreDataPredicates
import Foundation

/// A predicate of a fetched property reads the property's description as `$FETCHED_PROPERTY`:
///
/// ```
/// comment CONTAINS[cd] $FETCHED_PROPERTY.userInfo.search
/// kind == $FETCHED_PROPERTY.entity.name
/// ```
extension NSPropertyDescription: KeyValueReadable {
  package func keyValue(_ key: String) throws(EvaluationError) -> Any? {
    switch key {
    case "name": name
    case "entity": declaringEntity
    case "userInfo": userInfo ?? [:]
    case "isOptional", "optional": isOptional
    case "isTransient", "transient": isTransient
    case "renamingIdentifier": renamingIdentifier
    case "versionHashModifier": versionHashModifier
    case _: throw EvaluationError("\(self) has no value for the key \"\(key)\"")
    }
  }
}

extension NSEntityDescription: KeyValueReadable {
  package func keyValue(_ key: String) throws(EvaluationError) -> Any? {
    switch key {
    case "name": name
    case "managedObjectClassName": managedObjectClassName
    case "userInfo": userInfo ?? [:]
    case "isAbstract", "abstract": isAbstract
    case "renamingIdentifier": renamingIdentifier
    case "superentity": superentity
    case "versionHash": versionHash
    case "versionHashModifier": versionHashModifier
    case _: throw EvaluationError("\(self) has no value for the key \"\(key)\"")
    }
  }
}
