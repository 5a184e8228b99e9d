/// A clock that follows the wall's, and never gives a moment that is not later than all it has seen.
///
/// So an edit that was made after seeing a value beats that value, whatever the clocks of the two
/// machines say.
package struct HybridClock: Hashable, Sendable {
  /// The latest moment that was given or seen.
  package private(set) var last: UInt64

  package init(last: UInt64 = 0) {
    self.last = last
  }

  /// A new stamp, of that time where its millisecond is behind the latest moment, or else of the next count.
  ///
  /// The count alone puts a stamp behind the latest moment, and never the bits of its device. A device that is put back to a
  /// backup of before its first exchange gets other bits, and sends its saves again with the same counts: they stay
  /// earlier than the cells that replaced them.
  ///
  /// Two devices that have seen the same give different moments, also within one millisecond: a cell's base identifies
  /// the replaced cell by the moment alone. Of 1,024 devices two may have the same, and then the later of two values
  /// that were written at once over the same seems to be written over the other.
  package mutating func stamp(milliseconds: UInt64, writer: UInt64) -> Stamp {
    let device = UInt64(DeviceTag(writer: writer).bits) & Self.devices
    let time = min(milliseconds, Self.latest)
    let next = (last & ~Self.devices) + Self.devices + 1
    last = (time > last >> 16 ? time << 16 : next) | device
    return Stamp(moment: last, writer: writer)
  }

  /// Takes note of a moment that somebody else has given.
  ///
  /// Moments that no clock gives count as the latest of all, so that there is one after each. No answer of a server has
  /// such a moment, so that whatever comes can be replaced.
  package mutating func witness(_ moment: UInt64) {
    last = max(last, min(moment, Self.latestMoment))
  }

  /// The last millisecond of which a clock is believed, in the year 4199.
  ///
  /// Clocks count on after it for as long again, and their moments are positive even if they are kept with a sign.
  package static let latest: UInt64 = 1 << 46

  /// The last moment of that millisecond.
  package static let latestMoment = (latest << 16) | 0xFFFF

  /// The bits of a moment that are the device's; those above them count within a millisecond.
  private static let devices: UInt64 = 0x3FF
}
