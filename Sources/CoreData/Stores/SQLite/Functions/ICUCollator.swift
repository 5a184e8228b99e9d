import CoreDataPredicates
import Foundation

/// The collator that Foundation compares texts with, without Foundation's way to it.
///
/// It is in a library that Foundation brings along and that no header of ours names, so it is looked
/// up while running; without it, Foundation compares.
///
/// Safety: not Sendable; owns its collator.
final class ICUCollator {
  private let collator: OpaquePointer
  private let functions: Functions
  /// Whether its language keeps the order that all languages share: all its letters are at their usual places, and
  /// none is made of two, as in traditional Spanish and Danish.
  let hasCommonAlphabet: Bool

  /// ICU's collator of a language; `nil` if ICU does not have one.
  init?(of locale: String) {
    guard let functions = Functions.found else { return nil }
    var status: Int32 = 0
    guard let collator = functions.open(locale, &status) else { return nil }
    guard status <= 0 else {
      functions.close(collator)
      return nil
    }
    self.functions = functions
    self.collator = collator
    hasCommonAlphabet = functions.isUntailored(collator)
  }

  /// `nil` if there is no collator, or if it does not sort as Foundation does.
  convenience init?(_ order: CoreDataPredicates.SortOrder) {
    self.init(of: Locale.current.identifier)
    var status: Int32 = 0
    functions.setAttribute(
      collator,
      Attribute.strength,
      order == .localizedCaseInsensitive ? Attribute.secondary : Attribute.tertiary,
      &status
    )
    if order == .localizedStandard {
      functions.setAttribute(collator, Attribute.numeric, Attribute.on, &status)
    }
    guard status <= 0, agrees(with: order) else { return nil }
  }

  deinit {
    functions.close(collator)
  }

  func compare(
    _ one: UnsafeRawBufferPointer,
    _ other: UnsafeRawBufferPointer
  ) -> ComparisonResult {
    var status: Int32 = 0
    let order = functions.compare(
      collator,
      one.baseAddress,
      Int32(clamping: one.count),
      other.baseAddress,
      Int32(clamping: other.count),
      &status
    )
    return order < 0 ? .orderedAscending : order == 0 ? .orderedSame : .orderedDescending
  }

  /// ICU's numbers for what is asked of a collator.
  private enum Attribute {
    static let strength: Int32 = 5
    static let numeric: Int32 = 7
    static let secondary: Int32 = 1
    static let tertiary: Int32 = 2
    static let on: Int32 = 17
  }
}

// MARK: - Trust

extension ICUCollator {
  private static let questions = [
    "", " ", "a", "A", "b", "ä", "Ä", "az", "äb", "co-op", "coop", "co op", "note 2", "note 10",
    "ch",
    "cz", "aa", "ij", "ss", "ø", "z", "_", "~", "Z", "é", "e",
  ]

  private func agrees(with order: CoreDataPredicates.SortOrder) -> Bool {
    Self.questions.allSatisfy { one in
      Self.questions.allSatisfy { other in
        var (left, right) = (one, other)
        let found = left.withUTF8 { left in
          right.withUTF8 {
            compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0))
          }
        }
        return found == order.compareTexts(one, other)
      }
    }
  }
}

// MARK: - Looking up

extension ICUCollator {
  private struct Functions: Sendable {
    typealias Status = UnsafeMutablePointer<Int32>
    typealias Open = @convention(c) (UnsafePointer<CChar>?, Status) -> OpaquePointer?
    typealias Close = @convention(c) (OpaquePointer) -> Void
    typealias SetAttribute = @convention(c) (OpaquePointer, Int32, Int32, Status) -> Void
    typealias Compare =
      @convention(c) (
        OpaquePointer, UnsafeRawPointer?, Int32, UnsafeRawPointer?, Int32, Status
      ) -> Int32

    typealias TailoredSet = @convention(c) (OpaquePointer, Status) -> OpaquePointer?
    typealias IsEmpty = @convention(c) (OpaquePointer) -> Int8

    let open: Open
    let close: Close
    let setAttribute: SetAttribute
    let compare: Compare
    let tailoredSet: TailoredSet
    let isEmpty: IsEmpty
    let closeSet: Close

    /// Whether the language of a collator leaves every sign at its usual place.
    func isUntailored(_ collator: OpaquePointer) -> Bool {
      var status: Int32 = 0
      guard let set = tailoredSet(collator, &status) else { return false }
      defer { closeSet(set) }
      return status <= 0 && isEmpty(set) != 0
    }

    static let found: Functions? = {
      guard let program = dlopen(nil, RTLD_LAZY),
        let open = dlsym(program, "swift_ucol_open"),
        let close = dlsym(program, "swift_ucol_close"),
        let setAttribute = dlsym(program, "swift_ucol_setAttribute"),
        let compare = dlsym(program, "swift_ucol_strcollUTF8"),
        let tailoredSet = dlsym(program, "swift_ucol_getTailoredSet"),
        let isEmpty = dlsym(program, "swift_uset_isEmpty"),
        let closeSet = dlsym(program, "swift_uset_close")
      else { return nil }
      return Functions(
        open: unsafeBitCast(open, to: Open.self),
        close: unsafeBitCast(close, to: Close.self),
        setAttribute: unsafeBitCast(setAttribute, to: SetAttribute.self),
        compare: unsafeBitCast(compare, to: Compare.self),
        tailoredSet: unsafeBitCast(tailoredSet, to: TailoredSet.self),
        isEmpty: unsafeBitCast(isEmpty, to: IsEmpty.self),
        closeSet: unsafeBitCast(closeSet, to: Close.self)
      )
    }()
  }
}
