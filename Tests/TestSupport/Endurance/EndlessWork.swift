public import CoreData

/// Work in steps, each of them one transaction of a store, that goes on until the program is killed.
///
/// ```
/// ledger       saves          objects of every kind are made, changed, related and deleted
/// batches      batches        rows are inserted, updated and deleted without objects
/// versions     migrations     the store gets the next of three models, and after the last the first
/// ```
///
/// At any moment, the store shows which step was the last, and what it must contain then.
public protocol EndlessWork {
  /// Opens the store, which was ``begin(at:)``.
  init(at file: URL) throws

  /// Makes the store as it is before the first step.
  static func begin(at file: URL) throws

  /// Takes the next step and returns its number; it is in the store when this returns.
  mutating func step() throws -> Int
}

/// The kinds of work, by the names that a program is told.
public enum WorkKind: String, CaseIterable, Sendable {
  case saves, batches, migrations

  public var type: any EndlessWork.Type {
    switch self {
    case .saves: Ledger.self
    case .batches: CountedBatches.self
    case .migrations: ThreeVersions.self
    }
  }
}

/// A random sequence that is the same each time.
public struct RepeatableNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: Int) {
    state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

// MARK: - Data

/// Data of one byte again and again, as large as wanted.
public func plainData(_ number: Int, count: Int) -> Data {
  Data(repeating: UInt8(truncatingIfNeeded: number), count: count)
}

/// The data that ``plainData(_:count:)`` made, in a word; other data is said to be other.
public func plainWord(_ data: Data?) -> String {
  guard let data, let first = data.first else { return "-" }
  return data == Data(repeating: first, count: data.count) ? "\(first)x\(data.count)" : "mixed"
}
