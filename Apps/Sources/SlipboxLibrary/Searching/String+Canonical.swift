import Foundation

extension String {
  /// The text without case and accents, as the derived attribute `canonicalTitle` has it.
  var canonical: String {
    folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
