package import Foundation

/// What an error says: what happened, why, and what to do about it.
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
  /// What the developer or the user can do.
  let advice: Advice

  package init(description: String, reason: String, advice: Advice) {
    self.description = description
    self.reason = reason
    self.advice = advice
  }

  package init(description: String, reason: String, suggestion: String) {
    self.init(description: description, reason: reason, advice: .words(suggestion))
  }

  /// An error of Cocoa's domain that says this.
  package func error(code: Int, userInfo: [String: Any] = [:]) -> NSError {
    var text: [String: Any] = [
      NSLocalizedDescriptionKey: description,
      NSLocalizedFailureReasonErrorKey: reason,
      NSLocalizedRecoverySuggestionErrorKey: advice.sentence,
    ]
    if case .words = advice {} else { text[Advice.userInfoKey] = advice }
    return NSError(
      domain: NSCocoaErrorDomain,
      code: code,
      userInfo: userInfo.merging(text) { _, text in text }
    )
  }
}

extension String {
  /// The words with a full stop, unless they end as a sentence does already.
  package var asSentence: String { last.map { ".?!".contains($0) } == true ? self : "\(self)." }
}
