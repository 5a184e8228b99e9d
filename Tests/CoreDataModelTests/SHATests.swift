import CoreDataModel
import Foundation
import Testing

/// Vectors published with FIPS 180-4.
struct SHATests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `SHA-256 of a published message`(message: String, digest: String) {
    #expect(SHA256.digest(of: message.utf8).hexadecimal == digest)
  }

  @Test(arguments: [
    (
      "",
      """
      cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
      47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
      """
    ),
    (
      "abc",
      """
      ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
      2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
      """
    ),
    (
      """
      abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
      hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu
      """,
      """
      8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
      501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909
      """
    ),
  ])
  func `SHA-512 of a published message`(message: String, digest: String) {
    var long = SHA512()
    long.update(message.utf8)
    #expect(long.finish().hexadecimal == digest)
  }

  @Test func `a million letters, fed in pieces of odd sizes`() {
    var short = SHA256()
    var long = SHA512()
    var left = 1_000_000
    while left > 0 {
      let count = min(left, 977)
      let piece = [UInt8](repeating: UInt8(ascii: "a"), count: count)
      short.update(piece)
      long.update(piece)
      left -= count
    }
    #expect(
      short.finish().hexadecimal
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )
    #expect(
      long.finish().hexadecimal == """
        e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb\
        de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b
        """
    )
  }
}

extension Data {
  var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
