import CoreDataSwiftCode

// MARK: - CloudKit

extension PortDraft {
  /// Reports CloudKit's words; changes that have arrived from others have another author here.
  mutating func portCloudKit(at index: Int) {
    let token = tokens[index]
    if token.kind == .string, token.text == "\"NSCloudKitMirroringDelegate.import\"" {
      edit(token.range, "\"CoreDataSync\"")
    }
    guard token.kind == .word, let reason = Self.reason(forWordOfCloudKit: token.name),
      !isConditional(index)
    else { return }
    leave(line: token.line, reason)
  }

  /// The advice about a word; `nil` for one that is not CloudKit's.
  private static func reason(forWordOfCloudKit word: String) -> String? {
    if word == "databaseScope" {
      return "databaseScope is CloudKit's; remove it: a token says what a device may read and "
        + "write, and a store for what others share gets an address of its own, in syncAddress"
    }
    if ["fetchForEvents", "matchingFetch"].contains(word) {
      return "\(word): Linux has no fetch request for the events of a container; make the request "
        + "with fetchEvents(after:), and filter its result"
    }
    guard word.isNameOfCloudKit || methodsOfShares.contains(word) else { return nil }
    return "\(word) is CloudKit's, which Linux does not have; remove it: "
      + "NSPersistentCloudKitContainer keeps stores in step over a server of your own, whose tokens "
      + "say who shares a zone"
  }

  private static let methodsOfShares: Set<String> = [
    "acceptShareInvitations", "fetchParticipants", "fetchShares", "persistUpdatedShare",
    "purgeObjectsAndRecordsInZone",
  ]
}

extension String {
  /// `CKShare` and its like: CK, a capital and a small letter.
  fileprivate var isNameOfCloudKit: Bool {
    guard hasPrefix("CK"), let third = dropFirst(2).first, let fourth = dropFirst(3).first else {
      return false
    }
    return third.isUppercase && fourth.isLowercase
  }
}
