import CoreData

/// One connection to a server, as bytes: the part that libpq does.
///
/// ```
/// PostgreSQLStore, PostgreSQLConnection    SQL, values and objects
///   PostgreSQLWire, PostgreSQLRows
/// LibPQ/                                   libpq, and nothing else
/// ```
///
/// Tests put wires of their own in its place. One thread at a time uses it.
package protocol PostgreSQLWire: AnyObject {
  /// Runs statements that have neither values nor wanted rows.
  func run(_ sql: String) throws(PostgreSQLError)
  /// Runs commands in one round trip, each of which gives its rows; the first failure ends them all.
  func run(_ commands: [PostgreSQLCommand]) throws(PostgreSQLError) -> [any PostgreSQLRows]
  /// Waits for notifications of this connection, up to a time, and returns their payloads.
  func notices(within milliseconds: Int32) throws(PostgreSQLError) -> [String]
  /// The time to wait for an answer, if the address has such a limit; `nil` for as long as it takes.
  var limit: Duration? { get set }
  /// Asked while the answer to commands is waited for; `nil` if it is wanted in any case.
  ///
  /// Once it is given up, the server is asked to stop. The commands then fail, unless the answer was there before,
  /// and the connection is lost only if the server does not stop within seconds. Later commands are not stopped.
  var isGivenUp: (@Sendable () -> Bool)? { get set }
  /// Whether the server is out of reach, so that nothing can be asked any more.
  var isLost: Bool { get }
  /// Whether a transaction is open on the server, failed ones among them.
  var isInTransaction: Bool { get }
  /// The number of the server's process, as it was given when the connection began.
  var serverProcess: Int32 { get }
  /// A parameter of the server from the beginning of the connection, such as `server_encoding`.
  func parameter(_ name: String) -> String?
  func close()
}

extension PostgreSQLWire {
  /// Asks whether there is a pooler between this program and the server: it gives each connection a number of its own
  /// making, and the server's is that of its process.
  package func isBehindPooler() throws(PostgreSQLError) -> Bool {
    let answer = try run([PostgreSQLCommand(plain: "SELECT pg_backend_pid()")])
    guard let bytes = answer.first?.bytes(0, 0), bytes.count == 4 else { return true }
    return Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)) != serverProcess
  }
}

/// The result of a command, all of it in memory.
package protocol PostgreSQLRows: AnyObject {
  var rowCount: Int32 { get }
  var columnCount: Int32 { get }
  /// How many rows a statement that writes has changed.
  var changeCount: Int { get }
  func type(of column: Int32) -> UInt32
  func name(of column: Int32) -> String
  /// The bytes of a value in the server's binary form, valid as long as these rows; nil for NULL.
  func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer?
  /// The same for all values of a row.
  func read(_ row: Int32, into cells: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>)
}

/// A statement and its values.
package struct PostgreSQLCommand: Sendable {
  /// The name for the statement; empty for none.
  package var name: String
  /// The text, if the server does not know the statement yet.
  package var sql: String?
  /// The types of the places whose types the text leaves open.
  package var types: [UInt32]
  package var values: PostgreSQLValues
}

extension PostgreSQLCommand {
  /// A statement without values.
  init(plain sql: String) {
    self.init(name: "", sql: sql, types: [], values: PostgreSQLValues())
  }
}

/// Values for the places of a statement, packed as libpq takes them: nobody copies them again.
package struct PostgreSQLValues: Sendable {
  package private(set) var bytes: [UInt8] = []
  /// The beginning of each value in the bytes, and its length; a length of -1 is NULL.
  package private(set) var places: [(start: Int, length: Int32)] = []
  /// 1 for the server's binary form, 0 for text.
  package private(set) var formats: [Int32] = []

  package init() {}

  /// Makes room for so many bytes.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  package mutating func append(text: String) {
    append(format: 0) { $0 += text.utf8 }
  }

  package mutating func append(_ array: PostgreSQLArray) {
    append(format: 1) { array.write(to: &$0) }
  }

  package mutating func append(binary: some Sequence<UInt8>) {
    append(format: 1) { $0 += binary }
  }

  package mutating func appendNull() {
    places.append((0, -1))
    formats.append(0)
  }

  private mutating func append(format: Int32, _ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    places.append((start, Int32(clamping: bytes.count - start)))
    formats.append(format)
    // libpq reads a text up to a zero, and takes an empty value without a pointer for NULL.
    bytes.append(0)
  }
}

/// The types that the server has from the beginning, by their numbers.
package enum PostgreSQLType {
  package static let boolean: UInt32 = 16
  package static let bytes: UInt32 = 17
  package static let name: UInt32 = 19
  package static let int64: UInt32 = 20
  package static let int16: UInt32 = 21
  package static let int32: UInt32 = 23
  package static let text: UInt32 = 25
  package static let padded: UInt32 = 1042
  package static let varying: UInt32 = 1043
  package static let float: UInt32 = 700
  package static let double: UInt32 = 701
  package static let numeric: UInt32 = 1700
  /// The server is to see from the text what a value is.
  package static let open: UInt32 = 0

  static let int64s: UInt32 = 1016
  static let doubles: UInt32 = 1022
  static let texts: UInt32 = 1009
  static let blobs: UInt32 = 1001
}

/// Opens connections; the module that has libpq registers itself.
package struct PostgreSQLDoor: Sendable {
  package let open: @Sendable (PostgreSQLAddress) throws(PostgreSQLError) -> any PostgreSQLWire

  package init(
    open: @escaping @Sendable (PostgreSQLAddress) throws(PostgreSQLError) -> any PostgreSQLWire
  ) {
    self.open = open
  }
}
