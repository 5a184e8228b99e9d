import CoreDataSyncDevice
import CoreDataSyncHTTP
import Foundation

/// The fields of HTTP that a sync server reads by itself, and the lines that it tells its devices.
struct FieldTarget: FuzzTarget {
  private let fields = [
    "bytes=1048576-2097151", "bytes=0-", "bytes 0-1048575/5000000", "bytes */5000000", "00ff17a0",
    "bytes=9223372036854775807-9223372036854775807", "bytes 0-0/9223372036854775807",
  ].map { Array($0.utf8) }
  private let news = Array("data: 17\n\n:\n\ndata:18446744073709551615\r\n\ndata: 19\n".utf8)

  func run(_ dice: inout Dice) {
    let text = String(decoding: dice.damaged(dice.one(of: fields), among: fields), as: UTF8.self)
    if let range = (try? AssetRange(asked: text))?.bytes { precondition(range.lowerBound >= 0) }
    if let range = try? AssetRange(sent: text), let bytes = range.bytes {
      precondition(bytes.upperBound < range.whole ?? 0, "bytes lie in what they are of")
    }
    _ = try? ZoneSealField(text)
    var lines = NewsLines()
    var rest = dice.damaged(news, among: fields)[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(dice.number(1..<rest.count + 1)))
      rest = rest.dropFirst(piece.count)
      _ = piece.withUnsafeBufferPointer { lines.take($0) }
    }
  }
}
