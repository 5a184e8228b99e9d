import CoreData
package import CoreDataSQL
package import Foundation

/// One connection to a server, which speaks for one zone at a time: one thread at a time.
///
/// A statement is compiled on the server at its second use, and called by a name from then on; one with a long list of
/// values never is. The server plans a named statement once for all values, when it knows little of a table that was
/// empty a moment ago, and would go through all rows of the zone for each list as they become many.
package final class PostgreSQLConnection: SQLConnection {
  typealias Statement = PostgreSQLStatement

  package let wire: any PostgreSQLWire
  /// The zone whose rows statements read and write.
  package var zone: String
  /// The mark that single statements check first, outside of transactions; `nil` if no check is needed.
  private var mark: TablesMark?
  private let spelling: SQLSpelling
  /// Whether statements may have names: not if a pooler gives each transaction another connection.
  private let namesStatements: Bool
  package private(set) var changeCount = 0
  private var known: [StatementKey: Known] = [:]
  private var lastNumber = 0
  /// The prefix of the names of this connection: behind an undeclared pooler, a name of another connection would be a
  /// statement of another one.
  private let prefix = "coredata_\(String(UInt64.random(in: 0...UInt64.max), radix: 36))_"
  /// The requests that begin a transaction, which go in the trip of the next ones.
  private var beginning: [PostgreSQLRequest] = []
  /// Whether the server keeps statements whose names are forgotten here.
  private var hasLeftovers = false
  /// The address under which the statements are measured; `nil` for work that no request waits for.
  private let measuredStore: URL?

  private struct StatementKey: Hashable {
    let sql: String
    let types: [UInt32]
  }

  private enum Known {
    case once
    case named(String)
  }

  private static let mostStatements = 500
  private static let mostPlacesOfNamed = 100

  package init(
    _ wire: any PostgreSQLWire,
    zone: String,
    namesStatements: Bool,
    measuredAs store: URL? = nil
  ) {
    self.wire = wire
    measuredStore = store
    self.zone = zone
    self.namesStatements = namesStatements
    spelling = PostgreSQLDialect().spelling
  }

  deinit {
    wire.close()
  }

  package var isInTransaction: Bool { wire.isInTransaction }
}

// MARK: - Statements

extension PostgreSQLConnection {
  // Other modules must see it too: they would take the requirement of the protocol, which is not disfavoured.
  @_disfavoredOverload
  package func statement(_ sql: String) throws(PostgreSQLError) -> PostgreSQLStatement {
    PostgreSQLStatement(sql, places: sql.placeCount - 1, on: self)
  }

  package func statement(_ fragment: SQLFragment) throws(PostgreSQLError) -> PostgreSQLStatement {
    let rendered = fragment.rendered(for: spelling)
    let statement = PostgreSQLStatement(
      rendered.sql,
      places: rendered.bindings.count,
      on: self
    )
    for (index, value) in rendered.bindings.enumerated() {
      if let value { statement.bind(own: value, at: index) }
    }
    return statement
  }

  package func run(_ fragment: SQLFragment) throws(PostgreSQLError) {
    try statement(fragment).run()
  }

  package func integer(_ fragment: SQLFragment) throws(PostgreSQLError) -> Int64? {
    let statement = try statement(fragment)
    defer { statement.reset() }
    return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
  }
}

extension String {
  /// The highest place for a value in a text with names and texts in quotes; the zone's is the first.
  fileprivate var placeCount: Int {
    var (highest, current) = (1, -1)
    var quote: UInt8?
    for byte in utf8 {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "$"): current = 0
      case UInt8(ascii: "0")...UInt8(ascii: "9") where current >= 0:
        current = min(current * 10 + Int(byte - 48), 65_536)
        highest = max(highest, current)
      case _: current = -1
      }
    }
    return highest
  }
}

// MARK: - Running

extension PostgreSQLConnection {
  /// Runs one statement with values for all places but the zone's.
  func run(
    _ sql: String,
    _ types: [UInt32],
    _ values: [SQLValue]
  ) throws(PostgreSQLError) -> any PostgreSQLRows {
    let request = try request(sql, types, values)
    guard let mark, !isInTransaction else { return try run([request])[0] }
    return try run([mark.request(in: zone), request])[1]
  }

  /// A statement with values for all places but the zone's.
  func request(
    _ sql: String,
    _ types: [UInt32],
    _ values: [SQLValue]
  ) throws(PostgreSQLError) -> PostgreSQLRequest {
    // libpq would take the statement to end there.
    if sql.utf8.contains(0) { throw .zeroInText }
    var packed = PostgreSQLValues()
    packed.append(text: zone)
    for value in values {
      if case .text(let text) = value, text.utf8.contains(0) { throw .zeroInText }
      packed.append(value)
    }
    return PostgreSQLRequest(sql: sql, types: types, values: packed)
  }

  /// Runs something that only makes sense as long as the tables are what they were.
  func expecting<Result>(
    _ mark: TablesMark,
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    self.mark = mark
    defer { self.mark = nil }
    return try body(self)
  }

  /// Runs something whose statements the server is to stop when the fetch is cancelled for which they are.
  func reading<Result>(
    for control: FetchControl?,
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    guard let control else { return try body(self) }
    // Another fetch may have had the connection for long.
    if control.isCancelled { throw .givenUp() }
    wire.isGivenUp = { control.isCancelled }
    defer { wire.isGivenUp = nil }
    return try body(self)
  }

  /// Begins a transaction as soon as something is run, in the same trip.
  ///
  /// So an error of the beginning is told by what is run next.
  func begin(with requests: [PostgreSQLRequest]) { beginning = requests }

  private func takenBeginning() -> [PostgreSQLRequest] {
    defer { beginning = [] }
    return beginning
  }

  /// Runs statements in one round trip; the first place of each is the zone's.
  ///
  /// With the name of a savepoint they run in one, in the same round trip: if one is refused, the savepoint stays,
  /// and the transaction can go on from it.
  package func run(
    _ wanted: [PostgreSQLRequest],
    inSavepoint savepoint: String? = nil
  ) throws(PostgreSQLError) -> [any PostgreSQLRows] {
    try run(wanted, savepoint, ending: [])
  }

  /// Ends the transaction behind statements, in their trip: if one of them is refused, nothing is committed.
  ///
  /// A statement that follows is in the same trip, and a transaction of its own.
  @discardableResult
  func commit(
    behind requests: [PostgreSQLRequest],
    followedBy next: String? = nil
  ) throws(PostgreSQLError) -> [any PostgreSQLRows] {
    let ending = [Self.commit] + [next].compactMap(\.self)
    guard requests.isEmpty else { return try run(requests, nil, ending: ending) }
    try run(plain: ending.joined(separator: "; "))
    return []
  }

  private static let commit = "COMMIT"

  private func run(
    _ wanted: [PostgreSQLRequest],
    _ savepoint: String?,
    ending: [String]
  ) throws(PostgreSQLError) -> [any PostgreSQLRows] {
    let beginning = takenBeginning()
    let requests = beginning + wanted
    assert(requests.allSatisfy(\.namesZone), "a statement reads or writes rows of all zones")
    if known.count > Self.mostStatements || hasLeftovers && !isInTransaction { forgetStatements() }
    var learned: [(StatementKey, Known)] = []
    var commands = requests.map { request in
      let zone = request.isBeginning ? [] : [PostgreSQLType.text]
      let key = StatementKey(sql: request.sql, types: zone + request.types)
      guard namesStatements, !request.isPlannedEachTime, key.types.count <= Self.mostPlacesOfNamed
      else {
        return PostgreSQLCommand(name: "", sql: key.sql, types: key.types, values: request.values)
      }
      return command(for: key, request.values, &learned)
    }
    if let savepoint {
      commands.insert(PostgreSQLCommand(plain: "SAVEPOINT \(savepoint)"), at: beginning.count)
      commands.append(PostgreSQLCommand(plain: "RELEASE SAVEPOINT \(savepoint)"))
    }
    commands += ending.map { PostgreSQLCommand(plain: $0) }
    do throws(PostgreSQLError) {
      let start = MeterHub.isOn ? ContinuousClock.now : nil
      var rows = Array(try wire.run(commands).dropFirst(beginning.count))
      rows.removeLast(ending.count)
      if savepoint != nil { rows = Array(rows.dropFirst().dropLast()) }
      let counts = rows.map(\.rowCount) + ending.map { _ in 0 }
      if let start { tell(wanted.map(\.sql) + ending, counts, since: start) }
      for (key, now) in learned { known[key] = now }
      changeCount = rows.last?.changeCount ?? 0
      return rows
    } catch {
      // Which of them the server has compiled is not known.
      if !learned.isEmpty || error.isStalePlan { forgetStatements() }
      throw error.meant
    }
  }

  private func command(
    for key: StatementKey,
    _ values: PostgreSQLValues,
    _ learned: inout [(StatementKey, Known)]
  ) -> PostgreSQLCommand {
    let justLearned = learned.last { $0.0 == key }?.1
    switch justLearned ?? known[key] {
    case .named(let name):
      return PostgreSQLCommand(name: name, sql: nil, types: key.types, values: values)
    case .once where justLearned == nil:
      lastNumber += 1
      let name = prefix + String(lastNumber)
      learned.append((key, .named(name)))
      return PostgreSQLCommand(name: name, sql: key.sql, types: key.types, values: values)
    case .once, nil:
      if justLearned == nil { learned.append((key, .once)) }
      return PostgreSQLCommand(name: "", sql: key.sql, types: key.types, values: values)
    }
  }

  /// Names are never used again, so that one which the server keeps does no harm.
  private func forgetStatements() {
    known.removeAll()
    guard namesStatements, !wire.isLost else { return }
    do throws(PostgreSQLError) {
      try wire.run("DEALLOCATE ALL")
      hasLeftovers = false
    } catch {
      // A failed transaction takes no command; the next one outside of it frees them.
      hasLeftovers = true
    }
  }

  /// Runs statements without values.
  package func run(plain sql: String) throws(PostgreSQLError) {
    if !beginning.isEmpty { _ = try run([]) }
    do throws(PostgreSQLError) {
      let start = MeterHub.isOn ? ContinuousClock.now : nil
      try wire.run(sql)
      if let start { tell([sql], [0], since: start) }
    } catch {
      throw error.meant
    }
  }

  /// Tells the meters of a trip; one that fails is not told.
  ///
  /// The questions about tables and zone are a part of each trip, and left out.
  private func tell(
    _ statements: [String],
    _ rowCounts: [Int32],
    since start: ContinuousClock.Instant
  ) {
    guard let measuredStore else { return }
    let time = ContinuousClock.now - start
    let all = Array(zip(statements, rowCounts))
    let own = all.filter { !$0.0.contains(" FROM z_model") }
    let told = own.isEmpty ? all : own
    MeterHub.ofProcess.ran(
      told.map(\.0),
      at: measuredStore,
      in: time,
      rowCount: told.reduce(0) { $0 + Int($1.1) }
    )
  }
}

/// A statement with its values, the zone's first.
package struct PostgreSQLRequest {
  /// A statement that begins a transaction.
  ///
  /// It does not have values, not even the zone. To take a value, a server looks at the moment that the transaction
  /// will see, and from then on it refuses to give the transaction another level of isolation than the user's usual
  /// one.
  init(beginning sql: String) {
    self.init(sql: sql, types: [], values: PostgreSQLValues())
    isBeginning = true
  }

  /// A statement without values of its own.
  init(_ sql: String, zone: String) {
    self.sql = sql
    types = []
    values = PostgreSQLValues()
    values.append(text: zone)
  }

  package init(sql: String, types: [UInt32], values: PostgreSQLValues) {
    self.sql = sql
    self.types = types
    self.values = values
  }

  var sql: String
  /// The types of the places behind the zone's.
  var types: [UInt32]
  var values: PostgreSQLValues
  /// Whether the server must not keep its plan: a good plan for a small table stays slow in a large one.
  var isPlannedEachTime = false
  /// Whether it begins a transaction, and takes no zone.
  private(set) var isBeginning = false

  /// Whether it names the zone if it names a table of the model.
  var namesZone: Bool { !sql.contains("\"Z") || sql.contains("z_zone") }
}
