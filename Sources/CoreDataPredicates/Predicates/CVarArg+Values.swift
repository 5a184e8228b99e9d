public import Foundation

// The values that may follow a format string, as in
// `NSPredicate(format: "date < %@", date as CVarArg)`.
//
// On Apple's systems all of these are objects, and so they are `CVarArg`; Foundation on Linux
// leaves them out. Predicates take the values as they are.

/// A protocol for values that C's variadic functions, such as that of `String(format:)`, receive as
/// text.
///
/// Without it, the `%@` of Foundation crashes for arrays and prints 0 for decimal numbers. The text
/// is kept as long as the call lasts.
public protocol DescribedVarArg: _CVarArgObject {}

extension DescribedVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgObject: any CVarArg { NSString(string: String(describing: self)) }

  // swift-format-ignore: NoLeadingUnderscores
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Date: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension UUID: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension Data: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension URL: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension Decimal: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension Array: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension Set: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension Dictionary: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSNumber: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSDate: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSUUID: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSData: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSURL: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSNull: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSArray: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSSet: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSOrderedSet: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSDictionary: DescribedVarArg, @retroactive _CVarArgObject, @retroactive CVarArg {}
