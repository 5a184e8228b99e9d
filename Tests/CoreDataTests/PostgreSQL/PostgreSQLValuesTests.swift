import CoreDataSQL
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Values as they go over the wire.
struct PostgreSQLValuesTests {
  private var values: PostgreSQLValues {
    var values = PostgreSQLValues()
    values.append(text: "")
    values.append(text: "seeds")
    values.append(binary: [])
    values.appendNull()
    values.append(binary: [0, 255])
    return values
  }

  @Test func `each value ends with a zero, also one without bytes`() {
    let values = values
    #expect(values.places.map(\.length) == [0, 5, 0, -1, 2])
    #expect(values.formats == [0, 0, 1, 0, 1])
    for place in values.places where place.length >= 0 {
      #expect(values.bytes[place.start + Int(place.length)] == 0)
    }
  }

  @Test func `a column is one value, with its head`() {
    var numbers = PostgreSQLArray(of: PostgreSQLType.int64)
    numbers.reserve(3)
    numbers.append(0x0102_0304_0506_0708 as Int64)
    numbers.appendNull()
    numbers.append(-2 as Int64)
    var values = PostgreSQLValues()
    values.append(numbers)
    values.append(PostgreSQLArray(of: PostgreSQLType.double))
    let head: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 1]
    let rows: [UInt8] =
      [0, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8] + [255, 255, 255, 255]
      + [0, 0, 0, 8, 255, 255, 255, 255, 255, 255, 255, 254]
    #expect(head.count == PostgreSQLArray.headSize)
    let empty: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 189]
    #expect(values.bytes == head + rows + [0] + empty + [0])
    #expect(values.places.map(\.length) == [48, 12])
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled))
  func `a statement has values only from its first row on, and until it is reset`() throws {
    let address = try PostgreSQLAddress(PostgreSQLServer.shared.address, options: nil)
    let connection = PostgreSQLConnection(
      try PostgreSQLShell.connect(address),
      zone: "",
      namesStatements: false
    )
    let statement = try connection.statement("SELECT n, 'seed ' || n FROM generate_series(1, 2) n")
    func row() -> String { "\(statement.integer(0)) \(statement.text(1))" }
    #expect(statement.isNull(0) && statement.isNull(1))
    #expect(try statement.step())
    #expect(row() == "1 seed 1")
    #expect(try statement.step())
    #expect(row() == "2 seed 2")
    #expect(try !statement.step())
    statement.reset()
    #expect(statement.isNull(0) && statement.isNull(1))
    #expect(try statement.step())
    #expect(row() == "1 seed 1")
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled))
  func `a value without bytes is not NULL`() throws {
    let address = try PostgreSQLAddress(PostgreSQLServer.shared.address, options: nil)
    let connection = PostgreSQLConnection(
      try PostgreSQLShell.connect(address),
      zone: "",
      namesStatements: false
    )
    let rows = try connection.run([
      PostgreSQLRequest(
        sql: "SELECT $1::text, $2::text, $3::bytea, $4::text, $5::bytea",
        types: [
          PostgreSQLType.text, PostgreSQLType.bytes, PostgreSQLType.text, PostgreSQLType.bytes,
        ],
        values: values
      )
    ])[0]
    let found = (0..<5).map { rows.bytes(0, $0).map { [UInt8]($0) } }
    #expect(found == [[], [UInt8]("seeds".utf8), [], nil, [0, 255]])
  }
}
