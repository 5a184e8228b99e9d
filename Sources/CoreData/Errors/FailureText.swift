package import Foundation

/// The text of an error: what happened, why, and what to do about it.
///
/// ```
/// description   title is a required value.
/// reason        Note.title is not optional and has no value.
/// advice        Give Note.title a value, or make it optional in the model.
/// ```
package struct FailureText {
  /// One short sentence, fit for an alert.
  var description: String
  /// The place and the cause, with names.
  let reason: String
  /// The reason without the file's path and a full stop; `nil` if it does not concern a file.
  private let reasonAlone: String?
  /// The advice for the developer or the user.
  let advice: Advice

  package init(description: String, reason: String, advice: Advice) {
    self.description = description
    self.reason = reason
    self.reasonAlone = nil
    self.advice = advice
  }

  /// Says what is wrong with a file, in a clause of which the file is the subject.
  package init(description: String, file path: String, _ clause: String, advice: Advice) {
    self.description = description
    self.reason = "\(path) \(clause)."
    self.reasonAlone = "the file \(clause)"
    self.advice = advice
  }

  /// Makes a text from a part of a sentence that follows the file's path and a colon.
  package init(description: String, of path: String, _ remark: String, advice: Advice) {
    self.description = description
    self.reason = "\(path): \(remark)".asSentence
    self.reasonAlone = remark
    self.advice = advice
  }

  /// Where the `userInfo` of an error has its reason without the path of the file that it is about.
  fileprivate static let reasonAloneKey = "CoreDataReasonAlone"

  package init(description: String, reason: String, suggestion: String) {
    self.init(description: description, reason: reason, advice: .words(suggestion))
  }

  /// The text for a store that cannot be moved to a place that is taken.
  package static func taken(by what: String) -> FailureText {
    FailureText(
      description: "The store cannot be moved there.",
      reason: "There is a \(what) already.",
      suggestion: "Choose another place, or destroy the store that is there first."
    )
  }

  /// An error of Cocoa's domain that says this, whatever another error said before in `userInfo`.
  package func error(code: Int, userInfo: [String: Any] = [:]) -> NSError {
    var userInfo = userInfo
    userInfo[NSLocalizedDescriptionKey] = description
    userInfo[NSLocalizedFailureReasonErrorKey] = reason
    userInfo[NSLocalizedRecoverySuggestionErrorKey] = advice.sentence
    userInfo[Advice.userInfoKey] = if case .words = advice { nil } else { advice }
    userInfo[Self.reasonAloneKey] = reasonAlone
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }
}

extension NSError {
  /// The reason, as a part of a sentence, for callers that have named the file already.
  package var reasonAlone: String {
    if let reason = userInfo[FailureText.reasonAloneKey] as? String { return reason }
    let reason = localizedFailureReason ?? localizedDescription
    return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
  }
}

extension String {
  /// The words with a full stop, unless they end as a sentence does already.
  package var asSentence: String { last.map { ".?!".contains($0) } == true ? self : "\(self)." }
}
