public import Foundation

/// A query in SQL that names entities by classes and properties by key paths, and binds its values.
///
/// ```swift
/// let query: SQLQuery = """
///   SELECT \(\Note.title) AS title, RANK() OVER (ORDER BY \(\Note.stars) DESC) AS place
///   FROM \(Note.self)
///   WHERE \(\Note.created) > \(Date(timeIntervalSinceNow: -86_400))
///   """
/// ```
///
/// The text of the literal is the SQL of the store's database, SQLite or PostgreSQL, including common table expressions and
/// window functions. You can interpolate these:
///
/// | interpolation | in the statement |
/// |---|---|
/// | `\(Note.self)` | the table of the entity, with the entity's name as its alias |
/// | `\(Note.self, as: "n")` | the same, with another alias |
/// | `\(\Note.title)` | the column of an attribute, or of a to-one relationship: the key of the object |
/// | `\(\Note.title, in: "n")` | the same, of the table with that alias |
/// | `\(\Note.objectID)` | the key of an object |
/// | `\(objects: Note.self)` | all columns that an object is made of; see ``NSManagedObjectContext/objects(of:as:in:)`` |
/// | `\(pairs: \Note.tags, as: "p")` | a table with the columns `owner`, `member` and, of an ordered relationship, `place` |
/// | `\(entity: "Note")`, `\(property: "title", of: "Note")` … | the same by names |
/// | `\(title)` | a value, which is bound; see ``SQLQueryValue`` |
/// | `\([1, 2, 3])` | values in parentheses, each of them bound: `IN \([1, 2, 3])` |
/// | `\(query)` | another query, such as a condition |
///
/// A table has the rows of an entity and of its subentities. Names are looked up when the query is used; a name that
/// the model does not have is an error before anything runs.
///
/// A `String` that is interpolated is a value, and a query is made from a literal only, so that no text from
/// elsewhere can become SQL: `SQLQuery(stringLiteral: text)` does not compile.
public struct SQLQuery: Sendable {
  package let pieces: [Piece]

  /// A part of a query before its names are looked up.
  package enum Piece: Sendable {
    case text(String)
    case table(EntityChoice, alias: String?)
    case column(PropertyChoice, alias: String?)
    /// Everything that an object is made of.
    case objects(EntityChoice, alias: String?)
    case pairs(PropertyChoice, alias: String)
    case value(Value)
    case list([Value])
  }

  /// How somebody has named an entity.
  package enum EntityChoice: Sendable {
    case type(NSManagedObject.Type)
    case name(String)
  }

  /// How somebody has named a property.
  package enum PropertyChoice: Sendable {
    case path(PropertyRecorder.Path, of: NSManagedObject.Type)
    case name(String, of: String)
  }

  /// A value as a statement binds it.
  public enum Value: Hashable, Sendable {
    /// No value: `NULL`.
    case null
    /// A whole number, or a Boolean value as 0 or 1.
    case integer(Int64)
    /// A number, or a date as seconds since 1 January 2001.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes, or the 16 bytes of a UUID.
    case data(Data)
    /// The key of an object.
    case object(NSManagedObjectID)
  }
}

// MARK: - Literals

extension SQLQuery: ExpressibleByStringInterpolation {
  /// Creates a query from a literal without interpolations.
  ///
  /// - Parameter value: The text of the literal, which is known when the program is compiled.
  public init(stringLiteral value: StaticString) {
    pieces = [.text(value.description)]
  }

  /// Creates a query from a literal with interpolations.
  ///
  /// - Parameter stringInterpolation: The parts of the literal.
  public init(stringInterpolation: StringInterpolation) {
    pieces = stringInterpolation.pieces
  }

  /// The parts of a query's literal; the compiler calls its methods.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var pieces: [Piece] = []

    /// Creates an interpolation without parts.
    ///
    /// - Parameters:
    ///   - literalCapacity: The approximate size of the literal parts.
    ///   - interpolationCount: The number of interpolations.
    public init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Adds SQL.
    ///
    /// - Parameter literal: A part of the literal.
    public mutating func appendLiteral(_ literal: StaticString) {
      pieces.append(.text(literal.description))
    }
  }
}

// MARK: - Entities

extension SQLQuery.StringInterpolation {
  /// Adds the table of an entity.
  ///
  /// - Parameters:
  ///   - type: The class of the entity, which no other entity of the model has.
  ///   - alias: The name of the table in this query; the entity's by default.
  public mutating func appendInterpolation<Object: NSManagedObject>(
    _ type: Object.Type,
    as alias: String? = nil
  ) {
    pieces.append(.table(.type(type), alias: alias))
  }

  /// Adds the table of an entity.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - alias: The name of the table in this query; the entity's by default.
  public mutating func appendInterpolation(entity: String, as alias: String? = nil) {
    pieces.append(.table(.name(entity), alias: alias))
  }

  /// Adds all columns that objects of an entity are made of, for the beginning of the list behind `SELECT`.
  ///
  /// - Parameters:
  ///   - type: The class of the entity.
  ///   - alias: The name of its table in this query; the entity's by default.
  public mutating func appendInterpolation<Object: NSManagedObject>(
    objects type: Object.Type,
    in alias: String? = nil
  ) {
    pieces.append(.objects(.type(type), alias: alias))
  }

  /// Adds all columns that objects of an entity are made of, for the beginning of the list behind `SELECT`.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - alias: The name of its table in this query; the entity's by default.
  public mutating func appendInterpolation(objectsOf entity: String, in alias: String? = nil) {
    pieces.append(.objects(.name(entity), alias: alias))
  }
}

// MARK: - Properties

extension SQLQuery.StringInterpolation {
  /// Adds the column of an attribute or of a to-one relationship.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property, or `\.objectID` for the key of the object.
  ///   - alias: The name of the table in this query; that of the key path's entity by default.
  public mutating func appendInterpolation<Object: NSManagedObject, Value>(
    _ keyPath: KeyPath<Object, Value>,
    in alias: String? = nil
  ) {
    let choice = SQLQuery.PropertyChoice.path(PropertyRecorder.Path(keyPath), of: Object.self)
    pieces.append(.column(choice, alias: alias))
  }

  /// Adds the column of an attribute or of a to-one relationship.
  ///
  /// - Parameters:
  ///   - property: The name of the property; of an element of a composite attribute the key path, such as
  ///     `address.city`; `objectID` for the key of the object.
  ///   - entity: The name of the entity.
  ///   - alias: The name of the table in this query; the entity's by default.
  public mutating func appendInterpolation(
    property: String,
    of entity: String,
    in alias: String? = nil
  ) {
    pieces.append(.column(.name(property, of: entity), alias: alias))
  }

  /// Adds a table with the keys of the objects that a relationship connects, in the columns `owner` and `member`.
  ///
  /// An ordered relationship has a column `place` as well.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of a relationship.
  ///   - alias: The name of the table in this query.
  public mutating func appendInterpolation<Object: NSManagedObject, Value>(
    pairs keyPath: KeyPath<Object, Value>,
    as alias: String
  ) {
    let choice = SQLQuery.PropertyChoice.path(PropertyRecorder.Path(keyPath), of: Object.self)
    pieces.append(.pairs(choice, alias: alias))
  }

  /// Adds a table with the keys of the objects that a relationship connects, in the columns `owner` and `member`.
  ///
  /// An ordered relationship has a column `place` as well.
  ///
  /// - Parameters:
  ///   - relationship: The name of a relationship.
  ///   - entity: The name of the entity that has it.
  ///   - alias: The name of the table in this query.
  public mutating func appendInterpolation(
    pairs relationship: String,
    of entity: String,
    as alias: String
  ) {
    pieces.append(.pairs(.name(relationship, of: entity), alias: alias))
  }
}

// MARK: - Values

extension SQLQuery.StringInterpolation {
  /// Adds a value, which is bound.
  ///
  /// - Parameter value: The value.
  public mutating func appendInterpolation<Value: SQLQueryValue>(_ value: Value) {
    pieces.append(.value(value.sqlValue))
  }

  /// Adds a value, which is bound, or `NULL`.
  ///
  /// Nothing equals `NULL` in SQL: write `IS \(value)` for a value that may be missing.
  ///
  /// - Parameter value: The value; `nil` is `NULL`.
  public mutating func appendInterpolation<Value: SQLQueryValue>(_ value: Value?) {
    pieces.append(.value(value?.sqlValue ?? .null))
  }

  /// Adds values in parentheses, each of which is bound.
  ///
  /// - Parameter values: The values, at most 32,766 in a query. An empty array becomes an empty list, in which no value is
  ///   found.
  public mutating func appendInterpolation<Value: SQLQueryValue>(_ values: [Value]) {
    pieces.append(.list(values.map(\.sqlValue)))
  }

  /// Adds a query, or a part of one.
  ///
  /// - Parameter query: SQL from a literal, with its values.
  public mutating func appendInterpolation(_ query: SQLQuery) {
    pieces += query.pieces
  }
}
