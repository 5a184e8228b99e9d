/// The class of an entity's objects, as Swift code of one module has to spell it.
///
/// ```
/// in the model      in module Library
/// (empty)           NSManagedObject
/// Note              Note
/// .Note             Note
/// Library.Note      Note
/// Sharing.Note      Sharing.Note
/// ```
struct ClassName: Hashable {
  /// The module to import; nil for a class of the module at hand.
  let module: String?
  /// The name inside its module.
  let path: String

  static let managedObject = Self(module: nil, path: "NSManagedObject")

  var isManagedObject: Bool { self == .managedObject }

  var spelling: String {
    let names = path.split(separator: ".").map { SwiftName(String($0)).spelling }
    return ([module].compactMap(\.self) + names).joined(separator: ".")
  }
}

// MARK: - From the model

extension ClassName {
  /// Reads what the model has, where a dot in front means the current module.
  init(_ text: String, in current: String) {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    switch parts.count {
    case 0: self = .managedObject
    case 2 where parts[0] != current: self.init(module: parts[0], path: parts[1])
    default: self.init(module: nil, path: parts[parts.count - 1])
    }
  }
}
