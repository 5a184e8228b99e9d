package import CoreDataSQLite
import Foundation

/// The reason why a query in SQL failed: the part of it, and a remedy.
package struct SQLQueryFailure: Error, Hashable {
  let cause: Cause
  /// The statement, as far as its names were found.
  var sql: String?

  package init(_ cause: Cause, sql: String? = nil) {
    self.cause = cause
    self.sql = sql
  }

  package enum Cause: Hashable {
    case unknownEntity(String, known: [String])
    /// A class that no entity of the model has, or several.
    case unclearClass(String, entities: [String])
    case unknownProperty(String, entity: String, known: [String])
    /// A key path that reads nothing, or several properties.
    case namelessKeyPath(String)
    case beyondRelationship(String, relationship: String, entity: String)
    case notStored(String, entity: String)
    case composite(String, entity: String, elements: [String])
    case toMany(String, entity: String)
    case noRelationship(String, entity: String)
    case mayBeInFile(String, entity: String)
    case objectOfOtherStore(String)
    case otherStore(type: String, path: String)
    case noStore(entities: [String])
    case severalStores([String])
    case refused(ReadingRefusal)
    case server(message: String, wouldWrite: Bool)
    /// A table that has rows of all zones.
    case sharedTable(String)
    /// A function, or a way to write names, by which a query could reach such a table without naming it.
    case hiddenTable(String)
    /// The rows are not those of objects of the entity.
    case noObjects(entity: String, columns: [String])
    case noKey(entity: String, row: Int)
  }
}

// MARK: - Words

extension SQLQueryFailure {
  package var error: NSError {
    var userInfo: [String: Any] = [:]
    if case .refused(.sqlite(let error)) = cause {
      userInfo[NSSQLiteErrorDomain] = NSNumber(value: error.code)
    }
    let statement = sql.map { " The statement is: \($0)" } ?? ""
    return FailureText(
      description: "The query in SQL cannot be answered.",
      reason: reason + statement,
      suggestion: suggestion
    ).error(code: NSPersistentStoreUnsupportedRequestTypeError, userInfo: userInfo)
  }

  private var reason: String {
    switch cause {
    case .unknownEntity(let name, _): "The model has no entity \(name)."
    case .unclearClass(let name, let entities) where entities.isEmpty:
      "No entity of the model has the class \(name)."
    case .unclearClass(let name, let entities):
      "Several entities have the class \(name): \(Self.list(entities))."
    case .unknownProperty(let name, let entity, _): "\(entity) has no property \(name)."
    case .namelessKeyPath(let path): "\(path) does not lead to a single property of the model."
    case .beyondRelationship(let path, let relationship, let entity):
      "\(path) leads through the relationship \(entity).\(relationship) to another table."
    case .notStored(let name, let entity): "\(entity).\(name) is not stored."
    case .composite(let name, let entity, _): "\(entity).\(name) is a composite attribute."
    case .toMany(let name, let entity):
      "\(entity).\(name) is a to-many relationship, which is no column."
    case .noRelationship(let name, let entity): "\(entity).\(name) is no relationship."
    case .mayBeInFile(let name, let entity):
      "The values of \(entity).\(name) may stand in files beside the store."
    case .objectOfOtherStore(let id): "\(id) is no object of the store that is asked."
    case .otherStore(let type, let path):
      "\(path) is a store of the type “\(type)”, which does not speak SQL."
    case .noStore(let entities): "No store has all of the entities \(Self.list(entities))."
    case .severalStores(let paths): "Several stores could answer: \(Self.list(paths))."
    case .refused(let refusal): refusal.reason
    case .server(_, wouldWrite: true):
      "The query would change something, and queries only read."
    case .server(let message, _): "The server says: \(message)".asSentence
    case .sharedTable(let name): "The query names the table \(name), which has rows of all zones."
    case .hiddenTable(let name):
      "The query uses \(name), which may read a table with rows of all zones."
    case .noObjects(let entity, let columns):
      "The columns of the query are no objects of \(entity): \(Self.list(columns))."
    case .noKey(let entity, let row): "The row \(row + 1) has no key of an object of \(entity)."
    }
  }

  private var suggestion: String {
    switch cause {
    case .unknownEntity(_, let known): "Its entities are \(Self.list(known))."
    case .unclearClass: "Name the entity: \\(entity: \"…\") and \\(property: \"…\", of: \"…\")."
    case .unknownProperty(_, _, let known): "Its properties are \(Self.list(known))."
    case .namelessKeyPath:
      "Name the property: \\(property: \"…\", of: \"…\"). A key path has a name once a model with its class is loaded."
    case .beyondRelationship(_, let relationship, let entity):
      "Join the other entity's table ON \\(\\\(entity).\(relationship)) = its \\(\\….objectID), and name its property."
    case .notStored: "Use a stored attribute, or compute the value from others."
    case .composite(_, _, let elements): "Name one of its elements: \(Self.list(elements))."
    case .toMany(let name, let entity):
      "Join \\(pairs: \\\(entity).\(name), as: \"p\"), a table with the columns owner and member."
    case .noRelationship: "Use its column instead."
    case .mayBeInFile: "Select the objects, and read the attribute there."
    case .objectOfOtherStore: "Save the object first, or take one of this store."
    case .otherStore: "Use an NSFetchRequest, or a store of the type NSSQLiteStoreType."
    case .noStore: "Use entities of one store, or an NSFetchRequest for each store."
    case .severalStores: "Say which one with the parameter store."
    case .refused(let refusal): refusal.suggestion
    case .server(_, wouldWrite: true):
      "Change objects in a context, or use a batch request."
    case .server:
      "Correct the query. Tables have the names of their entities, in quotation marks: \\(Note.self) is called \"Note\"."
    case .sharedTable, .hiddenTable: "Interpolate the entity, as in \\(Note.self)."
    case .noObjects(let entity, _):
      "Begin with SELECT \\(objects: \(entity).self), or select \\(\\\(entity).objectID) alone."
    case .noKey: "Leave such rows out, for example with an inner join."
    }
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

extension ReadingRefusal {
  fileprivate var reason: String {
    switch self {
    case .empty: "The query is empty."
    case .several: "The query has more than one statement."
    case .noColumns: "The query gives no rows."
    case .changes(let what): "The query would \(what), and queries only read."
    case .openPlace: "The query has a place for a value, such as ? or :name, and no value for it."
    case .sqlite(let error): "SQLite says: \(error.message)".asSentence
    }
  }

  fileprivate var suggestion: String {
    switch self {
    case .empty, .several, .noColumns: "Write one statement that begins with SELECT or WITH."
    case .changes: "Change objects in a context, or use a batch request."
    case .openPlace: "Interpolate the value: \\(value)."
    case .sqlite:
      "Correct the query. Tables have the names of their entities: \\(Note.self) is called Note."
    }
  }
}
