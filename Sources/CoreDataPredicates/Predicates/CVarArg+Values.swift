public import Foundation

// What may stand behind a format string, as in `NSPredicate(format: "date < %@", date as CVarArg)`.
//
// On Apple's systems all of these are objects, and so they are `CVarArg`; Foundation on Linux
// leaves them out. Predicates take the values as they are. The encodings are for C's variadic
// functions, such as the one behind `String(format:)`.

// MARK: - Objects

/// An object that is passed to C as its address.
public protocol ObjectVarArg: NSObject, CVarArg {}

extension ObjectVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgEncoding: [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
  }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSNumber: ObjectVarArg, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSDate: ObjectVarArg, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSUUID: ObjectVarArg, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSData: ObjectVarArg, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSURL: ObjectVarArg, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSNull: ObjectVarArg, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSArray: ObjectVarArg, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSSet: ObjectVarArg, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSOrderedSet: ObjectVarArg, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSDictionary: ObjectVarArg, @retroactive CVarArg {}

// MARK: - Values

/// A value that is passed to C as an object, which lives as long as the call.
public protocol ValueVarArg: _CVarArgObject {}

extension ValueVarArg {
  /// Never read: the object's encoding is.
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Date: ValueVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgObject: any CVarArg {
    NSDate(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)
  }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension UUID: ValueVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgObject: any CVarArg { self as NSUUID }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Data: ValueVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgObject: any CVarArg { self as NSData }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension URL: ValueVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgObject: any CVarArg { self as NSURL }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Decimal: ValueVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgObject: any CVarArg { self as NSDecimalNumber }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Array: ValueVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgObject: any CVarArg { NSArray(array: self) }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Set: ValueVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgObject: any CVarArg { NSSet(array: Array(self)) }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Dictionary: ValueVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgObject: any CVarArg { self as NSDictionary }
}
