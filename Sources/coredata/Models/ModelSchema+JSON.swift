import CoreDataModel
import Foundation

/// A model as JSON; absent and false values are left out.
extension ModelSchema {
  var json: [String: Any] {
    present([
      "entities": entities.map(\.json),
      "configurations": configurations.mapValues { $0.sorted() },
      "fetchRequests": fetchRequestTemplates.map(\.json),
      "versionIdentifiers": versionIdentifiers.sorted(),
    ])
  }
}

/// The fields that say something.
private func present(_ fields: [String: Any?]) -> [String: Any] {
  fields.compactMapValues { value in
    switch value {
    case let flag as Bool: flag ? flag : nil
    case let list as [Any]: list.isEmpty ? nil : list
    case let fields as [String: Any]: fields.isEmpty ? nil : fields
    case let text as String: text.isEmpty ? nil : text
    case let value: value
    }
  }
}

extension EntitySchema {
  fileprivate var json: [String: Any] {
    present([
      "name": name, "class": className == "NSManagedObject" ? nil : className,
      "abstract": isAbstract, "superentity": superentityName,
      "attributes": attributes.map(\.json),
      "relationships": relationships.map(\.json),
      "fetchedProperties": fetchedProperties.map(\.json),
      "indexes": indexes.map(\.json),
      "uniquenessConstraints": uniquenessConstraints, "userInfo": userInfo,
      "versionHashModifier": versionHashModifier, "renamingIdentifier": renamingIdentifier,
      "codeGeneration": codeGeneration == .manual ? nil : codeGeneration.rawValue,
    ])
  }
}

extension AttributeSchema {
  fileprivate var json: [String: Any] {
    present([
      "name": name, "type": type.word, "optional": isOptional, "transient": isTransient,
      "default": defaultValue?.json, "validations": validations.map(\.json),
      "scalar": usesScalarValueType, "class": customClassName,
      "transformer": valueTransformerName,
      "externalStorage": allowsExternalBinaryDataStorage,
      "preservedAfterDeletion": preservesValueInHistoryOnDeletion,
      "cloudEncryption": allowsCloudEncryption, "spotlight": isIndexedBySpotlight,
      "truthFile": isStoredInTruthFile, "derivation": derivationExpression,
      "derivationFilter": derivationFilterFormat, "elements": elements.map(\.json),
      "userInfo": userInfo, "versionHashModifier": versionHashModifier,
      "renamingIdentifier": renamingIdentifier,
    ])
  }
}

extension SchemaValue {
  /// The value, if JSON can express it; else its text.
  fileprivate var json: Any {
    switch self {
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): number
    case .real(let number) where number.isFinite: number
    case .text(let text): text
    case .data(let data): data.base64EncodedString()
    case .real, .decimal, .date, .uuid, .uri, .archived: description
    }
  }
}

extension ValidationSchema {
  fileprivate var json: [String: Any] {
    switch warning {
    case .code(let code): ["predicate": predicateFormat, "code": code]
    case .message(let text): ["predicate": predicateFormat, "message": text]
    }
  }
}

extension RelationshipSchema {
  fileprivate var json: [String: Any] {
    present([
      "name": name, "destination": destinationName, "inverse": inverseName,
      "optional": isOptional, "transient": isTransient, "toMany": isToMany,
      "ordered": isOrdered, "minimum": minCount == 0 ? nil : minCount,
      "maximum": maxCount < 2 ? nil : maxCount, "deleteRule": deleteRule.word,
      "spotlight": isIndexedBySpotlight, "truthFile": isStoredInTruthFile,
      "userInfo": userInfo, "versionHashModifier": versionHashModifier,
      "renamingIdentifier": renamingIdentifier,
    ])
  }
}

extension FetchedPropertySchema {
  fileprivate var json: [String: Any] {
    present([
      "name": name, "optional": isOptional, "request": request.json, "userInfo": userInfo,
      "versionHashModifier": versionHashModifier, "renamingIdentifier": renamingIdentifier,
    ])
  }
}

extension FetchRequestSchema {
  fileprivate var json: [String: Any] {
    present([
      "name": name, "entity": entityName, "predicate": predicateFormat,
      "sort": sortDescriptors.map {
        ["key": $0.key, "ascending": $0.isAscending] as [String: Any]
      },
      "limit": fetchLimit == 0 ? nil : fetchLimit,
      "offset": fetchOffset == 0 ? nil : fetchOffset,
      "batchSize": fetchBatchSize == 0 ? nil : fetchBatchSize,
    ])
  }
}

extension FetchIndexSchema {
  fileprivate var json: [String: Any] {
    present([
      "name": name, "where": partialPredicateFormat,
      "elements": elements.map { element -> [String: Any] in
        let subject: (key: String, text: String) =
          switch element.subject {
          case .property(let name): ("property", name)
          case .expression(let format): ("expression", format)
          }
        return present([
          subject.key: subject.text, "descending": !element.isAscending,
          "type": element.collation == .rTree ? "RTree" : nil,
        ])
      },
    ])
  }
}
