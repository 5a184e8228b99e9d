package import CoreData
import CoreDataModel
package import CoreDataPredicates
import Foundation

/// Turns texts into values, and refuses those that cannot be one.
extension TypedConstants {
  package func date(_ word: String, _ place: String) throws -> WrittenDate {
    if let date = WrittenDate(word) { return date }
    throw refusal(
      "\(place) is a date; \"\(word)\" is not; write it as \(WrittenDate.forms)",
      at: word
    )
  }

  package func value(of word: String, _ meaning: Meaning) throws -> ExpressionTree {
    switch meaning {
    case .date: return .constant(Constant(word))
    case .uuid(let place):
      if let uuid = UUID(uuidString: word) { return .constant(Constant(uuid)) }
      let form = "6B29FC40-CA47-1067-B31D-00DD010662DA"
      throw refusal(
        "\(place) is a UUID; \"\(word)\" is not; write it as \"\(form)\"",
        at: word
      )
    case .url(let place):
      if let url = URL(string: word) { return .constant(Constant(url)) }
      throw refusal("\(place) is a URL; \"\(word)\" is not", at: word)
    case .truth(let place):
      if let truth = Bool(written: word) { return .constant(Constant(truth)) }
      throw refusal(
        "\(place) is true or false; \"\(word)\" is neither; write it as true or false",
        at: word
      )
    case .number(let place):
      if let number = Int(word) { return .constant(Constant(number)) }
      if word.isNumber, let number = Double(word), number.isFinite {
        return .constant(Constant(number))
      }
      throw refusal("\(place) is a number; \"\(word)\" is not", at: word)
    case .object(let entity, let place):
      let other = ", or compare one of its attributes"
      return .constant(Constant(try identity(word, entity, place, orElse: other)))
    }
  }

  /// The object that `Book/p2` or a whole URI names; another word is refused with another way, if there is any.
  package func identity(
    _ word: String,
    _ entity: String,
    _ place: String,
    orElse other: String = ""
  ) throws -> NSManagedObjectID {
    guard let match = word.wholeMatch(of: /(?:x-coredata:\/\/([^\/]*)\/)?([^\/]+)\/p(\d+)/)?.output,
      let store = coordinator.persistentStores.first
    else {
      throw refusal(
        "\(place) is an object of \(entity), and \"\(word)\" does not name one; write it as "
          + "\"\(entity)/p1\"\(other)",
        at: word
      )
    }
    if let host = match.1, host != store.identifier ?? "", store.url?.path != "/dev/null" {
      throw refusal("\"\(word)\" is an object of another store", at: word)
    }
    let uri = "x-coredata://\(store.identifier ?? "")/\(match.2)/p\(match.3)"
    guard schema.isSame(family: String(match.2), as: entity),
      let identity = coordinator.managedObjectID(for: uri)
    else {
      throw refusal("\(place) is an object of \(entity), and \"\(word)\" cannot be one", at: word)
    }
    return identity
  }

  package func refusal(_ sentence: String, at word: String) -> Refusal {
    Refusal(sentence, in: text, at: text.place(ofPart: "\"\(word)\""))
  }
}

extension String {
  /// Whether all of it is a number as people write one: `-12.5`, `.5`, `1e3`.
  package var isNumber: Bool {
    wholeMatch(of: /[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/) != nil
  }
}

extension Bool {
  /// `yes`, `true` or `1`, `no`, `false` or `0`, in capital letters or not; nil for other words.
  package init?(written word: String) {
    switch word.lowercased() {
    case "yes", "true", "1": self = true
    case "no", "false", "0": self = false
    case _: return nil
    }
  }
}

extension ModelSchema {
  /// Whether an object of the one entity may be of the other: both are below the same root.
  fileprivate func isSame(family one: String, as other: String) -> Bool {
    entityChain(of: one).contains { $0.name == other }
      || entityChain(of: other).contains { $0.name == one }
  }
}
