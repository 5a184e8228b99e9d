/// The members of an object of JSON, by their names.
///
/// ```swift
/// guard case .object(let members) = value, case .text(let title)? = members["title"] else { … }
/// ```
///
/// Most objects have a few members. They are in a list, which takes less memory than a table; an object with more has a
/// table, so that nobody can send one in which each name takes longer to find than the one before.
public struct JSONMembers: Sendable {
  private enum Storage: Sendable {
    case few([Member])
    case many([String: JSONValue])
  }

  public typealias Member = (name: String, value: JSONValue)

  private var storage = Storage.few([])

  /// How many are looked at one after the other.
  private static let few = 8

  public init() {}

  /// The value of a member; of several that are set under one name the last counts.
  ///
  /// Set to nil, the member is taken away.
  public subscript(name: String) -> JSONValue? {
    get {
      switch storage {
      case .few(let members): members.first { $0.name == name }?.value
      case .many(let table): table[name]
      }
    }
    set {
      switch storage {
      case .few(var members):
        // There is one owner of the list while it changes.
        storage = .few([])
        let place = members.firstIndex { $0.name == name }
        switch (place, newValue) {
        case (let place?, let value?): members[place].value = value
        case (let place?, nil): members.remove(at: place)
        case (nil, let value?): members.append((name, value))
        case (nil, nil): break
        }
        storage = members.count > Self.few ? .many(Self.table(of: members)) : .few(members)
      case .many(var table):
        storage = .few([])
        table[name] = newValue
        storage = .many(table)
      }
    }
  }

  /// The names, in no order that means something.
  public var names: [String] { map { $0.name } }

  /// The members as a dictionary.
  public var table: [String: JSONValue] {
    switch storage {
    case .few(let members): Self.table(of: members)
    case .many(let table): table
    }
  }

  private static func table(of members: [Member]) -> [String: JSONValue] {
    Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }
  }
}

extension JSONMembers: Sequence {
  public func makeIterator() -> AnyIterator<Member> {
    switch storage {
    case .few(let members): return AnyIterator(members.makeIterator())
    case .many(let table):
      var rest = table.makeIterator()
      return AnyIterator { rest.next().map { ($0.key, $0.value) } }
    }
  }
}

extension JSONMembers: Hashable {
  public static func == (one: JSONMembers, other: JSONMembers) -> Bool { one.table == other.table }

  public func hash(into hasher: inout Hasher) { hasher.combine(table) }
}

extension JSONMembers: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    for (name, value) in members { self[name] = value }
  }
}

extension JSONMembers: Encodable {
  public func encode(to encoder: any Encoder) throws { try table.encode(to: encoder) }
}
