import CoreDataSyncCore
import Testing

struct PairingCodeTests {
  private static let token = "0123456789abcdefghjkmnpqrstvwxyz"
  private static let key = ZoneKey(Array(0..<32))

  private static let addresses = [
    SyncAddress(server: "http://127.0.0.1:8788", zone: "Notes", token: token),
    SyncAddress(server: "https://sync.example.org/v2", zone: "N", token: token, key: key),
    SyncAddress(server: "http://[::1]:80", zone: "Notes", token: "O" + token.dropFirst(), key: key),
  ]

  @Test(
    "a pairing code is the address again, with capitals, spaces and line breaks",
    arguments: addresses
  )
  func pasting(address: SyncAddress) throws {
    let code = address.pairingCode
    #expect(try SyncAddress(code) == address)
    #expect(try SyncAddress(code.uppercased()) == address)
    #expect(try SyncAddress(code.replacing("-", with: " \n") + "\n") == address)
    #expect(try SyncAddress(code.replacing("0", with: "o").replacing("1", with: "l")) == address)
  }

  @Test("a wrong, missing or exchanged letter of a pairing code is noticed")
  func mistyping() {
    let letters = Array(Self.addresses[1].pairingCode.replacing("-", with: ""))
    for place in 4..<letters.count {
      var (wrong, missing, exchanged) = (letters, letters, letters)
      wrong[place] = letters[place] == "7" ? "8" : "7"
      missing.remove(at: place)
      if place + 1 < letters.count { exchanged.swapAt(place, place + 1) }
      for mistake in [wrong, missing, exchanged] where mistake != letters {
        #expect { try SyncAddress(String(mistake)) } throws: { "\($0)".contains("wrong letter") }
      }
    }
  }

  @Test("an address keeps its key, and says when some of it is missing")
  func keys() throws {
    let address = Self.addresses[1]
    #expect(try SyncAddress(address.description) == address)
    #expect { try SyncAddress(String(address.description.dropLast(3))) } throws: {
      "\($0)".contains("key")
    }
  }
}
