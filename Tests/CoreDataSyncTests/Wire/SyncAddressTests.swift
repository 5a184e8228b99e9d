import CoreDataSyncCore
import Testing

struct SyncAddressTests {
  private static let token = "0123456789abcdefghjkmnpqrstvwxyz"

  @Test(
    "an address is the same after it was pasted",
    arguments: ["http://127.0.0.1:8788", "https://sync.example.org/notes/v2", "http://[::1]:80"]
  )
  func text(server: String) throws {
    let address = SyncAddress(server: server, zone: "Notes", token: Self.token)
    #expect(try SyncAddress(address.description) == address)
    #expect(try SyncAddress("  \(address.description)\n") == address)
  }

  @Test(
    "an address that is incomplete says what it lacks",
    arguments: [
      ("http://h:1/Notes", "token"), ("ftp://h/Notes#\(token)", "http"),
      ("http:///Notes#\(token)", "server"), ("http://h:1/#\(token)", "zone"),
      ("http://h:1/a%20b#\(token)", "zone"), ("http://h:1/Notes#012", "incomplete"), ("", "token"),
      ("http://\(String(repeating: "x", count: 2_000))/Notes#\(token)", "too long"),
    ]
  )
  func mistakes(text: String, word: String) {
    #expect { try SyncAddress(text) } throws: { "\($0)".contains(word) }
  }
}
