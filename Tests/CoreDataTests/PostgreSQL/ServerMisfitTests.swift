import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Servers and databases that cannot have a store, by their settings.
@Suite struct ServerMisfitTests {
  private static let fit = [
    "server_version": "15.4 (Debian 15.4-1)", "server_encoding": "UTF8",
    "standard_conforming_strings": "on",
  ]

  private func misfit(_ name: String, _ value: String) -> ServerMisfit? {
    var parameters = Self.fit
    parameters[name] = value
    return ServerMisfit { parameters[$0] }
  }

  @Test func `a server that fits is taken`() {
    #expect(misfit("server_version", "13.0") == nil)
    #expect(misfit("server_version", "18beta1") == nil)
    #expect(misfit("server_version", "12.22") == .version("12.22"))
  }

  @Test(arguments: [
    ("server_version", "12.22", "it has the version 12.22, and 13 or a later one", "pg_upgrade"),
    ("server_encoding", "SQL_ASCII", "its encoding is SQL_ASCII, and UTF8", "createdb --encoding"),
    ("standard_conforming_strings", "off", "standard_conforming_strings is off", "ALTER ROLE"),
  ])
  func `whatever did not fit, another database was to be made`(
    name: String,
    value: String,
    problem: String,
    remedy: String
  ) throws {
    let text = try #require(misfit(name, value)).error.text(.opening, path: "postgresql://db/notes")
    #expect(text.reason.contains(problem), "\(text.reason)")
    let advice = text.advice.sentence
    #expect(advice.contains(remedy), "\(advice)")
    #expect(advice.contains("createdb") == (name == "server_encoding"), "\(advice)")
  }

  @Test func `of a server without ICU the address was to be checked`() {
    let error = PostgreSQLError(state: "0A000", message: "ICU is not supported in this build")
    let text = error.text(.opening, path: "postgresql://db/notes")
    #expect(text.reason.contains("built without ICU"), "\(text.reason)")
    #expect(text.advice.sentence.contains("Use a server that has it"))
  }
}
