import CoreDataCRuntime

/// The cases of an enumeration, as the compiler lists them.
struct EnumCases: Sendable {
  /// The names: of cases with associated values first, each kind in declared order.
  let names: [String]
  /// The number of cases with associated values.
  let payloadCount: Int

  /// `nil` for other types than enumerations.
  init?(of type: Any.Type) {
    var names: [String] = []
    let payloadCount = withUnsafeMutablePointer(to: &names) { names in
      coredata_enum_cases(
        unsafeBitCast(type, to: UnsafeRawPointer.self),
        { name, context in
          guard let name, let context else { return }
          context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
        },
        names
      )
    }
    guard payloadCount >= 0, !names.isEmpty else { return nil }
    self.names = names
    self.payloadCount = Int(payloadCount)
  }

  /// The number of a value's case among those of an enumeration without associated values.
  static func index<Value>(of value: Value) -> Int {
    withUnsafeBytes(of: value) { bytes in
      switch bytes.count {
      case 0: 0
      case 1: Int(bytes[0])
      case _: Int(bytes.loadUnaligned(as: UInt16.self))
      }
    }
  }

  /// The value of a case of an enumeration without associated values.
  static func value<Value>(_ index: Int, of type: Value.Type) -> Value {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
      let bytes = UnsafeMutableRawBufferPointer(place)
      switch MemoryLayout<Value>.size {
      case 0: break
      case 1: bytes.storeBytes(of: UInt8(index), as: UInt8.self)
      case _: bytes.storeBytes(of: UInt16(index), as: UInt16.self)
      }
      return place[0]
    }
  }
}
