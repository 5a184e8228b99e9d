import CoreData
import CoreDataCPostgreSQL
import Foundation

/// A connection of libpq.
///
/// Passwords are in the address that libpq gets, and in none of the errors: libpq repeats an address that it cannot
/// read, and there they are replaced (``PostgreSQLAddress/withoutSecrets(_:)``).
final class LibPQConnection: PostgreSQLWire {
  let connection: OpaquePointer
  private var isOpen = true
  var limit: Duration?
  /// The time when the answer to the last message is overdue.
  private var end: ContinuousClock.Instant?
  /// The limit that was over, if that has ended the connection.
  private var passedLimit: Duration?
  var isGivenUp: (@Sendable () -> Bool)?
  /// Checks whether the awaited answer is still wanted; `nil` if it always is.
  private var withdrawal: LibPQWithdrawal?
  /// Whether the connection has ended because the server did not stop.
  private var wasGivenUp = false

  /// Takes a connection that is there, so that the maker closes it after a failed attempt.
  private init(_ connection: OpaquePointer, limit: Duration?) {
    self.connection = connection
    self.limit = limit
    // Without this, sending would wait for a server that does not read.
    if limit != nil { PQsetnonblocking(connection, 1) }
  }

  deinit {
    close()
  }

  static func open(_ address: PostgreSQLAddress) throws(PostgreSQLError) -> LibPQConnection {
    guard let connection = connected(to: address) else {
      throw PostgreSQLError(state: "53200", message: "libpq has no memory for a connection")
    }
    if PQstatus(connection) != CONNECTION_OK, let refusal = refusal(connection, address) {
      PQfinish(connection)
      throw refusal
    }
    coredata_silence(connection)
    return LibPQConnection(connection, limit: address.statementLimit)
  }

  private static func connected(to address: PostgreSQLAddress) -> OpaquePointer? {
    let settings = address.settings
    let (names, values) = (settings.map(\.name), settings.map(\.value))
    return inEnglish {
      withCStrings(names) { names in
        withCStrings(values) { values in PQconnectdbParams(names, values, 1) }
      }
    }
  }

  /// The reason why there is no connection; `nil` if there is one after all.
  ///
  /// libpq shows the state with which a server refuses only if it is told to before it connects. So if the words are in
  /// another language, this connects once more and asks for the state.
  private static func refusal(
    _ connection: OpaquePointer,
    _ address: PostgreSQLAddress
  ) -> PostgreSQLError? {
    let words = address.withoutSecrets(String(cString: PQerrorMessage(connection)))
    let refusal = ConnectionRefusal(words, password: password(of: connection))
    guard refusal.isGuessed else { return PostgreSQLError(state: refusal.state, message: words) }
    PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE)
    inEnglish { PQreset(connection) }
    PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
    if PQstatus(connection) == CONNECTION_OK { return nil }
    let state = ConnectionRefusal.state(shownIn: String(cString: PQerrorMessage(connection)))
    return PostgreSQLError(state: state ?? refusal.state, message: words)
  }

  /// libpq takes its own words from catalogues where the program has chosen a language.
  private static func inEnglish<Result>(_ body: () -> Result) -> Result {
    let locales = coredata_begin_english()
    defer { coredata_end_english(locales) }
    return body()
  }

  /// The fate of the password, as libpq notes it for the host that it tried last.
  private static func password(of connection: OpaquePointer) -> ConnectionRefusal.Password {
    if PQconnectionNeedsPassword(connection) == 1 { return .missing }
    return PQconnectionUsedPassword(connection) == 1 ? .sent : .unasked
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    PQfinish(connection)
  }

  var isLost: Bool { !isOpen || PQstatus(connection) != CONNECTION_OK }

  var isInTransaction: Bool {
    guard isOpen else { return false }
    switch PQtransactionStatus(connection) {
    case PQTRANS_IDLE, PQTRANS_UNKNOWN: return false
    case _: return true
    }
  }

  var serverProcess: Int32 { isOpen ? PQbackendPID(connection) : 0 }

  func parameter(_ name: String) -> String? {
    guard isOpen else { return nil }
    return PQparameterStatus(connection, name).map { String(cString: $0) }
  }
}

/// The texts as C has them, with a null pointer behind the last.
private func withCStrings<Result>(
  _ texts: [String],
  _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
  var bytes: [CChar] = []
  let starts = texts.map { text in
    defer { bytes += text.utf8CString }
    return bytes.count
  }
  return bytes.withUnsafeBufferPointer { bytes in
    let pointers = starts.map { start in bytes.baseAddress.map { $0 + start } } + [nil]
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}

// MARK: - Running

extension LibPQConnection {
  func run(_ sql: String) throws(PostgreSQLError) {
    try checkOpen()
    _ = try outcome(of: sql)
  }

  /// The values of a query in the server's text form.
  func texts(_ sql: String) throws(PostgreSQLError) -> [[String?]] {
    try checkOpen()
    let rows = try outcome(of: sql)
    return (0..<rows.rowCount).map { row in
      (0..<rows.columnCount).map { column in
        rows.bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
      }
    }
  }

  /// Runs statements without values, and returns the result of the last one, or throws the first failure.
  ///
  /// `PQexec` gives the last failure: if a server says why it ends the connection, that is the end, and not the reason.
  private func outcome(of sql: String) throws(PostgreSQLError) -> LibPQRows {
    beginWaiting()
    guard PQsendQuery(connection, sql) == 1 else { throw lastError(sql) }
    var last: LibPQRows?
    var failure: PostgreSQLError?
    while let result = nextResult() {
      // A copy never ends here.
      let isCopy = [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(PQresultStatus(result))
      do throws(PostgreSQLError) {
        let rows = try self.rows(result, of: sql)
        // The server rolls a failed transaction back when it is to commit it, and calls that no error.
        if rows.command == "ROLLBACK", sql.hasPrefix("COMMIT") {
          throw PostgreSQLError(
            state: "25P02",
            message: "the transaction had failed before",
            sql: sql
          )
        }
        last = rows
      } catch {
        failure = failure ?? error
      }
      if isCopy { close() }
      if isLost { break }
    }
    if let failure { throw failure }
    guard let last else { throw lastError(sql) }
    return last
  }

  func run(_ commands: [PostgreSQLCommand]) throws(PostgreSQLError) -> [any PostgreSQLRows] {
    try checkOpen()
    beginWaiting()
    withdrawal = isGivenUp.map { LibPQWithdrawal($0) }
    defer { withdrawal = nil }
    guard PQenterPipelineMode(connection) == 1 else { throw lastError(nil) }
    defer { leavePipeline() }
    for command in commands { try send(command) }
    guard PQpipelineSync(connection) == 1 else { throw lastError(nil) }
    var found: [any PostgreSQLRows] = []
    var failure: PostgreSQLError?
    for command in commands {
      do throws(PostgreSQLError) {
        if command.sql != nil { _ = try result(of: command) }
        found.append(try result(of: command))
      } catch {
        // The commands after the first failure were not run.
        failure = failure ?? error
        if isLost { break }
      }
    }
    drain()
    if let failure { throw failure }
    return found
  }

  func notices(within milliseconds: Int32) throws(PostgreSQLError) -> [String] {
    try checkOpen()
    let known = takenNotices()
    if !known.isEmpty { return known }
    var socket = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
    guard poll(&socket, 1, milliseconds) > 0 else { return [] }
    guard PQconsumeInput(connection) == 1 else { throw lastError(nil) }
    return takenNotices()
  }

  private func takenNotices() -> [String] {
    var words: [String] = []
    while let notice = PQnotifies(connection) {
      words.append(notice.pointee.extra.map { String(cString: $0) } ?? "")
      PQfreemem(notice)
    }
    return words
  }

  private func send(_ command: PostgreSQLCommand) throws(PostgreSQLError) {
    guard command.values.bytes.count <= Self.mostBytes else {
      throw PostgreSQLError(
        state: PostgreSQLError.tooLargeState,
        message: "the values of one statement have more than a gigabyte",
        sql: command.sql
      )
    }
    if let sql = command.sql {
      let count = Int32(command.types.count)
      guard PQsendPrepare(connection, command.name, sql, count, command.types) == 1 else {
        throw lastError(sql)
      }
    }
    let isSent = command.values.withPointers { values, lengths, formats in
      let count = Int32(command.values.places.count)
      return PQsendQueryPrepared(connection, command.name, count, values, lengths, formats, 1)
    }
    guard isSent == 1 else { throw lastError(command.sql) }
  }

  /// The most bytes that the server takes in one message.
  private static let mostBytes = 1_000_000_000

  /// The result of one step of a pipeline, and the null pointer that ends it.
  private func result(of command: PostgreSQLCommand) throws(PostgreSQLError) -> LibPQRows {
    let first = nextResult()
    defer {
      if first != nil, let more = nextResult() { PQclear(more) }
    }
    return try rows(first, of: command.sql)
  }

  private func drain() {
    while !isLost {
      guard let result = nextResult() else { continue }
      let isEnd = PQresultStatus(result) == PGRES_PIPELINE_SYNC
      PQclear(result)
      if isEnd { return }
    }
  }

  private func leavePipeline() {
    guard !isLost, PQexitPipelineMode(connection) != 1 else { return }
    // A result is left over; it is uncertain which answer belongs to which command.
    close()
  }

  private func rows(
    _ result: OpaquePointer?,
    of sql: String?
  ) throws(PostgreSQLError) -> LibPQRows {
    guard let result else { throw lastError(sql) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      return LibPQRows(result)
    case PGRES_PIPELINE_ABORTED:
      PQclear(result)
      throw PostgreSQLError(state: "25P02", message: "a statement before it failed", sql: sql)
    case _:
      defer { PQclear(result) }
      throw PostgreSQLError(result, sql: sql)
    }
  }

  private func checkOpen() throws(PostgreSQLError) {
    if !isOpen { throw Self.closed }
  }

  private static let closed = PostgreSQLError(state: "", message: "the connection is closed")

  private func lastError(_ sql: String?) -> PostgreSQLError {
    if let passedLimit { return .overdue(after: passedLimit, sql: sql) }
    if wasGivenUp { return .givenUp(sql) }
    if !isOpen { return Self.closed }
    let words = String(cString: PQerrorMessage(connection)).firstLine
    return PostgreSQLError(
      state: isLost ? "" : "XX000",
      message: words.isEmpty ? "the connection to the server was lost" : words,
      sql: sql
    )
  }
}

// MARK: - Waiting

extension LibPQConnection {
  /// Begins the time for a message that is sent now and answered afterwards.
  private func beginWaiting() {
    end = limit.map { .now + $0 }
  }

  /// The next result, or `nil` after the last; if it is overdue or given up, the connection is closed, and there is
  /// none.
  private func nextResult() -> OpaquePointer? {
    guard isOpen else { return nil }
    guard PQisnonblocking(connection) == 1 || withdrawal != nil else {
      return PQgetResult(connection)
    }
    var unsent = PQflush(connection)
    while unsent == 1 || PQisBusy(connection) == 1 {
      guard waits(toSend: unsent == 1) else {
        close()
        return nil
      }
      // A connection that is lost has a result that says so.
      guard PQconsumeInput(connection) == 1 else { break }
      if unsent == 1 { unsent = PQflush(connection) }
    }
    return PQgetResult(connection)
  }

  /// Waits until the server has something to say, or takes more, or for a while; `false` if the time is over, or if the
  /// server goes on with work that nobody wants.
  private func waits(toSend: Bool) -> Bool {
    let left = end.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) }
    if let left, left <= 0 {
      passedLimit = limit
      return false
    }
    if withdrawal?.allowsWaiting(on: connection) == false {
      wasGivenUp = true
      return false
    }
    let events = Int16(toSend ? POLLIN | POLLOUT : POLLIN)
    var socket = pollfd(fd: PQsocket(connection), events: events, revents: 0)
    let rest = left.map { Int32(min($0.rounded(.up), 60_000)) }
    let pause = withdrawal == nil ? rest : min(rest ?? .max, LibPQWithdrawal.interval)
    poll(&socket, 1, pause ?? -1)
    return true
  }
}

extension PostgreSQLError {
  /// Without the detail, which repeats values of rows.
  fileprivate init(_ result: OpaquePointer, sql: String?) {
    let text = { (words: UnsafePointer<CChar>?) in words.map { String(cString: $0) } }
    let message = text(coredata_message(result))
    let state = text(coredata_sqlstate(result)) ?? ""
    let routine = text(coredata_routine(result))
    if Self.isStalePlan(state, of: routine) {
      self.init(state: Self.stalePlanState, message: message ?? "", sql: sql)
      return
    }
    if Self.isFullQueue(state, of: routine) {
      self.init(state: Self.fullQueueState, message: message ?? "", sql: sql)
      return
    }
    self.init(
      state: message.flatMap { Self.state(ofPooler: $0, state) } ?? state,
      message: message ?? String(cString: PQresultErrorMessage(result)).firstLine,
      sql: sql,
      constraint: text(coredata_constraint(result))
    )
  }
}

extension String {
  fileprivate var firstLine: String {
    split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }
}

extension PostgreSQLValues {
  /// The values as libpq takes them; an empty value is one whose pointer is not null.
  fileprivate func withPointers<Result>(
    _ body: (
      UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    let lengths = places.map { max(0, $0.length) }
    return bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = places.map { place in
        place.length < 0 ? nil : base.map { $0 + place.start }
      }
      return pointers.withUnsafeBufferPointer { pointers in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { formats in
            body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}

/// The result of a command, in libpq's memory.
final class LibPQRows: PostgreSQLRows {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) {
    self.result = result
  }

  deinit {
    PQclear(result)
  }

  var rowCount: Int32 { PQntuples(result) }

  var columnCount: Int32 { PQnfields(result) }

  var changeCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The completed command, in the server's words.
  var command: String { String(cString: PQcmdStatus(result)) }

  func type(of column: Int32) -> UInt32 { PQftype(result, column) }

  func name(of column: Int32) -> String {
    PQfname(result, column).map { String(cString: $0) } ?? ""
  }

  func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
    let count = Int(PQgetlength(result, row, column))
    if count == 0, PQgetisnull(result, row, column) == 1 { return nil }
    return UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: count)
  }

  func read(_ row: Int32, into cells: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>) {
    for column in cells.indices { cells[column] = bytes(row, Int32(column)) }
  }
}
