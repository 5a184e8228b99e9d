import CoreDataHTTP
import Testing

@testable import CoreDataSyncHTTP

/// How much of a request a server takes before it knows who sends it.
struct HTTPLimitTests {
  @Test(
    "a body of megabytes was kept for whoever had no token, where there is nothing to send it to",
    arguments: ["/", "/v1/zones/Notes", "/v1/zones/Notes/news", "/v1/zones/Notes/tokens"]
  )
  func bodies(path: String) {
    #expect(HTTPRequest.refusal(of: .length(1_000_000), to: path)?.status == 413)
    #expect(HTTPRequest.refusal(of: .length(100), to: path)?.status == nil)
  }

  @Test("many large messages at once could have all memory, each of them within its bound")
  func room() {
    let room = BodyRoom(bytes: 100, forToken: 80)
    func share(_ token: Int64) -> BodyRoom.Share {
      let share = room.share(forToken: token)
      // The bytes that every body may have.
      #expect(share.takes(BodyRoom.small))
      return share
    }
    let (first, second, other) = (share(1), share(1), share(2))
    #expect(first.takes(50) && second.takes(30))
    #expect(!second.takes(1))
    #expect(other.takes(20) && !other.takes(1))
    first.giveBack()
    #expect(other.takes(50) && share(2).takes(0))
    do {
      let third = share(1)
      #expect(!third.takes(1))
    }
    second.giveBack()
    #expect(first.takes(BodyRoom.small + 30) && !second.takes(BodyRoom.small + 1))
  }

  @Test("whoever finds no room is told when to come again")
  func noRoom() {
    #expect(HTTPRequest.noRoom.status == 503)
    #expect(HTTPRequest.noRoom.fields.contains { $0.name == "Retry-After" && $0.value == "5" })
    #expect(HTTPAnswer().fields.allSatisfy { $0.name != "Retry-After" })
  }

  @Test("a message may be larger than a part of an asset, and that larger than what else is sent")
  func places() {
    let (sync, asset) = ("/v1/zones/Notes/sync", "/v1/zones/Notes/assets/6f1c")
    #expect(HTTPRequest.refusal(of: .length(8_000_000), to: sync)?.status == nil)
    #expect(HTTPRequest.refusal(of: .length(8_000_000), to: asset)?.status == 413)
    #expect(HTTPRequest.refusal(of: .length(4_000_000), to: asset)?.status == nil)
    #expect(HTTPRequest.refusal(of: .none, to: asset)?.status == nil)
  }
}
