import Foundation

/// Tar archives for tests, as most programs write them.
enum TarSample {
  static func archive(_ files: [(path: String, data: Data)]) -> Data {
    var archive = Data()
    for (path, data) in files {
      if path.utf8.count > 100 {
        archive.append(entry("././@LongLink", Data(path.utf8) + [0], kind: "L"))
      }
      archive.append(entry(String(path.prefix(100)), data, kind: "0"))
    }
    return archive + Data(count: 1024)
  }

  private static func entry(_ name: String, _ content: Data, kind: Character) -> Data {
    var header = Data(count: 512)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
    }
    put(name, at: 0)
    put("000644 ", at: 100)
    put(octal(content.count, 11), at: 124)
    put(octal(1_700_000_000, 11), at: 136)
    put("        ", at: 148)
    put(String(kind), at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    let sum = header.reduce(0) { $0 + Int($1) }
    put(octal(sum, 6), at: 148)
    header[154] = 0
    return header + content + Data(count: (512 - content.count % 512) % 512)
  }

  private static func octal(_ number: Int, _ count: Int) -> String {
    let digits = String(number, radix: 8)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
