public import Foundation
import Synchronization

// `CVaListPointer` is how C hands on arguments. On Linux it holds texts for most objects, so what a
// predicate needs could not be read from it. The functions that make one are therefore ours: they
// remember the arguments, and the initialisers below look them up.

extension NSPredicate {
  /// Creates a predicate from a format string and a C list of arguments.
  ///
  /// ```
  /// func notes(where format: String, _ arguments: CVarArg...) -> NSPredicate {
  ///   withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
  /// }
  /// ```
  ///
  /// The program stops if the list is not from `getVaList(_:)` or `withVaList(_:_:)`, called in a file that imports
  /// `CoreData`, or if the format cannot be parsed. Use `init(format:argumentArray:)` to pass the arguments themselves.
  ///
  /// - Parameters:
  ///   - format: The format string, such as `title == %@`.
  ///   - arguments: The list of arguments, one for each placeholder.
  public convenience init(format: String, arguments: CVaListPointer) {
    self.init(format: format, argumentArray: RememberedArguments.of(arguments))
  }
}

extension NSExpression {
  /// Creates an expression from a format string and a C list of arguments.
  ///
  /// The program stops if the list is not from `getVaList(_:)` or `withVaList(_:_:)`, called in a file that imports
  /// `CoreData`, or if the format cannot be parsed. Use `init(format:argumentArray:)` to pass the arguments themselves.
  ///
  /// - Parameters:
  ///   - format: The format string, such as `stars * %d`.
  ///   - arguments: The list of arguments, one for each placeholder.
  public convenience init(format: String, arguments: CVaListPointer) {
    self.init(format: format, argumentArray: RememberedArguments.of(arguments))
  }
}

/// Calls a closure with a C list of arguments, which must not be used after the closure has returned.
///
/// This function takes the place of the standard library's function of the same name. Predicates and expressions that are
/// created with the list get the original arguments.
///
/// - Parameters:
///   - arguments: The arguments.
///   - body: The closure.
/// - Returns: The result of the closure.
public func withVaList<Result>(
  _ arguments: [any CVarArg],
  _ body: (CVaListPointer) -> Result
) -> Result {
  Swift.withVaList(arguments) { list in
    RememberedArguments.remember(arguments, as: list)
    defer { RememberedArguments.forget(list) }
    return body(list)
  }
}

/// Returns a C list of arguments that can be used after the call.
///
/// On Apple's systems, the list exists as long as the surrounding autorelease pool. Here, the last 1,000 lists of the
/// program are kept. Create the predicate at once, or use `init(format:argumentArray:)`.
///
/// - Parameter arguments: The arguments.
/// - Returns: The list.
public func getVaList(_ arguments: [any CVarArg]) -> CVaListPointer {
  let list = KeptArgumentList(arguments)
  RememberedArguments.keep(list)
  return list.pointer
}

// MARK: - Remembering

/// The arguments of the lists that are in use, each under the address in its list.
private enum RememberedArguments {
  private struct Table: Sendable {
    var arguments: [UInt: Immutable<[any CVarArg]>] = [:]
    var kept: [Immutable<KeptArgumentList>] = []
  }

  private static let table = Mutex(Table())
  private static let keptCount = 1000

  static func of(_ list: CVaListPointer) -> [Any] {
    guard let arguments = table.withLock({ $0.arguments[list.address] }) else {
      fatalError(
        "cannot read the arguments of this CVaListPointer: make it with getVaList or withVaList in a "
          + "file that imports CoreData, or write NSPredicate(format: format, argumentArray: arguments)"
      )
    }
    return arguments.value
  }

  static func remember(_ arguments: [any CVarArg], as list: CVaListPointer) {
    let (address, arguments) = (list.address, Immutable(arguments))
    table.withLock { $0.arguments[address] = arguments }
  }

  static func forget(_ list: CVaListPointer) {
    let address = list.address
    table.withLock { $0.arguments[address] = nil }
  }

  static func keep(_ list: KeptArgumentList) {
    let (address, arguments) = (list.pointer.address, Immutable(list.arguments))
    let list = Immutable(list)
    table.withLock {
      $0.arguments[address] = arguments
      $0.kept.append(list)
      if $0.kept.count > keptCount {
        let oldest = $0.kept.removeFirst()
        $0.arguments[oldest.value.pointer.address] = nil
      }
    }
  }
}

extension CVaListPointer {
  /// The address at the beginning of the list, which distinguishes it from other lists.
  fileprivate var address: UInt {
    withUnsafeBytes(of: self) { $0.load(as: UInt.self) }
  }
}

/// A C list of arguments with the memory that it points to.
private final class KeptArgumentList {
  let arguments: [any CVarArg]
  /// The objects that a list points to besides numbers, such as the text of a `String`.
  private let objects: [any CVarArg]
  private let words: UnsafeMutablePointer<Int>
  let pointer: CVaListPointer

  /// Puts every argument in the area for those that no register holds.
  init(_ arguments: [any CVarArg]) {
    self.arguments = arguments
    objects = arguments.map { ($0 as? any _CVarArgObject)?._cVarArgObject ?? $0 }
    let encoded = objects.flatMap(\._cVarArgEncoding)
    words = .allocate(capacity: encoded.count + Self.headerWords)
    let area = words + Self.headerWords
    for (index, word) in encoded.enumerated() { (area + index).initialize(to: word) }
    #if arch(x86_64)
    // The bytes of general and of floating-point registers that are used up: all of them.
    words.initialize(to: (6 * 8) | ((6 * 8 + 8 * 16) << 32))
    (words + 1).initialize(to: Int(bitPattern: area))
    (words + 2).initialize(to: 0)
    pointer = CVaListPointer(_fromUnsafeMutablePointer: words)
    #elseif arch(arm64)
    pointer = CVaListPointer(__stack: area, __gr_top: nil, __vr_top: nil, __gr_off: 0, __vr_off: 0)
    #else
    pointer = CVaListPointer(_fromUnsafeMutablePointer: area)
    #endif
  }

  #if arch(x86_64)
  private static let headerWords = 3
  #else
  private static let headerWords = 0
  #endif

  deinit { words.deallocate() }
}
