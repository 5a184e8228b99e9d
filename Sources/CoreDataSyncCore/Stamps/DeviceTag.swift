/// The part that the writers of one device's stamps share, in all runs of its program.
///
/// ```
/// writer   32 bits of the device, 32 random bits of the run
/// ```
///
/// So anybody who has a stamp can look up the device's name, which the device sends in an object of its own: one of an
/// entity that is in no model.
package struct DeviceTag: Hashable, Sendable {
  package let bits: UInt32

  package init(bits: UInt32) {
    self.bits = bits
  }

  package init(writer: UInt64) {
    bits = UInt32(writer >> 32)
  }

  /// The bits of a run's stamps, from random ones; never zero.
  package func writer(run: UInt64) -> UInt64 { (UInt64(bits) << 32) | (run & 0xFFFF_FFFF) | 1 }
}

// MARK: - What it is called

extension DeviceTag {
  /// The object in which the device tells what it is called.
  package var object: SyncID { SyncID(random: Self.space, UInt64(bits)) }

  /// Whether an object is one in which some device tells that.
  package static func isDevice(_ id: SyncID) -> Bool {
    id.high == SyncID(random: space, 0).high
  }

  private static let space: UInt64 = 0x436F_7265_4461_7461

  /// An entity of a model cannot have this name: their names do not contain dots.
  package static let entity = "CoreDataSync.Device"
  package static let name = PropertyID(name: "name")

  /// How many Unicode scalars of a name are told and read.
  package static let longestName = 64

  /// A name as it is shown: on one line, and not longer than names are.
  package static func shown(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars.prefix(longestName))
    var line = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      let isShown = scalar.properties.generalCategory.isOnLine || scalars.joinsEmoji(at: place)
      line.append(isShown ? scalar : " ")
    }
    return String(line).split(separator: " ").joined(separator: " ")
  }
}

extension [Unicode.Scalar] {
  /// Whether the joiner at a place makes one sign of the emoji before and behind it, such as a family.
  fileprivate func joinsEmoji(at place: Int) -> Bool {
    guard self[place] == "\u{200D}", place + 1 < count, self[place + 1].isEmoji else {
      return false
    }
    let before = self[..<place].last { $0 != "\u{FE0F}" }
    return before?.isEmoji ?? false
  }
}

extension Unicode.Scalar {
  /// Whether it is an emoji by itself; digits are so only with a sign behind them.
  fileprivate var isEmoji: Bool { properties.isEmoji && !isASCII }
}

extension Unicode.GeneralCategory {
  /// Whether signs of the category leave the line as it is, and the others on it in their order.
  fileprivate var isOnLine: Bool {
    switch self {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
