/// A part of a model that classes of SwiftData cannot express.
struct SwiftDataGap: Hashable {
  /// The entity; `nil` if the part belongs to the whole model.
  let entity: String?
  /// The property, or the index or constraint in a few words.
  var part: String?
  /// The part, and the effect of leaving it out, as a clause.
  let reason: String

  /// The place as people write it: `Note.tags`.
  var place: String {
    let names = [entity, part].compactMap { $0 }
    return names.isEmpty ? "the model" : names.joined(separator: ".")
  }

  /// The sentence, in one line also where a model's texts have several: it becomes a comment in Swift.
  var sentence: String { "\(place): \(reason)".inOneLine }
}
