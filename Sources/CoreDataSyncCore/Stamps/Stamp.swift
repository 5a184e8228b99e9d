/// The time and the writer of a change: the order in which changes win.
///
/// ```
/// moment   48 bits of milliseconds since 1970, 6 bits that count within one, 10 bits of the device
/// writer   32 bits of the device, and 32 random ones, drawn each time a program begins to write
/// ```
///
/// All changes of one save carry one stamp. Because each run draws its own bits, a copied or
/// restored file does not give a stamp a second time.
package struct Stamp: Hashable, Sendable {
  package var moment: UInt64
  package var writer: UInt64

  package init(moment: UInt64, writer: UInt64) {
    self.moment = moment
    self.writer = writer
  }

  package static let zero = Stamp(moment: 0, writer: 0)

  /// The latest moment that a message may have: databases keep moments as numbers with a sign.
  package static let latestMoment = UInt64(Int64.max)

  /// By how many milliseconds a stamp may be ahead of the server's clock.
  package static let tolerance: UInt64 = 5 * 60 * 1000

  /// The milliseconds since 1970.
  package var milliseconds: UInt64 { moment >> 16 }
}

extension Stamp: Comparable {
  package static func < (left: Stamp, right: Stamp) -> Bool {
    left.moment == right.moment ? left.writer < right.writer : left.moment < right.moment
  }
}

extension Stamp: CustomStringConvertible {
  package var description: String {
    "\(moment >> 16).\(moment >> 10 & 0x3F)@\(String(writer & 0xFFFF, radix: 16))"
  }
}
