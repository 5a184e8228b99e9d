/// Names beyond ASCII, in the letters that symbols have (RFC 3492, with Swift's digits).
enum Punycode {
  private static let digits = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ".utf8)

  static func encode(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { Int($0.value) }
    let plain = scalars.filter { $0 < 0x80 }
    var output = plain.map { UInt8($0) }
    if !plain.isEmpty { output.append(UInt8(ascii: "_")) }
    var (next, delta, bias, handled) = (0x80, 0, 72, plain.count)
    while handled < scalars.count {
      guard let smallest = scalars.filter({ $0 >= next }).min() else { break }
      delta += (smallest - next) * (handled + 1)
      next = smallest
      for scalar in scalars {
        if scalar < next { delta += 1 }
        guard scalar == next else { continue }
        append(delta, bias, to: &output)
        bias = adapted(delta, handled + 1, isFirst: handled == plain.count)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Writes a number in digits whose weight depends on the bias.
  private static func append(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
    var rest = delta
    var weight = 36
    while true {
      let threshold = min(max(weight - bias, 1), 26)
      guard rest >= threshold else { break }
      output.append(digits[threshold + (rest - threshold) % (36 - threshold)])
      rest = (rest - threshold) / (36 - threshold)
      weight += 36
    }
    output.append(digits[rest])
  }

  private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var weight = 0
    while delta > 35 * 26 / 2 {
      delta /= 35
      weight += 36
    }
    return weight + 36 * delta / (delta + 38)
  }
}
