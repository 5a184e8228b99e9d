import CoreDataSQL
import CoreDataSQLite
import Testing

@Suite struct ConnectionTests {
  @Test func `opens`() throws {
    let connection = try Connection(path: ":memory:")
    #expect(try connection.integer("SELECT 1") == 1)
  }
}
