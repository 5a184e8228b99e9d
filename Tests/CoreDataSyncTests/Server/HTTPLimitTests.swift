import Testing

@testable import CoreDataSyncHTTP

/// How much of a request a server takes before it knows who sends it.
struct HTTPLimitTests {
  @Test(
    "a body of megabytes was kept for whoever had no token, where there is nothing to send it to",
    arguments: ["/", "/v1/zones/Notes", "/v1/zones/Notes/news", "/v1/zones/Notes/tokens"]
  )
  func bodies(path: String) {
    #expect(HTTPRequest.refusal(ofLength: "1000000", to: path)?.status == 413)
    #expect(HTTPRequest.refusal(ofLength: "100", to: path)?.status == nil)
  }

  @Test("a message may be larger than a part of an asset, and that larger than what else is sent")
  func places() {
    let (sync, asset) = ("/v1/zones/Notes/sync", "/v1/zones/Notes/assets/6f1c")
    #expect(HTTPRequest.refusal(ofLength: "8000000", to: sync)?.status == nil)
    #expect(HTTPRequest.refusal(ofLength: "8000000", to: asset)?.status == 413)
    #expect(HTTPRequest.refusal(ofLength: "4000000", to: asset)?.status == nil)
    #expect(HTTPRequest.refusal(ofLength: nil, to: asset)?.status == nil)
  }
}
